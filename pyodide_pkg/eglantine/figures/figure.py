"""`eg.figure`: a picture that works in any HTML page, with no Python and no server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.plain.typeof import shown as shown_type
from eglantine.words.spelling import listed

from .asides import aside_of, names_in
from .controls import Slider
from .fragments import Figure, Plan
from .models import Model, checked_kind, model
from .source import python_text
from .templates import Template

SHOWN: Final = {
    "curve": ("tangent", "quadratic", "area", "taylor"),
    "surface": ("quadratic",),
    "contour": ("gradient", "descent"),
}
"""For each kind of picture, the additions that the argument `show` of `figure` may contain."""
ORDER: Final = Slider(0.0, 8.0, 3.0)
"""The slider for the order of a Taylor polynomial."""
USUALLY_SHOWN: Final = {"curve": ("tangent",), "surface": ("quadratic",), "contour": ("gradient", "descent")}


def figure(
    f: Any,
    *,
    kind: str | None = None,
    show: Sequence[str] | None = None,
    says: tuple[str, Any] | None = None,
    paths: Mapping[str, Any] | None = None,
    data: Sequence[Sequence[float]] | None = None,
    **named: Any,
) -> Figure:
    """Return a figure: a picture of functions with controls, which works in any HTML page.

    f: an fn, a formula's text, or a list of them. For a diagram it is an `eglantine.diagrams.Diagram`.
    kind: "curve", "surface", "contour", "field", "image", "scatter", "fit", "table", "tape" or "diagram". By
        default, functions of one axis are drawn as curves, and a function of two axes as a surface, or as a
        field if it returns a pair. A scatter has no function (f is None) and draws only `paths`. A fit draws
        the points `data`, and the curve of f with the parameters that fit them best. A table lists values and
        slopes. A tape lists all operations of f with their values and slopes. A diagram gets a new layout in
        the page when a control moves.
    show: additional things to draw. Curves can show "tangent", "quadratic", "area" and "taylor". Surfaces can
        show "quadratic". Contours can show "gradient" and "descent". By default a curve shows the tangent, a
        surface the quadratic, a contour everything. A Taylor polynomial adds a slider for its order.
    says: a pair of a sentence and a function. The sentence appears below the picture. The function returns
        the numbers of the sentence, in order. `{}` stands for a number. `{no|yes}` stands for a word that a
        number selects: 0 the first word, 1 the second, and so on.
    paths: lines to draw in a curve, a contour, a field or a scatter. It is a dict from labels to functions. A
        function returns a Vec of pairs, or the xs and the ys as two Vecs. `(function, "dots")` draws dots.
        `(function, "both")` draws lines and dots. `(function, "grey")` draws a grey square of side 1 around
        each point. Then the function also returns a third Vec, of greys from 0 (black) to 1 (white). The
        parameters of all these functions are controls and axes. For an axis, a function gets the coordinate
        of the point that the reader moves.
    data: the points of a fit, as pairs. Each `eg.point` that is not a parameter of f adds a point that
        readers can drag. The fit finds all parameters that have no control.
    named: for each parameter of f, a pair or a control. A pair is the range of an axis. A control is an
        `eg.slider`, `eg.point` or `eg.choice`. By default, x and y are axes from -3 to 3, and the other
        parameters are sliders. If f has one axis, a pair named y is the range of the values of f. If f has
        two axes, this pair is named z. An `eg.point` that is no parameter of f gives the start of the point
        that the reader moves. In a diagram, a control sets the diagram's parameter of the same name, and a
        point p sets p_x and p_y.

    Raises: TypeMismatchError if a range, a control, a name or a kind cannot be used. FormulaError, with the
        columns of the mistake, if a formula has a mistake.
    """
    checked_kind(kind)
    given = {**named, **({} if data is None else {"data": data})}
    python = python_text(f, {**given, "kind": kind, "show": show}, says, paths)
    if kind == "fit":
        return _fit(f, data, named, (says, paths), python)
    if data is not None:
        raise TypeMismatchError('Only a fit has data. Write kind="fit", or leave data out.')
    if has_polynomial := show is not None and "taylor" in show:
        named = {"order": ORDER, **named}
    template = None
    if kind in ("tape", "diagram"):
        shown, template = _with_template(kind, f, named)
    else:
        beside = names_in(says, paths, named)
        shown = model(f, named, kind, [*beside, "order"] if has_polynomial else beside)
    wanted = _checked_show(show, shown.kind)
    if has_polynomial:
        from .polynomials import polynomial

        paths = {**(paths or {}), "Taylor": polynomial(f, shown, named)}
    return Figure(Plan(shown.kind, shown, wanted, aside_of(shown, says, paths, named), template, python))


def _with_template(kind: str, f: Any, named: Mapping[str, Any]) -> tuple[Model, Template]:
    """Make the model and the template of a tape or a diagram."""
    if kind == "tape":
        from .tapes import tape

        return tape(f, named)
    if not hasattr(f, "_figure_"):  # no module below `diagrams` may import it
        raise TypeMismatchError(
            f'eg.figure(…, kind="diagram") draws an eglantine.diagrams.Diagram, but this is {shown_type(f)}.'
        )
    model_and_marks: tuple[Model, Template] = f._figure_(named)
    return model_and_marks


def _fit(f: Any, data: Any, named: Mapping[str, Any], more: tuple[Any, Any], python: str) -> Figure:
    """Make the figure of a fit: a scatter with the points, and with the fitted curve as a path."""
    from .fits import fit

    made = fit(f, data, named)
    says, paths = more
    paths = {**made.paths, **(paths or {})}
    shown = model(None, made.named, "scatter")._replace(labels=[made.label])
    return Figure(Plan("fit", shown, (), aside_of(shown, says or made.says, paths, made.named), None, python))


def _checked_show(show: Sequence[str] | None, kind: str) -> tuple[str, ...]:
    if show is None:
        return USUALLY_SHOWN.get(kind, ())
    wanted = (show,) if isinstance(show, str) else tuple(show)
    for word in wanted:
        able_to_show = SHOWN.get(kind, ())
        if word not in able_to_show:
            able = f"show {listed(able_to_show)}" if able_to_show else "show nothing in addition"
            raise TypeMismatchError(
                f"The argument `show` has {word!r}, but a {kind} can {able}. Leave {word!r} out, or choose "
                "another kind."
            )
    return wanted

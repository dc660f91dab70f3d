"""The class of figures. A figure becomes HTML, files or SVG. Notebooks can show it."""

from __future__ import annotations

import base64
import html
import json
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from eglantine.api import compile as compile_kernel
from eglantine.api import compile_artifact
from eglantine.errors import CompileError, EglantineError, TypeMismatchError
from eglantine.exports.script import exported
from eglantine.functions.fn import Fn
from eglantine.words.spelling import listed

from .asides import Aside, described, evaluator, places_of
from .beside import Figures
from .controls import Point, Slider, described_control, leaf_values, start_of
from .drawing import Picture, draw
from .framed import framed
from .frames import Mark
from .models import Model
from .ranges import gathered, places, value_range
from .script import script as whole_script
from .style import STYLE
from .templates import Template

if TYPE_CHECKING:
    from pathlib import Path

TURN: Final = 30.0
"""The angle by which a surface is turned when the figure opens, in degrees."""
FULL_TURN: Final = 360
PLACE: Final = 0.6
"""The start of the point that readers move, as a fraction of each axis's range.

It is used if the caller gives no start."""


class Plan(NamedTuple):
    """The parts of a figure, before its kernels are compiled and it is drawn.

    kind: the kind that the caller chose. It can differ from `model.kind`: a fit is drawn as a scatter.
    template: the SVG elements of a tape or a diagram, or None for another figure.
    python: the text of a program that makes the figure.
    """

    kind: str
    model: Model
    show: tuple[str, ...]
    aside: Aside | None
    template: Template | None
    python: str


class Figure:
    """A picture of functions with controls. Notebooks show the picture.

    wasm: the bytes of the module that computes the figure's functions.
    aside_wasm: the bytes of a second module, which computes the sentence's numbers and the paths. It is empty
        if the figure has no sentence and no paths.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan, self._model, self._aside, self._kind = plan, plan.model, plan.aside, plan.kind
        shown, aside = plan.model, plan.aside
        artifact = compile_artifact(shown.kernel)
        if artifact.abi["imports"]:
            raise TypeMismatchError(
                f"{listed(shown.labels)} calls a host function or prints, but a figure runs without Python. "
                "Write the function with eg.math."
            )
        self.wasm: bytes = artifact.wasm
        self._abi = artifact.abi
        self._files = exported(artifact, name=shown.kernel.__name__)
        self._at = _evaluator(shown.kernel, len(artifact.abi["result"]["leaves"]))
        self._beside: Any = None
        self.aside_wasm = b""
        if aside is not None:
            beside = compile_artifact(aside.kernel)
            self.aside_wasm = beside.wasm
            self._files |= exported(beside, name="aside")
            self._aside_abi = beside.abi
            self._beside = evaluator(_runnable(aside.kernel), shown)
        self._spec = self._described()
        self._drawn = self._draw(self._spec["start"])

    def __repr__(self) -> str:
        return f"<eg.figure: {self._title}, {len(self.wasm)} bytes of Wasm>"

    @property
    def _title(self) -> str:
        """Return a short description: the kind of the figure and the functions that it shows."""
        labels = self._model.labels
        return f"{self._kind} of {listed(labels)}" if labels else self._kind

    # ---------------------------------------------------------------- output

    def html(self, inline: bool = True, *, script: bool = True, style: bool = True, stem: str = "") -> str:
        """Return the figure as one fragment of HTML, for any page.

        inline: if true, the fragment contains the kernel and the script. If false, it refers to the files
            that `save(path, files=True)` writes.
        script: if true, include the script. A page with several figures needs it only once.
        style: if true, include the style sheet. A page with several figures needs it only once.
        stem: the name of the files without the suffix, if the fragment refers to files. By default, it is the
            name of the figure's kernel.
        """
        name = None if inline else stem or self._model.kernel.__name__
        return self.fragment(name, script=script, style=style)

    @property
    def names(self) -> frozenset[str]:
        """The names of its controls."""
        return frozenset(self._model.controls)

    @property
    def start(self) -> dict[str, Any]:
        """Return the figure's initial state: the values of its controls, and the point that readers move."""
        start: dict[str, Any] = self._spec["start"]
        copied: dict[str, Any] = json.loads(json.dumps(start))
        return copied

    def beside(self, *others: Figure) -> Figures:
        """Put this figure beside others. If figures have a control of the same name, they share it."""
        return Figures([self, *others])

    def data(self) -> str:
        """Return the JSON text for the script that draws the figure. It contains the kernels' bytes."""
        return self._data(None)

    def svg(self) -> str:
        """Return the picture as the text of an SVG file. It does not react to the reader."""
        attributes = ' xmlns="http://www.w3.org/2000/svg" style="color-scheme:light dark;color:CanvasText"'
        return self._picture(f' class="eg-figure"{attributes}', f"<style>{STYLE}</style>")

    def save(self, path: str | os.PathLike[str], files: bool = False) -> list[Path]:
        """Write the figure as a page, or as a picture if `path` ends in `.svg`. Return the files' paths.

        files: if true, the kernel (`.wasm`) and the script (`.js`) become files next to the page. Sites with
            the Content-Security-Policy `script-src 'self' 'wasm-unsafe-eval'` need this.

        Raises: TypeMismatchError if the path ends neither in `.html` nor in `.svg`.
        """
        from pathlib import Path

        into = Path(path)
        if into.suffix not in (".html", ".svg"):
            raise TypeMismatchError(
                f"fig.save writes a page or a picture, but it was given {str(path)!r}. Let the name end in "
                ".html or in .svg."
            )
        if into.suffix == ".svg":
            contents: dict[Path, str | bytes] = {into: self.svg()}
        else:
            title = html.escape(listed(self._model.labels) or self._kind)
            contents = {into: PAGE.format(title=title, body=self.fragment(into.stem if files else None))}
            if files:
                contents |= {into.with_suffix(".js"): whole_script(), into.with_suffix(".wasm"): self.wasm}
                if self._aside is not None:
                    contents[into.with_name(f"{into.stem}-aside.wasm")] = self.aside_wasm
        into.parent.mkdir(parents=True, exist_ok=True)
        for file, content in contents.items():
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(contents)

    def _repr_mimebundle_(self, *_: Any, **_asked: Any) -> dict[str, str]:
        """Return the figure for notebooks, as HTML and as text. A notebook without HTML shows the text."""
        return {"text/html": self.html(), "text/plain": f"{self!r}\n{self._drawn.told}"}

    def _mime_(self) -> tuple[str, str]:
        """Return the figure for marimo."""
        return "text/html", framed(self.html(), self._title)

    # ---------------------------------------------------------------- its parts

    def _described(self) -> dict[str, Any]:
        """Collect all data for drawing the figure."""
        shown = self._model
        has_point = shown.kind not in ("scatter", "tape", "diagram")
        single = len(shown.axes) == 1 or not has_point
        held = (
            shown.held.at if shown.held else tuple(low + PLACE * (high - low) for _, low, high in shown.axes)
        )
        needs_place = has_point and (shown.held is not None or not single or bool(self._plan.show))
        place = [min(max(at, low), high) for at, (_, low, high) in zip(held, shown.axes, strict=False)]
        values: dict[str, Any] = {name: start_of(control) for name, control in shown.controls.items()}
        name = shown.kernel.__name__
        spec: dict[str, Any] = {
            "kind": shown.kind,
            "name": name,
            "axes": [{"name": axis, "lo": low, "hi": high} for axis, low, high in shown.axes],
            "labels": shown.labels,
            "value": shown.labels[0] if single and len(shown.labels) == 1 else "",
            "show": list(self._plan.show),
            "controls": [described_control(name, control) for name, control in shown.controls.items()],
            "start": {"place": place if needs_place else None, "turn": TURN, "values": values},
            "inputs": places_of(self._abi),
            "outputs": [leaf["at"] // 8 for leaf in self._abi["result"]["leaves"]],
            "files": {**{file: text for file, text in self._files.items() if file.endswith((".js", ".ts"))},
                      f"{name}.py": self._plan.python},
        }  # fmt: skip
        for control in shown.controls.values():
            if isinstance(control, Point) and control.on == "curve" and not single:
                raise TypeMismatchError(
                    f'eg.point\'s on="curve" needs a figure with one axis, but this one is a {shown.kind}. '
                    "Leave out `on`."
                )
        if shown.kind == "surface":
            spec["turn"] = ["turn", FULL_TURN]
        if (template := self._plan.template) is not None:
            spec |= {"marks": template.marks, "told": template.told}
            if template.steps:
                spec["turn"] = ["step", template.steps]
                spec["start"]["turn"] = template.steps
        if self._aside is not None:
            spec["aside"] = described(self._aside, self._aside_abi)
        spec["range"] = list(shown.values or self._value_range(values))
        return spec

    def _value_range(self, start: Mapping[str, Any]) -> tuple[float, float]:
        """Choose the range of the value axis. Use the values at the start and at both ends of each slider."""
        shown = self._model
        if shown.kind == "scatter":
            return 0.0, 1.0
        each = 3 if len(shown.axes) == 1 else len(self._abi["result"]["leaves"])
        firsts = range(0, len(self._abi["result"]["leaves"]), each)
        spots = places(shown.axes)
        cases = [dict(start)]
        for name, control in shown.controls.items():
            if isinstance(control, Slider):
                cases += [{**start, name: control.lo}, {**start, name: control.hi}]
        found = [value for case in cases for value in gathered(self._bound(case), spots, firsts)]
        return value_range(found, tight=len(shown.axes) > 1)

    def _bound(self, values: Mapping[str, Any]) -> Callable[..., Sequence[float]]:
        """Return the kernel with fixed values of the controls. Its only arguments are the axes."""
        rest = leaf_values(self._model.controls, values)
        return lambda *place: self._at(*place, *rest)

    def _draw(self, state: Mapping[str, Any]) -> Picture:
        """Draw the figure. `state` has the values of its controls."""
        beside = self._beside(state) if self._beside else None
        return draw(self._spec, state, self._bound(state["values"]), beside)

    def _data(self, stem: str | None, hidden: Collection[str] = ()) -> str:
        """Return the figure as JSON. `stem` is the name of its files without the suffix, or None."""
        spec = {**self._spec, "wasm": _wasm(self.wasm, stem)}
        if shared := sorted(self.names.intersection(hidden)):
            spec["hidden"] = shared
        if self._aside is not None:
            beside = _wasm(self.aside_wasm, stem and f"{stem}-aside")
            spec["aside"] = {**spec["aside"], "wasm": beside}
        return json.dumps(spec, ensure_ascii=False, separators=(",", ":"))

    def fragment(
        self, stem: str | None, *, script: bool = True, style: bool = True, hidden: Collection[str] = ()
    ) -> str:
        """Return the figure as HTML.

        stem: the name of the figure's files without the suffix, or None if the HTML contains everything.
        hidden: the names of the controls to leave out, because another figure on the page shows them.
        """
        data = self._data(stem, hidden)
        label = html.escape(self._title, quote=True)
        picture = self._picture(f' role="group" aria-label="{label}"', "")
        quoted = data.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
        scripts = (
            f"<script>{whole_script()}</script>"
            if stem is None
            else f'<script src="{stem}.js" defer></script>'
        )
        sheet = f"<style>{STYLE}</style>" if style else ""
        return (
            f"<figure class=\"eg-figure\" data-figure='{quoted}'>\n{sheet}\n{picture}\n"
            f'<p class="told" aria-live="polite">{html.escape(self._drawn.told)}</p>\n</figure>\n'
            f"{scripts if script else ''}\n"
        )

    def _picture(self, attributes: str, inside: str) -> str:
        drawn = self._drawn
        behind, plot, above = ("".join(map(_element, marks)) for marks in drawn[:3])
        clip = (
            ""
            if self._kind == "surface"
            else ' x="56" y="34" width="488" height="306" viewBox="56 34 488 306"'
        )
        return (
            f'<svg viewBox="0 0 560 380"{attributes}>{inside}<g class="behind">{behind}</g>'
            f'<svg class="plot"{clip}>{plot}</svg><g class="above">{above}</g></svg>'
        )


PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>{title}</title>
<body>
{body}</body></html>
"""


def _wasm(content: bytes, stem: str | None) -> str:
    """Return a kernel for the page: its bytes as text, or the name of its file."""
    return f"base64,{base64.b64encode(content).decode()}" if stem is None else f"{stem}.wasm"


def _element(mark: Mark) -> str:
    """Write a mark (an SVG element) as text."""
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in mark[1].items())
    text = html.escape(mark[2], quote=False) if len(mark) > len(("tag", "attributes")) else ""
    return f"<{mark[0]}{attributes}>{text}</{mark[0]}>"


def _runnable(kernel: Fn) -> Callable[..., Any]:
    """Make a function that runs the kernel on plain numbers. Compile the kernel if there is an engine."""
    try:
        run: Callable[..., Any] = compile_kernel(kernel)
    except CompileError:
        run = kernel.interpreted
    return run


def _evaluator(kernel: Fn, outputs: int) -> Callable[..., Sequence[float]]:
    """Make a function that runs the kernel on plain numbers. If the kernel fails, the results are NaN."""
    run = _runnable(kernel)
    nothing = (math.nan,) * outputs

    def at(*reals: float) -> Sequence[float]:
        try:
            values: Sequence[float] = run(*reals)
        except EglantineError:
            return nothing
        return values

    return at

"""Trace the function that a figure compiles. It computes the values to draw, and their derivatives."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.formulas.parser import parse
from eglantine.formulas.traced import to_fn
from eglantine.functions.derivatives import grad
from eglantine.functions.fn import Fn, fn
from eglantine.functions.jacobians import hessian
from eglantine.plain.typeof import shown
from eglantine.trace.vectors import VecValue
from eglantine.types import Bool, Real, TupleType, VecType
from eglantine.words.spelling import began, listed

from .controls import Choice, Control, Picture, Point, Slider, finite, leaf_types, slider
from .signatures import traced

LETTER: Final = re.compile(r"(?<![A-Za-z_])[A-Za-z]\d*(?![A-Za-z_\d(])")
"""A pattern for a letter in a formula that has no other letter beside it. Digits may follow, as in `x1`."""
CONSTANTS: Final = ("e",)
OF_ONE_AXIS: Final = ("curve", "table")
USUAL_AXES: Final = ("x", "y")
USUAL_RANGE: Final = (-3.0, 3.0)
LONGEST_LABEL: Final = 24
KINDS: Final = (
    "curve", "surface", "contour", "field", "image", "scatter", "fit", "table", "tape", "diagram",
)  # fmt: skip
SPARE_AXES: Final = [("_across", 0.0, 1.0), ("_up", 0.0, 1.0)]
"""Two axes for pictures that show none. The kernel of every picture takes its axes first.

With these unused axes, the kernels of tapes and diagrams also take two axes first."""
FIRST_OF_TWO: Final = 2


class Part(NamedTuple):
    """A function in a figure: the callable, the names and types of its parameters, and its label."""

    call: Callable[..., Any]
    names: tuple[str, ...]
    types: Mapping[str, Any]
    label: str


class Model(NamedTuple):
    """The content of a figure: its axes, its controls and its kernel.

    axes: the name and the range of each axis.
    held: the point that the reader moves, or None if the caller gave no such point. The figure shows
        derivatives at this point.
    values: the range of the value axis, or None if the caller did not give this range.
    kernel: a function that takes the axes and the leaves of the controls. It returns all values and
        derivatives.
    """

    kind: str
    axes: list[tuple[str, float, float]]
    controls: dict[str, Control]
    held: Point | None
    values: tuple[float, float] | None
    labels: list[str]
    kernel: Fn


def model(f: Any, named: Mapping[str, Any], kind: str | None, beside: Sequence[str] = ()) -> Model:
    """Check the arguments of `eg.figure`, and trace the figure's kernel.

    beside: the parameters of the functions in the figure's sentence and paths. Such a parameter may have a
        control, even if it is not a parameter of f.
    """
    if kind == "scatter":
        return _empty(f, named)
    several = list(f) if isinstance(f, list | tuple) else [f]
    if not several:
        raise TypeMismatchError("eg.figure was given an empty list. Give it a function or a formula.")
    parts = [part_of(one, named) for one in several]
    used = list(dict.fromkeys(name for part in parts for name in part.names))
    used += [
        name for name in dict.fromkeys(beside) if name not in used and isinstance(named.get(name), Control)
    ]
    axes, controls, held, values = _sorted(parts, used, named)
    outputs: list[int] = []
    kernel = _kernel(parts, [name for name, _, _ in axes], controls, kind, outputs)
    chosen = _kind(kind, len(axes), outputs, parts)
    labels = [part.label for part in parts]
    if len(axes) == 1 and len(parts) == 1 and outputs[0] > 1:
        labels = [f"{parts[0].label}[{k}]" for k in range(outputs[0])]
    return Model(chosen, axes, controls, held, values, labels, kernel)


def _empty(f: Any, named: Mapping[str, Any]) -> Model:
    """Make the model of a scatter: a picture with two axes and no functions."""
    axes = [(name, *range_of(name, value)) for name, value in named.items() if is_pair(value)]
    if f is not None or len(axes) != FIRST_OF_TWO:
        raise TypeMismatchError(
            "A scatter draws paths over two axes, and takes no function. Write eg.figure(None, "
            'kind="scatter", x=(0, 3), y=(0, 3), paths={...}).'
        )
    controls = {name: value for name, value in named.items() if isinstance(value, Control)}

    def figure(*_: Any) -> Any:
        return ()

    kernel: Fn = fn([*[Real] * len(axes), *leaf_types(controls)])(figure)
    return Model("scatter", axes, controls, None, None, [], kernel)


def checked_kind(kind: str | None) -> None:
    """Check the name of a kind."""
    if kind is not None and kind not in KINDS:
        raise TypeMismatchError(
            f"eg.figure draws {listed(KINDS)}, but kind is {kind!r}. If you leave out kind, eg.figure "
            "chooses by the types."
        )


def usual_slider() -> Slider:
    """Return the slider for a parameter that has neither a range nor a control."""
    return slider(*USUAL_RANGE, 1.0)


def part_of(one: Any, named: Mapping[str, Any]) -> Part:
    """Find the parameters of a function or a formula."""
    if isinstance(one, str):
        letters = [letter for letter in LETTER.findall(one) if letter not in CONSTANTS or letter in named]
        known = list(dict.fromkeys([*named, *USUAL_AXES, *letters]))
        variables = {node.name for node in parse(one, known).nodes if node.kind == "variable"}
        names = tuple(
            sorted(variables, key=lambda name: (known.index(name) >= len(named), known.index(name)))
        )
        if not names:  # a constant
            names = tuple(name for name, value in named.items() if is_pair(value))[:1] or USUAL_AXES[:1]
        label = one if len(one) <= LONGEST_LABEL else one[: LONGEST_LABEL - 1] + "…"
        return Part(to_fn(one, names), names, dict.fromkeys(names, Real), label)
    if isinstance(one, Fn):
        function = one.function
        names = tuple(function.param_names)[: len(function.params)]
        return Part(one, names, dict(zip(names, function.params, strict=True)), one.__name__)
    if not callable(one):
        raise TypeMismatchError(
            f"eg.figure draws a function, a formula's text, or a list of these, but this is {shown(one)}. "
            'Write eg.figure("x^2", x=(0, 3)).'
        )
    try:
        parameters = inspect.signature(one).parameters.values()
    except (TypeError, ValueError):
        raise TypeMismatchError(
            f"{began(shown(one))} does not name its parameters, but eg.figure needs their names. Write a "
            "Python function that calls it."
        ) from None
    names = tuple(of.name for of in parameters if of.default is of.empty)
    return Part(one, names, {}, getattr(one, "__name__", "f").replace("<lambda>", "f"))


def is_pair(value: Any) -> bool:
    """True for a pair that is not a control."""
    return isinstance(value, list | tuple) and not isinstance(value, Control) and len(value) == FIRST_OF_TWO


def range_of(name: str, value: Any) -> tuple[float, float]:
    """Check a pair and return it as the range of an axis."""
    low, high = (finite(end, f"The range of {name}") for end in value)
    if low >= high:
        raise TypeMismatchError(
            f"The first end of the range of {name} must be below the second, but the range is "
            f"{tuple(value)!r}. Write {name}=(0, 3), for instance."
        )
    return low, high


def _sorted(
    parts: Sequence[Part], used: Sequence[str], named: Mapping[str, Any]
) -> tuple[list[tuple[str, float, float]], dict[str, Control], Point | None, tuple[float, float] | None]:
    """Sort the arguments into axes, controls, the point that readers move, and the range of the values."""
    ranges, controls, spare = {}, {}, {}
    for name, value in named.items():
        if not isinstance(value, Control) and not is_pair(value):
            raise TypeMismatchError(
                f"{name} is {value!r}, but it must be a control, or a pair of numbers as the range of an "
                f"axis. Write {name}=(0, 3), or {name}=eg.slider(0, 3, 1)."
            )
        if name not in used:
            spare[name] = value
        elif isinstance(value, Control):
            controls[name] = value
        else:
            ranges[name] = range_of(name, value)
    left = [name for name in used if name not in named]
    pairs = [name for name in left if any(_takes_point(part.types.get(name)) for part in parts)]
    left = [name for name in left if name not in pairs]
    if not ranges:
        usual = [name for name in USUAL_AXES if name in left] or left[:1]
        ranges = dict.fromkeys(usual, USUAL_RANGE)
    if not 1 <= len(ranges) <= FIRST_OF_TWO:
        raise TypeMismatchError(
            f"A figure has one or two axes, but here {len(ranges)} parameters have ranges. Give a range such "
            "as x=(0, 3) to one parameter or two, and a control such as eg.slider(0, 3, 1) to the others."
        )
    controls |= {name: usual_slider() for name in left if name not in ranges}
    controls |= {name: Point((1.0, 1.0), None) for name in pairs}
    held, values = _spare(spare, used, len(ranges))
    axes = [(name, *ranges[name]) for name in sorted(ranges, key=list(used).index)]
    _check_types(parts, axes, controls)
    return axes, {name: controls[name] for name in used if name in controls}, held, values


def _takes_point(of: Any) -> bool:
    if isinstance(of, TupleType):
        return len(of.items) == FIRST_OF_TWO
    return isinstance(of, VecType) and int(of.n) == FIRST_OF_TWO


def _spare(
    spare: Mapping[str, Any], used: Sequence[str], axes: int
) -> tuple[Point | None, tuple[float, float] | None]:
    """Find the reader's point and the range of the values among the arguments that no function takes."""
    held, values = None, None
    for name, value in spare.items():
        if isinstance(value, Point) and held is None:
            held = value
        elif is_pair(value) and name == ("y" if axes == 1 else "z"):
            values = range_of(name, value)
        else:
            raise TypeMismatchError(
                f"eg.figure was given {name}={value!r}, but no function here has a parameter {name}. The "
                f"parameters here are {listed(used)}. Leave {name} out, or use it in the function."
            )
    return held, values


def _check_types(
    parts: Sequence[Part], axes: Sequence[tuple[str, float, float]], controls: Mapping[str, Control]
) -> None:
    """Check that each parameter gets a value of its type from its axis or its control."""
    names = {name for name, _, _ in axes}
    for part in parts:
        for name, of in part.types.items():
            control = controls.get(name)
            fits = of is Real
            if isinstance(control, Point):
                fits = _takes_point(of)
            elif isinstance(control, Picture):
                fits = isinstance(of, VecType)
            elif isinstance(control, Choice) and of is Bool:
                fits = all(isinstance(one, bool) for one in control.options)
            if not fits:
                given = "an axis" if name in names else repr(control)
                kinds = {Point: "a point", Picture: "a picture"}
                raise TypeMismatchError(
                    f"The parameter {name} of {part.label} is a {of!r}, but {given} gives it "
                    f"{kinds.get(type(control), 'a Real')}. A slider, a choice or an axis "
                    "fits a Real, eg.point fits a pair of Reals, and eg.picture fits a Vec of Vecs."
                )


def leaves_of(name: str, control: Control) -> list[str]:
    """List the kernel's parameters for a control. A point has two."""
    return [f"{name}_x", f"{name}_y"] if isinstance(control, Point) else [name]


def _kernel(
    parts: Sequence[Part],
    axes: Sequence[str],
    controls: Mapping[str, Control],
    kind: str | None,
    outputs: list[int],
) -> Fn:
    """Trace the kernel. For each function, append the number of its values to `outputs` (0 for a Real).

    A function of two variables that returns a pair becomes a field.
    """
    names = [*axes, *(leaf for name, control in controls.items() for leaf in leaves_of(name, control))]

    def figure(*reals: Any) -> Any:
        values = dict(zip(names, reals, strict=True))
        for name, control in controls.items():
            if isinstance(control, Point):
                values[name] = (values[f"{name}_x"], values[f"{name}_y"])
        places = [values[name] for name in axes]
        return tuple(one for part in parts for one in _outputs(part, axes, values, places, kind, outputs))

    types = [*[Real] * len(axes), *leaf_types(controls)]
    return traced(names, figure, _file_name(parts[0].label), types)


def _file_name(label: str) -> str:
    """A name for the files of a figure."""
    return label if label.isidentifier() and label.isascii() else "figure"


def arguments(part: Part, values: Mapping[str, Any]) -> list[Any]:
    """Return a function's arguments: values of axes and controls, converted to its parameters' types."""
    results = []
    for name in part.names:
        of, value = part.types.get(name), values[name]
        results.append(value != 0 if of is Bool else list(value) if isinstance(of, VecType) else value)
    return results


def _outputs(
    part: Part, axes: Sequence[str], values: Mapping[str, Any], places: Sequence[Any], kind: str | None,
    outputs: list[int],
) -> list[Any]:  # fmt: skip
    """Compute the kernel's outputs for one function: the values and their derivatives."""

    def whole(*given: Any) -> Any:
        return part.call(*arguments(part, {**values, **dict(zip(axes, given, strict=True))}))

    result = whole(*places)
    many = len(result) if isinstance(result, list | tuple | VecValue) else 0
    outputs.append(many)
    if not many and not hasattr(result, "__mul__"):
        raise TypeMismatchError(
            f"eg.figure draws Reals, but {part.label} gives {shown(result)}. Return a Real, "
            "or a tuple of Reals."
        )
    if many and len(axes) == FIRST_OF_TWO:
        return [result[k] for k in range(many)]
    if kind == "field":
        return list(grad(lambda *given: whole(*given) * 1.0, tuple(range(len(axes))))(*places))
    if not many:
        return _derived(lambda *given: whole(*given) * 1.0, places)
    return [one for k in range(many) for one in _derived(lambda *given, k=k: whole(*given)[k] * 1.0, places)]


def _derived(scalar: Callable[..., Any], places: Sequence[Any]) -> list[Any]:
    """Compute a value, its gradient, and the upper triangle of its Hessian."""
    if len(places) == 1:
        slope = grad(scalar)
        return [scalar(*places), slope(*places), grad(slope)(*places)]
    across, up = grad(scalar, (0, 1))(*places)
    bends = hessian(scalar, (0, 1))(*places)
    return [scalar(*places), across, up, bends[0][0], bends[0][1], bends[1][1]]


def _kind(kind: str | None, axes: int, outputs: Sequence[int], parts: Sequence[Part]) -> str:
    """Choose the kind of picture, or check that the functions and axes fit the caller's choice."""
    many = max(outputs)
    natural = "curve" if axes == 1 else "field" if many else "surface"
    chosen = kind or natural
    if axes == FIRST_OF_TWO and len(parts) > 1:
        raise TypeMismatchError(
            "eg.figure draws one function of two variables at a time, but it was given "
            f"{len(parts)}. Make a figure for each."
        )
    if (chosen in OF_ONE_AXIS) != (axes == 1):
        need = "one axis" if chosen in OF_ONE_AXIS else "two axes"
        raise TypeMismatchError(
            f"A {chosen} needs {need}, but this figure has {axes}. Give each axis a range such as x=(0, 3), "
            f"and each other parameter a control, or use kind={natural!r}."
        )
    if axes == FIRST_OF_TWO and many not in ((0, 2) if chosen == "field" else (0,)):
        raise TypeMismatchError(
            f"A {chosen} needs {'two values' if chosen == 'field' else 'one value'} at each point, but "
            f"{parts[0].label} gives {many}. Return a {'pair of Reals' if chosen == 'field' else 'Real'}."
        )
    if axes == 1 and many and len(parts) > 1:
        raise TypeMismatchError(
            "eg.figure draws several functions only if each returns one value, but one of these returns "
            f"{many}. Draw this function alone, or write a function for each value."
        )
    return chosen

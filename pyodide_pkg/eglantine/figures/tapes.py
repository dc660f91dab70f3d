"""Make a tape: a picture that lists the operations of a function, with their values and slopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import grad
from eglantine.functions.fn import Fn
from eglantine.graphs.graphing import SIGNS, Graph, graph
from eglantine.graphs.values import shifted, values_function
from eglantine.ir.program import Function
from eglantine.rewrite.copying import copied
from eglantine.rewrite.inlining import called_in_place
from eglantine.types import RealType

from .controls import Control, Picture, Point, Slider
from .frames import BOTTOM, LEFT, RIGHT, TOP, Mark
from .models import SPARE_AXES, Model, Part, arguments, is_pair, part_of, range_of, usual_slider
from .numbers import pixel
from .signatures import traced
from .templates import NUMBER, Template

MOST: Final = 20
"""The largest number of operations and inputs that a tape can show."""
TALLEST: Final = 26.0
"""The largest height of a row, in pixels. Rows are lower if the picture has no room for such rows."""
COLUMNS: Final = (LEFT + 4, 110.0, 400.0, RIGHT - 4)
"""The horizontal positions of the four columns, in pixels.

Names and operations begin at the first two positions. Values and slopes end at the last two positions."""
HEADS: Final = ("step", "operation", "value ↓", "slope ↑")


def tape(f: Any, named: Mapping[str, Any]) -> tuple[Model, Template]:
    """Make the model of a tape, and the template with its SVG elements."""
    part = part_of(f, named)
    controls = {name: _control(name, named.get(name)) for name in part.names}
    if unknown := [name for name in named if name not in controls]:
        raise TypeMismatchError(
            f"eg.figure was given {unknown[0]}, but {part.label} has no such parameter. Leave it out."
        )
    whole = _whole(part, controls)
    shown = graph(whole)
    nodes = [node for node in shown.nodes if node.parent is None and node.op != "const"]
    if len(nodes) > MOST:
        raise TypeMismatchError(
            f"A tape shows at most {MOST} inputs and operations, but {part.label} has {len(nodes)}. Choose a "
            "shorter function, or draw eg.graph(f).dot()."
        )
    rows = {node: row for row, node in shown._rows.items() if row > 0}
    reals = [node.id for node in nodes if node.type == "f64"]
    ends = [shown.outputs["result"], *shown.inputs.values()]
    kernel = _kernel(
        whole, list(controls), [rows[node] for node in reals], [reals.index(end) for end in ends]
    )
    template = Template(
        _marks(shown, [node.id for node in nodes], reals),
        f"{part.label} = {NUMBER}" + "".join(f", slope by {name} {NUMBER}" for name in controls),
        2 * len(nodes),
    )
    model = Model("tape", SPARE_AXES, controls, None, (0.0, 1.0), [part.label], kernel)
    return model, template


def _control(name: str, value: Any) -> Control:
    """Make the control of a parameter.

    A pair (low, high) becomes a slider between these numbers. It starts at low + 3/5 (high - low).
    """
    if isinstance(value, Point | Picture):
        raise TypeMismatchError(f"{name} cannot be dragged, because a tape has no picture. Use eg.slider.")
    if value is None:
        return usual_slider()
    if is_pair(value):
        low, high = range_of(name, value)
        return Slider(low, high, low + (high - low) * 3 / 5)
    if not isinstance(value, Control):
        raise TypeMismatchError(
            f"{name} is {value!r}, but it must be a pair or a control. Write {name}=(0, 3)."
        )
    return value


def _whole(part: Part, controls: Mapping[str, Control]) -> Fn:
    """Trace the function that the tape shows. It takes Reals. Calls are inlined unless `_stays` is true."""
    names = list(controls)

    def whole(*reals: Any) -> Any:
        result = part.call(*arguments(part, dict(zip(names, reals, strict=True))))
        if isinstance(result, list | tuple) or not hasattr(result, "__mul__"):
            raise TypeMismatchError(
                f"A tape needs a function that returns one Real, but {part.label} does not."
            )
        return result

    made = traced(names, whole, "tape")
    if not isinstance(made.function.result, RealType):
        raise TypeMismatchError(f"A tape needs a function that returns one Real, but {part.label} does not.")
    function = made.function
    assert function.block is not None
    flat = called_in_place(function.block, lambda callee: callee if _stays(callee) else callee.block)
    return Fn(replace(function, block=copied(flat)))


def _stays(callee: Function) -> bool:
    """True if a tape shows a call as one operation: the callee is a host function or has its own rule."""
    return callee.block is None or callee.rule is not None or callee.linear > 0


def _kernel(whole: Fn, names: Sequence[str], rows: Sequence[int], ends: Sequence[int]) -> Fn:
    """Make a function that computes all numbers of a tape.

    It returns the value and slope of each row. Then it returns the numbers that the sentence uses.
    """
    values, moved = Fn(values_function(whole.function, rows)), Fn(shifted(whole.function, rows))
    slopes = grad(moved, tuple(range(len(names), len(names) + len(rows))))

    def figure(_across: Any, _up: Any, *reals: Any) -> Any:
        forward = values(*reals)
        backward = slopes(*reals, *[0.0] * len(rows))
        pairs = [one for pair in zip(forward, backward, strict=True) for one in pair]
        result, *inputs = ends
        return (*pairs, forward[result], *(backward[k] for k in inputs))

    return traced([*(name for name, _, _ in SPARE_AXES), *names], figure, "figure")


def _marks(shown: Graph, ids: Sequence[int], reals: Sequence[int]) -> list[Mark]:
    """Draw a row for each input and operation.

    When a reader plays the tape, the values appear first, from top to bottom. Then the slopes appear, from
    bottom to top.
    """
    count = len(ids)
    tall = min(TALLEST, (BOTTOM - TOP) / count)
    marks = _row(TOP - 8, "name", HEADS, (0, 0))
    names = _names(shown, ids)
    for k, node in enumerate(ids):
        has_numbers = NUMBER if node in reals else ""
        texts = (names[node], _operation(shown, node, names), has_numbers, has_numbers)
        y = TOP + tall * (k + 0.7)
        marks.append(
            [
                "line",
                {"class": "grid", "x1": "56", "x2": "544", "y1": pixel(y + 6), "y2": pixel(y + 6)},
                "",
                0,
            ]
        )
        marks += _row(y, "tick", texts, (k + 1, 2 * count - k))
    return marks


def _row(y: float, kind: str, texts: Sequence[str], steps: tuple[int, int]) -> list[Mark]:
    """Draw the four texts of a row. The third text appears at step `steps[0]`, the fourth at `steps[1]`."""
    anchors = ("start", "start", "end", "end")
    return [
        ["text", {"class": kind, "x": pixel(x), "y": pixel(y), "text-anchor": anchor}, text, step]
        for x, anchor, text, step in zip(COLUMNS, anchors, texts, (0, 0, *steps), strict=True)
    ]


def _names(shown: Graph, ids: Sequence[int]) -> dict[int, str]:
    """Name the nodes: inputs by their own names, constants as numbers, and operations as v1, v2, …"""
    operations = [node for node in ids if shown.nodes[node].op != "input"]
    numbered = {node: f"v{k}" for k, node in enumerate(operations, 1)}
    return {node.id: numbered.get(node.id, node.label) for node in shown.nodes if node.parent is None}


def _operation(shown: Graph, node: int, names: Mapping[int, str]) -> str:
    """Write an operation with the names of its operands, such as v1 + v2."""
    of = shown.nodes[node]
    operands = [names[edge.source] for edge in shown.edges if edge.target == node and edge.source in names]
    if of.op == "input":
        return "input"
    if of.op == "powi":
        return f"{operands[0]}^{of.label.removeprefix('power ')}"
    if of.op in SIGNS and len(operands) == len(("left", "right")):
        return f"{operands[0]} {of.label} {operands[1]}"
    return f"{of.label}{operands[0]}" if of.op == "neg" else f"{of.label}({', '.join(operands)})"

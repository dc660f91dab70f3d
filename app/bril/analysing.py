"""Compute everything that the page "Bril" shows about a program: graphs, output, gradient and steps."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, Final

import eglantine as eg
from eglantine import bril
from eglantine.bril.flow import basic_blocks
from eglantine.bril.syntax import BOOL, FLOAT, FunctionText, Instruction, Label
from eglantine.bril.writer import instruction_text

from .adjoints import pullback
from .tracing import is_plain, trace

FUEL: Final = 2_000_000
"""The largest number of instructions that a program may execute in one run on the page."""
LONGEST_OUTPUT: Final = 4_000
LONGEST_PROGRAM: Final = 20_000


def analyse(text: str, given: Sequence[Any]) -> tuple[dict[str, Any], bytes]:
    """Analyse a program. Return a dict for the page, and a module that computes value and gradient.

    given: a value for each parameter of @main. A value that is missing or has the wrong type is replaced by
        1 or false.

    The dict has the keys "functions", "parameters", "output", "failure", "gradient", "abi", "cost", "steps",
    "isWhole". If the program fails or has no derivative, `failure` is a text that says why. Otherwise it is
    None. The module is empty if the program fails, has no float argument, or has no derivative.

    Raises: BrilError with the place of the first mistake in the text.
    """
    if len(text) > LONGEST_PROGRAM:
        raise bril.BrilError(
            f"The program has {len(text)} letters, but this page accepts at most {LONGEST_PROGRAM}."
        )
    program = bril.parse(text)
    main = program.main
    values = [_fitting(p.type, value) for p, value in _paired(main, given)]
    reply: dict[str, Any] = {
        "functions": [_drawn(function) for function in program.functions],
        "parameters": [
            {"name": p.name, "type": str(p.type), "value": value}
            for p, value in zip(main.parameters, values, strict=True)
        ],
        "output": "", "failure": None, "gradient": None, "abi": None, "cost": None, "steps": [],
        "isWhole": False,
    }  # fmt: skip
    try:
        reply["output"] = program.run(*values, fuel=FUEL)[:LONGEST_OUTPUT]
    except bril.BrilError as error:
        reply |= {"output": error.output[:LONGEST_OUTPUT], "failure": str(error)}
        return reply, b""
    if is_plain(main):
        traced = trace(main, values)
        reply["steps"] = [
            [step.block, step.position, _shown(step.value), _shown(step.slope)] for step in traced.steps
        ]
        reply["isWhole"] = traced.is_whole
    floats = [k for k, p in enumerate(main.parameters) if p.type == FLOAT]
    if not floats:
        return reply, b""
    try:
        reply |= _differentiated(program, values)
        return reply, _module(program, values, reply)
    except eg.EglantineError as error:
        reply["failure"] = str(error)
        return reply, b""


def _paired(main: FunctionText, given: Sequence[Any]) -> Any:
    rest = [None] * max(0, len(main.parameters) - len(given))
    return zip(main.parameters, [*given, *rest][: len(main.parameters)], strict=True)


def _fitting(of: Any, value: Any) -> Any:
    """Convert a value to a parameter's type. Return 1 or false if that is impossible."""
    if of == BOOL:
        return value is True
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if of == FLOAT:
        return float(value) if is_number else 1.0
    return int(value) if is_number else 1


def _drawn(function: FunctionText) -> dict[str, Any]:
    """Describe a function's basic blocks for the page.

    Each block has its label, its instructions, and the numbers of the blocks that can follow it. Each
    instruction has its line, its text, and the text of `pullback`.
    """
    names = {item.place: item.name for item in function.body if isinstance(item, Label)}
    labels = sorted(names)
    blocks = []
    for block in basic_blocks(function):
        items = [*block.instructions, block.end]
        first = items[0].place
        above = [place for place in labels if place <= first]
        shown = [item for item in items if item is not block.end or block.cost > len(block.instructions)]
        blocks.append(
            {
                "label": names[above[-1]] if above else "",
                "items": [_line(item) for item in shown],
                "after": list(block.after),
            }
        )
    heading = ", ".join(f"{p.name}: {p.type}" for p in function.parameters)
    return {"name": function.name, "heading": f"@{function.name}({heading})", "blocks": blocks}


def _line(item: Instruction) -> dict[str, Any]:
    return {"line": item.place.line, "text": instruction_text(item), "back": pullback(item)}


def _differentiated(program: bril.Program, values: Sequence[Any]) -> dict[str, Any]:
    """The gradient at the values, by name."""
    slopes = iter(program.gradient(*values))
    return {"gradient": {p.name: _shown(next(slopes)) for p in program.main.parameters if p.type == FLOAT}}


def _module(program: bril.Program, values: Sequence[Any], reply: dict[str, Any]) -> bytes:
    """Compile the module that computes value and gradient, and add the module's ABI and cost to `reply`."""
    count = sum(p.type == FLOAT for p in program.main.parameters)
    start = time.perf_counter()
    function = eg.value_and_grad(program.function(*values), tuple(range(count)))
    artifact = eg.compile_artifact(function, fuel=True)  # at other values a loop may never end
    cost = {"ms": 1000 * (time.perf_counter() - start), "bytes": len(artifact.wasm)}
    reply |= {"abi": artifact.abi, "cost": cost}
    return artifact.wasm


def _shown(value: Any) -> Any:
    """Return the value in a form that JSON allows. JSON has no infinity and no NaN, so these become texts."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value

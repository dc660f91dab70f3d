"""The compiler knows which row of the program each byte of a WebAssembly module comes from."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

import eglantine as eg
from app.playground.instructions import MOVES, Instruction, settled
from app.playground.row_bytes import emitted
from eglantine.emit.usage import Program
from eglantine.errors import MissingDerivativeError, span_of, written
from eglantine.ir.primitives import PRIMITIVES
from eglantine.optimise.pipeline import optimise, ready_library
from tests.programs import Recorded, function_of, plan

PROGRAM = """
import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x ** y + eg.math.sin(x)
"""


def operation(instruction: Instruction) -> str:
    """Return the operation of the row that an instruction comes from."""
    assert instruction.owner is not None
    block, row = instruction.owner
    return str(block.rows[row][0])


@pytest.mark.parametrize("seed", range(40))
def test_watching_the_emission_changes_no_byte(seed: int) -> None:
    f = function_of(plan(Recorded(seed), scalar=True))
    for g in (f, gradient_of(f)):
        artifact, lines, instructions = emitted(optimise(g.function))
        assert artifact.wasm == eg.compile_artifact(g).wasm
        assert "\n".join(lines) + "\n" == artifact.wat
        assert [lines[i.line].strip() for i in instructions] == [i.text for i in instructions]
        assert all(i.start < i.end <= j.start for i, j in itertools.pairwise(instructions))


@pytest.mark.parametrize("seed", range(40))
def test_an_arithmetic_instruction_belongs_to_a_row_of_that_operation(seed: int) -> None:
    f = gradient_of(function_of(plan(Recorded(seed), scalar=True)))
    entry = optimise(f.function)
    assert entry.block is not None
    _, lines, instructions = emitted(entry)
    reals = {"f64.mul": "mul", "f64.div": "div", "f64.sub": "sub", "f64.neg": "neg", "f64.sqrt": "sqrt"}
    for i in instructions:
        if i.text in reals and i.owner is not None:
            subtracted = i.text == "f64.sub" and operation(i) == "add_to"  # add_to of a negated value
            assert subtracted or operation(i) == reals[i.text], lines
        called = re.match(r"call \$(\w+)$", i.text)
        if called and called[1] in PRIMITIVES and i.owner is not None:
            assert operation(i) == called[1]


def gradient_of(f: Any) -> Any:
    """Make a function that computes the gradient of f with `eg.vjp`. The function f returns one Real."""
    try:
        return eg.fn(list(f.function.params))(lambda *xs: eg.vjp(f, *xs)[1](1.0))
    except MissingDerivativeError:
        pytest.skip("the library has no further derivative of this program")


def test_every_instruction_of_a_users_function_belongs_to_a_row() -> None:
    namespace: dict[str, Any] = {}
    exec(compile(PROGRAM, "program.py", "exec"), namespace)  # noqa: S102 - the program above
    gradient = eg.grad(namespace["f"], (0, 1))
    _, lines, instructions = emitted(optimise(gradient.function))
    body = lines.index("  )")
    mine = [i for i in instructions if i.line < body]
    without = [i.text for i in mine if i.owner is None]
    assert without == ["i32.const 0"] * 2, "only the addresses of the two results belong to no row"
    lit = {}
    for i in mine:
        if i.owner is not None and not i.text.startswith(MOVES):
            source, operations = written(i.owner[0].sources[i.owner[1]])
            span = span_of(source)
            lit.setdefault((span and (span.line, span.column, span.end_column), *operations), []).append(
                i.text
            )
    assert lit[(6, 11, 17),] == ["call $pow"], "x ** y itself, which its derivatives use"
    assert lit[(6, 20, 34), "sin"] == ["call $cos"]
    assert "f64.mul" in lit[(6, 11, 17), "pow"]


def test_instructions_of_library_functions_belong_to_no_row() -> None:
    entry = optimise(eg.fn([eg.Real, eg.Real])(eg.math.atan2).function)
    for function in Program(entry, ready_library).shared:
        function.memo.clear()
    (_, lines, first), (_, _, again) = emitted(entry), emitted(entry)
    library = [i for i in first if i.line > lines.index("  )")]
    assert "call $atan" in [i.text for i in library]
    assert [i.text for i in library if i.owner is not None] == []
    assert first == again


def test_an_operand_belongs_to_its_user_and_a_store_to_the_stored_row() -> None:
    texts = [
        "local.get 0",
        "f64.const 2.0",
        "f64.mul",
        "local.tee 1",
        "local.get 2",
        "f64.add",
        "local.set 3",
    ]
    mul, add = ("block", 1), ("block", 2)
    claimed: list[Any] = [None, None, mul, None, None, add, None]
    assert settled(texts, claimed, {}) == [mul, mul, mul, mul, add, add, add]


def test_branches_and_calls_are_counted_on_the_stack() -> None:
    texts = [
        "local.get 0",
        "if (result f64)",
        "f64.const 1.0",
        "else",
        "f64.const 2.0",
        "end",
        "call $g",
        "f64.add",
    ]
    cond, call, add = ("b", 1), ("b", 2), ("b", 3)
    claimed: list[Any] = [None, cond, None, cond, None, cond, call, add]
    found = settled(texts, claimed, {"$g": (1, 2)})
    assert found[0] == cond
    assert found[6:] == [call, add]

"""A Bril program without arbitrary jumps compiles to almost the same kernel as its Python version."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.ir.checker import check
from tests.engines import bits, run

from .twins import POWER, TWINS, Twins

MOST = 1.2
"""The largest allowed ratio of the size of a Bril program's kernel to the size of the Python program's
kernel."""


def both(twins: Twins, transform: Any) -> tuple[Any, Any]:
    """Apply `transform` to both programs, and return the two functions."""
    f = bril.parse(twins.bril).function(*twins.point)
    check(f.function)
    return transform(f, len(twins.point)), transform(twins.python, len(twins.point))


def value(f: Any, _: int) -> Any:
    return f


def reverse(f: Any, n: int) -> Any:
    return eg.grad(f, tuple(range(n)))


def forward(f: Any, n: int) -> Any:
    along = lambda *args: eg.jvp(f, args[:n], args[n:])[1]  # noqa: E731 - it has no name of its own
    return eg.fn([eg.Real] * (2 * n), names=[f"a{k}" for k in range(2 * n)])(along)


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.name)
@pytest.mark.parametrize("transform", [value, reverse, forward])
def test_a_structured_program_has_a_kernel_as_small_as_pythons(twins: Twins, transform: Any) -> None:
    ours, pythons = (eg.compile_artifact(f) for f in both(twins, transform))
    assert len(ours.wasm) <= MOST * len(pythons.wasm)
    # the Python program must not be much larger than the Bril program either
    assert len(pythons.wasm) <= 2 * MOST * len(ours.wasm)


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins.name)
def test_both_forms_of_a_program_have_the_same_value_and_gradient(twins: Twins) -> None:
    for transform in (value, reverse):
        ours, pythons = both(twins, transform)
        assert bits(run(ours, *twins.point)) == bits(eg.compile(pythons)(*twins.point))


COUNTING = """@main(x: float) {{{{
  i: int = const {first}; n: int = const {bound}; step: int = const {step}; rounds: float = const 0;
  one: float = const 1;
.head: more: bool = {op} {operands}; br more {targets};
.body: i: int = {change} i step; rounds: float = fadd rounds one; jmp .head;
.end: {print_}
}}}}"""
PRINT = "print i; print rounds;"
SAME = (
    "last: int = const {}; same: bool = eq i last; br same .yes .no; .yes: print rounds; ret; .no: print x;"
)
LEAST, MOST_INT = -(2**63), 2**63 - 1


@pytest.mark.parametrize(
    ("first", "bound", "step", "change"),
    [
        (0, 5, 1, "add"), (0, 5, 2, "add"), (3, 3, 1, "add"), (4, 3, 1, "add"), (-7, 3, 5, "add"),
        (5, 0, 1, "sub"), (5, -4, -3, "add"), (0, 9, -3, "sub"), (LEAST, LEAST + 6, 4, "add"),
        (MOST_INT - 6, MOST_INT, 1, "add"),
    ],
)  # fmt: skip
def test_a_counter_has_the_rounds_of_the_interpreter(first: int, bound: int, step: int, change: str) -> None:
    for op, mirrored, negated in product(("lt", "le", "gt", "ge"), (False, True), (False, True)):
        text = COUNTING.format(
            first=first, bound=bound, step=step, change=change, op=op,
            operands="n i" if mirrored else "i n", targets=".end .body" if negated else ".body .end",
            print_="{print_}",
        )  # fmt: skip
        try:
            last, rounds = bril.parse(text.format(print_=PRINT)).run(1.5, fuel=2000).split()
        except bril.BrilFuelError:
            continue
        f = bril.parse(text.format(print_=SAME.format(last))).function(1.5)
        assert eg.interp(f)(1.5) == float(rounds)


def test_a_loop_whose_bound_is_an_argument_is_counted_too() -> None:
    text = POWER.replace("x: float)", "x: float, n: int)").replace(" n: int = const 1000;", "")
    f = bril.parse(text).function(1.5, 1000)
    assert eg.compile_artifact(f).wasm == eg.compile_artifact(bril.parse(POWER).function(1.5)).wasm


def test_a_loop_that_counts_too_far_stays_a_while_loop() -> None:
    program = bril.parse(POWER.replace("1000", str(2**40)))
    kernel = eg.compile(program.function(1.5), fuel=1000)
    with pytest.raises(eg.FuelError):
        kernel(1.5)

"""Reverse mode needs at most two bytes for each executed instruction. Fuel also limits gradients."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.bril.compiling import snug

from .corpus import PROGRAMS, floats, with_constants_as_arguments

BYTES_AN_INSTRUCTION = 2
PAGE = 2**16
"""The size of a page of WebAssembly's memory, in bytes. A module has at least one page."""

LOOP = """@main(x: float, rounds: int) {
  i: int = const 0; one: int = const 1; s: float = id x;
.head:
  more: bool = lt i rounds;
  br more .body .end;
.body:
  q: float = fdiv x s;
  s: float = fadd s q;
  i: int = add i one;
  jmp .head;
.end:
  print s;
}"""
"""A program with a loop. Each round has six instructions, and reverse mode needs the value of s in each
round."""

ENDLESS = """@main(x: float, y: float) {
.body:
  x: float = fmul x y;
  more: bool = feq x x;
  br more .body .end;
.end:
  print x;
}"""


def memory_of(program: Any, args: list[Any]) -> int:
    """Compute the gradient in reverse mode. Return the size of the module's memory in bytes."""
    made, _ = program._made_for(program.arguments(tuple(args)), snug)
    kernel = eg.compile(made.reverse())
    kernel(*floats(program, args))
    return kernel.memory_end


@pytest.mark.parametrize("name", ["euler", "harmonic-sum", "leibniz", "n_root", "norm", "pow", "sin", "sqrt"])
def test_gradients_take_at_most_two_bytes_for_each_instruction(name: str) -> None:
    program, args = with_constants_as_arguments(f"float/{name}")
    executed = PROGRAMS[f"float/{name}"]["instructions"]
    assert memory_of(program, args) <= max(BYTES_AN_INSTRUCTION * executed, PAGE)


def test_memory_hardly_grows_with_the_rounds_of_a_loop() -> None:
    program = bril.parse(LOOP)
    short, long = (memory_of(program, [1.5, rounds]) for rounds in (10_000, 1_000_000))
    assert long - short <= BYTES_AN_INSTRUCTION * 6 * 1_000_000 / 20
    plain = eg.compile(eg.grad(program.function(1.5, 1_000_000)))
    plain(1.5)
    assert plain.memory_end >= 8 * 1_000_000  # this derivative has no segments, so it stores s for each round


SUM = """@main(x: float) { y: float = call @sum x; print y; }
@sum(x: float): float {
  zero: float = const 0; one: float = const 1; done: bool = fle x zero; br done .end .more;
.end:
  ret zero;
.more:
  less: float = fsub x one; rest: float = call @sum less; s: float = fmul x x; t: float = fadd s rest;
  ret t;
}"""
"""A program that computes x² + (x − 1)² + … + 1² by recursion. The recursion is x calls deep."""


def test_a_gradient_of_deep_recursion_needs_limited_memory() -> None:
    for text, x in [(SUM, 300.0), (SUM, 3000.0), (PROGRAMS["float/euler"]["text"], 200.0)]:
        program = bril.parse(text)
        made, _ = program._made_for([x], snug)
        value = eg.compile(made.f)
        value(x)
        taken = memory_of(program, [x])
        # Reverse mode stores a stack frame for each call, and a cotangent for each float in the frame.
        assert taken <= 2 * PAGE + 2 * value.memory_end + BYTES_AN_INSTRUCTION * fuel_of(program, [x])
        plain = eg.compile(eg.grad(program.function(x)))
        plain(x)
        assert taken <= plain.memory_end


def test_derivatives_through_a_deep_stack_in_windows_are_right() -> None:
    program = bril.parse(SUM)
    assert program.gradient(3000.0) == [3000.0 * 3001]
    deep = bril.parse(DEEP)
    for x in (0.999, 0.9985):
        (reverse,) = deep.gradient(x, 700)
        (forward,) = deep.gradient(x, 700, mode="forward")
        assert reverse == pytest.approx(forward, rel=1e-12)
    ((_, value), (_, after)) = deep.descend((0.999, 700), step=1e-6, n=2)
    assert float(deep.run(0.999, 700)) == pytest.approx(value)
    assert value > after


DEEP = """@main(x: float, n: int) { y: float = call @down x x n; print y; }
@down(x: float, y: float, n: int): float {
  zero: int = const 0; one: int = const 1; seven: int = const 7; half: float = const 0.5;
  done: bool = le n zero;
  br done .end .more;
.end:
  ret y;
.more:
  m: int = sub n one; z: float = fmul y x;
  r: float = call @down x z m;
  q: int = div n seven; p: int = mul q seven; again: bool = eq p n;
  br again .twice .once;
.twice:
  k: int = div m seven; k: int = div k seven; s: float = call @down r y k; r: float = fmul r half;
  s: float = fmul s half; t: float = fadd r s; ret t;
.once:
  t: float = fmul r x; ret t;
}"""
"""A program whose recursion is several times hundreds of calls deep. The stack frames contain floats and
ints."""


def test_derivatives_through_a_run_in_segments_are_right() -> None:
    program = bril.parse(LOOP)
    (reverse,) = program.gradient(1.5, 5000)
    (forward,) = program.gradient(1.5, 5000, mode="forward")
    assert reverse == pytest.approx(forward, rel=1e-12)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_fuel_stops_a_gradient_that_runs_too_long(mode: Any) -> None:
    program = bril.parse(ENDLESS)
    with pytest.raises(bril.BrilFuelError, match="used up the fuel, which was 100,000 rounds") as caught:
        program.gradient(0.5, 1.0, mode=mode, fuel=100_000)
    assert isinstance(caught.value, eg.FuelError)
    loop = bril.parse(LOOP)
    assert loop.gradient(1.5, 300, mode=mode, fuel=2000) == loop.gradient(1.5, 300, mode=mode)
    with pytest.raises(bril.BrilFuelError):  # the fuel is enough for the forward run, not for the reverse run
        loop.gradient(1.5, 300, mode="reverse", fuel=400)


def fuel_of(program: Any, args: list[Any]) -> int:
    """Find the approximate number of instructions that a run executes, by bisection."""
    low, high = 0, 1 << 24
    while high - low > 1 << 14:
        middle = (low + high) // 2
        try:
            program.run(*args, fuel=middle)
            high = middle
        except bril.BrilFuelError:
            low = middle
    return high

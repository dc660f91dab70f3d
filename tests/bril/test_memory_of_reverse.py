"""Reverse mode takes at most two bytes for each instruction that a program executes. Fuel can stop it."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine import bril

from .corpus import PROGRAMS, floats, with_constants_as_arguments

BYTES_AN_INSTRUCTION = 2
LEAST = 2**18
"""The memory that short programs may take. It grows by pages of 2¹⁶ bytes. A buffer begins with a few KB."""

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
"""A loop of six instructions a round, in which reverse mode needs the s of each round."""

ENDLESS = """@main(x: float, y: float) {
.body:
  x: float = fmul x y;
  more: bool = feq x x;
  br more .body .end;
.end:
  print x;
}"""


def memory_of(program: Any, args: list[Any]) -> int:
    """The bytes that the module has after the gradient by reverse mode was computed."""
    values = program.arguments(tuple(args))
    made, _ = program._made_for(values)
    kernel = eg.compile(made.reverse())
    kernel(*floats(program, args))
    return kernel.memory_end


@pytest.mark.parametrize("name", ["euler", "harmonic-sum", "leibniz", "n_root", "norm", "pow", "sin", "sqrt"])
def test_gradients_take_two_bytes_an_instruction(name: str) -> None:
    program, args = with_constants_as_arguments(f"float/{name}")
    executed = PROGRAMS[f"float/{name}"]["instructions"]
    assert memory_of(program, args) <= max(BYTES_AN_INSTRUCTION * executed, LEAST)


def test_memory_hardly_grows_with_the_rounds_of_a_loop() -> None:
    program = bril.parse(LOOP)
    short, long = (memory_of(program, [1.5, rounds]) for rounds in (10_000, 1_000_000))
    assert long - short <= BYTES_AN_INSTRUCTION * 6 * 1_000_000 / 20
    plain = eg.compile(eg.grad(program.function(1.5, 1_000_000)))
    plain(1.5)
    assert plain.memory_end >= 8 * 1_000_000  # without segments, reverse mode stores each s


def test_memory_of_deep_recursion() -> None:
    program = bril.parse(PROGRAMS["float/euler"]["text"])
    executed = fuel_of(program, [400.0])
    plain = eg.compile(eg.grad(program.function(400.0)))
    plain(400.0)
    assert memory_of(program, [400.0]) < plain.memory_end / 5
    assert memory_of(program, [400.0]) <= 2**22 + BYTES_AN_INSTRUCTION * executed


def test_segments_keep_the_derivatives() -> None:
    program = bril.parse(LOOP)
    (reverse,) = program.gradient(1.5, 5000)
    (forward,) = program.gradient(1.5, 5000, mode="forward")
    assert reverse == pytest.approx(forward, rel=1e-12)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_runaway_in_a_gradient_is_stopped_by_fuel(mode: Any) -> None:
    program = bril.parse(ENDLESS)
    with pytest.raises(bril.BrilFuelError, match="used up their fuel of 100,000 rounds") as caught:
        program.gradient(0.5, 1.0, mode=mode, fuel=100_000)
    assert isinstance(caught.value, eg.FuelError)
    loop = bril.parse(LOOP)
    assert loop.gradient(1.5, 300, mode=mode, fuel=2000) == loop.gradient(1.5, 300, mode=mode)
    with pytest.raises(bril.BrilFuelError):  # enough for the way there, but not for the way back
        loop.gradient(1.5, 300, mode="reverse", fuel=400)


def fuel_of(program: Any, args: list[Any]) -> int:
    """Find by halving how many instructions a run executes."""
    low, high = 0, 1 << 24
    while high - low > 1 << 14:
        middle = (low + high) // 2
        try:
            program.run(*args, fuel=middle)
            high = middle
        except bril.BrilFuelError:
            low = middle
    return high

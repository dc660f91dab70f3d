"""Bril programs become functions of our compiler. Their gradients agree with dual numbers and differences."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.bril.machine import Machine
from eglantine.ir.checker import check
from tests.engines import bits, run
from tests.seeds import NIGHTLY

from .corpus import LONGEST, PROGRAMS, floats, with_constants_as_arguments
from .duals import slopes_of

MOST_ROUNDS = 2000.0
"""The largest float argument. Larger arguments count the rounds of loops. We replace them by this number,
because dual numbers are slow."""

NAMES = [
    "float/birthday", "float/cordic", "float/euler", "float/harmonic-sum", "float/leibniz", "float/n_root",
    "float/norm", "float/pow", "float/rgb2gray", "float/sin", "float/sqrt", "mem/cordic",
    "mixed/brilirs-only/fast-inverse-sqrt", "mixed/mat-inv",
]  # fmt: skip


def test_a_program_that_prints_no_float_has_no_function():
    for name, program in PROGRAMS.items():
        if "float" in program["text"] and name not in (*NAMES, LONGEST):
            with pytest.raises(bril.BrilError, match="never prints a float"):
                bril.parse(program["text"]).function(*program["args"])


def last_float(program: Any, args: list[Any]) -> float:
    machine = Machine(program.functions)
    machine.execute("main", program.arguments(tuple(args)))
    return machine.run.last


@pytest.mark.parametrize("name", NAMES)
def test_the_function_of_a_program_returns_the_float_printed_last(name):
    program = bril.parse(PROGRAMS[name]["text"])
    f = program.function(*PROGRAMS[name]["args"])
    check(f.function)
    point = floats(program, PROGRAMS[name]["args"])
    assert bits(eg.compile(f)(*point)) == bits(last_float(program, PROGRAMS[name]["args"]))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_agree_with_dual_numbers(name):
    program, args = with_constants_as_arguments(name, shorter=not NIGHTLY)
    args = [min(x, MOST_ROUNDS) if isinstance(x, float) else x for x in args]
    if name == "mixed/brilirs-only/fast-inverse-sqrt":
        with pytest.raises(bril.BrilError, match="float2bits has no derivative"):
            program.gradient(*args)
        return
    value, slopes = slopes_of(program, args)
    assert bits(eg.jit(program.function(*args))(*floats(program, args))) == bits(value)
    for mode in ("reverse", "forward"):
        assert program.gradient(*args, mode=mode) == pytest.approx(slopes, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["float/sin", "float/pow", "float/rgb2gray", "mixed/mat-inv", "mem/cordic"])
def test_gradients_agree_with_differences(name):
    program, args = with_constants_as_arguments(name, shorter=not NIGHTLY)
    f = eg.compile(program.function(*args))
    point = floats(program, args)
    slopes = program.gradient(*args)
    compared = 0
    for k, slope in enumerate(slopes):
        step = 1e-6 * max(abs(point[k]), 1.0)
        above, below = ([x + sign * step * (j == k) for j, x in enumerate(point)] for sign in (1, -1))
        difference = (f(*above) - f(*below)) / (2 * step)
        if abs(difference) < 1e3:  # a larger difference means that the two points take different branches
            assert slope == pytest.approx(difference, rel=1e-4, abs=1e-6)
            compared += 1
    assert compared > len(point) // 2


@pytest.mark.parametrize(
    "name", ["float/sin", "float/pow", "float/n_root", "float/sqrt", "float/euler", "float/norm"]
)
def test_interpreter_and_webassembly_agree_to_the_bit(name):
    program, args = with_constants_as_arguments(name, shorter=not NIGHTLY)
    f, point = program.function(*args), floats(program, args)
    run(f, *point)
    if len(point) < 8:
        run(eg.grad(f, tuple(range(len(point)))), *point)

"""Random programs with jumps: values agree with the interpreter, and gradients with dual numbers."""

from __future__ import annotations

import math

import pytest

import eglantine as eg
from eglantine import bril
from eglantine.bril.machine import Machine
from eglantine.ir.checker import check
from tests.engines import bits
from tests.seeds import NIGHTLY, first_seed

from .duals import slopes_of
from .generated import program

FIRST = first_seed(0)
SEEDS = range(FIRST, FIRST + (400 if NIGHTLY else 10))
POINTS = ((0.75, -1.5, 3), (-0.25, 0.5, -20))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program_has_the_same_value_and_gradient_everywhere(seed):
    text = program(seed)
    parsed = bril.parse(text)
    assert bril.parse(parsed.text()).text() == parsed.text()
    for args in POINTS:
        f = parsed.function(*args)
        check(f.function)
        machine = Machine(parsed.functions)
        machine.execute("main", parsed.arguments(args))
        value, slopes = slopes_of(parsed, args)
        assert bits(machine.run.last) == bits(value)
        assert bits(eg.jit(f)(*args[:2])) == bits(value)
        if not all(map(math.isfinite, [value, *slopes])):
            continue  # after an overflow, the order of the products decides between infinity and NaN
        for mode in ("reverse", "forward"):
            assert parsed.gradient(*args, mode=mode) == pytest.approx(slopes, rel=1e-9, abs=1e-9, nan_ok=True)

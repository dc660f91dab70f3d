"""The programs in tests/numpy/forty have the same results and gradients as in JAX."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp

from .forty.all import PROGRAMS
from .forty.program import weighted

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "forty.json").read_text(encoding="utf-8"))
"""The results and gradients that `tools/forty.py` has computed with JAX."""
ACCURACY = 1e-12
"""The allowed difference, divided by the absolute value of the array's largest element or by 1, whichever is
larger."""


def flat(value: Any) -> list[float]:
    """List all numbers in nested lists or in an array."""
    return np.asarray(value.tolist() if hasattr(value, "tolist") else value, float).ravel().tolist()


def compare(given: Any, recorded: list[list[float]], told: str) -> None:
    parts = given if isinstance(given, tuple) else (given,)
    assert len(parts) == len(recorded), told
    for k, (part, expected) in enumerate(zip(parts, recorded, strict=True)):
        largest = max([1.0, *map(abs, expected)])
        np.testing.assert_allclose(
            flat(part), expected, rtol=0, atol=ACCURACY * largest, err_msg=f"{told} {k}"
        )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_the_numbers_that_jax_gives(name: str) -> None:
    program, recorded = PROGRAMS[name], RECORDED[name]
    args = program.arguments()
    at_once = program.run(enp, *(eg.Array(a) if isinstance(a, list) else a for a in args))
    compare(at_once, recorded["results"], "at once")
    compiled = eg.jit(lambda *args: program.run(enp, *args))
    compare(compiled(*args), recorded["results"], "compiled")
    loss = eg.grad(lambda *args: weighted(enp, program.run(enp, *args)), tuple(range(len(args))))
    compare(eg.jit(loss)(*args), recorded["gradients"], "gradient")


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy_runs_the_same_program_with_the_same_results(name: str) -> None:
    program = PROGRAMS[name]
    args = [np.array(a) if isinstance(a, list) else a for a in program.arguments()]
    compare(program.run(np, *args), RECORDED[name]["results"], "NumPy")


def test_the_record_contains_exactly_these_programs() -> None:
    assert list(RECORDED) == list(PROGRAMS)
    assert len(PROGRAMS) >= 40

"""`curve_fit` solves all of NIST's problems from both starting points, with enough correct digits."""

from __future__ import annotations

import pytest

import eglantine as eg
from eglantine.solvers import solves
from tests.engines import HAS_WASM, bits

from .nist import PROBLEMS, digits, in_order

needs_engine = pytest.mark.skipif(not HAS_WASM, reason="needs wasmtime, because the interpreter is slow")
NOISE = {"Lanczos1"}
"""The problem whose sum of squared residuals, 1.4e-25, consists of rounding errors. So its standard
deviations have only about 3 correct digits."""


@needs_engine
@pytest.mark.parametrize("start", [0, 1], ids=["start1", "start2"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_fit_has_the_certified_digits(name: str, start: int) -> None:
    problem = PROBLEMS[name]
    r = eg.curve_fit(problem.model, problem.x, problem.y, problem.starts[start])
    assert r.success
    assert digits(in_order(name, r.x, problem.parameters), problem.parameters) >= 9
    assert r.degrees_of_freedom == len(problem.y) - len(problem.parameters)
    if name not in NOISE:
        assert digits(in_order(name, r.deviations, problem.deviations), problem.deviations) >= 9
        assert digits([r.residual_sum], [problem.residual_sum]) >= 9
        assert digits([r.residual_deviation], [problem.residual_deviation]) >= 9


@needs_engine
def test_deviations_of_exact_data_have_the_digits_that_doubles_allow() -> None:
    problem = PROBLEMS["Lanczos1"]
    r = eg.curve_fit(problem.model, problem.x, problem.y, problem.starts[0])
    assert digits(r.deviations, problem.deviations) >= 2


@needs_engine
@pytest.mark.parametrize("name", ["Misra1a", "BoxBOD", "MGH09", "Rat42"])
def test_the_interpreter_gives_the_bits_of_compiled_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PROBLEMS[name]
    compiled = eg.curve_fit(problem.model, problem.x, problem.y, problem.starts[1])
    monkeypatch.setattr(solves, "_solves", type(solves._solves)())
    monkeypatch.setattr(solves, "_runner", lambda f, fuel: f.interpreted)
    interpreted = eg.curve_fit(problem.model, problem.x, problem.y, problem.starts[1])
    assert bits(vars(interpreted)) == bits(vars(compiled))

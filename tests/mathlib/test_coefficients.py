"""tools/math_coefficients.py computes exactly the stored coefficients. Errors are within its bounds."""

from __future__ import annotations

import pytest

from eglantine.mathlib import coefficients
from tools import math_coefficients
from tools.math_coefficients import POLYNOMIALS, Polynomial

SLOW = {"ERFC", "LGAMMA", "POLYGAMMA_1", "POLYGAMMA_2", "POLYGAMMA_3"}
"""The polynomials that we need seconds to compute, because mpmath evaluates their functions slowly."""


@pytest.mark.parametrize("polynomial", POLYNOMIALS, ids=lambda p: p.name)
def test_the_polynomials_in_the_source_have_the_stated_errors(polynomial: Polynomial) -> None:
    stored = getattr(coefficients, polynomial.name)
    assert len(stored) == polynomial.terms
    assert math_coefficients.weighted_error(polynomial, stored) <= polynomial.bound


@pytest.mark.parametrize(
    "polynomial",
    [pytest.param(p, marks=pytest.mark.nightly) if p.name in SLOW else p for p in POLYNOMIALS],
    ids=lambda p: p.name,
)
def test_the_source_contains_the_polynomials_that_the_script_computes(polynomial: Polynomial) -> None:
    assert getattr(coefficients, polynomial.name) == math_coefficients._rounded(polynomial)


def test_the_source_contains_the_constants_that_the_script_computes() -> None:
    for name, (_, value) in math_coefficients._constants().items():
        assert getattr(coefficients, name) == value, name


@pytest.mark.nightly
def test_the_source_is_the_text_that_the_script_writes() -> None:
    assert math_coefficients.OUTPUT.read_text(encoding="utf-8") == math_coefficients.render()

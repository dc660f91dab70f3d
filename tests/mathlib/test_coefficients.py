"""The script computes exactly the coefficients in the source, and their errors are within stated bounds."""

from __future__ import annotations

import pytest

from eglantine.mathlib import coefficients
from tools import math_coefficients
from tools.math_coefficients import POLYNOMIALS, Polynomial


@pytest.mark.parametrize("polynomial", POLYNOMIALS, ids=lambda p: p.name)
def test_the_polynomials_in_the_source_have_the_stated_errors(polynomial: Polynomial) -> None:
    stored = getattr(coefficients, polynomial.name)
    assert len(stored) == polynomial.terms
    assert math_coefficients.weighted_error(polynomial, stored) <= polynomial.bound


def test_the_source_contains_the_coefficients_that_the_script_computes() -> None:
    assert math_coefficients.OUTPUT.read_text(encoding="utf-8") == math_coefficients.render()

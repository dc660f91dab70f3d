"""`free_names` returns the letters in a formula that have no value yet, in natural order."""

from __future__ import annotations

import pytest

from eglantine.errors import FormulaError
from eglantine.formulas import free_names


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("a sin(b x)", ["a", "b"]),
        ("alpha x + beta y", ["alpha", "beta"]),
        ("a x^2 + b x y + c y^2", ["a", "b", "c"]),
        ("x y z", ["z"]),
        ("k exp(-r x)", ["k", "r"]),
        ("b10 + b2 x + b1", ["b1", "b2", "b10"]),
        ("ax^2 + bx + c", ["a", "b", "c"]),
        ("x + y", []),
        ("pi e x", []),
        ("b a a b", ["a", "b"]),
        ("3", []),
    ],
)
def test_free_letters_come_in_natural_order(text: str, free: list[str]) -> None:
    assert free_names(text, ("x", "y")) == free


@pytest.mark.parametrize("text", ["foo + x", "inf", "nan x", "e^(i x)", "x +", "sen(x)", ""])
def test_a_text_that_is_never_a_formula_is_an_error(text: str) -> None:
    with pytest.raises(FormulaError):
        free_names(text, ("x", "y"))


def test_given_variables_are_not_free_letters() -> None:
    assert free_names("a x + b", ("a", "x")) == ["b"]
    assert free_names("a x + b", ()) == ["a", "b", "x"]

"""Formulas in the notation of other programs have the listed values, sliders or advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eglantine.errors import FormulaError
from eglantine.formulas import free_names, to_fn

REFERENCE = json.loads(
    Path(__file__).parent.with_name("data").joinpath("formulas.json").read_text(encoding="utf-8")
)
AT = tuple(map(float, REFERENCE["at"]))
TOLD = {
    "e^(i x)": "imaginary unit has no meaning",
    "x^2+y^2=1": "implicit curve, the contour at height 0 of `x^2+y^2 - 1`",
    "d/dx x^2": "derivatives are computed by themselves",
    "∫x": "no integrals",
    "plot x^2": "Delete the word",
    "Sin": "has no argument. Write sin(x)",
    "x +": "ends after `+`, where a number, a name or `(` was expected",
    "(x": "never closed. Add `)`",
    "х^2": "Cyrillic letter ha",
    "ｘ+1": "a letter of full width",
    "theta": "give it a value on a line above: theta = 1",
    "1,5 x": "Did you mean `1.5`",
    "if x>0: x": "Write {x > 0: x, -x}",
    "inf": "no number that can be drawn",
}
"""The advice on each text."""


@pytest.mark.parametrize(("text", "value"), [(case["text"], case["value"]) for case in REFERENCE["values"]])
def test_a_formula_that_people_type_has_the_right_value(text: str, value: float) -> None:
    assert to_fn(text)(*AT) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(("text", "free"), [(case["text"], case["free"]) for case in REFERENCE["sliders"]])
def test_free_letters_become_sliders(text: str, free: list[str]) -> None:
    assert free_names(text, ("x", "y")) == free
    assert len(to_fn(text, ("x", "y", *free)).function.params) == 2 + len(free)
    with pytest.raises(FormulaError, match=f"There is no name `{free[0]}` here"):
        to_fn(text, ("x", "y"))


@pytest.mark.parametrize("text", [case["text"] for case in REFERENCE["told"]])
def test_a_text_that_is_not_a_formula_is_an_error_with_advice(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        to_fn(text)
    assert TOLD[text] in str(caught.value)
    assert caught.value.span is not None


def test_the_list_has_71_formulas() -> None:
    assert sum(map(len, (REFERENCE["values"], REFERENCE["sliders"], REFERENCE["told"]))) == 71

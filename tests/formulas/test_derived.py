"""Functions that are defined by formulas have accurate values and derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import pytest

import eglantine as eg
from app.service import jet
from eglantine.formulas import to_fn
from eglantine.formulas.definitions import DEFINITIONS
from eglantine.formulas.grammar import FUNCTIONS
from eglantine.formulas.parser import parse
from eglantine.formulas.table import table

POINTS: dict[str, tuple[Callable[[Any], Any], tuple[float, ...]]] = {
    "sec(x)": (mpmath.sec, (0.3, 2.0, -4.0)),
    "csc(x)": (mpmath.csc, (0.3, 2.0, -4.0)),
    "cot(x)": (mpmath.cot, (0.3, 2.0, -4.0)),
    "sech(x)": (mpmath.sech, (0.3, 2.0, -4.0, 0.0)),
    "csch(x)": (mpmath.csch, (0.3, 2.0, -4.0)),
    "coth(x)": (mpmath.coth, (0.3, 2.0, -4.0)),
    "sinc(x)": (mpmath.sinc, (0.0, 1e-9, 0.05, 0.2, -3.0)),
    "sigmoid(x)": (lambda x: 1 / (1 + mpmath.exp(-x)), (0.0, 2.0, -2.0, 30.0, -700.0, 800.0)),
    "softplus(x)": (lambda x: mpmath.log1p(mpmath.exp(x)), (0.0, 2.0, -2.0, 40.0, -40.0)),
    "gamma(x)": (mpmath.gamma, (0.5, 1.0, 2.0, 3.7, 10.0, -0.5, -1.5, -3.3)),
    "x!": (mpmath.factorial, (0.0, 0.5, 3.0, 7.2, -0.5, -2.5)),
    "binomial(x, 2)": (lambda x: mpmath.binomial(x, 2), (5.0, 2.5, 0.5, -2.5)),
    "binomial(5, x)": (lambda x: mpmath.binomial(5, x), (2.0, 2.5, 0.3)),
    "erfc(x)": (mpmath.erfc, (-2.0, 0.0, 0.3, 0.7, 2.0, 3.9, 5.0, 20.0)),
    "root(3, x)": (lambda x: mpmath.sign(x) * abs(x) ** mpmath.mpf("1/3"), (2.0, -8.0)),
    "root(5, x)": (lambda x: mpmath.sign(x) * abs(x) ** mpmath.mpf("0.2"), (2.0, -8.0)),
    "root(4, x)": (lambda x: x ** mpmath.mpf("0.25"), (2.0, 81.0)),
    "nthroot(x, 2)": (mpmath.sqrt, (2.0, 9.0)),
}


@pytest.mark.parametrize(
    ("text", "at"), [(text, at) for text, (_, points) in POINTS.items() for at in points]
)
def test_a_derived_function_has_the_right_value_and_two_derivatives(text: str, at: float) -> None:
    reference = POINTS[text][0]
    found = eg.compile(jet(to_fn(text)))(at, 0.0)
    with mpmath.workdps(40):
        expected = [float(mpmath.diff(reference, mpmath.mpf(at), order)) for order in range(3)]
    size = max(map(abs, expected))
    for order, value in enumerate((found["f"], found["g"][0], found["h"][0])):
        assert value == pytest.approx(expected[order], rel=1e-11, abs=1e-12 * size), order


@pytest.mark.parametrize("n", range(23))
def test_factorials_are_exact(n: int) -> None:
    assert to_fn("x!", ("x",))(float(n)) == math.factorial(n)
    assert to_fn("gamma(x)", ("x",))(n + 1.0) == math.factorial(n)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (10, 5), (3, 7), (40, 20), (-2, 3), (-1, 4), (6, 0), (0, 0)])
def test_binomials_of_integers_are_exact(n: int, k: int) -> None:
    expected = int(mpmath.binomial(n, k))
    assert to_fn("binomial(x, y)")(float(n), float(k)) == expected


@pytest.mark.parametrize("x", [-4.0, -3.2, -1e-3, 0.4, 0.5, 0.6, 1.0, 3.999, 4.0, 4.001, 10.0, 26.0])
def test_erfc_has_a_small_relative_error(x: float) -> None:
    assert to_fn("erfc(x)", ("x",))(x) == pytest.approx(math.erfc(x), rel=4e-15)


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("gamma(x)", -1.0, math.nan),
        ("gamma(x)", 0.0, math.inf),
        ("heaviside(x)", -3.0, 0.0),
        ("heaviside(x)", 0.0, 0.5),
        ("relu(x)", -3.0, 0.0),
        ("{x > 0: x}", -1.0, math.nan),
        ("{x > 0}", 1.0, 1.0),
        ("mod(x, 3)", -1.0, 2.0),
        ("x % 3", -1.0, 2.0),
        ("fmod(x, 3)", -1.0, -1.0),
        ("sum(k=3..1, x)", 5.0, 0.0),
        ("prod(k=3..1, x)", 5.0, 1.0),
        ("sum(x^k, k=1..3)", 2.0, 14.0),
        ("sum(i=1..2, sum(j=1..2, i j x))", 1.0, 9.0),
        ("sum(k=-2..2, k^2 x)", 1.0, 10.0),
        ("(x > 0) + (x > 1)", 2.0, 2.0),
        ("x > 0 and not x > 1", 0.5, 1.0),
        ("piecewise(x < 0, 1, x < 1, 2, 3)", 0.5, 2.0),
        ("{x < 0: 1, x < 1: 2, 3}", 7.0, 3.0),
        ("1 if x < 0 else 2 if x < 1 else 3", 0.5, 2.0),
        ("x < 0 ? 1 : x < 1 ? 2 : 3", 3.0, 3.0),
        ("3!!", 0.0, 720.0),
        ("2^3!", 0.0, 64.0),
        ("-3!", 0.0, -6.0),
        ("clamp(x, 0, 1)", -2.0, 0.0),
        ("log_3(x)", 9.0, 2.0),
        ("sgn(x)", -2.0, -1.0),
    ],
)
def test_conditions_and_sums_have_the_right_values_at_edges_too(text: str, at: float, value: float) -> None:
    assert to_fn(text, ("x",))(at) == pytest.approx(value, rel=1e-14, nan_ok=True)


@pytest.mark.parametrize("text", ["{x > 0: sqrt(x), 0}", "where(x == 0, 1, sin(x)/x)", "if(x > 0, ln(x), 0)"])
def test_an_arm_that_is_not_chosen_leaves_no_nan_in_a_derivative(text: str) -> None:
    found = eg.compile(jet(to_fn(text)))(0.0, 0.0)
    assert all(map(math.isfinite, (found["f"], *found["g"], *found["h"])))


def test_the_grammar_can_be_written_as_json() -> None:
    import json

    grammar = json.loads(json.dumps(table()))
    assert (
        grammar["strength"]["^"]
        > grammar["strength"]["*"]
        == grammar["strength"]["/"]
        > grammar["strength"]["+"]
    )
    assert grammar["functions"]["logistic"] == ["sigmoid", 1, 1]
    assert grammar["functions"].keys() == FUNCTIONS.keys()


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_a_formula_in_its_parameters(name: str) -> None:
    from eglantine.formulas.definitions import definition

    formula = definition(name)
    used = {node.name for node in formula.nodes if node.kind == "variable"}
    assert used == set(DEFINITIONS[name][0].split())
    if name[0] == "_":
        with pytest.raises(eg.FormulaError):
            parse(f"{name}({', '.join(DEFINITIONS[name][0].split())})", tuple(DEFINITIONS[name][0].split()))

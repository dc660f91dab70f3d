"""Simplifying an expression does not change its value, and simplifying it again has no effect."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mpf

from app.algebra.expressions import Expr
from app.algebra.functions import simplify
from app.algebra.recognised import from_rows, recognise
from app.algebra.tex import tex
from tests.seeds import examples

from .displayed import UndefinedError, expr_value, row_values

REAL_UNARY = ["neg", "abs", "sqrt", "cbrt", "exp", "log", "sin", "cos", "tan", "atan", "tanh", "sign", "erf"]
REAL_UNARY += ["exp2", "expm1", "log1p", "sinh", "cosh", "asinh", "floor", "ceil", "trunc"]
REAL_BINARY = ["add", "sub", "mul", "div", "add", "sub", "mul", "pow", "hypot", "min", "max", "copysign"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]
CONSTS = [0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -0.1, 1.0 / 3.0, math.pi, math.log(2), -2.0, 0.0625]
POINTS = [(0.7, 1.9), (-1.3, 0.4), (2.5, -0.6), (3.0, 2.0)]

Row = tuple[Any, ...]


@st.composite
def straight_line_rows(draw: st.DrawFn) -> list[Row]:
    """Draw rows with two parameters. Most operands are recent rows, so that expressions become deep."""
    rows: list[Row] = [("param", 0), ("param", 1)]
    reals, bools = [0, 1], []

    def real() -> int:
        if draw(st.integers(0, 3)) == 0:
            return ~draw(st.integers(0, len(CONSTS) - 1))
        return reals[-1 - draw(st.integers(0, min(len(reals), 5) - 1))]

    for _ in range(draw(st.integers(1, 14))):
        shape = draw(st.integers(0, 9))
        if shape < 5:
            row: Row = (draw(st.sampled_from(REAL_BINARY)), real(), real())
        elif shape < 8:
            row = (draw(st.sampled_from(REAL_UNARY)), real())
        elif shape == 8:
            row = ("powi", real(), draw(st.integers(-3, 4)))
        elif bools:
            row = ("select", draw(st.sampled_from(bools)), real(), real())
        else:
            row = (draw(st.sampled_from(COMPARISONS)), real(), real())
            bools.append(len(rows))
            rows.append(row)
            continue
        reals.append(len(rows))
        rows.append(row)
    return rows


def last(rows: list[Row], consts: list[float] = CONSTS) -> Expr | None:
    [result] = from_rows(rows, consts, {0: "x", 1: "y"}, [len(rows) - 1], 200)
    return result


@settings(max_examples=examples(200))
@given(straight_line_rows(), st.sampled_from(POINTS))
def test_a_displayed_expression_has_the_value_of_its_rows(
    rows: list[Row], point: tuple[float, float]
) -> None:
    expr = last(rows)
    assume(expr is not None and rows[-1][0] not in COMPARISONS)
    assert expr is not None
    meant = [expr_value(recognise(value), {}) for value in CONSTS]
    try:
        values = row_values(rows, meant, dict(enumerate(point)))
    except UndefinedError:
        return
    shown = expr_value(expr, {"x": point[0], "y": point[1]})
    scale = max(abs(v) for v in values if not isinstance(v, bool))
    assert abs(shown - values[-1]) <= mpf(1e-30) * (1 + scale) ** 3, tex(expr)


@settings(max_examples=examples(120))
@given(straight_line_rows())
def test_simplifying_twice_changes_nothing(rows: list[Row]) -> None:
    expr = last(rows)
    if expr is not None:
        assert simplify(expr) == expr, tex(expr)


@settings(max_examples=examples(80))
@given(straight_line_rows())
def test_the_order_of_operands_does_not_change_the_expression(rows: list[Row]) -> None:
    swapped = [(row[0], row[2], row[1]) if row[0] in ("add", "mul") else row for row in rows]
    one, other = last(rows), last(swapped)
    if one is not None and other is not None:
        assert one == other


@settings(max_examples=examples(80))
@given(straight_line_rows())
def test_every_expression_has_balanced_tex(rows: list[Row]) -> None:
    expr = last(rows)
    if expr is not None:
        shown = tex(expr)
        assert shown.count("{") == shown.count("}")
        assert shown.count(r"\left") == shown.count(r"\right")
        assert shown.isascii()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("add", 0, 0)], "2 x"),
        ([("sub", 0, 0)], "0"),
        ([("mul", 0, -1)], "0"),
        ([("neg", 0), ("neg", 2)], "x"),
        ([("sub", 1, -3), ("pow", 0, 2), ("mul", 0, 3)], "x^{y}"),
        ([("pow", 0, 1), ("div", 2, 0)], "x^{y-1}"),
        ([("exp", 0), ("exp", 1), ("mul", 2, 3)], "e^{x+y}"),
        ([("sin", 0), ("mul", 2, 2)], r"\sin^{2} x"),
        ([("sub", 0, 1), ("sub", 1, 0), ("add", 2, 3)], "0"),
        ([("sub", 0, 1), ("sub", 1, 0), ("div", 2, 3)], "-1"),
        ([("powi", 0, 2), ("sqrt", 2)], r"\left|x\right|"),
        ([("abs", 0), ("mul", 2, 2)], "x^{2}"),
        ([("neg", 0), ("sin", 2)], r"-\sin x"),
        ([("neg", 0), ("cos", 2)], r"\cos x"),
        ([("copysign", -3, 0)], r"\operatorname{sgn} x"),
        ([("mul", 0, 1), ("mul", 1, 0), ("add", 2, 3)], "2 x y"),
        ([("log1p", 0), ("log", 1), ("add", 2, 3)], r"\ln y+\ln\left(x+1\right)"),
        ([("lt", 0, 1), ("not", 2), ("select", 3, 0, 1)],
         r"\begin{cases}x & x\ge y \\ y & \text{otherwise}\end{cases}"),
        ([("eq", 1, -1), ("mul", 0, 1), ("select", 2, -1, 3)], "x y"),
        ([("ne", 0, -1), ("select", 2, 0, -3), ("log", 3)], r"\ln x"),
        ([("eq", 0, -1), ("sin", 0), ("div", 3, 0), ("select", 2, -3, 4)],
         r"\begin{cases}1 & x=0 \\ \frac{\sin x}{x} & \text{otherwise}\end{cases}"),
    ],
)  # fmt: skip
def test_rows_are_shown_as_a_textbook_writes_them(rows: list[Row], expected: str) -> None:
    consts = [0.0, 0.0, 1.0]
    expr = last([("param", 0), ("param", 1), *rows], consts)
    assert expr is not None
    assert tex(expr) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2.0, "2"),
        (-0.0, "0"),
        (0.5, r"\frac{1}{2}"),
        (0.1, "0.1"),
        (-2.75, r"-\frac{11}{4}"),
        (1 / 3, r"\frac{1}{3}"),
        (1 / 3 - 1, r"-\frac{2}{3}"),
        (0.125, r"\frac{1}{8}"),
        (123.456, "123.456"),
        (1.2345678912345678, "1.23457"),
        (0.1 + 0.2, "0.3"),
        (math.pi, r"\pi"),
        (2 * math.pi, r"2 \pi"),
        (math.pi / 2, r"\frac{\pi}{2}"),
        (math.log(2), r"\ln 2"),
        (1 / math.log(10), r"\frac{1}{\ln 10}"),
        (2 / math.sqrt(math.pi), r"\frac{2}{\sqrt{\pi}}"),
        (math.e, "e"),
        (math.sqrt(2) / 2, r"\frac{\sqrt{2}}{2}"),
        (1e-9, "10^{-9}"),
        (1.5e20, r"1.5 \cdot 10^{20}"),
        (1e300, "10^{300}"),
    ],
)
def test_a_constant_is_shown_as_the_exact_number_it_approximates(value: float, expected: str) -> None:
    assert tex(recognise(value)) == expected


def test_infinities_are_shown_and_are_not_simplified() -> None:
    infinite = last([("param", 0), ("param", 1), ("mul", 0, -1)], [math.inf])
    difference = last([("param", 0), ("param", 1), ("sub", -1, -1), ("add", 0, 2)], [math.inf])
    assert infinite is not None
    assert difference is not None
    assert tex(infinite) == r"\infty x"
    assert tex(difference) == r"x+\infty-\infty"


def test_rows_too_large_too_deep_or_without_notation_are_not_shown() -> None:
    sums: list[Row] = [("param", 0), ("param", 1)]
    deep: list[Row] = [("param", 0), ("param", 1)]
    for i in range(400):
        sums += [("sin", len(sums) - 1), ("mul", len(sums), 0), ("add", len(sums) + 1, 1)]
        deep.append(("sin", i + 1))
    assert last(sums) is None
    assert last(deep) is None
    assert last([("param", 0), ("param", 1), ("call", 0)]) is None


def test_a_hundred_thousand_live_rows_are_not_shown() -> None:
    rows: list[Row] = [("param", 0), ("param", 1), *(("sin", i + 1) for i in range(100_000))]
    [large, small] = from_rows(rows, [], {0: "x", 1: "y"}, [100_001, 2], 200)
    assert large is None
    assert small is None  # both results share one budget of work
    [alone] = from_rows(rows, [], {0: "x", 1: "y"}, [2], 200)
    assert alone is not None
    assert tex(alone) == r"\sin y"


def test_a_result_may_be_a_constant_or_a_parameter() -> None:
    results = from_rows([("param", 0)], [2.5], {0: "x"}, [-1, 0], 50)
    assert [tex(expr) for expr in results if expr is not None] == [r"\frac{5}{2}", "x"]

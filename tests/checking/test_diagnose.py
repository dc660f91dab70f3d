"""`eg.diagnose` finds the row where a value or derivative stops being finite, and says why.

A report marks a span of this file. `text_at(report.span)` returns the text in the span.
"""

# ruff: noqa: PLW0108 - a lambda around a call gives each row a place of its own

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg

m = eg.math


def text_at(span: eg.Span | None) -> str:
    assert span is not None, "the report has no span"
    assert span.source == __file__
    assert span.line == span.end_line
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[span.line - 1].encode()
    return line[span.column : span.end_column].decode()


@pytest.mark.parametrize(
    ("f", "args", "operation", "reason", "text"),
    [
        (lambda x: m.log(x) * 2, (0.0,), "log", "log of 0", "m.log(x)"),
        (lambda x: m.log(x) * 2, (-3.0,), "log", "log of a negative number, -3.0", "m.log(x)"),
        (lambda x: m.sqrt(x) * 2, (-4.0,), "sqrt", "sqrt of a negative number, -4.0", "m.sqrt(x)"),
        (lambda x, y: 1 + x / y, (1.0, 0.0), "div", "division by 0", "x / y"),
        (lambda x, y: 1 + x / y, (0.0, 0.0), "div", "0 / 0", "x / y"),
        (lambda x: 1 + m.exp(x), (1e3,), "exp", "overflow of exp", "m.exp(x)"),
        (lambda x: 1 + x * x, (1e200,), "mul", "overflow of mul", "x * x"),
        (lambda x: m.asin(x), (2.0,), "asin", "asin of a number outside its domain, 2.0", "m.asin(x)"),
        (lambda x: m.atanh(x), (1.0,), "atanh", "atanh of 1", "m.atanh(x)"),
        (lambda x: m.log1p(x), (-1.0,), "log1p", "log1p of -1", "m.log1p(x)"),
        (lambda x: x**-2, (0.0,), "powi", "0 to a negative power", "x**-2"),
        (lambda x: x**0.5, (-1.0,), "pow", "a negative number to a power that is not whole", "x**0.5"),
        (lambda x: m.pow(x, -x), (0.5e4,), None, None, ""),
        (lambda x: m.polygamma(1, x), (0.0,), "polygamma1", "a pole", "m.polygamma(1, x)"),
        (lambda x: m.lgamma(x), (-2.0,), "lgamma", "lgamma of -2, where it has a pole", "m.lgamma(x)"),
    ],
)
def test_a_row_of_the_value_is_reported_with_its_reason_and_place(
    f: Any, args: Any, operation: str | None, reason: str, text: str
) -> None:
    report = eg.diagnose(f)(*args)
    if operation is None:
        assert report.finite
        return
    assert not report.finite
    assert (report.where, report.order, report.operation) == ("primal", 0, operation)
    assert reason in report.reason
    assert reason in report.message
    assert text_at(report.span) == text


@pytest.mark.parametrize(
    ("f", "args", "operation", "reason", "text"),
    [
        (lambda x: 2 * m.sqrt(x), (0.0,), "sqrt", "sqrt′ at 0 is infinite", "m.sqrt(x)"),
        (lambda x: 2 * m.cbrt(x), (0.0,), "cbrt", "cbrt′ at 0 is infinite", "m.cbrt(x)"),
        (lambda x: m.asin(x), (1.0,), "asin", "asin′ at ±1 is infinite", "m.asin(x)"),
        (lambda x: m.atan2(x, x), (0.0,), "atan2", "atan2′ at (0, 0) is undefined", "m.atan2(x, x)"),
        (lambda x: x**0.5, (0.0,), "pow", "pow′ at 0 is infinite", "x**0.5"),
    ],
)
def test_a_row_of_a_derivative_is_reported_at_the_differentiated_row(
    f: Any, args: Any, operation: str, reason: str, text: str
) -> None:
    for report in (
        eg.diagnose(f)(*args),
        eg.diagnose(eg.grad(f))(*args),
        eg.diagnose(eg.jacfwd(f), 0)(*args),
    ):
        assert (report.finite, report.where, report.order) == (False, "derivative", 1)
        assert (report.operation, report.reason) == (operation, reason)
        assert text_at(report.span) == text


def test_a_finite_value_is_reported_as_finite() -> None:
    report = eg.diagnose(lambda x: m.sqrt(x))(4.0)
    assert report.finite
    assert report.where is None
    assert report.span is None
    assert "finite" in str(report)


def test_a_report_contains_the_values_of_the_operands() -> None:
    assert eg.diagnose(lambda x, y: x / y)(3.0, 0.0).values == (3.0, 0.0)


def test_a_report_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        eg.diagnose(lambda x: x)(1.0).finite = False  # type: ignore[misc]


def test_the_text_of_a_report_contains_the_source_line() -> None:
    report = eg.diagnose(lambda x: m.log(x))(0.0)
    assert report.span is not None
    assert f"line {report.span.line}" in str(report)
    assert "m.log(x)" in str(report)


def test_the_second_derivative_is_examined_only_on_request() -> None:
    def f(x: Any) -> Any:
        return 1 + x**1.5

    assert eg.diagnose(f)(0.0).finite
    report = eg.diagnose(f, order=2)(0.0)
    assert (report.where, report.order, report.operation) == ("derivative", 2, "pow")
    assert report.reason == "pow″ at 0 is infinite"
    assert text_at(report.span) == "x**1.5"


def test_order_zero_needs_no_derivative() -> None:
    gamma = eg.opaque(math.gamma, [eg.Real], eg.Real, pure=True)
    assert eg.diagnose(gamma, order=0)(2.0).finite
    with pytest.raises(eg.MissingDerivativeError):
        eg.diagnose(gamma)(2.0)


def test_diagnose_takes_a_plain_function_an_fn_and_a_jit() -> None:
    def f(x: Any) -> Any:
        return m.log(x)

    for g in (f, eg.jit(f), eg.fn([eg.Real])(f), eg.jit(eg.fn([eg.Real])(f))):
        assert eg.diagnose(g)(0.0).reason == "log of 0"


# ---------------------------------------------------------------- rows that are not reported


def test_a_row_whose_infinity_disappears_later_is_not_reported() -> None:
    assert eg.diagnose(lambda x: 1 / m.exp(x), order=0)(1e3).finite
    report = eg.diagnose(lambda x: m.log(1 / m.exp(x)), order=0)(1e3)
    assert (report.operation, report.reason) == ("log", "log of 0")


def test_a_row_in_an_arm_that_is_not_taken_is_not_reported() -> None:
    def f(x: Any) -> Any:
        return eg.select(x > 0, m.log(x), 0.0)

    assert eg.diagnose(f, order=2)(0.0).finite
    report = eg.diagnose(lambda x, y: f(x) + 1 / y)(0.0, 0.0)
    assert report.operation == "div"
    least = eg.diagnose(lambda v: eg.fori_loop(0, 3, lambda i, c: m.minimum(c, v[i]), m.inf))
    assert least([1.0, 2.0, 3.0]).finite


def test_the_first_row_is_reported_and_not_a_later_consequence() -> None:
    report = eg.diagnose(lambda x: m.sin(m.exp(m.log(x) * x) * 0.0) + x / x)(0.0)
    assert report.operation == "log"


def test_a_nan_that_an_infinity_causes_is_reported_at_the_infinity() -> None:
    report = eg.diagnose(lambda x: m.log(x) * x)(0.0)
    assert report.reason == "log of 0"
    assert "0·∞" in report.message


# ---------------------------------------------------------------- arguments, constants, host functions, rules


def test_an_argument_that_is_not_finite_is_reported() -> None:
    report = eg.diagnose(eg.fn([eg.Real, eg.Vec(2, eg.Real)], names=["x", "v"])(lambda x, v: x + v[1]))
    found = report(1.0, [1.0, math.nan])
    assert (found.where, found.operation) == ("primal", "argument")
    assert found.reason == "the argument v holds nan"


def test_a_folded_constant_that_is_not_finite_is_reported() -> None:
    report = eg.diagnose(lambda x: x + m.log(0.0))(1.0)
    assert report.reason == "the constant -inf"
    assert text_at(report.span) == "x + m.log(0.0)"
    assert eg.diagnose(lambda x: m.inf)(1.0).reason == "the constant inf"


def test_a_host_function_that_returns_no_finite_number_is_reported() -> None:
    wild = eg.opaque(lambda x: math.inf, [eg.Real], eg.Real, pure=True)
    report = eg.diagnose(lambda x: 2 * wild(x), order=0)(1.0)
    assert "returned inf" in str(report.reason)
    assert text_at(report.span) == "wild(x)"


def test_a_row_of_a_custom_rule_is_reported_as_a_derivative() -> None:
    g = eg.fn([eg.Real], eg.Real)(lambda x: x * x)

    @g.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return g(primals[0]), tangents[0] / primals[0]

    for derived in (g, eg.fn([eg.Real], eg.Real)(lambda x: 3 * g(x))):
        report = eg.diagnose(derived)(0.0)
        assert (report.where, report.reason) == ("derivative", "division by 0 in the derivative of <lambda>")


# ---------------------------------------------------------------- loops, calls and branches


def test_a_report_on_a_loop_states_the_round() -> None:
    report = eg.diagnose(lambda x: eg.fori_loop(0, 100, lambda i, c: c * c, x))(3.0)
    assert report.rounds == (9,)  # 3^(2^10) is the first power beyond 10^308
    assert "round 9" in report.message
    assert text_at(report.span) == "c * c"
    report = eg.diagnose(lambda v: eg.sum(6, lambda i: m.log(v[i])))([1.0, 2.0, 3.0, 0.0, 5.0, -6.0])
    assert report.rounds == (3,)
    report = eg.diagnose(lambda v: eg.sum(m.log(v)))([1.0, 2.0, 3.0, 0.0, 5.0, 6.0])
    assert report.rounds == (3,)
    assert text_at(report.span) == "m.log(v)"


def test_a_report_on_nested_loops_states_the_round_of_each() -> None:
    report = eg.diagnose(lambda x: eg.sum(3, lambda i: eg.sum(4, lambda j: 1 / (eg.real(i * 4 + j) - x))))(
        6.0
    )
    assert report.rounds == (1, 2)
    assert report.reason == "division by 0"


def test_a_report_on_a_derivative_in_a_loop_states_the_round() -> None:
    report = eg.diagnose(lambda v: eg.sum(6, lambda i: m.sqrt(v[i])))([1.0, 2.0, 3.0, 4.0, 0.0, 6.0])
    assert (report.where, report.reason, report.rounds) == ("derivative", "sqrt′ at 0 is infinite", (4,))


def test_a_report_on_a_while_loop_states_the_round() -> None:
    report = eg.diagnose(
        lambda x: eg.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, m.log(3.0 - c[0])), (x, 1.0))[1]
    )(0.0)
    assert report.finite is False
    assert report.rounds == (4,)


def test_rows_inside_calls_and_branches_are_reported() -> None:
    inner = eg.fn([eg.Real], eg.Real)(lambda x: m.log(x) + 1)
    outer = eg.fn([eg.Real], eg.Real)(lambda x: eg.cond(x >= 0, lambda: inner(x) + inner(2 * x), lambda: 0.0))
    report = eg.diagnose(outer)(0.0)
    assert report.reason == "log of 0"
    assert text_at(report.span) == "m.log(x)"
    assert eg.diagnose(outer)(-1.0).finite


def test_an_accumulator_that_overflows_is_reported() -> None:
    report = eg.diagnose(lambda x: eg.sum(4, lambda i: x))(1e308)
    assert report.reason == "overflow of a sum"
    assert report.rounds == (1,)


def test_a_long_program_is_examined_without_recursion() -> None:
    def f(x: Any) -> Any:
        for _ in range(20_000):
            x = x * 1.5 + 0.25
        return x

    report = eg.diagnose(f)(1.0)
    assert report.reason in ("overflow of mul", "overflow of add")
    assert text_at(report.span) in ("x * 1.5", "x * 1.5 + 0.25")


def test_diagnose_inside_a_trace_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="traced"):
        eg.fn([eg.Real])(lambda x: eg.diagnose(lambda y: y)(x))


def test_a_while_loop_with_too_many_rounds_is_reported() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.while_loop(lambda t: t >= 0.0, lambda t: t / 2, x))
    report = eg.diagnose(f, rounds=1000)(1.0)
    assert not report.finite
    assert (report.where, report.order, report.operation) == ("primal", 0, "while_loop")
    assert report.reason == "it had not ended after 1,000 rounds"
    assert report.rounds == (1000,)
    assert "A loop in the value of" in report.message
    assert "rounds=" in report.message
    assert text_at(report.span) == "eg.while_loop(lambda t: t >= 0.0, lambda t: t / 2, x)"
    assert not eg.diagnose(f)(1.0).finite  # the default bound also ends it


def test_an_overflow_that_keeps_a_loop_running_is_reported() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.while_loop(lambda t: t > 1.0, lambda t: t * t, x))
    report = eg.diagnose(f, rounds=1000)(2.0)
    assert (report.operation, report.reason) == ("mul", "overflow of mul")
    assert report.rounds == (9,)
    assert text_at(report.span) == "t * t"


def test_the_limit_on_rounds_applies_to_all_while_loops_together() -> None:
    inner = eg.fn([eg.Real])(lambda x: eg.while_loop(lambda t: t < 10.0, lambda t: t + 1.0, x))
    f = eg.fn([eg.Real])(lambda x: eg.fori_loop(0, 50, lambda i, a: a + inner(x), 0.0))
    assert eg.diagnose(f, rounds=500)(0.0).finite
    report = eg.diagnose(f, rounds=499)(0.0)
    assert (report.operation, report.rounds) == ("while_loop", (49, 9))


@pytest.mark.parametrize("rounds", [-1, 1.5, True, "9"])
def test_a_limit_on_rounds_that_is_not_an_integer_is_an_error(rounds: Any) -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"`rounds` of eg.diagnose must be a whole number"):
        eg.diagnose(lambda x: x, rounds=rounds)


def test_a_large_argument_of_lgamma_is_not_reported_as_a_pole() -> None:
    """An earlier version called every infinite or NaN result of lgamma a pole."""
    assert eg.diagnose(lambda x: m.lgamma(x))(1e308).reason == "lgamma of 1e+308"

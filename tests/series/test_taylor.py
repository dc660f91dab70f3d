"""Tests of Taylor series: known series, and laws for random programs."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import eglantine as eg
from eglantine.errors import InternalError
from eglantine.ir.functions import FUNCTIONS
from eglantine.ir.primitives import PRIMITIVES, total_table
from eglantine.leaves import tangent_type
from eglantine.series import rules
from eglantine.types import TupleType
from tests.engines import run
from tests.laws.comparing import programs, reals
from tests.programs import Style, arguments, function_of, plans, tangents_of, where_differentiable

DERIVATIVES = [
    0.69346871116349214, 6.6572144665406599, 57.304184211076493, 434.62205348891016, 2829.2811026750437,
    15114.091238432044, 60116.069107007456, 123761.52018711919, -388714.78143845747, -4761145.8970477062,
    -19579430.576962268,
]  # fmt: skip
"""The derivatives 0 … 10 of 0.3·sin(t)·t¹⁰ at 1.1."""

LARGEST = 1e4


def whole(t: float) -> float:
    return 0.3 * eg.math.sin(t) * t**10


def general(t: float) -> float:
    return 0.3 * eg.math.sin(t) * eg.math.pow(t, 10.0)


@pytest.mark.parametrize("f", [whole, general])
@pytest.mark.parametrize("order", [10, 20])
def test_the_derivatives_of_a_product_have_the_known_values(f: Any, order: int) -> None:
    series = run(lambda t: tuple(eg.taylor(f, t, order=order)), 1.1)
    for k, expected in enumerate(DERIVATIVES):
        assert series[k] * math.factorial(k) == pytest.approx(expected, rel=1e-13)


ORDERS = (1, 2, 3, 7, 14)

POINTS = {
    "sqrt": 1.3, "cbrt": 1.3, "log": 1.3, "log2": 1.3, "log10": 1.3, "log1p": 0.4, "acosh": 1.8,
    "lgamma": 2.4, "pow": 1.3, "polygamma0": 2.4, "polygamma1": 2.4, "polygamma2": 2.4, "polygamma3": 2.4,
    "polygamma_n": 2.4,
}  # fmt: skip
"""Name of a function → the point at which we test it. All other functions are tested at 0.6."""

PRECISE: dict[str, Any] = {
    "abs": abs, "exp2": lambda x: mpmath.power(2, x), "log2": lambda x: mpmath.log(x, 2),
    "copysign": lambda x, y: x, "min": lambda x, y: x, "max": lambda x, y: y,
    "trunc": lambda _: mpmath.mpf(0), "floor": lambda _: mpmath.mpf(0), "ceil": lambda _: mpmath.mpf(1),
    "nearest": lambda _: mpmath.mpf(1), "sign": lambda _: mpmath.mpf(1), "pow": mpmath.power,
    "mod": lambda x, y: x, "floordiv": lambda *_: mpmath.mpf(0),
}  # fmt: skip
"""Name of a function → a function of mpmath's numbers that equals it near the tested point. All other
functions have the same name in mpmath."""


POLYGAMMAS = {"lgamma": -1, **{f"polygamma{n}": n for n in range(4)}, "polygamma_n": 5}
"""Name of a function whose derivatives are polygammas, which mpmath computes → its own order as a polygamma.
log Γ has the order −1, because its derivative is the polygamma of order 0."""


def series_of_gamma(order: int, x: Any, count: int) -> list[Any]:
    """Compute the Taylor coefficients of ψ(t + t²/4) at t = x. ψ is the polygamma of the given order.

    The derivative of a polygamma is the next polygamma, so the coefficients of ψ are known. We insert the
    series of t + t²/4 into the series of ψ. This is a hundred times as fast as mpmath.taylor.
    """
    at, slope, half_bend = x + x * x / 4, 1 + x / 2, mpmath.mpf(1) / 4
    power = [mpmath.mpf(k == 0) for k in range(count)]
    total = [mpmath.mpf(0)] * count
    for k in range(count):
        derivative = mpmath.polygamma(order + k, at) if order + k >= 0 else mpmath.loggamma(at)
        total = [y + derivative / mpmath.factorial(k) * c for y, c in zip(total, power, strict=True)]
        power = [
            slope * (power[j - 1] if j > 0 else 0) + half_bend * (power[j - 2] if j > 1 else 0)
            for j in range(count)
        ]
    return total


def called(name: str, *args: Any) -> Any:
    """Apply the primitive with a given name to traced values."""
    if name == "polygamma_n":
        return eg.math.polygamma(5, args[0])
    if name.startswith("polygamma"):
        return eg.math.polygamma(int(name[-1]), *args)
    if name in {"mod", "floordiv"}:
        return args[0] % args[1] if name == "mod" else args[0] // args[1]
    if name == "abs":
        return abs(args[0])
    notation = FUNCTIONS[name].notation
    return getattr(eg.math, (notation and notation.name) or name)(*args)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_series_of_every_function_agrees_with_mpmaths(name: str) -> None:
    arity = len(FUNCTIONS[name].operands)
    x = POINTS.get(name, 0.6)
    precise = None if name in POLYGAMMAS else PRECISE.get(name) or getattr(mpmath, name)
    with mpmath.workdps(60):
        expected = (
            series_of_gamma(POLYGAMMAS[name], mpmath.mpf(x), ORDERS[-1] + 1)
            if name in POLYGAMMAS
            else mpmath.taylor(
                lambda t: precise(*(t + t * t / 4, mpmath.mpf(1.5) + t)[:arity]), mpmath.mpf(x), ORDERS[-1]
            )
        )
    for order in ORDERS:
        series = run(
            lambda t, n=order: tuple(
                eg.taylor(lambda t: called(name, *(t + 0.25 * t * t, 1.5 + t)[:arity]), t, order=n)
            ),
            x,
        )
        known = expected[: order + 1]
        scale = max(abs(float(c)) for c in known)
        for ours, theirs in zip(series, known, strict=True):
            assert abs(ours - float(theirs)) <= 4e-14 * (abs(float(theirs)) + 1e-3 * scale)


def test_the_series_of_lgamma_has_the_values_of_zeta_as_coefficients() -> None:
    """log Γ(1 + t) = −γ·t + Σ ζ(k)·(−t)^k / k."""
    series = run(lambda t: tuple(eg.taylor(eg.math.lgamma, t, order=30)), 1.0)
    assert series[1] == pytest.approx(-float(mpmath.euler), rel=1e-15)
    for k in range(2, 31):
        assert series[k] == pytest.approx((-1) ** k * float(mpmath.zeta(k)) / k, rel=2e-15)


def test_loops_branches_and_structures_have_the_right_series() -> None:
    def f(v: Any) -> Any:
        squares = eg.sum(3, lambda i: v["a"][i] * v["a"][i])
        grown = eg.while_loop(lambda c: c < 10.0, lambda c: c * 1.5 + squares, 1.0 + v["b"])
        carry, ys = eg.scan(lambda c, x: (c * x, c + x), v["b"], v["a"])
        arm = eg.cond(v["b"] > 0.0, lambda: v["b"] ** 3, lambda: v["b"])
        return {"grown": grown, "arm": arm, "product": carry, "ys": ys, "flag": v["b"] > 1.0}

    x = {"a": [0.5, 0.25, 2.0], "b": 0.75}
    d = {"a": [1.0, 2.0, -1.0], "b": 2.0}
    series = run(lambda x, d: tuple(eg.taylor(f, x, d, order=3)), x, d)
    # The sum of squares is s = 4.3125 − 2t + 6t². The while loop gives 2.25·(1.75 + 2t) + 2.5·s.
    assert [c["grown"] for c in series] == [14.71875, -0.5, 15.0, 0.0]
    assert [c["arm"] for c in series] == [0.421875, 3.375, 9.0, 8.0]
    # The product is (0.75 + 2t)·(0.5 + t)·(0.25 + 2t)·(2 − t).
    assert [c["product"] for c in series] == [0.1875, 2.28125, 6.8125, 4.0]
    assert [c["ys"][0] for c in series] == [1.25, 3.0, 0.0, 0.0]
    assert [c["ys"][1] for c in series] == [0.625, 3.75, 2.0, 0.0]
    assert [c["flag"] for c in series] == [False, None, None, None]


def test_the_series_of_a_function_with_a_custom_rule_is_right() -> None:
    @eg.fn
    def exponential(x: eg.Real) -> eg.Real:
        """Sum the first 25 terms of the exponential series.

        The derivative of this sum has only 24 nonzero terms. A custom rule keeps all 25 terms.
        """
        return eg.fori_loop(0, 25, lambda i, c: (c[0] + c[1], c[1] * x / eg.real(i + 1)), (0.0, 1.0))[0]

    @exponential.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        y = exponential(*primals)
        return y, y * tangents[0]

    series = run(lambda x: tuple(eg.taylor(exponential, x, order=6)), 0.5)
    for k, c in enumerate(series):
        assert c == pytest.approx(math.exp(0.5) / math.factorial(k), rel=1e-15)


def test_the_series_of_a_function_of_vecs_with_a_custom_rule_is_right() -> None:
    @eg.fn
    def squares(v: eg.Vec(2, eg.Real)) -> eg.Vec(2, eg.Real):
        return [v[0] * v[0], v[1] * v[1]]

    @squares.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (v,), (dv,) = primals, tangents
        return squares(v), [2.0 * v[0] * dv[0], 2.0 * v[1] * dv[1]]

    series = run(lambda v, d: tuple(eg.taylor(squares, v, d, order=4)), [3.0, 4.0], [1.0, 2.0])
    assert list(map(list, series)) == [[9.0, 16.0], [6.0, 16.0], [1.0, 4.0], [0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (0.0, 2.0, [0.0, 0.0, 1.0, 0.0, 0.0]),
        (0.0, 2.5, [0.0, 0.0, 0.0, math.inf, -math.inf]),
        (0.0, 0.0, [1.0, 0.0, 0.0, 0.0, 0.0]),
        (2.0, 3.0, [8.0, 12.0, 6.0, 1.0, 0.0]),
    ],
)
def test_a_power_has_the_right_series_at_zero(x: float, y: float, expected: list[float]) -> None:
    assert run(lambda x, y: tuple(eg.taylor(lambda t: eg.math.pow(t, y), x, order=4)), x, y) == tuple(
        expected
    )


def test_wrong_arguments_of_a_series_are_an_error() -> None:
    assert eg.taylor(lambda x: x * x, 3, order=0) == [9.0]
    with pytest.raises(eg.TypeMismatchError, match=r"order of eg\.taylor"):
        eg.taylor(lambda x: x, 1.0, order=-1)
    with pytest.raises(eg.TypeMismatchError, match="direction"):
        eg.taylor(lambda v: v[0], [1.0, 2.0], order=1)
    with pytest.raises(eg.TypeMismatchError, match="2 arguments"):
        eg.taylor(eg.fn([eg.Real, eg.Real])(lambda x, y: x), 1.0)
    host = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)
    with pytest.raises(eg.MissingDerivativeError):
        eg.taylor(host, 1.0, order=2)


def test_series_and_other_derivatives_can_be_nested() -> None:
    assert eg.grad(lambda x: eg.taylor(lambda t: t**4, x, order=3)[3])(2.0) == 4.0
    assert eg.taylor(eg.grad(lambda x: x**4), 2.0, order=2) == [32.0, 48.0, 24.0]
    assert eg.taylor(lambda x: eg.taylor(lambda y: x * y**3, x, order=2)[1], 2.0, order=2) == [
        24.0,
        36.0,
        18.0,
    ]


def test_the_program_grows_linearly_with_the_order() -> None:
    def f(v: Any) -> Any:
        return eg.math.exp(v[0] * v[1]) / (1.0 + v[0] * v[0]) * eg.math.sin(v[1])

    sizes = {
        n: len(
            eg.compile(lambda v, d, n=n: tuple(eg.taylor(f, v, d, order=n)), [(eg.Real, eg.Real)] * 2).wasm
        )
        for n in (20, 40, 80)
    }
    assert sizes[80] - sizes[40] < 2.2 * (sizes[40] - sizes[20]) + 1000


# ------------------------------------------------------------ laws


def tame(value: Any) -> bool:
    """True if all floats in a value are finite and not huge."""
    return all(abs(x) < LARGEST for x in reals(value))


def packed(plan: Any) -> Any:
    """Make a function from a plan, and a second function that takes all arguments as one tuple."""
    f = function_of(plan)
    return f, eg.fn([TupleType(f.function.params)])(lambda v: f(*v))


@settings(max_examples=programs(60))
@given(st.data())
@where_differentiable
def test_a_series_of_order_one_equals_the_jvp_to_the_bit(data: st.DataObject) -> None:
    plan = data.draw(plans(Style(total=True)))
    f, g = packed(plan)
    x = tuple(data.draw(arguments(plan)))
    d = tuple(data.draw(tangents_of(tangent_type(of))) for of in f.function.params)
    assert repr(eg.taylor(g, x, d, order=1)) == repr(list(eg.jvp(g, (x,), (d,))))


@settings(max_examples=programs(60))
@given(st.data())
@where_differentiable
def test_coefficients_equal_nested_jvps_divided_by_factorials(data: st.DataObject) -> None:
    plan = data.draw(plans(Style(smooth=True, total=True)))
    f, g = packed(plan)
    x = tuple(data.draw(arguments(plan)))
    d = tuple(data.draw(tangents_of(tangent_type(of))) for of in f.function.params)

    of = TupleType(f.function.params)

    def nested(x: Any, d: Any, k: int) -> Any:
        return eg.jvp(lambda x: nested(x, d, k - 1), (x,), (d,))[1] if k else g(x)

    def all_nested(x: Any, d: Any) -> Any:
        return tuple(nested(x, d, k) for k in range(4))

    def series_of(x: Any, d: Any) -> Any:
        return tuple(eg.taylor(g, x, d, order=3))

    series = run(eg.fn([of, tangent_type(of)])(series_of), x, d)
    expected = eg.fn([of, tangent_type(of)])(all_nested)(x, d)
    assume(tame(expected))
    scale = max([abs(x) for c in expected for x in reals(c)], default=0.0)
    for k in range(1, 4):
        for ours, theirs in zip(reals(series[k]), reals(expected[k]), strict=True):
            assert abs(ours * math.factorial(k) - theirs) <= 1e-9 * (1.0 + scale)


@settings(max_examples=programs(30))
@given(st.data())
@where_differentiable
def test_the_coefficient_of_order_two_is_half_of_the_directional_hessian(data: st.DataObject) -> None:
    plan = data.draw(plans(Style(smooth=True, total=True), scalar=True))
    f, g = packed(plan)
    x = tuple(data.draw(arguments(plan)))
    d = tuple(data.draw(tangents_of(tangent_type(of))) for of in f.function.params)
    (product,) = eg.hvp(g, (x,), (d,))
    terms = [a * b for a, b in zip(reals(product), reals(d), strict=True)]
    assume(tame(terms))
    second = eg.taylor(g, x, d, order=2)[2]
    assert abs(second - 0.5 * math.fsum(terms)) <= 1e-8 * (1.0 + sum(map(abs, terms)))


def truncated(x: Any) -> Any:
    """Sum the exponential series until a term no longer changes the sum."""
    start = (0.0, 1.0, 1.0)
    return eg.while_loop(
        lambda c: c[0] + c[1] != c[0], lambda c: (c[0] + c[1], c[1] * x / c[2], c[2] + 1.0), start
    )[0]


@pytest.mark.parametrize("x", [-1.0, -0.3, 0.0, 0.5, 1.0])
def test_with_a_rule_the_series_of_a_truncated_sum_is_complete(x: float) -> None:
    summed = eg.fn([eg.Real], eg.Real)(truncated)
    summed.defjvp(lambda primals, tangents: (summed(*primals), summed(*primals) * tangents[0]))
    for k, c in enumerate(run(lambda x: tuple(eg.taylor(summed, x, order=2)), x)):
        assert abs(c * math.factorial(k) - math.exp(x)) <= 4 * math.ulp(math.exp(x))


def test_a_function_without_a_series_rule_or_with_a_wrong_one_is_refused() -> None:
    with pytest.raises(InternalError, match=r"power series must have one entry .* Add or remove tanh\."):
        total_table("power series", {op: rule for op, rule in rules.SERIES.items() if op != "tanh"})
    with pytest.raises(InternalError, match="uses the value of tanh"):
        rules._slopes_block("tanh", 1, [True], None)
    by_slopes = [op for op, rule in rules.SERIES.items() if rule is rules.slopes_rule]
    assert len(by_slopes) > 10
    for op in by_slopes:
        operands = len(PRIMITIVES[op].operands)
        assert rules._slopes_block(op, operands, [True] * operands, None)

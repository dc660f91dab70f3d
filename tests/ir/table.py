"""Expected values and derivatives of every primitive, computed by Python, NumPy and mpmath.

A primitive that is missing here fails `test_every_primitive_is_in_the_table_of_expected_values`.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import mp

INF, NAN = math.inf, math.nan
TINY, SMALLEST_NORMAL, HUGE = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308

EDGES = (
    0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, TINY, -TINY, SMALLEST_NORMAL, -2.5e-310, HUGE, -HUGE, 1e-200, 0.5,
    -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 0.3, 0.49999999999999994, 1.0000000000000002, 0.9999999999999999,
    4503599627370497.5, -9007199254740993.0, 710.0, -746.0, 1e22,
)  # fmt: skip
"""Operands for the tests: both zeros, infinities, NaN, subnormals, the largest double, rounding ties, and the
ends of domains."""

EDGE_PAIRS = tuple(itertools.product((*EDGES[:13], 0.5, 3.0, -3.0, 1e200), repeat=2))
REMAINDER_PAIRS = (
    *EDGE_PAIRS, (5.0, 0.1), (-5.0, 0.1), (1e17, 3.0), (-1e17, 3.0), (1e300, 1e-10), (1e300, -1e-300),
    (HUGE, TINY), (HUGE, 3.0), (HUGE, 1e308), (7.0 * 0.1, 0.1), (TINY * 7, TINY * 3), (2.0**1000, 1.1),
)  # fmt: skip
"""Pairs of operands for remainders. Some have large quotients, exact multiples, overflows or subnormal
results."""
TRUTHS = (False, True)
INTEGERS = (0, 1, -1, 2, -2, 5, -7, 13, 1000)
LONGS = (
    0.0,
    1.0,
    -1.0,
    5.0,
    -7.0,
    63.0,
    64.0,
    65.0,
    -(2.0**63),
    2.0**62,
    2.0**53 + 2,
    -(2.0**40) - 1,
    4294967295.0,
)
"""64-bit integers, written as doubles with the same value."""


@dataclass(frozen=True)
class Smooth:
    """A smooth function. Tests compare its derivatives up to `order` with mpmath's, at each of `points`."""

    function: Callable[..., Any]
    points: Sequence[tuple[float, ...]]
    order: int = 3


@dataclass(frozen=True)
class Described:
    """The expected results of a primitive.

    value: computes the expected value from plain operands.
    ulps: the largest allowed difference from a finite expected value, in units in the last place.
    cases: the operands for which the primitive is tested.
    scaled: an additional allowed difference, divided by max(1, |value|).
    smooth: the primitive's derivatives, or None if it has none.
    kinks: points where a convention defines the derivative, as (point, expected derivative by each operand).
        If an expected derivative is None, any value is accepted.
    """

    value: Callable[..., Any]
    cases: Sequence[tuple[Any, ...]]
    ulps: int = 0
    scaled: float = 0.0
    smooth: Smooth | None = None
    kinks: Sequence[tuple[tuple[float, ...], tuple[float | None, ...]]] = ()


def ones(values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Turn each value into a tuple of one operand."""
    return [(value,) for value in values]


# ---------------------------------------------------------------- values


def quiet(f: Callable[..., Any]) -> Callable[..., float]:
    """Turn a NumPy function into a function of floats. The new function shows no warnings."""

    def value(*operands: float) -> float:
        with np.errstate(all="ignore"):
            return float(f(*map(np.float64, operands)))

    return value


def sign(x: float) -> float:
    return x if x == 0.0 or x != x else math.copysign(1.0, x)


def copysign(x: float, y: float) -> float:
    """Return Python's copysign(x, y). If y is NaN, treat it as positive."""
    return math.copysign(x, 1.0 if y != y else y)


def remainder(x: float, y: float) -> float:
    """Return Python's x % y. If y is 0, return NaN."""
    return x % y if y else NAN


def floor_quotient(x: float, y: float) -> float:
    """Return Python's x // y. If y is 0, return NumPy's value."""
    return x // y if y else quiet(np.floor_divide)(x, y)


def by_order(choose: Callable[..., Any]) -> Callable[[float, float], float]:
    """Make the function min or max. −0 is less than 0, and a NaN operand gives NaN."""
    return lambda x, y: NAN if x != x or y != y else choose((x, y), key=lambda v: (v, math.copysign(1.0, v)))


def of_libm(name: str, poles: dict[float, float] | None = None) -> Callable[..., float]:
    """Wrap a function of Python's `math` so that it raises no errors.

    The new function returns infinity on overflow, and NaN outside the domain. `poles` maps each pole to the
    value there.
    """
    f = getattr(math, name)

    def value(*operands: float) -> float:
        try:
            return float(f(*operands))
        except ValueError:
            return (poles or {}).get(operands[0], NAN)
        except OverflowError:
            return -INF if name in ("sinh", "expm1") and operands[0] < 0 else INF

    return value


def pow_(x: float, y: float) -> float:
    """C99's pow."""
    try:
        return math.pow(x, y)
    except ValueError:
        if x != 0.0:
            return NAN
        return math.copysign(INF, x) if y % 2.0 == 1.0 else INF
    except OverflowError:
        return -INF if x < 0 and y % 2.0 == 1.0 else INF


def lgamma(x: float) -> float:
    return INF if math.isinf(x) or (x <= 0.0 and x == math.floor(x)) else of_libm("lgamma")(x)


def polygamma(n: int) -> Callable[[float], float]:
    """Make the n-th derivative of digamma. At poles it returns infinity if the limit exists, else NaN."""

    def value(x: float) -> float:
        if x != x:
            return NAN
        if math.isinf(x):
            return (INF if n == 0 else math.copysign(0.0, (-1.0) ** (n + 1))) if x > 0 else NAN
        if x <= 0.0 and x == math.floor(x):
            if x == 0.0 and n % 2 == 0:
                return math.copysign(INF, -1.0 if math.copysign(1.0, x) > 0 else 1.0)
            return INF if n % 2 else NAN
        with mp.workprec(120):
            return float(mp.psi(n, mp.mpf(x)))

    return value


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def wrapped(f: Callable[[int, int], int]) -> Callable[[float, float], int]:
    """Wrap an integer function so that its result overflows like a signed 64-bit integer."""

    def value(x: float, y: float) -> int:
        n = f(int(x), int(y)) & (1 << 64) - 1
        return n - (1 << 64) if n >> 63 else n

    return value


# ---------------------------------------------------------------- makers of entries


def exact(
    f: Callable[..., Any], function: Any, points: Any, kinks: Any = None, pairs: bool = False
) -> Described:
    smooth = Smooth(function, [at if isinstance(at, tuple) else (at,) for at in points]) if points else None
    return Described(f, EDGE_PAIRS if pairs else ones(EDGES), 0, 0.0, smooth, kinks or ())


def near(
    f: Callable[..., Any], function: Any, points: Any, kinks: Any = None, pairs: bool = False
) -> Described:
    smooth = Smooth(function, [at if isinstance(at, tuple) else (at,) for at in points]) if points else None
    return Described(f, EDGE_PAIRS if pairs else ones(EDGES), 4, 0.0, smooth, kinks or ())


def product_of_pow() -> Described:
    """Describe the primitive for products in the derivatives of x^y."""
    return exact(quiet(np.multiply), lambda x, y: x * y, PLANE, [((0.0, 2.0), (2.0, 0.0))], pairs=True)


def gamma(f: Callable[..., Any], function: Any, orders: int) -> Described:
    """Describe a gamma function. The tests check its derivatives up to order `orders`."""
    smooth = Smooth(function, ones(POSITIVE), orders) if orders else None
    return Described(f, ones(EDGES), 4, 1e-13, smooth)


def flat(f: Callable[..., Any]) -> Described:
    """Describe a primitive that has the derivative 0 everywhere, such as floor."""
    points = (0.0, -0.0, 1.0, -2.5, 0.5, HUGE)
    return Described(f, ones(EDGES), 0, 0.0, None, [((x,), (0.0,)) for x in points])


def compared(f: Callable[..., bool], cases: Sequence[Any]) -> Described:
    return Described(f, list(itertools.product(cases, repeat=2)))


def integers(f: Callable[[int, int], int], *, divides: bool = False) -> Described:
    return Described(f, [(a, b) for a, b in itertools.product(INTEGERS, repeat=2) if b or not divides])


def longs(f: Callable[[int, int], int]) -> Described:
    return Described(wrapped(f), list(itertools.product(LONGS, repeat=2)))


ANYWHERE = (0.3, -0.7, 1.6, -2.4)
POSITIVE = (0.3, 1.6, 7.5)
INSIDE = (0.3, -0.7, 0.9)
PLANE = ((0.3, -0.7), (1.6, 0.4), (-2.4, 1.1), (-0.6, -3.0))
WASM_SHIFT = 63

DESCRIBED: dict[str, Described] = {
    # arithmetic
    "add": exact(quiet(np.add), lambda x, y: x + y, PLANE, pairs=True),
    "sub": exact(quiet(np.subtract), lambda x, y: x - y, PLANE, pairs=True),
    "mul": exact(quiet(np.multiply), lambda x, y: x * y, PLANE, pairs=True),
    "div": exact(quiet(np.divide), lambda x, y: x / y, PLANE, [((1.0, 0.0), (INF, -INF))], pairs=True),
    "neg": exact(operator.neg, lambda x: -x, ANYWHERE),
    "abs": exact(math.fabs, abs, ANYWHERE, [((0.0,), (1.0,)), ((-0.0,), (-1.0,)), ((NAN,), (1.0,))]),
    "sqrt": exact(quiet(np.sqrt), mp.sqrt, POSITIVE, [((0.0,), (INF,))]),
    "floor": flat(quiet(np.floor)),
    "ceil": flat(quiet(np.ceil)),
    "trunc": flat(quiet(np.trunc)),
    "nearest": flat(quiet(np.rint)),
    "sign": flat(sign),
    "copysign": exact(
        copysign, None, (),
        [((2.0, -0.0), (-1.0, 0.0)), ((-0.0, 3.0), (-1.0, 0.0)), ((0.0, NAN), (1.0, 0.0))], pairs=True,
    ),
    "raw_copysign": Described(
        math.copysign, [(x, y) for x, y in EDGE_PAIRS if y == y],
        kinks=[((2.0, -0.0), (-1.0, 0.0)), ((-0.0, 3.0), (-1.0, 0.0))],
    ),
    "min": exact(
        by_order(min), None, (),
        [((1.0, 1.0), (0.0, 1.0)), ((1.0, 2.0), (1.0, 0.0)), ((3.0, 2.0), (0.0, 1.0))], pairs=True,
    ),
    "max": exact(
        by_order(max), None, (),
        [((1.0, 1.0), (0.0, 1.0)), ((1.0, 2.0), (0.0, 1.0)), ((3.0, 2.0), (1.0, 0.0))], pairs=True,
    ),
    # functions of the library
    "exp": near(of_libm("exp"), mp.exp, ANYWHERE),
    "exp2": near(of_libm("exp2"), lambda x: mp.mpf(2) ** x, ANYWHERE),
    "expm1": near(of_libm("expm1"), mp.expm1, ANYWHERE),
    "log": near(of_libm("log", {0.0: -INF}), mp.log, POSITIVE, [((0.0,), (INF,))]),
    "log2": near(of_libm("log2", {0.0: -INF}), lambda x: mp.log(x) / mp.log(2), POSITIVE),
    "log10": near(of_libm("log10", {0.0: -INF}), mp.log10, POSITIVE),
    "log1p": near(of_libm("log1p", {-1.0: -INF}), mp.log1p, (*POSITIVE, -0.4), [((-1.0,), (INF,))]),
    "sin": near(of_libm("sin"), mp.sin, ANYWHERE),
    "cos": near(of_libm("cos"), mp.cos, ANYWHERE),
    "tan": near(of_libm("tan"), mp.tan, ANYWHERE),
    "asin": near(of_libm("asin"), mp.asin, INSIDE, [((1.0,), (INF,)), ((-1.0,), (INF,))]),
    "acos": near(of_libm("acos"), mp.acos, INSIDE, [((1.0,), (-INF,)), ((-1.0,), (-INF,))]),
    "atan": near(of_libm("atan"), mp.atan, ANYWHERE),
    "atan2": near(of_libm("atan2"), mp.atan2, PLANE, pairs=True),
    "pow": near(
        pow_, lambda x, y: x**y, ((0.3, -0.7), (1.6, 0.4), (2.4, 3.0)),
        [((0.0, 2.0), (0.0, 0.0)), ((0.0, 1.0), (1.0, 0.0)), ((-2.0, 3.0), (12.0, None))], pairs=True,
    ),
    "mod": Described(
        remainder, REMAINDER_PAIRS, smooth=Smooth(mp.fmod, ((7.3, 2.0), (0.9, 0.25)), 1),
        kinks=[((-7.0, 3.0), (1.0, 3.0)), ((7.0, -3.0), (1.0, 3.0)), ((6.0, 3.0), (1.0, -2.0))],
    ),
    "floordiv": Described(
        floor_quotient, REMAINDER_PAIRS, kinks=[((7.0, 3.0), (0.0, 0.0)), ((6.0, 3.0), (0.0, 0.0))]
    ),
    "pow_base": exact(quiet(np.add), lambda x, y: x, PLANE, pairs=True),
    "pow_pole": Described(quiet(np.divide), EDGE_PAIRS, kinks=[((1.0, -TINY), (0.0, 0.0))]),
    "pow_by_x": product_of_pow(),
    "pow_by_y": product_of_pow(),
    "hypot": near(
        of_libm("hypot"), mp.hypot, PLANE, [((0.0, 0.0), (0.0, 0.0)), ((-0.0, 0.0), (0.0, 0.0))], pairs=True
    ),
    "cbrt": near(of_libm("cbrt"), lambda x: mp.sign(x) * mp.cbrt(abs(x)), ANYWHERE, [((0.0,), (INF,))]),
    "sinh": near(of_libm("sinh"), mp.sinh, ANYWHERE),
    "cosh": near(of_libm("cosh"), mp.cosh, ANYWHERE),
    "tanh": near(of_libm("tanh"), mp.tanh, ANYWHERE),
    "asinh": near(of_libm("asinh"), mp.asinh, ANYWHERE),
    "acosh": near(of_libm("acosh"), mp.acosh, (1.3, 2.0, 9.0), [((1.0,), (INF,))]),
    "atanh": near(of_libm("atanh", {1.0: INF, -1.0: -INF}), mp.atanh, INSIDE, [((1.0,), (INF,))]),
    "erf": near(of_libm("erf"), mp.erf, ANYWHERE),
    "lgamma": gamma(lgamma, mp.loggamma, 3),
    "polygamma0": gamma(polygamma(0), lambda x: mp.psi(0, x), 3),
    "polygamma1": gamma(polygamma(1), lambda x: mp.psi(1, x), 3),
    "polygamma2": gamma(polygamma(2), lambda x: mp.psi(2, x), 3),
    "polygamma3": gamma(polygamma(3), lambda x: mp.psi(3, x), 3),
    "polygamma_n": Described(
        lambda n, x: polygamma(int(n))(x), tuple(itertools.product((1.0, 2.0, 5.0, 6.0, 20.0), EDGES)), 8,
        1e-13, kinks=[((4.0, 0.0), (0.0, INF)), ((5.0, 0.0), (0.0, -INF)), ((4.0, INF), (0.0, 0.0))],
    ),
    # comparison and logic
    "lt": compared(operator.lt, EDGES[:13]),
    "le": compared(operator.le, EDGES[:13]),
    "gt": compared(operator.gt, EDGES[:13]),
    "ge": compared(operator.ge, EDGES[:13]),
    "eq": compared(operator.eq, EDGES[:13]),
    "ne": compared(operator.ne, EDGES[:13]),
    "and": compared(operator.and_, TRUTHS),
    "or": compared(operator.or_, TRUTHS),
    "xor": compared(operator.xor, TRUTHS),
    "not": Described(operator.not_, ones(TRUTHS)),
    "real_i1": Described(float, ones(TRUTHS)),
    "int_i1": Described(int, ones(TRUTHS)),
    # indices
    "iadd": integers(operator.add),
    "isub": integers(operator.sub),
    "imul": integers(operator.mul),
    "ifloordiv": integers(operator.floordiv, divides=True),
    "imod": integers(operator.mod, divides=True),
    "iquotient": integers(truncated, divides=True),
    "iremainder": integers(lambda a, b: a - b * truncated(a, b), divides=True),
    "ilt": compared(operator.lt, INTEGERS),
    "ile": compared(operator.le, INTEGERS),
    "igt": compared(operator.gt, INTEGERS),
    "ige": compared(operator.ge, INTEGERS),
    "ieq": compared(operator.eq, INTEGERS),
    "ine": compared(operator.ne, INTEGERS),
    "real_i32": Described(float, ones(INTEGERS)),
    # Only the library uses these primitives. Doubles stand for their 64-bit integer operands.
    "bits": Described(lambda x: int(np.float64(NAN if x != x else x).view(np.int64)), ones(EDGES)),
    "from_bits": Described(lambda x: float(np.int64(x).view(np.float64)), ones(LONGS[:-2])),
    "real_i64": Described(lambda x: float(int(x)), ones(LONGS)),
    "int_f64": Described(
        lambda x: 0 if x != x else min(max(int(x), -(2**63)), 2**63 - 1) if math.isfinite(x)
        else 2**63 - 1 if x > 0 else -(2**63),
        ones(EDGES),
    ),
    "wrap_i64": Described(lambda x: int(x) & 0x7FFFFFFF, ones((0.0, 1.0, 63.0, 2147483647.0))),
    "ladd": longs(operator.add),
    "lsub": longs(operator.sub),
    "lmul": longs(operator.mul),
    "lquotient": Described(
        lambda a, b: abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1),
        tuple(pair for pair in itertools.product(LONGS, repeat=2) if pair[1] not in (0.0, -1.0)),
    ),
    "land": longs(operator.and_),
    "lor": longs(operator.or_),
    "lxor": longs(operator.xor),
    "lshl": longs(lambda a, n: a << (n & WASM_SHIFT)),
    "lshr": longs(lambda a, n: a >> (n & WASM_SHIFT)),
    "lshr_u": longs(lambda a, n: (a & (1 << 64) - 1) >> (n & WASM_SHIFT)),
    "llt": compared(operator.lt, LONGS),
    "lle": compared(operator.le, LONGS),
    "lgt": compared(operator.gt, LONGS),
    "lge": compared(operator.ge, LONGS),
    "leq": compared(operator.eq, LONGS),
    "lne": compared(operator.ne, LONGS),
}  # fmt: skip

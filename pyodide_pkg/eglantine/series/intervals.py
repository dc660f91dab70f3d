"""`eg.Interval`: numbers that are only known to lie between two bounds, for `eg.interp`."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Final

from eglantine.errors import EglantineError, TypeMismatchError

from . import enclosures, rounding
from .rounding import INF, Bounds


class UndecidedError(EglantineError):
    """A comparison of intervals that is true for some of their points and false for others."""


class Interval:
    """The numbers from lo to hi, both included.

    >>> import eglantine as eg
    >>> eg.interp(lambda x: x * x - x)(eg.Interval(1.0, 2.0))
    Interval(-1.0, 3.0)

    An operation gives an interval that contains its result for all points of its operands. Bounds are rounded
    outward. An interval stands for real numbers: its zero has no sign, and an infinite bound means that there
    is no bound. Points outside a function's domain are left out. If no point remains, as in the square root
    of Interval(-2, -1), the result is empty: both bounds are NaN, and all that is computed from it is empty.
    A quotient by an interval that contains 0 is unbounded.

    A comparison that is true for some points only raises an error. In `eg.interp`, `eg.select` with such a
    condition returns the hull of both values.

    lo, hi: the bounds. An interval of one point needs only one.
    Raises: TypeMismatchError unless the bounds are numbers with lo ≤ hi.
    """

    __slots__ = ("hi", "lo")
    arithmetic: ClassVar[Any]

    def __init__(self, lo: float, hi: float | None = None) -> None:
        hi = lo if hi is None else hi
        ends: tuple[Any, Any] = (lo, hi)
        if not all(isinstance(end, float | int) for end in ends):
            raise TypeMismatchError(
                f"The bounds of an interval must be numbers, but they are {lo!r} and {hi!r}. Write "
                "eg.Interval(1.0, 2.0)."
            )
        self.lo, self.hi = _enclosed(lo)[0], _enclosed(hi)[1]
        if self.lo != self.lo or self.hi != self.hi:
            self.lo = self.hi = math.nan
        elif self.lo > self.hi:
            raise TypeMismatchError(
                f"The lower bound of an interval must not exceed the upper one, but they are {lo!r} and "
                f"{hi!r}. Write eg.Interval({hi!r}, {lo!r})."
            )

    def __repr__(self) -> str:
        return f"Interval({self.lo!r}, {self.hi!r})"

    @property
    def is_empty(self) -> bool:
        """Whether it contains no number."""
        return self.lo != self.lo

    def __contains__(self, x: float) -> bool:
        return bool(self.lo <= x <= self.hi)

    def __hash__(self) -> int:
        return hash((self.lo, self.hi))

    def __add__(self, other: Any) -> Interval:
        return _operated(_sum, self, other)

    def __radd__(self, other: Any) -> Interval:
        return _operated(_sum, other, self)

    def __sub__(self, other: Any) -> Interval:
        return _operated(_difference, self, other)

    def __rsub__(self, other: Any) -> Interval:
        return _operated(_difference, other, self)

    def __mul__(self, other: Any) -> Interval:
        return _operated(_product, self, other)

    def __rmul__(self, other: Any) -> Interval:
        return _operated(_product, other, self)

    def __truediv__(self, other: Any) -> Interval:
        return _operated(_quotient, self, other)

    def __rtruediv__(self, other: Any) -> Interval:
        return _operated(_quotient, other, self)

    def __floordiv__(self, other: Any) -> Interval:
        return _operated(_floor_quotient, self, other)

    def __rfloordiv__(self, other: Any) -> Interval:
        return _operated(_floor_quotient, other, self)

    def __mod__(self, other: Any) -> Interval:
        return _operated(_remainder, self, other)

    def __rmod__(self, other: Any) -> Interval:
        return _operated(_remainder, other, self)

    def __pow__(self, other: Any) -> Interval:
        if isinstance(other, int) and not isinstance(other, bool):
            return _whole_power(self, other)
        return _operated(_power, self, other)

    def __rpow__(self, other: Any) -> Interval:
        return _operated(_power, other, self)

    def __neg__(self) -> Interval:
        return _made((-self.hi, -self.lo))

    def __pos__(self) -> Interval:
        return self

    def __abs__(self) -> Interval:
        return self if self.is_empty else _made(enclosures.magnitudes(self.lo, self.hi))

    def __lt__(self, other: Any) -> bool:
        return bool(_compared("lt", self, other))

    def __le__(self, other: Any) -> bool:
        return bool(_compared("le", self, other))

    def __gt__(self, other: Any) -> bool:
        return bool(_compared("gt", self, other))

    def __ge__(self, other: Any) -> bool:
        return bool(_compared("ge", self, other))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval | float | int):
            return NotImplemented
        return bool(_compared("eq", self, other))

    def __ne__(self, other: object) -> bool:
        if not isinstance(other, Interval | float | int):
            return NotImplemented
        return bool(_compared("ne", self, other))


def _enclosed(x: Any) -> Bounds:
    return (x + 0.0, x + 0.0) if isinstance(x, float) else rounding.of_fraction(Fraction(x))


def _made(bounds: Bounds | None) -> Interval:
    """The interval of bounds that are in order. None makes an empty one."""
    made = object.__new__(Interval)
    made.lo, made.hi = bounds or (math.nan, math.nan)
    return made


def _interval(x: Any) -> Interval:
    if isinstance(x, Interval):
        return x
    if isinstance(x, float | int):
        return Interval(x)
    raise TypeMismatchError(
        f"An interval can be combined with an interval or a number, but this is {x!r}. Write "
        "eg.Interval(lo, hi)."
    )


def _operated(operation: Callable[[Bounds, Bounds], Bounds | None], x: Any, y: Any) -> Interval:
    a, b = _interval(x), _interval(y)
    if a.is_empty or b.is_empty:
        return _made(None)
    return _made(operation((a.lo, a.hi), (b.lo, b.hi)))


# ------------------------------------------------------------ arithmetic


def _sum(x: Bounds, y: Bounds) -> Bounds:
    return rounding.total(x[0], y[0])[0], rounding.total(x[1], y[1])[1]


def _difference(x: Bounds, y: Bounds) -> Bounds:
    return _sum(x, (-y[1], -y[0]))


def _product(x: Bounds, y: Bounds) -> Bounds:
    corners = [rounding.product(a, b) for a in x for b in y]
    return min(c[0] for c in corners), max(c[1] for c in corners)


def _quotient(x: Bounds, y: Bounds) -> Bounds:
    if y[0] <= 0 <= y[1]:
        if y[0] == y[1] or (y[0] < 0 < y[1]) or x[0] <= 0 <= x[1]:
            return -INF, INF
        is_positive = (x[0] > 0) == (y[1] > 0)
        nearest, farthest = (x[0] if x[0] > 0 else x[1]), (y[1] if y[1] > 0 else y[0])
        low, high = rounding.quotient(nearest, farthest)
        return (low, INF) if is_positive else (-INF, high)
    corners = [rounding.quotient(a, b) for a in x for b in y]
    if any(math.isinf(a) for a in x) and any(math.isinf(b) for b in y):
        corners.append((0.0, 0.0))
    return min(c[0] for c in corners), max(c[1] for c in corners)


def _floor_quotient(x: Bounds, y: Bounds) -> Bounds:
    low, high = _quotient(x, y)
    return _floor(low), _floor(high)


def _remainder(x: Bounds, y: Bounds) -> Bounds | None:
    """x % y has the sign of y, and is smaller. If x // y is one number, it is x − y·(x // y)."""
    if y == (0.0, 0.0):
        return None
    low, high = min(y[0], 0.0), max(y[1], 0.0)
    whole = _floor_quotient(x, y)
    if whole[0] == whole[1] and not math.isinf(whole[0]):
        exact = _difference(x, _product(y, whole))
        low, high = max(low, exact[0]), min(high, exact[1])
    return low, high


def _whole_power(x: Interval, n: int) -> Interval:
    """xⁿ with the tightest bounds: the square of Interval(-1, 2) is Interval(0, 4)."""
    if x.is_empty:
        return x
    if n == 0:
        return Interval(1.0)
    if n < 0:
        return 1.0 / _whole_power(x, -n)
    lo, hi = enclosures.magnitudes(x.lo, x.hi) if n % 2 == 0 else (x.lo, x.hi)
    return _made((rounding.whole_power(lo, n)[0], rounding.whole_power(hi, n)[1]))


def _power(x: Bounds, y: Bounds) -> Bounds | None:
    if y[0] == y[1] and y[0] == y[0] // 1 and abs(y[0]) <= rounding.EXACT_POWER:
        found = _whole_power(_made(x), int(y[0]))
        return found.lo, found.hi
    return enclosures.power(x, y)


# ------------------------------------------------------------ functions


def _floor(x: float) -> float:
    return x if math.isinf(x) else float(math.floor(x))


def _ceil(x: float) -> float:
    return x if math.isinf(x) else float(math.ceil(x))


def _trunc(x: float) -> float:
    return x if math.isinf(x) else float(math.trunc(x))


def _nearest(x: float) -> float:
    return x if math.isinf(x) else float(round(x))


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


def _stepwise(step: Callable[[float], float]) -> Callable[[Any], Interval]:
    """A function that is exact and does not decrease."""
    return lambda x: _alone(lambda lo, hi: (step(lo), step(hi)), x)


def _alone(range_of: Callable[[float, float], Bounds], x: Any, domain: Bounds = (-INF, INF)) -> Interval:
    """The range of a function of one number over the part of x in its domain."""
    x = _interval(x)
    lo, hi = max(x.lo, domain[0]), min(x.hi, domain[1])
    if x.is_empty or lo > hi:
        return _made(None)
    return _made(range_of(lo + 0.0, hi + 0.0))


def _increasing(name: str, domain: Bounds) -> Callable[[Any], Interval]:
    return lambda x: _alone(lambda lo, hi: enclosures.increasing(name, lo, hi), x, domain)


def _gamma(name: str) -> Callable[[Any], Interval]:
    return lambda x: _alone(lambda lo, hi: enclosures.gamma(name, lo, hi), x)


def _root(lo: float, hi: float) -> Bounds:
    return rounding.root(lo)[0], rounding.root(hi)[1]


def _cosh(lo: float, hi: float) -> Bounds:
    low, high = enclosures.magnitudes(lo, hi)
    return enclosures.bounds("cosh", low)[0], enclosures.bounds("cosh", high)[1]


def _acos(lo: float, hi: float) -> Bounds:
    return enclosures.bounds("acos", hi)[0], enclosures.bounds("acos", lo)[1]


def _copysign(x: Bounds, y: Bounds) -> Bounds:
    low, high = enclosures.magnitudes(*x)
    if y[0] >= 0:
        return low, high
    return (-high, -low) if y[1] < 0 else (-high, high)


def _minimum(x: Bounds, y: Bounds) -> Bounds:
    return min(x[0], y[0]), min(x[1], y[1])


def _maximum(x: Bounds, y: Bounds) -> Bounds:
    return max(x[0], y[0]), max(x[1], y[1])


def _pair(operation: Callable[[Bounds, Bounds], Bounds | None]) -> Callable[[Any, Any], Interval]:
    return lambda x, y: _operated(operation, x, y)


# ------------------------------------------------------------ comparisons


class _Undecided:
    """A condition that holds for some points of the intervals and not for others."""

    def __bool__(self) -> bool:
        raise UndecidedError(
            "The intervals do not decide a comparison: it is true for some of their points and false for "
            "others. Use eg.select, which returns the hull of both values, or smaller intervals."
        )


UNDECIDED: Final = _Undecided()


def _compared(name: str, x: Any, y: Any) -> Any:
    """Whether a comparison holds for all points (True), for none (False), or for some (UNDECIDED).

    A comparison with an empty interval is false, as one with NaN.
    """
    if name in {"gt", "ge"}:
        return _compared("lt" if name == "gt" else "le", y, x)
    a, b = _interval(x), _interval(y)
    if a.is_empty or b.is_empty:
        return name == "ne"
    if name in {"eq", "ne"}:
        if a.lo == a.hi == b.lo == b.hi:
            return name == "eq"
        return name == "ne" if a.hi < b.lo or b.hi < a.lo else UNDECIDED
    if name == "lt":
        return True if a.hi < b.lo else False if a.lo >= b.hi else UNDECIDED
    return True if a.hi <= b.lo else False if a.lo > b.hi else UNDECIDED


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    return lambda x, y: _compared(name, x, y)


def _and(p: Any, q: Any) -> Any:
    if p is False or q is False:
        return False
    return UNDECIDED if p is UNDECIDED or q is UNDECIDED else p and q


def _or(p: Any, q: Any) -> Any:
    if p is True or q is True:
        return True
    return UNDECIDED if p is UNDECIDED or q is UNDECIDED else p or q


def _xor(p: Any, q: Any) -> Any:
    return UNDECIDED if p is UNDECIDED or q is UNDECIDED else p != q


def _not(p: Any) -> Any:
    return p if p is UNDECIDED else not p


def _real_of_condition(p: Any) -> Any:
    return _made((0.0, 1.0)) if p is UNDECIDED else int(p)


OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    **dict.fromkeys(("add", "pow_base"), _pair(_sum)),
    "sub": _pair(_difference),
    **dict.fromkeys(("mul", "pow_by_x", "pow_by_y"), _pair(_product)),
    **dict.fromkeys(("div", "pow_pole"), _pair(_quotient)),
    "neg": lambda x: -_interval(x),
    "abs": lambda x: abs(_interval(x)),
    "sqrt": lambda x: _alone(_root, x, (0.0, INF)),
    "floor": _stepwise(_floor),
    "ceil": _stepwise(_ceil),
    "trunc": _stepwise(_trunc),
    "nearest": _stepwise(_nearest),
    "sign": _stepwise(_sign),
    **dict.fromkeys(("copysign", "raw_copysign"), _pair(_copysign)),
    "min": _pair(_minimum),
    "max": _pair(_maximum),
    "mod": _pair(_remainder),
    "floordiv": _pair(_floor_quotient),
    "pow": _pair(_power),
    "hypot": _pair(enclosures.hypotenuse),
    "atan2": _pair(enclosures.angle),
    **{name: _increasing(name, domain) for name, domain in enclosures.INCREASING.items()},
    "sin": lambda x: _alone(lambda lo, hi: enclosures.wave("sin", lo, hi), x),
    "cos": lambda x: _alone(lambda lo, hi: enclosures.wave("cos", lo, hi), x),
    "tan": lambda x: _alone(enclosures.tangent, x),
    "acos": lambda x: _alone(_acos, x, (-1.0, 1.0)),
    "cosh": lambda x: _alone(_cosh, x),
    **{name: _gamma(name) for name in ("lgamma", "polygamma0", "polygamma1", "polygamma2", "polygamma3")},
    **{name: _comparison(name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _not,
    "real_i1": _real_of_condition,
    "real_i32": int,
    "real_i64": int,
}
"""The operations on Reals and conditions, by their names in the table of primitives."""


class _Intervals:
    """The arithmetic of intervals for the interpreter."""

    key = Interval
    on_floats = False
    zero = 0

    def constant(self, value: float) -> Any:
        """A float of the program. Whole ones stay ints."""
        return int(value) if value.is_integer() else Interval(value)

    def evaluation(self, name: str, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """The operation on intervals. Operations on indices stay as they are."""
        return OPERATIONS.get(name, evaluate)

    def library_call(self, name: str, on_floats: Callable[..., Any]) -> Callable[..., Any]:  # noqa: ARG002
        """The enclosure of a library function."""
        return OPERATIONS[name]

    def power(self, x: Any, n: int) -> Interval:
        """x to the whole power n."""
        return _whole_power(_interval(x), n)

    def choice(self, p: Any, a: Any, b: Any) -> Any:
        """The value that a condition chooses. If it is undecided, the hull of both."""
        if p is not UNDECIDED:
            return a if p else b
        if isinstance(a, list):
            return [self.choice(p, x, y) for x, y in zip(a, b, strict=True)]
        return _hull(a, b)


def _hull(a: Any, b: Any) -> Any:
    """The smallest interval that contains both values. Different conditions are undecided."""
    if isinstance(a, bool | _Undecided):
        return a if a is b else UNDECIDED
    x, y = _interval(a), _interval(b)
    if x.is_empty or y.is_empty:
        return y if x.is_empty else x
    return _made((min(x.lo, y.lo), max(x.hi, y.hi)))


Interval.arithmetic = _Intervals()

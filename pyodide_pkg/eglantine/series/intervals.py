"""`eg.Interval`: an unknown number between two known bounds. `eg.interp` computes with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Final

from eglantine.errors import EglantineError, InternalError, TypeMismatchError
from eglantine.ir.functions import FUNCTIONS

from . import enclosures, ranges, rounding
from .rounding import INF, Bounds


class UndecidedError(EglantineError):
    """Raised if a comparison of intervals is true for some of their points and false for others."""


class Interval:
    """The numbers from lo to hi, both included.

    >>> import eglantine as eg
    >>> eg.interp(lambda x: x * x - x)(eg.Interval(1.0, 2.0))
    Interval(-1.0, 3.0)

    An operation gives an interval that contains its result for all points of its operands. Bounds are rounded
    outward. An interval stands for real numbers: its zero has no sign, and an infinite bound means that there
    is no bound. Points outside a function's domain are left out. If no point remains, as in the square root
    of Interval(-2, -1), the result is empty: both bounds are NaN, and all results computed from it are empty
    too. A quotient by an interval that contains 0 is unbounded.

    A comparison that is true for only some points raises an error. But in `eg.interp`, `eg.select` takes such
    a comparison as its condition. It then returns the hull of its two values.

    lo, hi: the lower and the upper bound. For an interval of one point, leave out hi.
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
        """True if it contains no number."""
        return self.lo != self.lo

    def __contains__(self, x: float) -> bool:
        return bool(self.lo <= x <= self.hi)

    def __hash__(self) -> int:
        return hash((self.lo, self.hi))

    def __add__(self, other: Any) -> Interval:
        return _operated(ranges.total, self, other)

    def __radd__(self, other: Any) -> Interval:
        return _operated(ranges.total, other, self)

    def __sub__(self, other: Any) -> Interval:
        return _operated(ranges.difference, self, other)

    def __rsub__(self, other: Any) -> Interval:
        return _operated(ranges.difference, other, self)

    def __mul__(self, other: Any) -> Interval:
        return _operated(ranges.product, self, other)

    def __rmul__(self, other: Any) -> Interval:
        return _operated(ranges.product, other, self)

    def __truediv__(self, other: Any) -> Interval:
        return _operated(ranges.quotient, self, other)

    def __rtruediv__(self, other: Any) -> Interval:
        return _operated(ranges.quotient, other, self)

    def __floordiv__(self, other: Any) -> Interval:
        return _operated(ranges.floor_quotient, self, other)

    def __rfloordiv__(self, other: Any) -> Interval:
        return _operated(ranges.floor_quotient, other, self)

    def __mod__(self, other: Any) -> Interval:
        return _operated(ranges.remainder, self, other)

    def __rmod__(self, other: Any) -> Interval:
        return _operated(ranges.remainder, other, self)

    def __pow__(self, other: Any) -> Interval:
        if isinstance(other, int) and not isinstance(other, bool):
            return self._whole_power(other)
        return _operated(ranges.power, self, other)

    def _whole_power(self, n: int) -> Interval:
        return self if self.is_empty else _made(ranges.whole_power((self.lo, self.hi), n))

    def __rpow__(self, other: Any) -> Interval:
        return _operated(ranges.power, other, self)

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
    """Make an interval from bounds that are already in order. None gives the empty interval."""
    made = object.__new__(Interval)
    made.lo, made.hi = bounds or (math.nan, math.nan)
    return made


def _interval(x: Any) -> Interval:
    if isinstance(x, Interval):
        return x
    if isinstance(x, float | int):
        return Interval(x)
    raise TypeMismatchError(
        f"An interval can be combined only with an interval or a number, but this is {x!r}. Write "
        "eg.Interval(lo, hi)."
    )


def _operated(operation: Callable[[Bounds, Bounds], Bounds | None], x: Any, y: Any) -> Interval:
    a, b = _interval(x), _interval(y)
    if a.is_empty or b.is_empty:
        return _made(None)
    return _made(operation((a.lo, a.hi), (b.lo, b.hi)))


# ------------------------------------------------------------ functions


def _stepwise(step: Callable[[float], float]) -> Callable[[Any], Interval]:
    """Make an operation on intervals from a step function of numbers, such as floor.

    step: a function of numbers. It must be exact, and it must never decrease.
    """
    return lambda x: _alone(lambda lo, hi: (step(lo), step(hi)), x)


def _alone(range_of: Callable[[float, float], Bounds], x: Any, domain: Bounds = (-INF, INF)) -> Interval:
    """Return the range of a function on an interval x. Points outside the function's domain are ignored."""
    x = _interval(x)
    lo, hi = max(x.lo, domain[0]), min(x.hi, domain[1])
    if x.is_empty or lo > hi:
        return _made(None)
    return _made(range_of(lo + 0.0, hi + 0.0))


def _increasing(name: str, domain: Bounds) -> Callable[[Any], Interval]:
    return lambda x: _alone(lambda lo, hi: enclosures.increasing(name, lo, hi), x, domain)


def _gamma(of: int | None) -> Callable[[Any], Interval]:
    return lambda x: _alone(lambda lo, hi: enclosures.gamma(of, lo, hi), x)


def _polygamma(n: Any, x: Any) -> Interval:
    """Return the range of a polygamma function. Its order must be a known whole number."""
    order = _interval(n)
    if order.lo != order.hi or order.lo != order.lo // 1:
        raise TypeMismatchError(f"The order of polygamma must be a whole number, but it is {order!r}.")
    return _gamma(int(order.lo))(x)


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
    """Return True if a comparison holds for all points, False if it holds for none, and else UNDECIDED.

    A comparison with an empty interval has the result of a comparison with NaN: only ≠ is true.
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
    **dict.fromkeys(("add", "pow_base"), _pair(ranges.total)),
    "sub": _pair(ranges.difference),
    **dict.fromkeys(("mul", "pow_by_x", "pow_by_y"), _pair(ranges.product)),
    **dict.fromkeys(("div", "pow_pole"), _pair(ranges.quotient)),
    "neg": lambda x: -_interval(x),
    "abs": lambda x: abs(_interval(x)),
    "sqrt": lambda x: _alone(ranges.root, x, (0.0, INF)),
    "floor": _stepwise(ranges.floor),
    "ceil": _stepwise(ranges.ceil),
    "trunc": _stepwise(ranges.trunc),
    "nearest": _stepwise(ranges.nearest),
    "sign": _stepwise(ranges.sign),
    **dict.fromkeys(("copysign", "raw_copysign"), _pair(ranges.copysign)),
    "min": _pair(ranges.minimum),
    "max": _pair(ranges.maximum),
    "mod": _pair(ranges.remainder),
    "floordiv": _pair(ranges.floor_quotient),
    "pow": _pair(ranges.power),
    "hypot": _pair(enclosures.hypotenuse),
    "atan2": _pair(enclosures.angle),
    **{name: _increasing(name, domain) for name, domain in enclosures.INCREASING.items()},
    "sin": lambda x: _alone(lambda lo, hi: enclosures.wave("sin", lo, hi), x),
    "cos": lambda x: _alone(lambda lo, hi: enclosures.wave("cos", lo, hi), x),
    "tan": lambda x: _alone(enclosures.tangent, x),
    "acos": lambda x: _alone(ranges.acos, x, (-1.0, 1.0)),
    "cosh": lambda x: _alone(ranges.cosh, x),
    "lgamma": _gamma(None),
    **{f"polygamma{n}": _gamma(n) for n in range(enclosures.MOST_STATIC + 1)},
    "polygamma_n": _polygamma,
    **{name: _comparison(name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _not,
    "real_i1": _real_of_condition,
    "real_i32": int,
    "real_i64": int,
}
"""Maps the name of each primitive on Reals or conditions to its operation on intervals."""

if missing := sorted(FUNCTIONS.keys() - OPERATIONS.keys()):
    raise InternalError(f"The table of intervals must have every function. Add {', '.join(missing)}.")


class _Intervals:
    """The arithmetic of intervals for the interpreter."""

    key = Interval
    on_floats = False
    zero = 0

    def constant(self, value: float) -> Any:
        """Convert a float of the program to an int if it is whole, else to an interval."""
        return int(value) if value.is_integer() else Interval(value)

    def evaluation(self, name: str, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that computes `name` on intervals, or `evaluate` for operations on indices."""
        return OPERATIONS.get(name, evaluate)

    def library_call(self, name: str, on_floats: Callable[..., Any]) -> Callable[..., Any]:  # noqa: ARG002
        """The enclosure of a library function."""
        return OPERATIONS[name]

    def power(self, x: Any, n: int) -> Interval:
        """x to the whole power n."""
        return _interval(x)._whole_power(n)

    def choice(self, p: Any, a: Any, b: Any) -> Any:
        """Return a if the condition p is true, b if p is false, and the hull of both if p is undecided."""
        if p is not UNDECIDED:
            return a if p else b
        if isinstance(a, list):
            return [self.choice(p, x, y) for x, y in zip(a, b, strict=True)]
        return _hull(a, b)


def _hull(a: Any, b: Any) -> Any:
    """Return the smallest interval that contains a and b. For two different conditions, return UNDECIDED."""
    if isinstance(a, bool | _Undecided):
        return a if a is b else UNDECIDED
    x, y = _interval(a), _interval(b)
    if x.is_empty or y.is_empty:
        return y if x.is_empty else x
    return _made((min(x.lo, y.lo), max(x.hi, y.hi)))


Interval.arithmetic = _Intervals()

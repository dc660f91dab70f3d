"""Run mathlib functions in Python on numbers that follow IEEE 754."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_DOUBLE = struct.Struct("<d")
_INTEGER = struct.Struct("<q")


class Flag:
    """A truth value in mathlib functions. Python's `if` raises an error for a Flag."""

    __slots__ = ("held",)

    def __init__(self, held: bool) -> None:
        self.held = held

    def __and__(self, other: Flag) -> Flag:
        return Flag(self.held and other.held)

    def __or__(self, other: Flag) -> Flag:
        return Flag(self.held or other.held)

    def __invert__(self) -> Flag:
        return Flag(not self.held)

    def __bool__(self) -> bool:
        raise TypeError("A mathlib function used a value as a condition. It must use o.select or o.cond.")


def _divide(a: float, b: float) -> F64:
    if float.__eq__(b, 0.0):
        if float.__eq__(a, 0.0) or float.__ne__(a, a):
            return F64(math.nan)
        return F64(math.copysign(math.inf, a) * math.copysign(1.0, b))
    return F64(float.__truediv__(a, b))


class F64(float):
    """A double that follows IEEE 754, even in divisions by 0. Comparisons return a Flag."""

    __slots__ = ()

    def __add__(self, other: float) -> F64:
        return F64(float.__add__(self, other))

    def __radd__(self, other: float) -> F64:
        return F64(float.__add__(self, other))

    def __sub__(self, other: float) -> F64:
        return F64(float.__sub__(self, other))

    def __rsub__(self, other: float) -> F64:
        return F64(float.__rsub__(self, other))

    def __mul__(self, other: float) -> F64:
        return F64(float.__mul__(self, other))

    def __rmul__(self, other: float) -> F64:
        return F64(float.__mul__(self, other))

    def __truediv__(self, other: float) -> F64:
        return _divide(self, other)

    def __rtruediv__(self, other: float) -> F64:
        return _divide(other, self)

    def __neg__(self) -> F64:
        return F64(float.__neg__(self))

    def __lt__(self, other: float) -> Flag:
        return Flag(float.__lt__(self, other))

    def __le__(self, other: float) -> Flag:
        return Flag(float.__le__(self, other))

    def __gt__(self, other: float) -> Flag:
        return Flag(float.__gt__(self, other))

    def __ge__(self, other: float) -> Flag:
        return Flag(float.__ge__(self, other))

    def __eq__(self, other: object) -> Flag:
        return Flag(float.__eq__(self, other))

    def __ne__(self, other: object) -> Flag:
        return Flag(float.__ne__(self, other))

    __hash__ = float.__hash__

    def __bool__(self) -> bool:
        raise TypeError("A mathlib function used a value as a condition. It must use o.select or o.cond.")


class I64:
    """A signed 64-bit integer. Operations wrap around, and shift counts are reduced modulo 64."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = ((n + 2**63) & (2**64 - 1)) - 2**63

    def __add__(self, other: I64 | int) -> I64:
        return I64(self.n + _int(other))

    __radd__ = __add__

    def __sub__(self, other: I64 | int) -> I64:
        return I64(self.n - _int(other))

    def __rsub__(self, other: I64 | int) -> I64:
        return I64(_int(other) - self.n)

    def __mul__(self, other: I64 | int) -> I64:
        return I64(self.n * _int(other))

    __rmul__ = __mul__

    def __neg__(self) -> I64:
        return I64(-self.n)

    def __and__(self, other: I64 | int) -> I64:
        return I64(self.n & _int(other))

    __rand__ = __and__

    def __or__(self, other: I64 | int) -> I64:
        return I64(self.n | _int(other))

    __ror__ = __or__

    def __xor__(self, other: I64 | int) -> I64:
        return I64(self.n ^ _int(other))

    __rxor__ = __xor__

    def __lshift__(self, other: I64 | int) -> I64:
        return I64(self.n << (_int(other) & 63))

    def __rshift__(self, other: I64 | int) -> I64:
        return I64(self.n >> (_int(other) & 63))

    def __lt__(self, other: I64 | int) -> Flag:
        return Flag(self.n < _int(other))

    def __le__(self, other: I64 | int) -> Flag:
        return Flag(self.n <= _int(other))

    def __gt__(self, other: I64 | int) -> Flag:
        return Flag(self.n > _int(other))

    def __ge__(self, other: I64 | int) -> Flag:
        return Flag(self.n >= _int(other))

    def __eq__(self, other: object) -> Flag:
        return Flag(self.n == _int(other))

    def __ne__(self, other: object) -> Flag:
        return Flag(self.n != _int(other))

    def __hash__(self) -> int:
        return hash(self.n)


def _int(value: object) -> int:
    if isinstance(value, I64):
        return value.n
    if isinstance(value, int):
        return value
    raise TypeError(f"An i64 operation met {value!r}.")


def _real(value: object) -> float:
    if isinstance(value, float):
        return value
    raise TypeError(f"An f64 operation met {value!r}.")


def _flag(value: object) -> bool:
    if isinstance(value, Flag):
        return value.held
    raise TypeError(f"A condition must be the result of a comparison, but this one is {value!r}.")


class FloatOps:
    """The operations of mathlib functions, computed with the classes F64, I64 and Flag.

    The operation `bits` returns `nan_bits` for any NaN.
    """

    def __init__(self, functions: Mapping[str, Callable[..., Any]], nan_bits: int = 0x7FF8 << 48) -> None:
        self.functions = functions
        self.nan_bits = nan_bits

    def run(self, name: str, *arguments: float) -> float:
        """Call the mathlib function `name` with plain floats. Return its value."""
        return float(self.call(name, *map(F64, arguments)))

    def sqrt(self, x: float) -> F64:
        return F64(math.sqrt(x)) if float.__ge__(_real(x), 0.0) else F64(math.nan)

    def abs(self, x: float) -> F64:
        return F64(math.fabs(_real(x)))

    def floor(self, x: float) -> F64:
        return self._integral(math.floor, x)

    def ceil(self, x: float) -> F64:
        return self._integral(math.ceil, x)

    def trunc(self, x: float) -> F64:
        return self._integral(math.trunc, x)

    def nearest(self, x: float) -> F64:
        return self._integral(round, x)

    def _integral(self, rounding: Callable[[float], int], x: float) -> F64:
        if not math.isfinite(_real(x)):
            return F64(x)
        return F64(math.copysign(float(rounding(float(x))), x))

    def copysign(self, x: float, y: float) -> F64:
        positive = float.__ne__(_real(y), y)
        return F64(math.copysign(_real(x), 1.0 if positive else y))

    def bits(self, x: float) -> I64:
        if float.__ne__(_real(x), x):
            return I64(self.nan_bits)
        return I64(_INTEGER.unpack(_DOUBLE.pack(x))[0])

    def float(self, n: I64) -> F64:
        return F64(_DOUBLE.unpack(_INTEGER.pack(_int(n)))[0])

    def to_real(self, n: I64) -> F64:
        return F64(_int(n))

    def to_int(self, x: float) -> I64:
        if float.__ne__(_real(x), x):
            return I64(0)
        return (
            I64(int(max(-(2.0**63), min(float(x), 2.0**63 - 1024))))
            if abs(float(x)) < 2.0**63
            else (I64(2**63 - 1 if float(x) > 0 else -(2**63)))
        )

    def shr_u(self, n: I64, k: I64 | int) -> I64:
        return I64((_int(n) & (2**64 - 1)) >> (_int(k) & 63))

    def select(self, p: Flag, a: Any, b: Any) -> Any:
        chosen = a if _flag(p) else b
        if isinstance(chosen, float):
            return F64(chosen)
        return I64(chosen) if isinstance(chosen, int) else chosen

    def cond(self, p: Flag, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        return then() if _flag(p) else otherwise()

    def repeat(self, test: Callable[[Any], Flag], step: Callable[[Any], Any], start: Any) -> Any:
        """Run a while loop: apply `step` while `test` is true. Return the last value."""
        while test(start).held:
            start = step(start)
        return start

    def table(self, entries: Sequence[int] | Sequence[float], n: I64) -> Any:
        index = _int(n)
        if not 0 <= index < len(entries):
            raise IndexError(f"A table of {len(entries)} entries was read at {index}.")
        entry = entries[index]
        return F64(entry) if isinstance(entry, float) else I64(entry)

    def call(self, name: str, *arguments: Any) -> Any:
        return self.functions[name](self, *(F64(a) if isinstance(a, float) else a for a in arguments))

"""Numbers with many digits. They show whether floats gave a wrong result only because of rounding."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from mpmath import mp

from tests.ir.table import DESCRIBED

BITS = 400
"""The precision of a `Precise` number, in bits. It is so large that a program can usually add its largest and
its smallest double without a rounding error."""


class Precise:
    """A real number with BITS significant bits."""

    __slots__ = ("number",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        with mp.workprec(BITS):
            self.number = mp.mpf(value)

    def __repr__(self) -> str:
        return f"Precise({float(self.number)!r})"

    def __floor__(self) -> int:
        return int(mp.floor(self.number))

    def __ceil__(self) -> int:
        return int(mp.ceil(self.number))

    def __trunc__(self) -> int:
        return int(self.number)

    def __round__(self) -> int:
        return int(mp.nint(self.number))


def _number(value: Any) -> Any:
    return value.number if isinstance(value, Precise) else value


def _computed(f: Callable[..., Any], swapped: bool = False) -> Callable[..., Precise]:
    def method(*operands: Any) -> Precise:
        with mp.workprec(BITS):
            numbers = [mp.mpf(_number(x)) for x in (reversed(operands) if swapped else operands)]
            return Precise(mp.re(f(*numbers)))

    return method


def _compared(f: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: bool(f(_number(a), _number(b)))


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Precise, f"__{_name}__", _computed(getattr(operator, _name)))
    setattr(Precise, f"__r{_name}__", _computed(getattr(operator, _name), swapped=True))
for _name in ("neg", "abs"):
    setattr(Precise, f"__{_name}__", _computed(getattr(operator, _name)))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Precise, f"__{_name}__", _compared(getattr(operator, _name)))
for _name, _described in DESCRIBED.items():
    if _described.smooth is not None and not hasattr(Precise, _name):
        setattr(Precise, _name, _computed(_described.smooth.function))
setattr(Precise, "polygamma_n", _computed(lambda n, x: mp.psi(int(n), x)))  # noqa: B010 - like those above


def precise(value: Any) -> Any:
    """Convert the finite floats in a leaf to Precise."""
    if isinstance(value, list):
        return [precise(item) for item in value]
    return Precise(value) if isinstance(value, float) and math.isfinite(value) else value


def inner(a: Any, b: Any) -> Any:
    """Return the inner product of all numbers in two nested values of Reals."""
    with mp.workprec(BITS):
        return mp.fsum(mp.mpf(_number(x)) * _number(y) for x, y in zip(_all(a), _all(b), strict=True))


def _all(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [x for item in value for x in _all(item)]
    if isinstance(value, dict):
        return [x for name in sorted(value) for x in _all(value[name])]
    return [] if value is None else [value]

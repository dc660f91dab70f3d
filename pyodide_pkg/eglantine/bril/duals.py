"""Dual numbers: a value and its derivative. `grad` runs a function on them.

Each running `grad` has a number, its tag. An inner `grad` has a larger tag than the outer ones, so that
nested derivatives are not mixed up. None stands for a derivative that is known to be zero.
"""

from __future__ import annotations

from typing import Any

from .operations import over


class Dual:
    """A value and its derivative for the `grad` with this tag. Both may be dual numbers with smaller tags."""

    __slots__ = ("slope", "tag", "value")

    def __init__(self, tag: int, value: Any, slope: Any) -> None:
        self.tag, self.value, self.slope = tag, value, slope

    def __float__(self) -> float:
        value: Any = self
        while isinstance(value, Dual):
            value = value.value
        return float(value)

    def __add__(self, other: Any) -> Any:
        return _sum(self, other)

    def __radd__(self, other: Any) -> Any:
        return _sum(other, self)

    def __sub__(self, other: Any) -> Any:
        return _difference(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _difference(other, self)

    def __mul__(self, other: Any) -> Any:
        return _product(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _product(other, self)

    def __truediv__(self, other: Any) -> Any:
        return _quotient(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _quotient(other, self)

    def __lt__(self, other: Any) -> bool:
        return float(self) < float(other)

    def __le__(self, other: Any) -> bool:
        return float(self) <= float(other)

    def __gt__(self, other: Any) -> bool:
        return float(self) > float(other)

    def __ge__(self, other: Any) -> bool:
        return float(self) >= float(other)

    def __eq__(self, other: object) -> bool:
        return float(self) == float(other)  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]


def slope_of(x: Any, tag: int) -> Any:
    """Return a number's derivative for the `grad` that has this tag."""
    if isinstance(x, Dual) and x.tag == tag:
        return 0.0 if x.slope is None else x.slope
    return 0.0


def _tag(a: Any, b: Any) -> int:
    return max(a.tag if isinstance(a, Dual) else -1, b.tag if isinstance(b, Dual) else -1)


def _parts(x: Any, tag: int) -> tuple[Any, Any]:
    return (x.value, x.slope) if isinstance(x, Dual) and x.tag == tag else (x, None)


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _sum(a: Any, b: Any) -> Dual:
    tag = _tag(a, b)
    (x, dx), (y, dy) = _parts(a, tag), _parts(b, tag)
    return Dual(tag, x + y, _plus(dx, dy))


def _difference(a: Any, b: Any) -> Dual:
    tag = _tag(a, b)
    (x, dx), (y, dy) = _parts(a, tag), _parts(b, tag)
    return Dual(tag, x - y, dx if dy is None else -1.0 * dy if dx is None else dx - dy)


def _product(a: Any, b: Any) -> Dual:
    tag = _tag(a, b)
    (x, dx), (y, dy) = _parts(a, tag), _parts(b, tag)
    return Dual(tag, x * y, _plus(None if dx is None else dx * y, None if dy is None else dy * x))


def _quotient(a: Any, b: Any) -> Dual:
    tag = _tag(a, b)
    (x, dx), (y, dy) = _parts(a, tag), _parts(b, tag)
    z = over(x, y)
    by_x = None if dx is None else dx * over(1.0, y)
    by_y = None if dy is None else dy * (-1.0 * over(z, y))
    return Dual(tag, z, _plus(by_x, by_y))

"""Dual numbers, which consist of a value and its derivatives. Bril's interpreter can use them as floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine import ieee
from eglantine.bril.machine import Machine


class Dual:
    """A float and its derivatives. Comparisons use only the value."""

    def __init__(self, value: float, slopes: Sequence[float]) -> None:
        self.value, self.slopes = value, slopes

    def __float__(self) -> float:
        return self.value

    def _parts(self, other: Any) -> tuple[float, Sequence[float]]:
        if isinstance(other, Dual):
            return other.value, other.slopes
        return other, [0.0] * len(self.slopes)

    def __add__(self, other: Any) -> Dual:
        y, dy = self._parts(other)
        return Dual(self.value + y, [a + b for a, b in zip(self.slopes, dy, strict=True)])

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dual:
        y, dy = self._parts(other)
        return Dual(self.value - y, [a - b for a, b in zip(self.slopes, dy, strict=True)])

    def __rsub__(self, other: Any) -> Dual:
        return Dual(other, [0.0] * len(self.slopes)) - self

    def __mul__(self, other: Any) -> Dual:
        y, dy = self._parts(other)
        return Dual(self.value * y, [a * y + self.value * b for a, b in zip(self.slopes, dy, strict=True)])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        y, dy = self._parts(other)
        z = ieee.div(self.value, y)
        return Dual(z, [ieee.div(a - z * b, y) for a, b in zip(self.slopes, dy, strict=True)])

    def __rtruediv__(self, other: Any) -> Dual:
        return Dual(other, [0.0] * len(self.slopes)) / self

    def __lt__(self, other: Any) -> bool:
        return self.value < self._parts(other)[0]

    def __le__(self, other: Any) -> bool:
        return self.value <= self._parts(other)[0]

    def __gt__(self, other: Any) -> bool:
        return self.value > self._parts(other)[0]

    def __ge__(self, other: Any) -> bool:
        return self.value >= self._parts(other)[0]

    def __eq__(self, other: object) -> bool:
        return self.value == self._parts(other)[0]

    __hash__ = None  # type: ignore[assignment]


def slopes_of(program: Any, args: Sequence[Any]) -> tuple[float, list[float]]:
    """Run a program on dual numbers. Return the last printed float and its derivatives."""
    values = program.arguments(tuple(args))
    places = [k for k, parameter in enumerate(program.main.parameters) if parameter.type == "float"]
    for place in places:
        values[place] = Dual(values[place], [float(other == place) for other in places])
    machine = Machine(program.functions)
    machine.execute("main", values)
    last = machine.run.last
    return (last.value, list(last.slopes)) if isinstance(last, Dual) else (last, [0.0] * len(places))

"""The stacks of a program that runs as one loop over its pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import Array, ScalarType

FLOATS: Final = "$stack float"
INTS: Final = "$stack int"
NUMBERS: Final = "$stack number"

KEPT_CALLS: Final = 64
"""A window begins this many calls below the end of the stack."""

WINDOW_CALLS: Final = 512
"""A window holds this many calls."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of values of one type.

    of: the type of a value. pushes: the most values that a call pushes.
    full: how many values the whole stack holds.
    room: how many values the pieces' array holds. This is `full`, unless the pieces see a window.
    kept: a window begins this many values below the end of the stack.
    """

    name: str
    of: ScalarType
    pushes: int
    full: int
    room: int
    kept: int

    @staticmethod
    def of_calls(name: str, of: ScalarType, pushes: int, calls: int, windows: bool) -> Stack:
        """The stack for this many calls, which the pieces see in windows or as a whole."""
        full = pushes * calls
        room = pushes * min(calls, WINDOW_CALLS) if windows else full
        return Stack(name, of, pushes, full, room, min(room, pushes * KEPT_CALLS))

    @property
    def array(self) -> Any:
        """The type of the pieces' array.

        It has spare places at its end, for values that a piece does not push.
        """
        return Array(self.of, (self.room + self.pushes,))

    @property
    def end(self) -> str:
        """The name of the position after the topmost value."""
        return f"{self.name} end"

    @property
    def first(self) -> str:
        """The name of the position of the first value that a piece pushes."""
        return f"{self.name} at"

    @property
    def pushed(self) -> list[str]:
        """The names of the values that a piece pushes."""
        return [f"{self.name} {k}" for k in range(self.pushes)]

    def place(self, b: Builder, position: int) -> int:
        """The row of a 64-bit position as a checked index of the array."""
        return b.check(b.un("wrap_i64", position), self.room + self.pushes)

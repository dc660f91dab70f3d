"""The stacks of a program that was cut into pieces. One loop runs these pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import Array, ScalarType

FLOATS: Final = "$stack float"
INTS: Final = "$stack int"
NUMBERS: Final = "$stack number"

KEPT_CALLS: Final = 64
"""The number of calls whose values a new window contains. They are the last calls on the stack."""

WINDOW_CALLS: Final = 512
"""A window holds this many calls."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of values of one type.

    of: the type of a value. pushes: the largest number of values that one call pushes.
    full: the number of values that the whole stack can store.
    room: the number of values that the pieces' array can store. This is less than `full` if the pieces use
        only a window (the top part) of the stack.
    kept: the number of values, from the end of the stack, with which a new window starts.
    """

    name: str
    of: ScalarType
    pushes: int
    full: int
    room: int
    kept: int

    @staticmethod
    def of_calls(name: str, of: ScalarType, pushes: int, calls: int, windows: bool) -> Stack:
        """Make a stack for `calls` nested calls. If `windows` is true, pieces use only a window of it."""
        full = pushes * calls
        room = pushes * min(calls, WINDOW_CALLS) if windows else full
        return Stack(name, of, pushes, full, room, min(room, pushes * KEPT_CALLS))

    @property
    def array(self) -> Any:
        """The type of the array that pieces use.

        The array has spare places at its end. If a piece pushes fewer than `pushes` values, it also writes
        zeros there.
        """
        return Array(self.of, (self.room + self.pushes,))

    @property
    def end(self) -> str:
        """The name of the position after the topmost value. Environments use this name."""
        return f"{self.name} end"

    @property
    def first(self) -> str:
        """The name of the position for the first value that a piece pushes. Environments use this name."""
        return f"{self.name} at"

    @property
    def pushed(self) -> list[str]:
        """The names of the values that a piece pushes. Environments use these names."""
        return [f"{self.name} {k}" for k in range(self.pushes)]

    def place(self, b: Builder, position: int) -> int:
        """Convert a 64-bit position to an index of the array, with a check that it is in range."""
        return b.check(b.un("wrap_i64", position), self.room + self.pushes)

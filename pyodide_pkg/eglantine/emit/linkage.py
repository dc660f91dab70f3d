"""The parts that all functions of a module share: indices of functions, tables, traps and globals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eglantine.errors import settled
from eglantine.ir.program import Function

from .usage import Program


@dataclass(slots=True)
class Linkage:
    """The shared parts of a module.

    codes: for each primitive, its instruction, or the call of its library function.
    functions, hosts: the indices of functions and imports.
    tables: the addresses of constant arrays.
    zeros: the address of bytes that are always 0.
    fuel: the number of the trap for empty fuel, or 0 if fuel is not counted.
    limit: the maximum size of the module's memory, in bytes.
    globals: the number of globals so far.
    grow: the call of the function that makes a buffer larger.
    traps: the trap numbers by (message, source).
    errors: the names of error classes by trap number. A trap without an entry is an index error.
    lanes: a copy of these parts with the codes for two lanes. It is made when it is first needed.
    """

    program: Program
    codes: dict[str, bytes]
    functions: dict[Function, int]
    hosts: dict[Any, int]
    tables: dict[tuple[str, tuple[Any, ...]], int]
    zeros: int
    fuel: int = 0
    limit: int = 0
    globals: int = 0
    grow: bytes = b""
    traps: dict[tuple[str, Any], int] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    lanes: Linkage | None = None

    def trap(self, message: str, source: Any = None, error: str = "") -> int:
        """Return the trap number for this message and source. If there is none yet, assign a new number."""
        number = self.traps.setdefault((message, settled(source)), len(self.traps) + 1)
        if error:
            self.errors[number] = error
        return number

    def take_globals(self, n: int) -> int:
        """Add n new globals, which begin as 0. Return the index of the first."""
        self.globals += n
        return self.globals - n

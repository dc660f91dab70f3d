"""The parts that all functions of a module share: indices of functions, tables, traps and globals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eglantine.errors import settled
from eglantine.ir.program import Function

from .usage import Program


@dataclass(slots=True)
class Linkage:
    """The parts of a module that all its functions share.

    codes: a dict from each primitive to its instruction, or to the call of its library function.
    functions: a dict from each function to its index. hosts: a dict from each imported function to its index.
    tables: a dict from each constant array to its address.
    zeros: the address of a range of bytes that are always 0.
    fuel: the number of the trap that fires if the fuel is used up, or 0 if fuel is not counted.
    limit: the largest allowed size of the module's memory, in bytes. It is set only if buffers can grow.
    globals: the number of globals that the module has so far.
    grow: the instruction that calls the function that enlarges a buffer.
    traps: a dict from pairs (message, source) to trap numbers.
    errors: a dict from trap numbers to names of error classes. A trap without an entry is an index error.
    lanes: a copy of this object in which `codes` has instructions for two lanes, or None until it is needed.
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

"""The parts of a module that its functions share: indices of functions, tables, traps, globals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eglantine.errors import settled
from eglantine.ir.program import Function

from .usage import Program


@dataclass(slots=True)
class Linkage:
    """The shared parts of a module.

    codes: the instruction of each primitive; for a library function, its call.
    functions, hosts: indices of functions and imports.
    tables: addresses of constant arrays.
    zeros: the address of bytes that are always 0.
    fuel: the number of the trap for an empty tank, or 0 if fuel is not counted.
    limit: how many bytes of memory there may be.
    globals: how many globals there are so far.
    grow: the call of the function that makes a buffer larger.
    traps: trap numbers by (message, source).
    errors: the class of error by the trap's number, unless it is the class for an index.
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

    def trap(self, message: str, source: Any = None, error: str = "") -> int:
        """Return the number of a trap, a new one if nothing has asked for this trap before."""
        number = self.traps.setdefault((message, settled(source)), len(self.traps) + 1)
        if error:
            self.errors[number] = error
        return number

    def take_globals(self, n: int) -> int:
        """Take n new globals, which begin as 0; return the first."""
        self.globals += n
        return self.globals - n

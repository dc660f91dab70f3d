"""A table of operations that need several instructions. It maps each one to the function that writes it."""

from __future__ import annotations

from typing import Final

from eglantine.ir.row_types import Row

from .arrays import ARRAYS
from .branches import write_cond
from .calls import write_call, write_print, write_require
from .loops import LoopWriter
from .results import is_needed
from .scope import Scope, Structure
from .while_loops import WhileWriter


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """Write a counted loop or a while loop with `LoopWriter` or `WhileWriter`."""
    loop = key[2]
    if is_needed(scope, row) or any(scope.linkage.program.usage(block).effects for block in loop.blocks):
        (WhileWriter if loop.test else LoopWriter)(scope, row, key).write()


STRUCTURE: Final[Structure] = {
    **ARRAYS,
    "call": write_call,
    "print": write_print,
    "require": write_require,
    "loop": write_loop,
    "cond": write_cond,
}

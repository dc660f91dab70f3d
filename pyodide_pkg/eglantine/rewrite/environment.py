"""Environments: they map the rows of a block to the rows of its copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Row

Place = int | Sequence[int | None] | None
"""A row or constant of the builder, the results of a call, loop or branch, or None if there is no copy."""


class Env(Protocol):
    """Maps the rows and constants of a block to their copies in a builder.

    A copy is a row number of the builder or, for a call, loop or branch, a `Results`. The map is a list with
    the constants at its end, or a dict if only some rows have copies.
    """

    def __getitem__(self, row: int, /) -> int: ...
    def __setitem__(self, row: int, place: Place, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """Options for a copy of a block.

    lower: if true, a row without its own Wasm instruction is replaced by several rows.
    unroll: if true, short loops inside loops are unrolled.
    hoist: if true, rows move out of a loop's body if they do not depend on the round.
    instead: None, or a function (block, i, b, env) → a row of `b` that replaces row i of the block. If it
        returns None, row i is copied.
    """

    lower: bool = False
    hoist: bool = False
    unroll: bool = False
    instead: Callable[[Block, int, Builder, Env], int | None] | None = None


PLAIN = Options()


def new_env(block: Block, b: Builder) -> Env:
    """Make a new environment. At first, it maps only the symbolic zero and the constants."""
    env: list[Any] = [None] * len(block.rows)
    env[0] = ZERO
    for value, of in zip(reversed(block.consts), reversed(block.const_types), strict=True):
        env.append(b.constant(value, of))
    return env


def renamed(row: Row, to: Env) -> Row:
    """Copy a row, and replace each operand a by to[a]."""
    n = ARITY[row[0]]
    if n == 2:
        return row[0], to[row[1]], to[row[2]]
    if n < 0:
        return row[0], tuple([to[a] for a in row[1]]), *row[2:]
    return row[0], *[to[a] for a in row[1 : 1 + n]], *row[1 + n :]


def begun(block: Block) -> tuple[Builder, Env]:
    """Begin a copy of a block. Make a builder with its parameters, and an environment that maps them."""
    b = Builder()
    env = new_env(block, b)
    for param in block.params:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    return b, env


def identity(block: Block) -> Env:
    """Make an environment that maps each row of a block to itself, for a builder with the same rows."""
    return [*range(len(block.rows)), *(~k for k in reversed(range(len(block.consts))))]

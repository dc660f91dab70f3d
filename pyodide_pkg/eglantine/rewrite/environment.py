"""Environments, which map the rows of a block to their places in the copy of the block."""

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
    """The place in the builder of each row of a block, and of each constant (counted from the end).

    It is a list, or a dict with the places of only some rows. A place is the number of a row or constant. For
    a call, loop or branch, the place is its `Results`.
    """

    def __getitem__(self, row: int, /) -> int: ...
    def __setitem__(self, row: int, place: Place, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """The differences between a copy and its original.

    lower: whether a row that is not one Wasm instruction is replaced by rows that are.
    unroll: whether short loops inside loops are unrolled.
    hoist: whether rows that do not depend on the round move out of a loop's body.
    instead: builds another row that replaces row i and returns it, or returns None to let row i be copied.
    """

    lower: bool = False
    hoist: bool = False
    unroll: bool = False
    instead: Callable[[Block, int, Builder, Env], int | None] | None = None


PLAIN = Options()


def new_env(block: Block, b: Builder) -> Env:
    """A new environment with only the places of the symbolic zero and the constants."""
    env: list[Any] = [None] * len(block.rows)
    env[0] = ZERO
    for value, of in zip(reversed(block.consts), reversed(block.const_types), strict=True):
        env.append(b.constant(value, of))
    return env


def renamed(row: Row, to: Env) -> Row:
    """A copy of the row in which the number to[a] replaces each operand a."""
    n = ARITY[row[0]]
    if n == 2:
        return row[0], to[row[1]], to[row[2]]
    if n < 0:
        return row[0], tuple([to[a] for a in row[1]]), *row[2:]
    return row[0], *[to[a] for a in row[1 : 1 + n]], *row[1 + n :]


def begun(block: Block) -> tuple[Builder, Env]:
    """A new builder with the parameters of a block, and an environment with their places."""
    b = Builder()
    env = new_env(block, b)
    for param in block.params:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    return b, env


def identity(block: Block) -> Env:
    """The environment in which each row of a block is its own place, for a builder that resumes the block."""
    return [*range(len(block.rows)), *(~k for k in reversed(range(len(block.consts))))]

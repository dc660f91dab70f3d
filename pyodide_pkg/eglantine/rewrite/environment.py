"""The places of a copied block's rows in its copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Row

Env = list[Any]
"""For each row of a block, and for each constant (counted from the end), its place in the builder.

A place is a row or constant of the builder, the `Results` of a call, loop or branch, or None for a row that
has not been copied.
"""


class Places(Protocol):
    """An environment, or a dict that holds the places of some rows alone."""

    def __getitem__(self, row: int, /) -> Any: ...
    def __setitem__(self, row: int, place: Any, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """How a copy differs from its original.

    lower: whether rows that have no instruction of their own become rows that do.
    unroll: whether short loops within loops are copied round after round.
    hoist: whether rows of a loop's body that do not depend on the round move out of it.
    instead: builds another row in the place of row i and returns it, or returns None for a row to copy.
    """

    lower: bool = False
    hoist: bool = False
    unroll: bool = False
    instead: Callable[[Block, int, Builder, Places], int | None] | None = None


PLAIN = Options()


def new_env(block: Block, b: Builder) -> Env:
    """An environment that holds only the symbolic zero and the constants."""
    env: Env = [None] * len(block.rows)
    env[0] = ZERO
    for value, of in zip(reversed(block.consts), reversed(block.const_types), strict=True):
        env.append(b.constant(value, of))
    return env


def renamed(row: Row, to: Places) -> Row:
    """A row whose operands have other numbers."""
    n = ARITY[row[0]]
    if n == 2:
        return row[0], to[row[1]], to[row[2]]
    if n < 0:
        return row[0], tuple([to[a] for a in row[1]]), *row[2:]
    return row[0], *[to[a] for a in row[1 : 1 + n]], *row[1 + n :]


def begun(block: Block) -> tuple[Builder, Env]:
    """A builder with the parameters of a block, and an environment that holds them."""
    b = Builder()
    env = new_env(block, b)
    for param in block.params:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    return b, env


def identity(block: Block) -> Env:
    """The environment of a builder that goes on where the block ended: each row is its own place."""
    return [*range(len(block.rows)), *(~k for k in reversed(range(len(block.consts))))]

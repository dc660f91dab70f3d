"""Where the rows of a block being copied stand in the new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import ARITY
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Row

Env = list[Any]
"""For each row of a block (and, counted from the end, each constant) its row in the builder."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a copy changes.

    lower: whether rows that have no instruction of their own become rows that do.
    unroll: whether short loops within loops are copied round after round.
    hoist: whether rows of a loop's body that do not depend on the round move out of it.
    instead: what makes another row in the place of row i, or None for one that is to be copied.
    """

    lower: bool = False
    hoist: bool = False
    unroll: bool = False
    instead: Callable[[Block, int, Builder, Env], int | None] | None = None


PLAIN = Options()


def new_env(block: Block, b: Builder) -> Env:
    """An environment that knows the symbolic zero and the constants."""
    env: Env = [None] * len(block.rows)
    env[0] = ZERO
    for value, of in zip(reversed(block.consts), reversed(block.const_types), strict=True):
        env.append(b.constant(value, of))
    return env


def renamed(row: Row, to: Env) -> Row:
    """A row whose operands have other numbers."""
    n = ARITY[row[0]]
    if n == 2:
        return row[0], to[row[1]], to[row[2]]
    if n < 0:
        return row[0], tuple([to[a] for a in row[1]]), *row[2:]
    return row[0], *[to[a] for a in row[1 : 1 + n]], *row[1 + n :]


def begun(block: Block, outer: Builder | None = None, own: int | None = None) -> tuple[Builder, Env]:
    """A builder, within `outer`, with the (first `own`) parameters of a block, and where its rows are."""
    b = Builder(outer)
    env = new_env(block, b)
    for param in block.params[:own]:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    return b, env


def identity(block: Block) -> Env:
    """The environment in which a builder that goes on where a block ended has the block's rows."""
    return [*range(len(block.rows)), *(~k for k in reversed(range(len(block.consts))))]

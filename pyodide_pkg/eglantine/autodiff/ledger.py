"""Options of a sweep: replacements for the table's partial derivatives, and a record of the sweep's work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from eglantine.ir.program import Block

PartialsOf = Callable[[Block], Mapping[int, Callable[..., Sequence[int]]]]
"""Given the swept block or a body in it, returns partial derivatives that replace those of the table.

The key is the row of a primitive. The value is a function like those of the table, `partials(b, x, …, z)`.
"""


def only_the_table(_: Block) -> Mapping[int, Any]:
    """Replace no partial derivatives."""
    return {}


class Addition(NamedTuple):
    """An addition to the cotangent of a number.

    user: the row whose rule contributed the term, or the symbolic zero if the sweep's caller contributed it.
    operand: the row of the number.
    term: the row of the builder with the term that was added.
    total: the row of the builder with the sum so far.
    """

    user: int
    operand: int
    term: int
    total: int


@dataclass(slots=True)
class Ledger:
    """A record of a sweep's work on its block, without the bodies of loops and branches.

    slopes: for each row whose partial derivatives the sweep used, the rows of these derivatives.
    additions: all additions to cotangents of numbers, in order. It is None if the caller does not need them.
        Recording the additions makes the sweep slower, but does not change the rows that the sweep builds.
    """

    slopes: dict[int, Sequence[int]] = field(default_factory=dict)
    additions: list[Addition] | None = None

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
    operand: the number.
    term: the row of the builder that was added.
    total: the row of the builder with the sum so far.
    """

    user: int
    operand: int
    term: int
    total: int


@dataclass(slots=True)
class Ledger:
    """A record of a sweep's work on its block, without the bodies of loops and branches.

    slopes: row → the rows of its partial derivatives, if the sweep used them.
    additions: each addition to a number's cotangent, in order, or None if the caller does not need them.
        Recording them makes the sweep slower, but does not change the rows that it builds.
    """

    slopes: dict[int, Sequence[int]] = field(default_factory=dict)
    additions: list[Addition] | None = None

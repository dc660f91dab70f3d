"""Options of a sweep: special partial derivatives, and a ledger in which the sweep notes its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from eglantine.ir.program import Block

PartialsOf = Callable[[Block], Mapping[int, Callable[..., Sequence[int]]]]
"""For a block (the swept one, or a body in it), partial derivatives that replace the table's.

The key is the row of a primitive. The value is called like the table's function: `partials(b, x, …, z)`.
"""


def only_the_table(_: Block) -> Mapping[int, Any]:
    """No row has partial derivatives of its own."""
    return {}


class Addition(NamedTuple):
    """One addition to the cotangent of a number.

    user: the row that passed the term on, or the symbolic zero if the caller did.
    operand: the row whose cotangent grew.
    term: the row of the builder that was added.
    total: the row of the builder with the sum so far.
    """

    user: int
    operand: int
    term: int
    total: int


@dataclass(slots=True)
class Ledger:
    """Notes of a sweep's work in its own block, without the bodies in it.

    slopes: for each row that was differentiated by its partial derivatives, the rows of these derivatives.
    additions: each addition to a number's cotangent, in order, or None if they are not needed. Noting them
        takes longer, but does not change the rows.
    """

    slopes: dict[int, Sequence[int]] = field(default_factory=dict)
    additions: list[Addition] | None = None

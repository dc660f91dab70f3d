"""What a caller may hand to a sweep: partial derivatives of its own, and a ledger of what the sweep did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from eglantine.ir.program import Block

PartialsOf = Callable[[Block], Mapping[int, Callable[..., Sequence[int]]]]
"""For a block (the swept one, or a body in it), partial derivatives that replace those of the table.

The key is the row of a primitive. The value is called as the table's: `partials(b, x, …, z)`.
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
    """What a sweep did in its own block; the bodies in it are not noted.

    slopes: for each row that was differentiated by its partial derivatives, the rows of these.
    additions: each addition to a number's cotangent, in order; None if nobody asks for them. A sweep that
        notes them takes longer, and makes the same rows.
    """

    slopes: dict[int, Sequence[int]] = field(default_factory=dict)
    additions: list[Addition] | None = None

"""Match a program's parameters and `return`s with the rows of a function and of its derivative.

If you point at a word of the program, the page highlights the IR rows that come from this word. But the IR
has no row for a single parameter or for a `return`. So we match a parameter with the IR's line that names all
parameters. If the function is a derivative, we also match a parameter x with the derivative with respect to x
in the result, and with the rows that sum up this derivative. We match a `return` with the whole result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eglantine.inside import leaves

from .places import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eglantine import Fn
    from eglantine.inside import Block, Owner, Row

    from .instructions import Instruction
    from .places import Offsets, Places

ORDERS: Final = {"value": 0, "gradient": 1, "value_and_grad": 1, "hessian": 2, "jacobian": 1}
"""For each kind of listing, the order of the last derivative in the result. Order 0 means the value
itself."""
SUMS: Final = frozenset({"acc", "acc_index", "add_to", "acc_read"})
VALUES: Final = {"value_and_grad": 1}
"""For each kind of listing with values before the derivatives, the number of these values."""

Placed = tuple[int, int]
"""A place and the order of a derivative."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The positions of a function's parts in the program's text, as offsets (start, end).

    params: the offsets of each parameter's name in the signature, or None if the name is not there.
    uses: for each use of a parameter in the body, its offsets and the parameter's position.
    returns: for each `return` statement, the offsets of the keyword and of the whole statement. A lambda has
        one entry: the offsets of `lambda` and of the whole expression.
    """

    params: Sequence[Offsets | None] = ()
    uses: Sequence[tuple[Offsets, int]] = ()
    returns: Sequence[tuple[Offsets, Offsets]] = ()


class Meanings:
    """Matches the parameters and `return`s in a function's text with rows of the IR."""

    def __init__(
        self, f: Fn, kind: str, positions: Sequence[int], definition: Definition, places: Places
    ) -> None:
        """positions: the positions of the parameters to differentiate by, if `kind` is a derivative."""
        self.definition = definition
        self._params = [None if span is None else places.number(span) for span in definition.params]
        self._returns = [places.number(span) for _, span in definition.returns]
        self._kind = kind
        params = f.function.params
        self._leaves = [k for k, of in enumerate(params) for _ in leaves(of)]
        self._varied = [k for k in positions for leaf in leaves(params[k]) if leaf.dtype == "f64"]

    @property
    def is_derivative(self) -> bool:
        """True if the shown function is a derivative."""
        return self._kind != "value"

    def tokens(self, places: Places) -> list[tuple[int, int, list[int]]]:
        """List words as (start, end, places). The page highlights the places together with the word."""
        lit_words = [
            (*span, [place]) for span, k in self.definition.uses if (place := self._place(k)) is not None
        ]
        for (word, (start, end)), place in zip(self.definition.returns, self._returns, strict=True):
            within = [k for k, (first, last) in enumerate(places.spans) if start <= first and last <= end]
            lit_words.append((*word, sorted({place, *within})))
        return lit_words

    def loads(self, block: Block) -> dict[Owner, Placed]:
        """Map each row that loads a parameter (or a part of one) to the parameter's place in the text."""
        rows = zip(block.params, self._leaves, strict=False)
        return {(block, row): (place, 0) for row, k in rows if (place := self._place(k)) is not None}

    def header(self) -> list[Placed]:
        """Return the places in the text that match the IR's line of parameters."""
        return [(place, 0) for place in self._params if place is not None]

    def results(self, block: Block, is_derivative: bool) -> tuple[list[Placed], dict[Owner, list[Placed]]]:
        """Return the places for the IR's return line, and the places for each row that computes a result."""
        line = [(place, ORDERS[self._kind] if is_derivative else 0) for place in self._returns]
        rows: dict[Owner, list[Placed]] = {}
        sums: dict[int, list[Placed]] = {}
        for k, row in enumerate(block.results):
            order = ORDERS[self._kind] if is_derivative and k >= VALUES.get(self._kind, 0) else 0
            means = [(place, order) for place in self._of_result(k)] if is_derivative else []
            line += means
            if row > 0:
                rows.setdefault((block, row), []).extend(means)
                rows[block, row] += [(place, order) for place in self._returns]
            if row > 0 and block.rows[row][0] == "acc_read":
                sums[block.rows[row][1]] = means
        for owner, means in _summed(block, sums):
            known = rows.setdefault(owner, [])
            known += [placed for placed in means if placed not in known]
        return sorted(set(line)), rows

    def stores(self, instructions: Sequence[Instruction], entry: range) -> dict[int, Placed]:
        """Find the instructions that store a result but have no row. Match them with the last `return`.

        The result maps an instruction's position in `instructions` to the place of the `return`.
        """
        stored: dict[int, Placed] = {}
        for k, one in enumerate(instructions):
            if (
                one.line not in entry
                or one.owner is not None
                or ".store" not in one.text
                or not self._returns
            ):
                continue
            placed = (self._returns[-1], ORDERS[self._kind])
            at = k
            while at >= 0 and at not in stored and instructions[at].owner is None:
                stored[at] = placed
                at -= 1
        return stored

    def _place(self, k: int) -> int | None:
        return self._params[k] if k < len(self._params) else None

    def _of_result(self, k: int) -> list[int]:
        """For result k, ∂f/∂x or ∂²f/∂x∂y, return the places of x, or of x and y. For a value, return []."""
        n, leaf = len(self._varied), k - VALUES.get(self._kind, 0)
        if leaf < 0 or n == 0:
            return []
        by = {leaf % n, leaf // n % n} if self._kind == "hessian" else {leaf % n}
        return [place for i in sorted(by) if (place := self._place(self._varied[i])) is not None]


def _summed(block: Block, sums: Mapping[int, list[Placed]]) -> Iterator[tuple[Owner, list[Placed]]]:
    """Yield the rows that use the given accumulators, including rows in the bodies of loops and branches."""
    pending = [(block, dict(sums))]
    while pending:
        block, known = pending.pop()
        for i, row in enumerate(block.rows):
            match row[0]:
                case "acc" if i in known:
                    yield (block, i), known[i]
                case "acc_index" | "add_to" | "acc_read" if row[1] in known:
                    known[i] = known[row[1]]
                    yield (block, i), known[i]
                case "loop" | "cond":
                    pending += _given(row, known)


def _given(row: Row, known: Mapping[int, list[Placed]]) -> Iterator[tuple[Block, dict[int, list[Placed]]]]:
    """Yield each body of a loop or branch that uses accumulators, and the places of these accumulators."""
    _, uses, structure = row
    for inner in structure.blocks:
        received = {param: known[use] for param, use in structure.given(inner, uses) if use in known}
        if received:
            yield inner, received


def merged(owner: Owner, own: Placed, means: Sequence[Placed]) -> list[Placed]:
    """Return all places in the text that match a row: first `own`, if the row has a place, then `means`."""
    block, row = owner
    key = block.rows[row]
    # If a row adds to an accumulator from outside its body, return only `means`, unless `means` is empty.
    is_given = key[0] == "add_to" and block.rows[key[1]][0] == "param"
    return [*([own] if own[0] != NOWHERE and not (means and is_given) else []), *means]

"""What a parameter and a `return` of a program stand for among the rows of a function and of its derivative.

A parameter is given in the header; its derivative is the result that belongs to it, and the sums on the way
there. What is returned is the whole result. Neither has a row that was written for it alone.
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
"""Of which derivative the last result is."""
SUMS: Final = frozenset({"acc", "acc_index", "add_to", "acc_read"})
VALUES: Final = {"value_and_grad": 1}
"""How many results come before the derivatives."""

Placed = tuple[int, int]
"""A place, and of which derivative."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a function's parts stand in the text.

    params: each parameter's name where it is defined, in order, as far as the text shows it.
    uses: each use of such a name, with the parameter's position.
    returns: each `return`, or `lambda`: the word, and all of it.
    """

    params: Sequence[Offsets | None] = ()
    uses: Sequence[tuple[Offsets, int]] = ()
    returns: Sequence[tuple[Offsets, Offsets]] = ()


class Meanings:
    """The places of a function's parameters and returns, and the rows that they mean."""

    def __init__(
        self, f: Fn, kind: str, positions: Sequence[int], definition: Definition, places: Places
    ) -> None:
        """positions: of the parameters that `kind` differentiates by."""
        self.definition = definition
        self._params = [None if span is None else places.number(span) for span in definition.params]
        self._returns = [places.number(span) for _, span in definition.returns]
        self._kind = kind
        params = f.function.params
        self._leaves = [k for k, of in enumerate(params) for _ in leaves(of)]
        self._varied = [k for k in positions for leaf in leaves(params[k]) if leaf.dtype == "f64"]

    @property
    def is_derivative(self) -> bool:
        """Whether what is shown is one."""
        return self._kind != "value"

    def tokens(self, places: Places) -> list[tuple[int, int, list[int]]]:
        """Words that mean more than the row around them: start, end, and the places that they light."""
        found = [
            (*span, [place]) for span, k in self.definition.uses if (place := self._place(k)) is not None
        ]
        for (word, (start, end)), place in zip(self.definition.returns, self._returns, strict=True):
            within = [k for k, (first, last) in enumerate(places.spans) if start <= first and last <= end]
            found.append((*word, sorted({place, *within})))
        return found

    def loads(self, block: Block) -> dict[Owner, Placed]:
        """The places of the rows that are leaves of the parameters."""
        rows = zip(block.params, self._leaves, strict=False)
        return {(block, row): (place, 0) for row, k in rows if (place := self._place(k)) is not None}

    def header(self) -> list[Placed]:
        """Of the line that names the parameters."""
        return [(place, 0) for place in self._params if place is not None]

    def results(self, block: Block, is_derivative: bool) -> tuple[list[Placed], dict[Owner, list[Placed]]]:
        """Of the line that returns, and of the rows that are returned or summed up for it."""
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
        """Of instructions of the entry that keep a result which no row computes, by their position."""
        found: dict[int, Placed] = {}
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
            while at >= 0 and at not in found and instructions[at].owner is None:
                found[at] = placed
                at -= 1
        return found

    def _place(self, k: int) -> int | None:
        return self._params[k] if k < len(self._params) else None

    def _of_result(self, k: int) -> list[int]:
        """The parameters that leaf k of the result is a derivative by."""
        n, leaf = len(self._varied), k - VALUES.get(self._kind, 0)
        if leaf < 0 or n == 0:
            return []
        by = {leaf % n, leaf // n % n} if self._kind == "hessian" else {leaf % n}
        return [place for i in sorted(by) if (place := self._place(self._varied[i])) is not None]


def _summed(block: Block, sums: Mapping[int, list[Placed]]) -> Iterator[tuple[Owner, list[Placed]]]:
    """The rows that work on some accumulators, in the loops and branches that are given them too."""
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
    """The bodies of a loop or branch that are given any of the accumulators, and what they call them."""
    op, uses, structure = row
    first, skipped = (1, 0) if op == "cond" else (structure.first_init, 1)
    for inner in structure.blocks:
        named = zip(inner.params[skipped:], uses[first:], strict=False)
        found = {param: known[use] for param, use in named if use in known}
        if found:
            yield inner, found


def merged(owner: Owner, own: Placed, means: Sequence[Placed]) -> list[Placed]:
    """A row's own place and what else it means; what nobody wrote has only that."""
    block, row = owner
    key = block.rows[row]
    # What adds to all of an accumulator that its body was given was written for no token.
    is_given = key[0] == "add_to" and block.rows[key[1]][0] == "param"
    return [*([own] if own[0] != NOWHERE and not (means and is_given) else []), *means]

"""Match a program's parameters and `return`s with the rows of a function and of its derivative.

The IR has no row for a single parameter or for a `return`. So we match a parameter with the IR's line that
names all parameters. In a derivative, we also match it with the part of the result that is the derivative by
this parameter, and with the sums that lead there. We match a `return` with the whole result.
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
"""The order of the derivative that each kind returns last."""
SUMS: Final = frozenset({"acc", "acc_index", "add_to", "acc_read"})
VALUES: Final = {"value_and_grad": 1}
"""The number of results that a kind returns before the derivatives."""

Placed = tuple[int, int]
"""A place and the order of a derivative."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The offsets of a function's parts in the text.

    params: the name of each parameter in the function's signature, or None if the text does not show it.
    uses: each use of such a name, with the parameter's position.
    returns: for each `return`, or for the `lambda`, the keyword and the whole statement or expression.
    """

    params: Sequence[Offsets | None] = ()
    uses: Sequence[tuple[Offsets, int]] = ()
    returns: Sequence[tuple[Offsets, Offsets]] = ()


class Meanings:
    """Matches a function's parameters and returns in the program's text with rows of the IR."""

    def __init__(
        self, f: Fn, kind: str, positions: Sequence[int], definition: Definition, places: Places
    ) -> None:
        """positions: the positions of the parameters that `kind` differentiates by."""
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
        """The words that refer to other places in the program: their start, their end, and those places."""
        lit_words = [
            (*span, [place]) for span, k in self.definition.uses if (place := self._place(k)) is not None
        ]
        for (word, (start, end)), place in zip(self.definition.returns, self._returns, strict=True):
            within = [k for k, (first, last) in enumerate(places.spans) if start <= first and last <= end]
            lit_words.append((*word, sorted({place, *within})))
        return lit_words

    def loads(self, block: Block) -> dict[Owner, Placed]:
        """The place in the text for each row that loads a parameter, or a part of one."""
        rows = zip(block.params, self._leaves, strict=False)
        return {(block, row): (place, 0) for row, k in rows if (place := self._place(k)) is not None}

    def header(self) -> list[Placed]:
        """The places in the text that match the IR's line of parameters."""
        return [(place, 0) for place in self._params if place is not None]

    def results(self, block: Block, is_derivative: bool) -> tuple[list[Placed], dict[Owner, list[Placed]]]:
        """The places that match the IR's return line, and the places of each row that leads to it."""
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
        """The place for each instruction that stores, or helps to store, a result that no row computes.

        The keys are the positions of the instructions.
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
        """The places of the parameters that Real k of the result is differentiated by."""
        n, leaf = len(self._varied), k - VALUES.get(self._kind, 0)
        if leaf < 0 or n == 0:
            return []
        by = {leaf % n, leaf // n % n} if self._kind == "hessian" else {leaf % n}
        return [place for i in sorted(by) if (place := self._place(self._varied[i])) is not None]


def _summed(block: Block, sums: Mapping[int, list[Placed]]) -> Iterator[tuple[Owner, list[Placed]]]:
    """The rows that use the given accumulators, including rows in loops and branches that receive them."""
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
    """The bodies of a loop or branch that receive any of the accumulators, and their rows that hold them."""
    _, uses, structure = row
    for inner in structure.blocks:
        received = {param: known[use] for param, use in structure.given(inner, uses) if use in known}
        if received:
            yield inner, received


def merged(owner: Owner, own: Placed, means: Sequence[Placed]) -> list[Placed]:
    """A row's own place in the text, if it has one, followed by the other places that match the row."""
    block, row = owner
    key = block.rows[row]
    # If a row adds to a whole accumulator that its body receives, no word of the program stands for this row.
    is_given = key[0] == "add_to" and block.rows[key[1]][0] == "param"
    return [*([own] if own[0] != NOWHERE and not (means and is_given) else []), *means]

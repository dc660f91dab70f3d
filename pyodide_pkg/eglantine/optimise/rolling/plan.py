"""Group regions into loops, and choose where each operand comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from eglantine.ir.program import Block

from .regions import CHAIN, CONSTANT, FLAT, LEAST_SAVED, OFTEN, Region, _by_level, _terms

GATHERED = 4
"""The rows that it takes to put one value into an array, with the rows of their derivative."""


class Group(NamedTuple):
    """Regions that are the rounds of one loop, and the kinds of their operands."""

    regions: Sequence[Region]
    kinds: Sequence[int]


class _Plan:
    """The regions of a block that become loops.

    levels: for each level the groups of regions that become loops, and the regions that stay as they are. No
        region uses another region of its level.
    place: for the root of a region in a loop, the number of the loop and the round.
    terms: for the last sum of a chain its terms, each with whether it is subtracted.
    saved: about how many rows the loops save.
    """

    def __init__(
        self, block: Block, used: Sequence[tuple[int, ...]], roots: Sequence[int],
        chains: dict[int, list[int]],
    ) -> None:  # fmt: skip
        self.block = block
        self.place: dict[int, tuple[int, int]] = {}
        self.terms = {head: _terms(block, sums) for head, sums in chains.items()}
        self.levels: list[tuple[list[Group], list[Region]]] = []
        self.saved = 0
        self.loops = 0
        self.kind = [FLAT.get(of, CONSTANT) for of in block.types] + [CONSTANT] * len(block.consts)
        for i, row in enumerate(block.rows):
            if row[0] == "index":
                self.kind[i] = row[1]
        for level in _by_level(block, used, roots, self.terms):
            self.levels.append(self._divided(level))

    def _divided(self, level: Sequence[tuple[int, Region]]) -> tuple[list[Group], list[Region]]:
        """Divide a level into groups, and regions that stay as they are.

        Regions whose operands come from the same arrays are grouped first.
        """
        kind = self.kind
        flat: list[Region] = []
        alike: dict[int, list[Region]] = defaultdict(list)
        for shape, region in level:
            alike[shape].append(region)
        groups: list[Group] = []
        for shape, members in alike.items():
            if shape == CHAIN or len(members) < OFTEN:
                flat += members
                continue
            parts: dict[tuple[int, ...], list[Region]] = defaultdict(list)
            for region in members:
                parts[tuple([kind[a] for a in region.operands])].append(region)
            others: list[Region] = []
            for kinds, regions in parts.items():
                if not self._grouped(groups, regions, kinds, 0):
                    others += regions
            if others:
                joint, gathered = self._joint(others)
                if not self._grouped(groups, others, joint, GATHERED * gathered):
                    flat += others
        return groups, flat

    def _grouped(
        self, groups: list[Group], regions: Sequence[Region], kinds: Sequence[int], cost: int
    ) -> bool:
        """Make a group of regions if that saves enough rows; return whether it does."""
        saved = (len(regions) - 1) * len(regions[0].rows) - cost
        if len(regions) < OFTEN or saved < LEAST_SAVED:
            return False
        groups.append(Group(regions, kinds))
        for k, region in enumerate(regions):
            root = region.rows[-1]
            self.place[root] = self.loops, k
            self.kind[root] = len(self.block.rows) + self.loops
        self.loops += 1
        self.saved += saved
        return True

    def _joint(self, regions: Sequence[Region]) -> tuple[list[int], int]:
        """The kinds of operands of regions of one shape, and the number of values to put into arrays."""
        kinds, gathered = [], 0
        for column in zip(*(region.operands for region in regions), strict=True):
            kinds_in_column = {self.kind[a] for a in column}
            is_one = len(kinds_in_column) == 1
            kinds.append(kinds_in_column.pop() if is_one else FLAT[self.block.type_of(column[0])])
            if kinds[-1] < CONSTANT and len(distinct := set(column)) > 1:
                gathered += len(distinct)
        return kinds, gathered

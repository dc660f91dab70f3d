"""Group regions into loops, and choose an array for each operand of a loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from eglantine.ir.program import Block

from .regions import CHAIN, CONSTANT, FLAT, LEAST_SAVED, OFTEN, Region, _by_level, _terms

GATHERED = 4
"""An estimate of how many rows it takes to put one value into an array. It includes rows for derivatives."""


class Group(NamedTuple):
    """A group of regions of the same shape that becomes a loop.

    regions: the regions. Each of them becomes one round of the loop.
    kinds: for each operand of a region, a number that says where the loop finds the operand. For an element
        of an array, it is the array's row.
    """

    regions: Sequence[Region]
    kinds: Sequence[int]


class _Plan:
    """A plan that says which regions of a block become loops.

    levels: for each level, (groups that become loops, regions that are only copied). Regions of one level do
        not use each other.
    place: for each region that becomes a round of a loop, maps its root to (number of the loop, number of the
        round).
    terms: maps the last sum of each chain of additions to a list of pairs (term, true if it is subtracted).
    saved: an estimate of the number of rows that the loops save.
    loops: the number of loops so far.
    kind: for each row and constant, a number that says where a loop finds it (see `Group.kinds`).
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
        """Group the regions of a level. Return the groups, and the regions that are only copied.

        We first group regions whose operands come from the same arrays. Then we try to group the remaining
        regions of the same shape. Additional rows must then put the operands into arrays.
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
        """Make a group of the regions if a loop saves enough rows. Return True if the group was made.

        cost: the number of additional rows that put operands into arrays.
        """
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
        """Find where a loop over these regions, which have the same shape, can read each operand.

        Returns the kinds of the operands (see `Group`), and the number of values to put into arrays.
        """
        kinds, gathered = [], 0
        for column in zip(*(region.operands for region in regions), strict=True):
            kinds_in_column = {self.kind[a] for a in column}
            is_one = len(kinds_in_column) == 1
            kinds.append(kinds_in_column.pop() if is_one else FLAT[self.block.type_of(column[0])])
            if kinds[-1] < CONSTANT and len(distinct := set(column)) > 1:
                gathered += len(distinct)
        return kinds, gathered

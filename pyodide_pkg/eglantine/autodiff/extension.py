"""Add results to the calls and loops of a block. All rows of the block keep their numbers."""

from __future__ import annotations

from eglantine.ir.program import Block, Function, Loop
from eglantine.ir.row_types import RowType


class Extension:
    """A copy of a block whose calls and loops get more results. Rows at its end read the new results.

    reads: the number of each `proj` row. The row ("proj", i, k) reads result k of row i.
    """

    def __init__(self, block: Block) -> None:
        self._block = block
        self._rows, self._types, self._sources = [*block.rows], [*block.types], [*block.sources]
        self.reads = {row: i for i, row in enumerate(block.rows) if row[0] == "proj"}

    def replace(self, i: int, info: Loop | Function) -> None:
        """Replace the loop or function in row i."""
        op, operands, _ = self._rows[i]
        self._rows[i] = (op, operands, info)

    def read(self, i: int, k: int, of: RowType) -> int:
        """Return the row that reads result k of row i. Add this row if there is none yet."""
        row = ("proj", i, k)
        number = self.reads.get(row)
        if number is None:
            number = self.reads[row] = len(self._rows)
            self._rows.append(row)
            self._types.append(of)
            self._sources.append(self._sources[i])
        return number

    def block(self) -> Block:
        """The extended block."""
        old = self._block
        lists = tuple(self._rows), tuple(self._types), tuple(self._sources)
        return Block(*lists, old.consts, old.const_types, old.params, old.results)

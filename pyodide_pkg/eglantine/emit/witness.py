"""Report the row for each instruction of a module.

A caller passes a `Witness` to `emit`. Then each body has a `Record`. Scopes use it to record the rows that
they write. Without a witness, no code of this Python module runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from eglantine.ir.program import Block

Witness: TypeAlias = Callable[[Block, int, int, int], None]
"""Called as `witness(block, row, start, end)` when the module is finished, once for each piece of code that
was written for a row, in the module's order. A piece is an instruction, or a load with its address. `start`
and `end` are positions in the module's bytes. `row` is the index of the row in `block.rows`.

Some bytes belong to no row: the functions of the library, the declarations of locals, the lengths of bodies,
the `end` of a body, and the code that reads operands and stores results."""

Owner: TypeAlias = tuple[Block, int]
"""A row: the block that holds it, and its number."""

Part: TypeAlias = list[tuple[int, int, Owner]]
"""For one finished body, the start and end of each instruction that belongs to a row, and that row."""

Mark: TypeAlias = tuple[int, bytes, int]
"""A place in a body being written: the number of instructions, the last one, and the number of the part."""


class Record:
    """Records the row of each instruction of a body.

    parts: a dict from the `id` of a finished body's bytes to the body's `Part`. A long entry becomes several
        bodies.
    write: a function that does the same as `write_expressions`, and also records the rows (see `watched`).
    """

    def __init__(self, parts: dict[int, Part], write: Callable[..., None]) -> None:
        self.parts = parts
        self.write: Callable[[Any, Sequence[int], bool], None] = write
        self._exact: dict[int, Owner] = {}
        """The rows that are one instruction, by that instruction's position in `Body.out`."""
        self._claims: list[tuple[int, int, Owner]] = []
        """The rows that are several instructions: first and end in `Body.out`. Inner rows come first."""
        self._finished = 0

    def note(self, position: int, owner: Owner) -> None:
        """Record that the instruction at a position is the operation of a row."""
        self._exact[position] = owner

    def mark(self, out: Sequence[bytes]) -> Mark:
        """Return the current place in the body."""
        return len(out), out[-1], self._finished

    def claim(self, mark: Mark, out: Sequence[bytes], owner: Owner) -> None:
        """Record that the instructions since `mark` belong to a row.

        Skip instructions that already belong to a row of an inner body.
        """
        first, last, part = mark
        if part != self._finished:
            first = 0
        elif len(out) < first or out[first - 1] is not last:
            first -= 1  # the last instruction, `local.get`, was removed or became a `local.tee`
        self._claims.append((first, len(out), owner))

    def finish(self, out: Sequence[bytes], encoded: bytes) -> None:
        """Convert positions in `out` to positions in the encoded body. `out` is in reverse order."""
        owners: list[Owner | None] = [None] * len(out)
        for first, end, owner in self._claims:
            for position in range(first, min(end, len(out))):
                owners[position] = owners[position] or owner
        for position, owner in self._exact.items():
            owners[position] = owner
        part: Part = []
        end = len(encoded)
        for instruction, claimed in zip(out, owners, strict=True):
            start = end - len(instruction)
            if claimed is not None:
                part.append((start, end, claimed))
            end = start
        part.reverse()
        self.parts[id(encoded)] = part
        self._claims.clear()
        self._exact.clear()
        self._finished += 1


def tell(witness: Witness, end: int, bodies: Sequence[bytes], parts: Mapping[int, Part]) -> None:
    """Call a witness for each instruction of a module that belongs to a row.

    end: the position in the module's bytes where the last body ends.
    parts: a dict from the `id` of a body's bytes to the body's `Part`.
    """
    starts: list[int] = []
    for body in reversed(bodies):
        starts.append(end - len(body))
        digits_of_length = -(-len(body).bit_length() // 7)
        end = starts[-1] - digits_of_length
    for start, body in zip(reversed(starts), bodies, strict=True):
        for first, last, (block, row) in parts.get(id(body), ()):
            witness(block, row, start + first, start + last)

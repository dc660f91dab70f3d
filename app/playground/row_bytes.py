"""Emit a function and record the row that each instruction implements."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from eglantine.inside import emit, ready_library

from .instructions import Listing

if TYPE_CHECKING:
    from eglantine import Artifact
    from eglantine.inside import Block, Function, Owner

    from .instructions import Instruction


def emitted(ready: Function, limit: int | None = None) -> tuple[Artifact, list[str], list[Instruction]]:
    """Emit an optimised function. Return its artifact, the lines of its listing, and its instructions.

    limit: the largest number of lines in the listing. We list no instructions of a function that begins after
        these lines.
    """
    owners: dict[int, Owner] = {}

    def witness(block: Block, row: int, start: int, end: int) -> None:
        owners.update(dict.fromkeys(range(start, end), (block, row)))

    artifact = emit(ready, ready_library, name=ready.name, witness=witness)
    listing = Listing(artifact.wasm, artifact.function_names, owners)
    lines = list(islice(listing.lines(), limit))
    return artifact, lines, listing.instructions

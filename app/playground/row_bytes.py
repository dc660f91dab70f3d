"""Which row each byte of a module is for: an emission that is watched while it writes.

The bytes are those that `emit` makes. What a row is made of (an addition, a call, a load) is known when it is
written; `instructions` says whose the rest is, which only brings operands or takes values away.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from eglantine.emit import structure as emit_structure
from eglantine.emit.body import Body
from eglantine.emit.entry import EntryScope
from eglantine.emit.lanes import LaneScope, LaneWriter, fits
from eglantine.emit.layout import MEMORY_LIMIT
from eglantine.emit.linkage import Linkage
from eglantine.emit.module import Emission
from eglantine.emit.results import is_needed
from eglantine.emit.scope import Scope, Structure
from eglantine.emit.usage import Program
from eglantine.optimise.pipeline import ready_library

from .instructions import Listing

if TYPE_CHECKING:
    from eglantine.emit.artifact import Artifact
    from eglantine.emit.layout import Arena
    from eglantine.ir.program import Block, Function
    from eglantine.ir.row_types import Row

    from .instructions import Instruction, Owner, Places


def emitted(ready: Function, limit: int | None = None) -> tuple[Artifact, list[str], list[Instruction]]:
    """The artifact of an optimised function, the lines of its text, and the instructions in order.

    limit: how many lines are wanted, and their functions' instructions; if None, all.
    """
    watch = _Watch(Program(ready, ready_library), ready.name, False, MEMORY_LIMIT, 0, {})
    artifact = watch.artifact()
    owners = [watch.owners.get(id(body), {}) for body in watch.module.bodies]
    listing = Listing(artifact.wasm, artifact.function_names, owners)
    lines = list(islice(listing.lines(), limit))
    return artifact, lines, listing.instructions


class _Chunk(bytes):
    """An instruction that knows its row."""

    owner: Owner


class _Rows(tuple["Row", ...]):  # noqa: SLOT001 - a tuple has no room for slots
    """A block's rows; whoever takes one is about to write it."""

    block: Block
    asked: list[Owner]

    def __getitem__(self, k: Any) -> Any:
        if type(k) is int:
            self.asked[0] = (self.block, k)
        return super().__getitem__(k)


class _Once(list["Row | None"]):
    """The rows of a block that are used once; whoever takes one is about to write it."""

    block: Block
    asked: list[Owner]

    def __getitem__(self, k: Any) -> Any:
        found = super().__getitem__(k)
        if found:
            self.asked[0] = (self.block, k)
        return found


class _Codes(dict[str, bytes]):
    """Instructions by operation; one that is asked for is for the row that was taken last."""

    asked: list[Owner]

    def __getitem__(self, op: str) -> bytes:
        chunk = _Chunk(super().__getitem__(op))
        chunk.owner = self.asked[0]
        return chunk


class _Body(Body):
    """A body that hears which of its instructions were written for which row.

    claims: (first, end, row) of instructions as they lie in `out`; of a row within another, first.
    parts: how many bodies are finished.
    finished: for each body, by its identity, the rows by their bytes' places.
    asked: the row that was taken last, of whichever body.
    """

    finished: dict[int, Places]
    asked: list[Owner]

    def __init__(self, params: list[bytes], arena: Arena) -> None:
        self.claims: list[tuple[int, int, Owner]] = []
        self.parts = 0
        super().__init__(params, arena)

    def mark(self) -> tuple[int, bytes, int]:
        """Where the next instruction goes, the one before it, and of which body."""
        return len(self.out), self.out[-1], self.parts

    def claim(self, mark: tuple[int, bytes, int], owner: Owner) -> None:
        """All that was written since is for this row, but for what is another row's."""
        first, last, part = mark
        if part != self.parts:
            first = 0
        elif len(self.out) < first or self.out[first - 1] is not last:
            first -= 1  # what read the row's value has become what keeps it
        self.claims.append((first, len(self.out), owner))

    def finish(self, name: str) -> bytes:
        """The encoded body; the rows of its bytes are noted."""
        written, claims = self.out.copy(), self.claims.copy()
        self.claims.clear()
        self.parts += 1
        encoded = super().finish(name)
        owners: list[Owner | None] = [None] * len(written)
        for first, end, owner in claims:
            for k in range(first, min(end, len(written))):
                owners[k] = owners[k] or owner
        places: Places = {}
        at = len(encoded)
        for chunk, claimed in zip(written, owners, strict=True):
            at -= len(chunk)
            found = chunk.owner if isinstance(chunk, _Chunk) else claimed
            if found is not None:
                places.update(dict.fromkeys(range(at, at + len(chunk)), found))
        self.finished[id(encoded)] = places
        return encoded


class _Watched(Scope):
    """A scope that notes what it writes for each of its rows."""

    body: _Body

    def __init__(self, linkage: Linkage, structure: Structure, body: _Body, block: Any) -> None:
        if "loop" in structure:
            structure = {**structure, "loop": _write_loop}
        super().__init__(linkage, structure, body, block)
        if not isinstance(linkage.codes, _Codes):
            linkage.codes = codes = _Codes(linkage.codes)
            codes.asked = body.asked
        self.rows = rows = _Rows(self.rows)
        rows.block, rows.asked = self.block, body.asked
        self.watch_once()

    def watch_once(self) -> None:
        """Hear of the rows that are written inside expressions."""
        self.once = once = _Once(self.once)
        once.block, once.asked = self.block, self.body.asked

    def inner(self, block: Block) -> Scope:
        """The scope of a body within this block."""
        return _Watched(self.linkage, self.structure, self.body, block)

    def _write_root(self, row: int, key: Row) -> None:
        before = self.body.mark()
        super()._write_root(row, key)
        self.body.claim(before, (self.block, row))

    def _write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        before = self.body.mark()
        super()._write_in_place(row, key, stack)
        self.body.claim(before, (self.block, row))


class _WatchedEntry(_Watched, EntryScope):
    """The same of the entry's block."""


class _WatchedLanes(LaneScope, _Watched):
    """The same of a loop's body that is written for two rounds."""

    def __init__(self, outer: Scope, body: _Body, block: Block) -> None:
        super().__init__(outer, body, block)
        self.watch_once()


class _LaneWriter(LaneWriter):
    lane_scope = _WatchedLanes


def _write_loop(scope: Scope, row: int, key: Row) -> None:
    """A loop, as `emit_lanes.write_loop` writes it."""
    if not fits(scope, key):
        emit_structure.write_loop(scope, row, key)
    elif is_needed(scope, row) or scope.linkage.program.usage(key[2].body).effects:
        _LaneWriter(scope, row, key).write()


@dataclass(slots=True)
class _Watch(Emission):
    """An emission whose scopes, bodies and instructions tell what they are for.

    owners: for each body, by its identity, the rows by their bytes' places in it.
    asked: the row that was taken last.
    """

    owners: dict[int, Places] = field(default_factory=dict)
    asked: list[Any] = field(default_factory=lambda: [None])

    entry_scope, scope = _WatchedEntry, _Watched

    def body(self, params: list[bytes], arena: Arena) -> _Body:
        """A new body."""
        made = _Body(params, arena)
        made.finished, made.asked = self.owners, self.asked
        return made

    def _write_body(self, linkage: Linkage, function: Function, body: Body) -> bytes:
        encoded = Emission._write_body(self, linkage, function, body)
        if function in self.program.shared:
            self.owners.pop(id(encoded))  # the library's, which no row of a program is written for
        return encoded

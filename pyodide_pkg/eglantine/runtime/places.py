"""The places of a kernel's leaves in memory, and the size of the memory that kernels use."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eglantine.emit.layout import FORMATS, SIZES, aligned, byte_count

from .hosts import Abi


@dataclass(frozen=True, slots=True)
class Scalars:
    """Scalars that are adjacent in memory.

    at: the address of the first scalar.
    packed: a `Struct` that reads or writes all these scalars at once.
    positions: the position of each scalar among all leaves.
    """

    at: int
    packed: struct.Struct
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArrayLeaf:
    """An array leaf in memory, of `size` bytes."""

    at: int
    dtype: str
    dims: tuple[int, ...]
    position: int

    size: int


def arranged(places: Iterable[Any]) -> tuple[list[Scalars], list[ArrayLeaf]]:
    """Split the leaves of an ABI into scalars and arrays. Scalars that are adjacent in memory form groups."""
    arrays: list[ArrayLeaf] = []
    runs: list[list[tuple[int, Any]]] = []
    end = None
    for position, place in enumerate(places):
        if place["dims"]:
            dtype, dims = place["dtype"], tuple(place["dims"])
            arrays.append(ArrayLeaf(place["at"], dtype, dims, position, byte_count(dtype, dims)))
            continue
        if place["at"] != end:
            runs.append([])
        runs[-1].append((position, place))
        end = place["at"] + SIZES[place["dtype"]]
    return [_run(run) for run in runs], arrays


def _run(run: list[tuple[int, Any]]) -> Scalars:
    packed = struct.Struct("<" + "".join(FORMATS[place["dtype"]] for _, place in run))
    return Scalars(run[0][1]["at"], packed, tuple(position for position, _ in run))


@dataclass(slots=True)
class Taken:
    """The used part of a memory. All kernels that share the memory share this object.

    end: the address where the used part ends.
    grows: true if a kernel may grow the memory. A new module then gets addresses after the memory's end.
    """

    end: int
    grows: bool = False

    def take(self, abi: Abi) -> None:
        """Record that a module uses the part of the memory that its ABI describes."""
        self.end = aligned(max(self.end, abi["memory"]["bytes"]))
        self.grows |= "max_pages" in abi["memory"]

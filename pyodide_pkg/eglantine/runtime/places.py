"""The places of a kernel's leaves in its memory, and the part of that memory that is taken."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eglantine.emit.layout import FORMATS, SIZES, aligned, byte_count

from .hosts import Abi


@dataclass(frozen=True, slots=True)
class Scalars:
    """Scalars that lie side by side: where, how they are packed, and which of the leaves they are."""

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
    """Return the scalars among an ABI's leaves, in runs without gaps, and the arrays."""
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
    """The taken part of a memory. All kernels that share the memory share this object.

    grows: whether one of them lets the memory grow. Then free memory begins where the memory ends.
    """

    end: int
    grows: bool = False

    def take(self, abi: Abi) -> None:
        """Note that a module has its place in the memory."""
        self.end = aligned(max(self.end, abi["memory"]["bytes"]))
        self.grows |= "max_pages" in abi["memory"]

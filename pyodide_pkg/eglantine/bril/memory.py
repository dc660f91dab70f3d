"""The heap of a running program. A pointer is a pair (cells, offset). A freed list of cells is empty."""

from __future__ import annotations

from typing import Any, Final, Protocol

from .mistakes import BrilError
from .syntax import Instruction

UNSET: Final = type("Unset", (), {"__repr__": lambda self: "UNSET"})()
"""The mark in a variable or cell to which the program has not assigned a value."""

MAX_CELLS: Final = 1 << 27
"""The most cells of memory that a program may have at one time."""


class Heap(Protocol):
    """Counters of a run's allocations and cells."""

    live: int
    allocations: int
    cells: int
    total: int


def allocate(heap: Heap, n: int, item: Instruction) -> tuple[list[Any], int]:
    """Allocate n cells without values. Return a pointer to the first one."""
    if n <= 0:
        raise BrilError(
            f"alloc makes at least one cell, but here it is asked for {n}. Allocate 1 or more.",
            item.at("args"),
        )
    if heap.cells + n > MAX_CELLS:
        raise BrilError(
            f"A program can have at most {MAX_CELLS:,} cells at once, but with the {n:,} cells of this "
            "alloc it would have more. Allocate fewer.",
            item.at("args"),
        )
    heap.live += 1
    heap.allocations += 1
    heap.cells += n
    heap.total += n
    return [UNSET] * n, 0


def free_cells(heap: Heap, pointer: tuple[list[Any], int], item: Instruction) -> None:
    """Free the cells of an allocation. The pointer must point to its first cell."""
    cells, offset = pointer
    if not cells:
        raise BrilError("This memory was freed before. Free it only once.", item.at("args"))
    if offset != 0:
        raise BrilError(
            f"free needs the pointer that alloc returned, but this one is {offset:+d} cells away from it. "
            "Free the pointer that alloc returned.",
            item.at("args"),
        )
    heap.live -= 1
    heap.cells -= len(cells)
    cells.clear()


def store_cell(cells: list[Any], offset: int, item: Instruction) -> None:
    """Raise the error for a store outside an allocation."""
    raise _outside(cells, offset, item)


def load_cell(cells: list[Any], offset: int, item: Instruction) -> Any:
    """Raise the error for a load outside an allocation, or for a load of a cell without a value."""
    if 0 <= offset < len(cells):
        raise BrilError(
            f"load reads cell {offset}, which has no value yet. Store a value in this cell first.",
            item.at("args"),
        )
    raise _outside(cells, offset, item)


def _outside(cells: list[Any], offset: int, item: Instruction) -> BrilError:
    if not cells:
        return BrilError(
            f"{item.op} uses memory after it was freed. Free it after its last use.", item.at("args")
        )
    return BrilError(
        f"{item.op} reaches cell {offset}, but the memory has {len(cells)} "
        f"{'cell' if len(cells) == 1 else 'cells'}. It is out of bounds: use an offset from 0 to "
        f"{len(cells) - 1}.",
        item.at("args"),
    )

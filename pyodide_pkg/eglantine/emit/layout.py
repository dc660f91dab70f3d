"""Lay out linear memory according to the ABI, and convert values to bytes and back.

From address 0 on:

    0 … 63         reserved, so that no array lies at address 0
    parameters     each leaf at a multiple of 8, row-major; indices and truth values as 32-bit integers
    results        laid out like the parameters
    tables, zeros  constants; no code writes to the zeros
    frames         one for each function, after the frames of all its callers. No function calls itself, so
                   we know the address of each frame before the program runs
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping
from itertools import chain
from math import prod
from typing import Any, Final, NamedTuple

from eglantine.leaves import Leaf, leaves
from eglantine.types import BoolType, FinType, RealType, StructType, TupleType, Type, UnitType, VecType

ABI_VERSION: Final = 1
KERNEL_MODULE: Final = "kernel"
"""In a module that imports from another kernel, the name by which the imports refer to the other kernel."""
RESERVED_BYTES: Final = 64
MAX_MEMORY_BYTES: Final = 1 << 31
"""The largest size of a module's memory in bytes. It is half of the size that Wasm allows.

We compute an address as a signed 32-bit constant plus an unsigned index. So no such sum overflows."""
MEMORY_LIMIT: Final = 1 << 30
"""The largest size of a module's memory in bytes, if the user sets no other limit.

Without a limit, a mistyped length could take all memory of the machine."""


FORMATS: Final = {"f64": "d", "i64": "q", "i32": "i", "i1": "i"}
SIZES: Final = {"f64": 8, "i32": 4, "i1": 4}


class Place(NamedTuple):
    """An address: the sum of a constant, the value of a local, and the value of a row.

    offset: the constant.
    local: the number of the local, or -1 if the sum has no local.
    row: the number of the row, or -1 if the sum has no row.
    """

    offset: int
    local: int = -1
    row: int = -1

    def plus(self, distance: int) -> Place:
        """Return the address `distance` bytes further."""
        return Place(self.offset + distance, self.local, self.row)


def aligned(address: int) -> int:
    """Round an address up to a multiple of 8."""
    return (address + 7) & -8


class Arena:
    """Allocates memory for arrays. We write code backward, so we allocate an array at its last use."""

    __slots__ = ("_free", "end")

    def __init__(self, start: int) -> None:
        self.end = start
        self._free: dict[int, list[int]] = {}

    def take(self, size: int) -> int:
        """Allocate `size` bytes and return their address. Reuse freed memory of the same size if possible."""
        size = aligned(size)
        again = self._free.get(size)
        if again:
            return again.pop()
        address = self.end
        self.end += size
        return address

    def give(self, address: int, size: int) -> None:
        """Free the bytes that `take` allocated."""
        self._free.setdefault(aligned(size), []).append(address)


def table_bytes(dtype: str, values: tuple[Any, ...]) -> bytes:
    """Return the bytes of a constant array in memory."""
    return struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)


def byte_count(dtype: str, dims: Iterable[int]) -> int:
    """Return how many bytes an array of these dimensions takes."""
    return SIZES[dtype] * prod(dims)


def bytes_of(value: Any, dtype: str, dims: tuple[int, ...]) -> Any:
    """Convert an array to row-major bytes. The array is nested lists or a buffer of doubles."""
    if isinstance(value, memoryview):
        return value.cast("B") if value.nbytes else b""
    for _ in dims[1:]:
        value = chain.from_iterable(value)
    return memoryview(array(FORMATS[dtype], value)).cast("B")


def array_of(data: Any, dtype: str, dims: tuple[int, ...]) -> Any:
    """Convert bytes of memory to an array: a buffer, or nested lists for an empty array."""
    if not len(data):
        return _empty(dims)
    flat: Any = memoryview(data).cast("B")
    return flat.cast(FORMATS[dtype], dims)


def _empty(dims: tuple[int, ...]) -> list[Any]:
    return [_empty(dims[1:]) for _ in range(dims[0])] if dims else []


def memory_dtype(dtype: str) -> str:
    """Return the dtype of a leaf in memory. Truth values become i32; other dtypes stay the same."""
    return "i32" if dtype == "i1" else dtype


def leaf_bytes(leaf: Leaf) -> int:
    """Return how many bytes a leaf takes in memory."""
    return leaf.size * SIZES[leaf.dtype]


def place_leaves(of: Type, address: int) -> tuple[list[dict[str, Any]], int]:
    """Assign addresses to a value's leaves, from `address` on.

    Returns the leaves in the form of the ABI, and the first free address after them.
    """
    placed = []
    for leaf in leaves(of):
        placed.append({"dtype": memory_dtype(leaf.dtype), "dims": [*leaf.dims], "at": address})
        address = aligned(address + (leaf_bytes(leaf) if leaf.dims else 8))
    return placed, address


def place_params(
    params: Iterable[tuple[str, Type]], address: int, lent: Mapping[str, list[dict[str, Any]]]
) -> tuple[list[dict[str, Any]], int]:
    """Assign addresses to parameters, from `address` on.

    Returns the parameters as the ABI describes them, and the first free address after them.
    lent: for each parameter that shares memory with another kernel, its leaves with their addresses in the
        other kernel's memory.
    """
    described = []
    for name, of in params:
        placed = lent.get(name)
        if placed is None:
            placed, address = place_leaves(of, address)
        described.append({"name": name, "type": type_as_json(of), "leaves": placed})
    return described, address


def type_as_json(of: Type) -> Any:
    """Return a type as the ABI writes it."""
    match of:
        case RealType():
            return "real"
        case BoolType():
            return "bool"
        case UnitType():
            return "unit"
        case FinType(n):
            return {"fin": n}
        case VecType(n, element):
            return {"vec": n, "of": type_as_json(element)}
        case TupleType(items):
            return {"tuple": [type_as_json(item) for item in items]}
        case StructType(fields):
            return {"struct": {name: type_as_json(item) for name, item in fields}}
    raise AssertionError(f"{of!r} is none of the types")

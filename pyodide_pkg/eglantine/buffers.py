"""Arrays of leaves as bytes of a kernel's memory, and back."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

FORMATS: Final = {"f64": "d", "i32": "i"}
SIZES: Final = {"f64": 8, "i32": 4}


def byte_count(dtype: str, dims: Iterable[int]) -> int:
    """How many bytes an array of these dimensions takes."""
    size = SIZES[dtype]
    for n in dims:
        size *= n
    return size


def bytes_of(value: Any, dtype: str, dims: tuple[int, ...]) -> Any:
    """An array, nested lists or a buffer of doubles, as bytes in memory's order."""
    if isinstance(value, memoryview):
        return value.cast("B") if value.nbytes else b""
    for _ in dims[1:]:
        value = chain.from_iterable(value)
    return memoryview(array(FORMATS[dtype], value)).cast("B")


def array_of(data: Any, dtype: str, dims: tuple[int, ...]) -> Any:
    """Bytes of memory as an array: a buffer of its dimensions, or empty lists."""
    if not byte_count(dtype, dims):
        return _empty(dims)
    flat: Any = memoryview(data).cast("B")
    return flat.cast(FORMATS[dtype], dims)


def _empty(dims: tuple[int, ...]) -> list[Any]:
    return [_empty(dims[1:]) for _ in range(dims[0])] if dims else []

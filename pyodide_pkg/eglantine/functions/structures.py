"""Build values with the structure of a type: directions, zeros and Jacobians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eglantine.leaves import leaves
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec
from eglantine.types import RealType, StructType, TupleType, Type, UnitType, VecType

UNROLLED_DIRECTIONS = 16
"""The largest number of columns or rows of a Jacobian that we compute without a loop."""


def _scalars(of: Type) -> int:
    """Return the number of Reals in a value of type `of`."""
    return sum(leaf.size for leaf in leaves(of) if leaf.dtype == "f64")


def _gather(of: Type, at: Callable[[Any], Any], offset: Any = 0) -> Any:
    """Make a value of type `of`. Its Reals, in the order of elements, are at(offset), at(offset + 1), …"""
    match of:
        case RealType():
            return at(offset)
        case VecType(n, element):
            size = _scalars(element)
            if isinstance(offset, int) and n <= UNROLLED_DIRECTIONS:
                return [_gather(element, at, offset + k * size) for k in range(n)]
            return vec(n, lambda i: _gather(element, at, i * size + offset))
        case TupleType() | StructType():
            return of.pack(
                _gather(item, at, offset + _before(of.items, k)) for k, item in enumerate(of.items)
            )
    return None


def _before(items: Sequence[Type], k: int) -> int:
    return sum(_scalars(item) for item in items[:k])


def _basis(of: Type, j: Any) -> Any:
    """Make a value of type `of`. Its j-th Real is 1, and the others are 0. `j` may be a traced index."""
    match of:
        case RealType():
            return real(j == 0)
        case VecType(n, element):
            size = _scalars(element)
            return vec(n, lambda i: _basis(element, j - i * size))
        case TupleType() | StructType():
            return of.pack(_basis(item, j - _before(of.items, k)) for k, item in enumerate(of.items))
    return None


def structured(of: Type, parts: Sequence[Any], at: Callable[[Sequence[Any]], Any]) -> Any:
    """Combine several values of type `of` into one value. Each Real is computed separately.

    parts: the values.
    at: a function that computes a Real of the new value. It takes a list with the Real at the same place in
        each of the values.
    """
    match of:
        case RealType():
            return at(parts)
        case VecType(n, element):
            if n <= UNROLLED_DIRECTIONS:
                return [structured(element, [part[k] for part in parts], at) for k in range(n)]
            return vec(n, lambda i: structured(element, [part[i] for part in parts], at))
        case TupleType() | StructType():
            columns = zip(of.items, *map(of.parts, parts), strict=True)
            return of.pack(structured(item, column, at) for item, *column in columns)
    return None


def _flat_order(of: Type) -> list[int]:
    """Return a list that maps a Real's position among the elements to its position among the leaves.

    For a Vec of two pairs (a, b), elements are in the order a0, b0, a1, b1, and leaves hold a0, a1, b0, b1.
    """
    starts, total = [], 0
    for leaf in leaves(of):
        starts.append(total)
        total += leaf.size if leaf.dtype == "f64" else 0
    order: list[int] = []
    pending: list[tuple[Type, list[int], list[int]]] = [(of, [0] * len(starts), list(range(len(starts))))]
    while pending:
        item, offsets, mine = pending.pop()
        match item:
            case RealType():
                order.append(starts[mine[0]] + offsets[mine[0]])
            case VecType(n, element):
                inner = leaves(element)
                for k in reversed(range(n)):
                    shifted = list(offsets)
                    for m, leaf in zip(mine, inner, strict=True):
                        shifted[m] = offsets[m] + k * leaf.size
                    pending.append((element, shifted, mine))
            case TupleType() | StructType():
                split, at = [], 0
                for part in item.items:
                    n = len(leaves(part))
                    split.append((part, offsets, mine[at : at + n]))
                    at += n
                pending.extend(reversed(split))
    return order


def each_real(out: Type, of: Type) -> Type:
    """Return the type of a Jacobian. It is the type `out`, with the type `of` in place of each Real."""
    match out:
        case RealType():
            return of
        case VecType(n, element):
            return VecType(n, each_real(element, of))
        case TupleType() | StructType():
            return out.of(each_real(item, of) for item in out.items)
    return out


def _structured_at(
    of: Type, part: Callable[[Any], Any], gather: Callable[[Callable[[Any], Any]], Any]
) -> Any:
    """Combine the values part(k), which have type `of`, into one value. Each Real is computed separately.

    part: the function k → value.
    gather: a function that computes a Real of the new value. It takes a function from k to the Real at the
        same place in part(k).
    """
    match of:
        case RealType():
            return gather(part)
        case VecType(n, element):
            return vec(n, lambda i: _structured_at(element, lambda k: part(k)[i], gather))
        case TupleType() | StructType():
            return of.pack(
                _structured_at(item, lambda k, m=m: of.parts(part(k))[m], gather)  # type: ignore[misc]
                for m, item in enumerate(of.items)
            )
    return None


def zero_of(of: Type) -> Any:
    """Make a value of type `of`. All its Reals are 0."""
    match of:
        case VecType(n, element):
            return [zero_of(element)] * n if n <= UNROLLED_DIRECTIONS else vec(n, lambda _: zero_of(element))
        case UnitType():
            return None
    return _gather(of, lambda _: 0.0)

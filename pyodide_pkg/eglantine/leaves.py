"""Flatten a type into its leaves, the scalars and arrays that a compiled program takes and returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .errors import TypeMismatchError
from .types import (
    BoolType,
    FinType,
    RealType,
    StructType,
    TupleType,
    Type,
    Unit,
    UnitType,
    VecType,
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scalar or array of a flattened value.

    dtype: "f64", "i1" or "i32".
    dims: the lengths of the leaf's dimensions, outermost first. A scalar has no dimensions.
    bound: one more than the largest value if the dtype is "i32", otherwise 0.
    """

    dtype: str
    dims: tuple[int, ...] = ()
    bound: int = 0

    @property
    def size(self) -> int:
        """The number of scalars in the leaf."""
        size = 1
        for n in self.dims:
            size *= n
        return size


_REAL, _BOOL = Leaf("f64"), Leaf("i1")


@lru_cache(maxsize=4096)
def leaves(of: Type) -> tuple[Leaf, ...]:
    """List the leaves of a type, in the order of a flattened value."""
    match of:
        case RealType():
            return (_REAL,)
        case BoolType():
            return (_BOOL,)
        case UnitType():
            return ()
        case FinType(n):
            return (Leaf("i32", (), n),)
        case VecType(n, element):
            return tuple(Leaf(leaf.dtype, (n, *leaf.dims), leaf.bound) for leaf in leaves(element))
        case TupleType() | StructType():
            return tuple(leaf for item in of.items for leaf in leaves(item))
    raise TypeMismatchError(
        f"A type of eglantine is needed here, but this is {of!r}. Use a type such as eg.Real."
    )


@lru_cache(maxsize=4096)
def builds_objects(of: Type) -> bool:
    """True if values of this type contain objects of a user's class. Making these objects runs user code."""
    match of:
        case VecType(_, element):
            return builds_objects(element)
        case TupleType(items):
            return any(map(builds_objects, items))
        case StructType(_, container):
            return container is not dict or any(map(builds_objects, of.items))
    return False


@lru_cache(maxsize=4096)
def tangent_type(of: Type) -> Type:
    """Return the type of the tangents and cotangents of a value. Bool, Fin and Unit become Unit."""
    match of:
        case RealType():
            return of
        case VecType(n, element):
            inner = tangent_type(element)
            return Unit if not leaves(inner) and leaves(element) else VecType(n, inner)
        case TupleType() | StructType():
            return of.of(map(tangent_type, of.items))
    return Unit  # type: ignore[no-any-return]

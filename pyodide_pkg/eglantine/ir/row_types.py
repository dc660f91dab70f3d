"""The types of rows: scalars, bounded integers, arrays and accumulators."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from eglantine.leaves import Leaf
from eglantine.types import BoolType, FinType, RealType, Type, VecType

_KEPT: Final = 1024
"""The largest number of results that each cache of this module keeps. A program has few types."""


def fits(of: RowType, wanted: RowType) -> bool:
    """True if a value of type `of` may be used where type `wanted` is expected.

    An integer may have narrower bounds than `wanted`.
    """
    if isinstance(of, I32) and isinstance(wanted, I32):
        return bool(wanted.lo <= of.lo and of.hi <= wanted.hi)
    if isinstance(of, Array) and isinstance(wanted, Array):
        return of.dims == wanted.dims and fits(of.leaf, wanted.leaf)
    return bool(of == wanted)


Row = tuple[Any, ...]
"""An operation, followed by its operands and other data. The operation says which types they have."""


class Scalar(NamedTuple):
    """A scalar row type with no further data."""

    dtype: str

    @property
    def leaf(self) -> Scalar:
        """The type itself. (For an array type, `leaf` is the type of the elements.)"""
        return self

    @property
    def dims(self) -> tuple[()]:
        """No dimensions."""
        return ()

    def __repr__(self) -> str:
        return self.dtype


class I32(NamedTuple):
    """The type of 32-bit integers from lo to hi, both included."""

    lo: int
    hi: int
    dtype: str = "i32"

    @property
    def leaf(self) -> I32:
        """The type itself, as for `Scalar`."""
        return self

    @property
    def dims(self) -> tuple[()]:
        """No dimensions."""
        return ()

    def __repr__(self) -> str:
        return f"i32[{self.lo}..{self.hi}]"


class Array(NamedTuple):
    """The type of an immutable array, which lies in memory in row-major order.

    leaf: the row type of the array's elements.
    dims: the lengths of the array's dimensions, outermost first. There is at least one dimension.
    """

    leaf: ScalarType
    dims: tuple[int, ...]
    dtype: str = "array"

    def __repr__(self) -> str:
        return f"{self.leaf}[{_dims_text(self.dims)}]"


class Acc(NamedTuple):
    """An accumulator of float64 sums: an array of sums, or one sum if `dims` is ()."""

    dims: tuple[int, ...]
    dtype: str = "acc"

    @property
    def leaf(self) -> Scalar:
        """The type of a sum."""
        return F64

    def __repr__(self) -> str:
        return f"acc[{_dims_text(self.dims)}]"


ScalarType = Scalar | I32
"""The type of one number or truth value."""

RowType = ScalarType | Array | Acc
"""F64, I1, I64, an `I32`, an `Array`, an `Acc`, or EFFECT for a row without a value.

Every type has `leaf` and `dims`, and only an `I32` has bounds.
"""


def joined(a: ScalarType, b: RowType) -> ScalarType:
    """Return a type that includes the scalar types a and b. These may be integers with different bounds."""
    return I32(min(a.lo, b.lo), max(a.hi, b.hi)) if isinstance(a, I32) and isinstance(b, I32) else a


def either(a: RowType, b: RowType) -> RowType:
    """Return a type that includes the types a and b. These may differ only in the bounds of integers."""
    if isinstance(a, Array):
        return Array(joined(a.leaf, b.leaf), a.dims)
    return a if isinstance(a, Acc) else joined(a, b)


def interval(of: RowType) -> I32:
    """Return the type `of`. Assert that it is an integer type, so that type checkers allow its bounds."""
    assert isinstance(of, I32)
    return of


def _dims_text(dims: tuple[int, ...]) -> str:
    return ", ".join("?" if n == DYNAMIC else str(n) for n in dims)


def is_growing(of: RowType) -> bool:
    """True if the length of an array or accumulator is known only when the program runs."""
    return bool(of.dims) and of.dims[0] == DYNAMIC


F64 = Scalar("f64")
I1 = Scalar("i1")
I64 = Scalar("i64")
EFFECT = Scalar("effect")
MULTI = Scalar("multi")
"""The type of a call, loop or cond row. "proj" rows read the results of such a row."""

DYNAMIC = (1 << 31) - 1
"""A number that stands for an unknown extent of a loop, or for an unknown length of an array.

Such an extent or length is known only at run time.
"""

TRIPS = -1
"""A position in a "proj" row. A row with this position reads the number of rounds of a while loop."""

TRIPS_TYPE = I32(0, DYNAMIC)

ZERO = 0
"""The row number of the symbolic zero."""

BYTES = {"f64": 8, "i64": 8, "i32": 4, "i1": 4}
"""Maps each dtype to the size of an element in memory, in bytes."""


def leaf_row_type(leaf: Leaf) -> RowType:
    """The row type of a leaf's values."""
    scalar: ScalarType = {"f64": F64, "i1": I1}.get(leaf.dtype) or I32(0, max(leaf.bound - 1, 0))
    return Array(scalar, leaf.dims) if leaf.dims else scalar


def user_type(of: RowType) -> Type:
    """Return the user's type for values of a row type."""
    if isinstance(of, Array):
        user = user_type(of.leaf)
        for n in reversed(of.dims):
            user = VecType(n, user)
        return user
    if isinstance(of, I32):
        return FinType(max(of.hi + 1, 0))
    return BoolType() if of == I1 else RealType()


@lru_cache(_KEPT)
def element_type(of: RowType) -> RowType:
    """Return the type of the elements along the first dimension of an array or accumulator."""
    if isinstance(of, Acc):
        return Acc(of.dims[1:])
    return Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf


@lru_cache(_KEPT)
def with_length(of: RowType, n: int) -> Array:
    """Return the type of an array of `n` values of a row type."""
    return Array(of.leaf, (n, *of.dims))


def is_of(value: Any, of: RowType) -> bool:
    """True if a constant has the scalar row type `of`."""
    if isinstance(of, I32):
        return type(value) is int and of.lo <= value <= of.hi
    kinds: dict[RowType, type] = {F64: float, I1: bool, I64: int}
    return type(value) is kinds.get(of)

"""The type that covers the types of two alternatives."""

from __future__ import annotations

from eglantine.errors import TypeMismatchError
from eglantine.types import FinType, RealType, StructType, TupleType, Type, VecType
from eglantine.words.spelling import began


def common_type(a: Type, b: Type, what: str) -> Type:
    """The type that covers two types, which may differ only in the bounds of indices.

    The common type of an index and a Real is Real.
    """
    if a == b:
        return a
    match a, b:
        case FinType(m), FinType(n):
            return FinType(max(m, n))
        case (FinType(), RealType()) | (RealType(), FinType()):
            return RealType()
        case VecType(m, x), VecType(n, y) if m == n:
            return VecType(m, common_type(x, y, what))
        case TupleType(xs), TupleType(ys) if len(xs) == len(ys):
            return TupleType(tuple(common_type(x, y, what) for x, y in zip(xs, ys, strict=True)))
        case StructType(xs, cls), StructType(ys, other) if (
            cls is other and dict(xs).keys() == dict(ys).keys()
        ):
            types = dict(ys)
            return StructType(tuple((name, common_type(x, types[name], what)) for name, x in xs), cls)
    raise TypeMismatchError(
        f"{began(what)} must have one type, but their types are {a!r} and {b!r}. Make them the same."
    )

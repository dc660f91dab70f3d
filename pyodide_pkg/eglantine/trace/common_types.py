"""Find a type that two values of different types can have, such as the results of a branch's arms."""

from __future__ import annotations

from eglantine.errors import TypeMismatchError
from eglantine.types import FinType, RealType, StructType, TupleType, Type, VecType
from eglantine.words.spelling import began


def common_type(a: Type, b: Type, what: str) -> Type:
    """Find a type that values of both types can have.

    If both are index types, return the one with the larger bound. For an index and a Real, return Real. All
    other parts of the two types must be equal.
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

"""`v.at[i].set(x)` and `v.at[i].add(x)`: copy a Vec and change one element or slice of the copy."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.leaves import leaves
from eglantine.plain.symbolic import current
from eglantine.types import RealType, StructType, TupleType
from eglantine.words.spelling import count

from .traced import Traced, builder_for, call_site, lift
from .vectors import VecValue, _refs, rows_of, value_of


class At:
    """A position in a Vec: an index, one index for each axis, or a slice. Its methods return a new Vec."""

    __slots__ = ("_path", "_vec")

    def __init__(self, vec: VecValue, path: tuple[Any, ...]) -> None:
        self._vec = vec
        self._path = path

    def __getitem__(self, i: Any) -> At:
        return At(self._vec, i if isinstance(i, tuple) else (i,))

    def set(self, x: Any) -> VecValue:
        """A copy of the Vec with x at this position. For a slice, x is one value or a Vec of values."""
        return _updated(self._vec, self._path, x, False, call_site(1))

    def add(self, x: Any) -> VecValue:
        """A copy of the Vec with x added at this position. The elements must consist of Reals."""
        return _updated(self._vec, self._path, x, True, call_site(1))


def _updated(v: VecValue, path: tuple[Any, ...], x: Any, adds: bool, source: Any) -> VecValue:
    n, of = v.type.n, v.type.of
    if not path:
        raise TypeMismatchError("v.at needs an index. Write v.at[i].set(x).")
    i, *rest = path
    if isinstance(i, slice):
        several = isinstance(x, VecValue | list) or bool(getattr(x, "shape", ()))
        places = range(n)[i]
        if several and len(x) != len(places):
            raise ShapeError(
                f"A slice of {count(len(places), 'element')} takes one value for each, but was given "
                f"{count(len(x), 'value')}. Give it a Vec with a value for each element, or a single value."
            )
        for k, place in enumerate(places):
            v = _updated(v, (place, *rest), x[k] if several else x, adds, source)
        return v
    if rest:
        x, adds = _updated(v[i], tuple(rest), x, adds, source), False
    if adds and isinstance(of, TupleType | StructType):
        if any(leaf.dtype != "f64" or leaf.dims for leaf in leaves(of)):
            raise TypeMismatchError(
                f"v.at[i].add works only if the elements consist of Reals, but these have the type {of!r}. "
                "Write v.at[i].set(…) and compute the sum of each part yourself."
            )
        v = VecValue(v.type, None, v.arrays())
    elif adds and (not isinstance(of, RealType) or v._elements is not None):
        x, adds = v[i] + x, False
    b = current.get() or builder_for(*_refs(v))
    b.source = source
    if isinstance(i, Traced):
        at = lift(b, Traced(*v._checked(i)))
    else:
        v[i]  # raises an error if i is not a valid index
        if v._elements is not None:
            elements = v._elements.copy()
            elements[i] = value_of(of, b, rows_of(b, x, of))
            return VecValue(v.type, elements, None)
        at = b.int_const(i.__index__() % n)
    op = "update_add" if adds else "update"
    rows = zip(v.arrays(), rows_of(b, x, of), strict=True)
    return VecValue(v.type, None, [Traced(b, b.update(lift(b, array), at, row, op)) for array, row in rows])

"""Views of Vecs, and the subscripts that make views.

`v[1:]`, `m.T` and `v[:, None]` are views. When a program reads an element of a view, it computes the
element's index in the original Vec. No elements are copied until an operation needs the view as an array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.ir.builder import Builder
from eglantine.plain.symbolic import current, described
from eglantine.types import (
    BoolType,
    FinType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    vec_type,
)

from .constants import whole
from .leaves import Fields
from .scalars import IndexValue
from .shapes import Shape, broadcast, shape_of
from .sums import vec
from .traced import Traced, builder_for, call_site, lift, not_an_index, out_of_range
from .types_of import type_of
from .vectors import VecValue, _is_seen, _refs

Read = Callable[[tuple[Any, ...]], Any]
"""Returns an element of a view, given one index for each axis: an integer or a traced index in range."""


class View(VecValue):
    """A Vec that does not store its elements. Each use of element i calls `read(i)`, which computes it.

    sources: the values that `read` uses.
    """

    __slots__ = ("_read", "_sources")

    def __init__(self, of: VecType, read: Callable[[Any], Any], sources: Sequence[Any]) -> None:
        super().__init__(of, None, None)
        self._read = read
        self._sources = sources

    def parts(self) -> Sequence[Any]:
        """The values that this view reads."""
        return self._sources

    def _element(self, k: int) -> Any:
        return self._read(k)

    def _at_traced(self, i: Any) -> Any:
        if self.type.n == 0:
            return _absent(self.type.of)
        b, row = self._checked(i)
        return self._read(b.value(row) if row < 0 else IndexValue(b, row))

    def _checked(self, i: Any) -> tuple[Builder, int]:
        n = self.type.n
        if not isinstance(i, IndexValue):
            raise not_an_index(i)
        lo, hi = i.bounds
        if n and (hi < 0 or lo >= n):
            raise out_of_range(f"an index from {lo} to {hi}", n)
        b = builder_for(i) if lo >= 0 and hi < n else current.get()
        assert b is not None
        b.source = call_site(3)
        return b, b.check(lift(b, i), n)

    def arrays(self) -> list[Traced]:
        """Return one array for each leaf. A loop copies the view's elements when they are first needed."""
        if self._arrays is None or not _is_seen(self._arrays):
            refs = _refs(self)
            token = current.set(builder_for(*refs) if refs else current.get())
            try:
                self._arrays = vec(self.type.n, self._read).arrays()
            finally:
                current.reset(token)
        return self._arrays


def _absent(of: Type) -> Any:
    """Return a placeholder for the elements of an empty view. Only loops that never run read it."""
    match of:
        case VecType(_, inner):
            return View(of, lambda _: _absent(inner), [])
        case FinType(n):
            return FinType(max(n, 1))(0)
        case TupleType(items):
            return tuple(_absent(item) for item in items)
        case StructType():
            return of.pack([_absent(item) for item in of.items], Fields)
        case UnitType():
            return None
    return False if isinstance(of, BoolType) else 0.0


def view(shape: Shape, of: Type, read: Read, sources: Sequence[Any]) -> Any:
    """Make a view of this shape. Its element at `indices` is read(indices), of type `of`.

    For the shape (), return the single element.
    """

    def below(before: tuple[Any, ...]) -> Any:
        rest = shape[len(before) :]
        if not rest:
            return read(before)
        inner = vec_type(rest, of)
        assert isinstance(inner, VecType)
        inside = [i for i in before if isinstance(i, Traced)]
        return View(inner, lambda i: below((*before, i)), [*sources, *inside])

    return below(())


def element_at(value: Any, indices: Sequence[Any]) -> Any:
    """Return the element of an array at the given indices, one for each axis. A number needs no indices."""
    for i in indices:
        value = value[i]
    return value


# ---------------------------------------------------------------- subscripts


def subscripted(v: VecValue, subscript: Any) -> Any:
    """`v[subscript]` by NumPy's rules. A subscript has integers, slices, `None`, `...` and index arrays.

    If a slice starts at a traced index, its length must be known, as in `v[i : i + 3]`. A traced integer
    never counts from the end.
    Raises: ShapeError, TypeMismatchError.
    """
    given = subscript if isinstance(subscript, tuple) else (subscript,)
    items = _without_ellipsis(v, [_plain_mask(item) for item in given])
    shape: list[int] = []  # the lengths of the result's axes, except those of index arrays
    places: list[Read] = []  # for each axis of v, a function: the result's indices → v's index
    arrays: list[tuple[int, Any]] = []  # (axis of v, index array)
    at_front: list[int] = []  # how many of the result's axes come before each index array
    axis = 0
    for item in items:
        if item is None:
            shape.append(1)
            continue
        n = v.shape[axis]
        if isinstance(item, slice):
            length, index = _slice(item, n)
            places.append(partial(_sliced, len(shape), index))
            shape.append(length)
        elif _is_index_array(item):
            arrays.append((axis, item))
            at_front.append(len(shape))
            places.append(partial(_fixed, None))
        else:
            places.append(partial(_fixed, _in_range(item, n)))
        axis += 1
    if not arrays:
        of = v.type
        for _ in range(axis):
            of = of.of  # type: ignore[assignment]
        sources = [v, *_bounds(items)]
        return view(
            tuple(shape), of, lambda indices: element_at(v, [place(indices) for place in places]), sources
        )
    return _gathered(v, shape, places, arrays, _front(items, at_front), _bounds(items))


def _bounds(items: Sequence[Any]) -> list[Traced]:
    """The traced integers of a subscript."""
    inside = [part for item in items for part in ((item.start,) if isinstance(item, slice) else (item,))]
    return [part for part in inside if isinstance(part, Traced)]


def _sliced(axis: int, index: Callable[[Any], Any], indices: tuple[Any, ...]) -> Any:
    """Return v's index on a sliced axis. `indices[axis]` is the result's index on this axis."""
    return index(indices[axis])


def _fixed(index: Any, _: tuple[Any, ...]) -> Any:
    """Return v's index on an axis that has a fixed index. The result does not have this axis."""
    return index


def _gathered(
    v: VecValue, shape: list[int], places: list[Any], arrays: list[tuple[int, Any]], front: int,
    bounds: list[Traced],
) -> Any:  # fmt: skip
    """Make the view for a subscript with index arrays.

    The index arrays broadcast to a common shape. The axes of this shape begin at axis `front` of the result.
    """
    common = broadcast([shape_of(array) for _, array in arrays], "the index arrays of a subscript")
    spread = {axis: _index_array(array, v.shape[axis]) for axis, array in arrays}

    def read(indices: tuple[Any, ...]) -> Any:
        middle = indices[front : front + len(common)]
        outside = (*indices[:front], *indices[front + len(common) :])
        chosen = []
        for axis, place in enumerate(places):
            if axis in spread:
                chosen.append(broadcast_element(spread[axis], middle, common))
            else:
                chosen.append(place(outside))
        return element_at(v, chosen)

    of: Any = v.type
    for _ in places:
        of = of.of
    full = (*shape[:front], *common, *shape[front:])
    return view(full, of, read, [v, *spread.values(), *bounds])


def broadcast_element(value: Any, indices: Sequence[Any], shape: Shape) -> Any:
    """Read an element of `value` as if it were broadcast to `shape`."""
    own = shape_of(value)
    tail = indices[len(shape) - len(own) :]
    return element_at(value, [0 if n == 1 else i for i, n in zip(tail, own, strict=True)])


def _front(items: Sequence[Any], at_front: Sequence[int]) -> int:
    """Return the position in the result where the axes of the index arrays begin.

    If the index arrays are next to each other in the subscript, their axes take the place of the indexed
    axes. Otherwise their axes come first, as in NumPy.
    """
    advanced = [k for k, item in enumerate(items) if item is not None and not isinstance(item, slice)]
    together = advanced == list(range(advanced[0], advanced[-1] + 1))
    return at_front[0] if together else 0


def _without_ellipsis(v: VecValue, items: list[Any]) -> list[Any]:
    """Replace `...` in a subscript by full slices, so that each axis has an index or a slice."""
    taken = sum(item is not None and item is not ... for item in items)
    if taken > v.ndim:
        raise ShapeError(
            f"This subscript has {taken} indices, but an array of shape {v.shape} has {v.ndim} axes. Give at "
            "most one index for each axis."
        )
    gaps = sum(item is ... for item in items)
    if gaps > 1:
        raise ShapeError(f"This subscript of an array of shape {v.shape} has `...` twice. Write it once.")
    where = next((k for k, item in enumerate(items) if item is ...), None)
    if where is None:
        return items
    return [*items[:where], *[slice(None)] * (v.ndim - taken), *items[where + 1 :]]


def _plain_mask(item: Any) -> Any:
    """Convert a mask of plain bools to the indices where it is true. Return other items unchanged."""
    if isinstance(item, VecValue) and isinstance(item.type.of, BoolType):
        raise TypeMismatchError(
            "A mask that is known only when the program runs would give an array of unknown length. Use "
            "eg.select(mask, v, 0.0), and sum the result if you need a sum."
        )
    values = item.tolist() if hasattr(item, "tolist") else item
    if isinstance(values, list) and values and all(isinstance(value, bool) for value in values):
        return [k for k, holds in enumerate(values) if holds]
    return item


def _is_index_array(item: Any) -> bool:
    return isinstance(item, list | VecValue) or bool(getattr(item, "shape", ()))


def _index_array(array: Any, n: int) -> Any:
    """Check the integers of an index array. A negative plain integer counts from the end of n elements."""
    if isinstance(array, VecValue) and isinstance(_scalar(array.type), FinType):
        return array
    is_numpys = hasattr(array, "__array_interface__")
    values = array.tolist() if is_numpys else array if isinstance(array, list) else whole(array)
    if values is None:
        raise not_an_index(array)
    wrapped = _wrapped(values, n)
    if current.get() is None or not wrapped:
        return wrapped
    return VecValue(type_of(wrapped), None, _constant_arrays(wrapped))  # type: ignore[arg-type]


def _scalar(of: Any) -> Any:
    while isinstance(of, VecType):
        of = of.of
    return of


def _constant_arrays(values: Any) -> list[Traced]:
    from .vectors import rows_of

    b = current.get()
    assert b is not None
    return [Traced(b, row) for row in rows_of(b, values, type_of(values))]


def _wrapped(values: Any, n: int) -> Any:
    if isinstance(values, list):
        return [_wrapped(value, n) for value in values]
    return (
        _in_range(values, n) if isinstance(values, IndexValue) else FinType(max(n, 1))(_in_range(values, n))
    )


def _in_range(item: Any, n: int) -> Any:
    """Check an index for an axis of length n. A negative plain integer counts from the end."""
    if isinstance(item, Traced):
        if not isinstance(item, IndexValue):
            raise not_an_index(item)
        return item
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        raise not_an_index(item)
    k = item.__index__()
    if not -n <= k < n:
        raise out_of_range(f"the index {k}", n)
    return int(k % n)


def _slice(item: slice, n: int) -> tuple[int, Callable[[Any], Any]]:
    """Return the length of a slice of an axis of n elements, and a function that converts indices.

    The function converts an index of the slice to an index of the axis.
    """
    if isinstance(item.start, Traced) or isinstance(item.stop, Traced):
        return _moving_slice(item, n)
    try:
        places = range(n)[item]
    except TypeError:
        raise TypeMismatchError(
            f"The bounds of the slice {item} must be integers. Use whole numbers or indices."
        ) from None
    start, step = places.start if places else 0, places.step  # an empty slice may start after the end

    def index(i: Any) -> Any:
        if isinstance(i, int):
            return places[i]
        i = i if step == 1 else i * step if step != -1 else -i
        return i if start == 0 else i + start

    return len(places), index


def _moving_slice(item: slice, n: int) -> tuple[int, Callable[[Any], Any]]:
    """Do the same as `_slice` for a slice `i : i + length`. The index i is traced. The length is known."""
    start, stop = item.start, item.stop
    if item.step not in (None, 1) or not isinstance(start, IndexValue):
        raise TypeMismatchError(
            "A slice with a traced bound has the form v[i : i + length], with an index i and a known length. "
            f"This one is from {described(start)} to {described(stop)}."
        )
    length = _distance(start, stop)
    if length is None or length < 0:
        raise ShapeError(
            "The length of this slice is not known while tracing. Write the same i twice, and the length as "
            "a whole number, as in v[i : i + 3]."
        )
    if length > n:
        raise ShapeError(f"This slice has {length} elements, but the axis has {n}. Take at most {n}.")
    begin = FinType(n - length + 1)(start)  # this checks that every element exists
    return length, lambda i: begin + i


def _distance(start: IndexValue, stop: Any) -> int | None:
    """stop − start if that is a known number."""
    if not isinstance(stop, IndexValue):
        return None
    at, offset = _offset(start)
    end, beyond = _offset(stop)
    return beyond - offset if at == end else None


def _offset(i: IndexValue) -> tuple[Any, int]:
    """Split an index into a row and a whole number. Their sum is the index."""
    b, row, offset = i.scope, i.row, 0
    while row > 0 and b.rows[row][0] == "iadd":
        x, y = b.rows[row][1:3]
        if y < 0:
            row, offset = x, offset + b.value(y)
        elif x < 0:
            row, offset = y, offset + b.value(x)
        else:
            break
    return ((id(b), row), offset) if row >= 0 else (None, offset + b.value(row))

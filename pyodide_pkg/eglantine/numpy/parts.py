"""Take elements of arrays, split and pad arrays, and join columns."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError
from eglantine.plain.symbolic import current
from eglantine.trace.choices import select
from eglantine.trace.constants import whole
from eglantine.trace.elementwise import elementwise
from eglantine.trace.loops import fori_loop
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.vectors import VecValue
from eglantine.trace.views import element_at, subscripted
from eglantine.types import Fin

from .building import array_of, built
from .calls import array_function
from .eager import Array
from .shaping import concatenate, expand_dims, moveaxis, ravel, reshape, transpose
from .subscripts import sliced


def _indices(value: Any) -> Any:
    """Convert an index array to a list of integers if its elements are known. Otherwise return it unchanged.

    Negative indices are allowed only if they are known.
    """
    if isinstance(value, Array) or (current.get() is not None and isinstance(value, VecValue)):
        numbers = whole(value)
        return value if numbers is None else numbers
    return value.tolist() if hasattr(value, "__array_interface__") else value


def take(a: Any, indices: Any, axis: int | None = None) -> Any:
    """The elements at `indices` along an axis. If axis is None, the array is first made one-dimensional."""
    return _taken(a, _indices(indices), axis)


@array_function("indices", "axis")
def _taken(a: Any, indices: Any, axis: int | None) -> Any:
    if axis is None:
        return _taken(ravel(a), indices, 0)
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    return subscripted(array_of(a), (*[slice(None)] * k, indices))


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """The elements at `indices` along an axis. `indices` has as many axes as the array (see `argsort`)."""
    return _along(arr, _indices(indices), axis)


@array_function("indices", "axis")
def _along(arr: Any, indices: Any, axis: int | None) -> Any:
    if axis is None:
        return _along(ravel(arr), indices, 0)
    shape, chosen = shape_of(arr), shape_of(indices)
    k = axis_below(axis, len(shape), shape)
    if len(chosen) != len(shape):
        raise ShapeError(
            f"take_along_axis needs indices with as many axes as the array, but the shapes are {shape} and "
            f"{chosen}."
        )
    places = [
        indices if j == k else reshape(_counted(n), tuple(n if i == j else 1 for i in range(len(shape))))
        for j, n in enumerate(shape)
    ]
    return subscripted(array_of(arr), tuple(places))


def _counted(n: int) -> Any:
    """The indices 0 … n − 1."""
    return built((n,), lambda i: Fin(max(n, 1))(i[0]))


@array_function("side")
def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """For each number in v, find the index where it could be inserted into the ascending Vec a.

    side: "left" means the index before all elements that equal the number, and "right" the index after them.
        NaN counts as larger than any number.
    """
    if side not in ("left", "right") or len(shape_of(a)) != 1:
        raise ShapeError(
            "searchsorted takes a Vec, and a side that is 'left' or 'right', but it was given an array of "
            f"shape {shape_of(a)} and the side {side!r}."
        )
    a = array_of(a)
    n = len(a)

    def before(x: Any, y: Any) -> Any:
        nans_last = (x == x) & (y != y)
        return (x < y) | nans_last if side == "left" else ~((y < x) | ((y == y) & (x != x)))

    def at(point: Any) -> Any:
        if shape_of(point):
            return elementwise(at, point)
        place = Fin(n + 1)
        return fori_loop(0, n, lambda i, k: place(select(before(a[i], point), i + 1, k)), place(0))

    return at(v)


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Cut the array along an axis.

    indices_or_sections: the number of equal pieces, or a list of the indices where the second, third, … piece
        begins.
    Raises: ShapeError if the axis does not divide into equal pieces.
    """
    if isinstance(indices_or_sections, int):
        shape = shape_of(ary)
        n = shape[axis_below(axis, len(shape), shape)]
        if indices_or_sections < 1 or n % indices_or_sections:
            raise ShapeError(
                f"{n} elements do not divide into {indices_or_sections} equal pieces. Use enp.array_split "
                "for pieces whose lengths may differ by one."
            )
    return array_split(ary, indices_or_sections, axis)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Cut the array like `split`. If the pieces cannot be equal, the first ones get one more element."""
    shape = shape_of(ary)
    n = shape[axis_below(axis, len(shape), shape)]
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise ShapeError(f"An array splits into at least one piece, not {indices_or_sections}.")
        short, longer = divmod(n, indices_or_sections)
        cuts = [k * short + min(k, longer) for k in range(1, indices_or_sections)]
    else:
        cuts = [int(k) for k in indices_or_sections]
    return [_piece(ary, axis, i, j) for i, j in zip([0, *cuts], [*cuts, n], strict=True)]


@array_function("axis", "start", "stop")
def _piece(a: Any, axis: int, start: int, stop: int) -> Any:
    return sliced(a, axis_below(axis, len(shape_of(a)), shape_of(a)), slice(start, stop))


@array_function()
def atleast_1d(a: Any) -> Any:
    """Return an array unchanged. Turn a number into an array of one element."""
    return a if shape_of(a) else expand_dims(a, 0)


@array_function()
def atleast_2d(a: Any) -> Any:
    """The array with at least two axes. New axes are added in front."""
    while len(shape_of(a)) < 2:
        a = expand_dims(a, 0)
    return a


@array_function()
def column_stack(arrays: Any) -> Any:
    """Join the arrays side by side. An array with one dimension counts as a column."""
    return concatenate([transpose(atleast_2d(a)) if len(shape_of(a)) < 2 else a for a in arrays], 1)


@array_function()
def dstack(arrays: Any) -> Any:
    """The arrays along a third axis."""
    deep = [atleast_2d(a) for a in arrays]
    return concatenate([expand_dims(a, 2) if len(shape_of(a)) == 2 else a for a in deep], 2)


@array_function()
def flipud(a: Any) -> Any:
    """The array with its first axis in reverse order."""
    return sliced(a, 0, slice(None, None, -1))


@array_function()
def fliplr(a: Any) -> Any:
    """The array with its second axis in reverse order."""
    if len(shape_of(a)) < 2:
        raise ShapeError(f"fliplr takes an array with two axes or more, but the shape is {shape_of(a)}.")
    return sliced(a, 1, slice(None, None, -1))


@array_function("pad_width", "mode", "constant_values")
def pad(a: Any, pad_width: Any, mode: str = "constant", constant_values: float = 0.0) -> Any:
    """The array with a border.

    pad_width: the width as one number, a pair (before, after), or a list with a pair for each axis.
    mode: what the border contains. "constant": the number `constant_values`. "edge": copies of the outermost
        element. "reflect": a mirror image without the outermost element. "symmetric": a mirror image with the
        outermost element. "wrap": the elements from the other end.
    """
    shape = shape_of(a)
    a = array_of(a)
    if mode not in ("constant", *_BORDERS):
        raise ShapeError(f"pad has no mode {mode!r}. Write one of constant, {', '.join(_BORDERS)}.")
    for k, (before, after) in enumerate(_widths(pad_width, len(shape))):
        if mode == "constant":
            a = _framed(a, k, before, after, constant_values)
        elif before or after:
            n = shape[k]
            if n == 0:
                raise ShapeError(f"Axis {k} of the shape {shape} has no elements to repeat in a border.")
            a = sliced(a, k, [_BORDERS[mode](i, n) for i in range(-before, n + after)])
    return a


_BORDERS: dict[str, Any] = {
    "edge": lambda i, n: min(max(i, 0), n - 1),
    "wrap": lambda i, n: i % n,
    "symmetric": lambda i, n: min(i % (2 * n), 2 * n - 1 - i % (2 * n)),
    "reflect": lambda i, n: min(i % (2 * n - 2), 2 * n - 2 - i % (2 * n - 2)) if n > 1 else 0,
}
"""Maps each mode of `pad` to a function (i, n) → the index of the element that is copied to place i.

The Vec has n elements, at the places 0 … n − 1. The other places are in the border.
"""


def _widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """Return the widths (before, after) of the border for each axis."""
    plain = pad_width.tolist() if hasattr(pad_width, "tolist") else pad_width
    parts = list(plain) if isinstance(plain, list | tuple) else [plain]
    if all(isinstance(part, int) for part in parts) and len(parts) in (1, 2):
        parts = [parts] * rank
    elif len(parts) == 1:
        parts = parts * rank
    widths = [(int(part[0]), int(part[-1])) for part in parts]
    if len(widths) != rank or min((min(pair) for pair in widths), default=0) < 0:
        raise ShapeError(
            f"pad takes a width, or a pair of widths for each of {rank} axes, but it was given "
            f"{pad_width!r}. Give a pair for each axis."
        )
    return widths


def _framed(a: Any, axis: int, before: int, after: int, number: float) -> Any:
    """Add a border along an axis: `before` copies of `number` in front, `after` copies at the end."""
    if not (before or after):
        return a
    moved = moveaxis(a, axis, 0)
    n, *rest = shape_of(moved)

    def at(indices: tuple[Any, ...]) -> Any:
        i = indices[0] - before
        if isinstance(i, int):
            return element_at(moved, (i, *indices[1:])) if 0 <= i < n else number
        inside = (i >= 0) & (i < n)
        return select(inside, element_at(moved, (i % n, *indices[1:])), number) if n else number

    return moveaxis(built((before + n + after, *rest), at), 0, axis)


__all__ = [
    "array_split", "atleast_1d", "atleast_2d", "column_stack", "dstack", "fliplr", "flipud",
    "pad", "searchsorted", "split", "take", "take_along_axis",
]  # fmt: skip

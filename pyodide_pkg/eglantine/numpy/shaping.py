"""Give the elements of an array another shape or order. Most results are views, which copy nothing."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.loops import fori_loop
from eglantine.trace.shapes import Shape, axes_below, axis_below, broadcast, shape_of
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import UNROLLED, VecValue
from eglantine.trace.views import broadcast_element, element_at
from eglantine.types import VecType

from .building import array_of, built, rearranged
from .calls import array_function


def as_shape(shape: Any) -> Shape:
    """Convert a whole number, or a sequence of whole numbers, to a shape."""
    return tuple(int(n) for n in shape) if isinstance(shape, tuple | list) else (int(shape),)


def _known(shape: Shape, size: int) -> Shape:
    """Complete a shape for `size` elements: a length of −1 is computed from the other lengths."""
    others = prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and others and size % others == 0:
        return tuple(size // others if n == -1 else n for n in shape)
    if -1 in shape or others != size:
        raise ShapeError(
            f"An array of {size} elements cannot have the shape {shape}. The product of the lengths must be "
            f"{size}."
        )
    return shape


@array_function("shape")
def reshape(a: Any, shape: Any) -> Any:
    """The elements of `a` in another shape. If one length is -1, it is computed from the others."""
    old = shape_of(a)
    new = _known(as_shape(shape), prod(old))
    kept = 0
    while kept < min(len(old), len(new)) and old[kept] == new[kept]:
        kept += 1

    def places(indices: tuple[Any, ...]) -> list[Any]:
        return [*indices[:kept], *_split(_joined(indices[kept:], new[kept:]), old[kept:])]

    return rearranged(a, new, places) if new else element_at(array_of(a), [0] * len(old))


def _joined(indices: tuple[Any, ...], shape: Shape) -> Any:
    """The position in row-major order of the element at these indices."""
    place: Any = 0
    for i, n in zip(indices, shape, strict=True):
        place = i if isinstance(place, int) and place == 0 else place * n + i
    return place


def _split(place: Any, shape: Shape) -> list[Any]:
    """The indices of the element at this position in row-major order."""
    indices: list[Any] = []
    for k, n in reversed(list(enumerate(shape))):
        if k == 0:
            indices.append(place)
        else:
            indices.append(place % n if n else 0)
            place = place // n if n else 0
    return indices[::-1]


def reshape_method(a: Any, *shape: Any) -> Any:
    """`a.reshape(2, 3)` or `a.reshape((2, 3))`."""
    return reshape(a, shape[0] if len(shape) == 1 else shape)


def ravel(a: Any) -> Any:
    """The elements of a in one dimension."""
    return reshape(a, (-1,) if prod(shape_of(a)) else (0,))


@array_function("axes")
def transpose(a: Any, axes: Any = None) -> Any:
    """The array with its axes in reverse order, or in the order of `axes`."""
    shape = shape_of(a)
    order = [axis_below(k, len(shape), shape) for k in (range(len(shape))[::-1] if axes is None else axes)]
    if sorted(order) != list(range(len(shape))):
        raise ShapeError(f"The axes {tuple(axes)} must name each axis of the shape {shape} exactly once.")
    if len(shape) < 2:
        return a
    at = [order.index(k) for k in range(len(shape))]
    return rearranged(a, tuple(shape[k] for k in order), lambda indices: [indices[k] for k in at])


def transpose_method(a: Any, *axes: Any) -> Any:
    """`a.transpose()`, `a.transpose(1, 0)` or `a.transpose((1, 0))`."""
    several = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
    return transpose(a, several or None)


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """The array with two axes exchanged."""
    shape = shape_of(a)
    order = list(range(len(shape)))
    i, j = axis_below(axis1, len(shape), shape), axis_below(axis2, len(shape), shape)
    order[i], order[j] = order[j], order[i]
    return transpose(a, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Move the axes `source` to the positions `destination`. The other axes keep their order."""
    shape = shape_of(a)
    several = isinstance(source, tuple | list)
    sources = [axis_below(k, len(shape), shape) for k in (source if several else (source,))]
    places = [axis_below(k, len(shape), shape) for k in (destination if several else (destination,))]
    order = [k for k in range(len(shape)) if k not in sources]
    for place, k in sorted(zip(places, sources, strict=True)):
        order.insert(place, k)
    return transpose(a, order)


@array_function("axis")
def expand_dims(a: Any, axis: Any) -> Any:
    """The array with new axes of length 1. `axis` says where the new axes are in the result."""
    shape = shape_of(a)
    several = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    rank = len(shape) + len(several)
    axes = axes_below(several, rank, shape)
    rest = [k for k in range(rank) if k not in axes]
    new = [1] * rank
    for k, n in zip(rest, shape, strict=True):
        new[k] = n
    if not shape:
        return built(tuple(new), lambda _: a)
    return rearranged(a, tuple(new), lambda indices: [indices[k] for k in rest])


@array_function("axis")
def squeeze(a: Any, axis: Any = None) -> Any:
    """Remove all axes of length 1. If `axis` is given, remove only the axes that it names."""
    shape = shape_of(a)
    axes = [k for k, n in enumerate(shape) if n == 1] if axis is None else axes_below(axis, len(shape), shape)
    if wrong := [k for k in axes if shape[k] != 1]:
        raise ShapeError(
            f"squeeze removes only axes of length 1, but axis {wrong[0]} of the shape {shape} has "
            f"{shape[wrong[0]]} elements."
        )
    rest = [k for k in range(len(shape)) if k not in axes]

    def places(indices: tuple[Any, ...]) -> list[Any]:
        at: list[Any] = [0] * len(shape)
        for k, i in zip(rest, indices, strict=True):
            at[k] = i
        return at

    return rearranged(a, tuple(shape[k] for k in rest), places) if shape else a


@array_function("shape")
def broadcast_to(a: Any, shape: Any) -> Any:
    """The array in this shape. It is repeated along axes of length 1, and along new axes in front."""
    new = as_shape(shape)
    old = shape_of(a)
    if broadcast([old, new], "broadcast_to") != new:
        raise ShapeError(
            f"An array of shape {old} does not broadcast to {new}. Only an axis of length 1 can be repeated."
        )
    if not old:
        return built(new, lambda _: a)
    from eglantine.trace.views import view
    from eglantine.types import scalar_of

    a = array_of(a)
    return view(new, scalar_of(a.type), lambda indices: broadcast_element(a, indices, new), [a])


@array_function("axis")
def flip(a: Any, axis: Any = None) -> Any:
    """Reverse the order of the elements along the given axes, or along all axes if `axis` is None."""
    shape = shape_of(a)
    axes = axes_below(axis, len(shape), shape)

    def places(indices: tuple[Any, ...]) -> list[Any]:
        return [(shape[k] - 1) - i if k in axes else i for k, i in enumerate(indices)]

    return rearranged(a, shape, places)


@array_function("axis")
def concatenate(arrays: Any, axis: Any = 0) -> Any:
    """Join the arrays along an axis. With `axis=None`, join all their elements in one dimension."""
    if not arrays:
        raise ShapeError("concatenate needs at least one array.")
    if axis is None:
        return concatenate([ravel(a) for a in arrays])
    shapes = [shape_of(a) for a in arrays]
    k = axis_below(axis, len(shapes[0]), shapes[0])
    for shape in shapes:
        if len(shape) != len(shapes[0]) or any(
            m != n and j != k for j, (m, n) in enumerate(zip(shape, shapes[0], strict=False))
        ):
            raise ShapeError(
                f"The shapes {shapes[0]} and {shape} cannot be joined along axis {k}: the lengths of all "
                "other axes must agree."
            )
    if k:
        return moveaxis(concatenate([moveaxis(a, k, 0) for a in arrays]), 0, k)
    total = sum(shape[0] for shape in shapes)
    of = next((array_of(a).type.of for a in arrays if shape_of(a)[0]), array_of(arrays[0]).type.of)
    if total <= 4 * UNROLLED:
        elements = [a[i] for a in arrays for i in range(shape_of(a)[0])]
        if elements:
            return VecValue(VecType(total, of), elements, None)
        return array_of(arrays[0])
    first = next(a for a in arrays if shape_of(a)[0])
    result = built((total,), lambda _: first[0])
    offset = 0
    for a, shape in zip(arrays, shapes, strict=True):
        result = fori_loop(0, shape[0], partial(_copied, a, offset), result)
        offset += shape[0]
    return result


def _copied(source: Any, offset: int, i: Any, whole: Any) -> Any:
    """Copy element i of `source` to element `offset` + i of `whole`. A loop calls this for each i."""
    return whole.at[i + offset].set(source[i])


@array_function("axis")
def stack(arrays: Any, axis: int = 0) -> Any:
    """Join arrays of one shape along a new axis."""
    if not arrays:
        raise ShapeError("stack needs at least one array.")
    shapes = {shape_of(a) for a in arrays}
    if len(shapes) > 1:
        told = " and ".join(map(str, sorted(shapes)[:2]))
        raise ShapeError(f"stack needs arrays of the same shape, but these have the shapes {told}.")
    made = VecValue(VecType(len(arrays), type_of(arrays[0])), list(arrays), None)
    k = axis_below(axis, len(shape_of(made)), shape_of(made))
    return moveaxis(made, 0, k) if k else made


def _at_least(a: Any, rank: int) -> Any:
    while len(shape_of(a)) < rank:
        a = expand_dims(a, 0)
    return a


@array_function()
def vstack(arrays: Any) -> Any:
    """Join the arrays one below the other. An array with one dimension counts as a row."""
    return concatenate([_at_least(a, 2) for a in arrays], 0)


@array_function()
def hstack(arrays: Any) -> Any:
    """Join the arrays side by side."""
    arrays = [_at_least(a, 1) for a in arrays]
    return concatenate(arrays, 0 if len(shape_of(arrays[0])) == 1 else 1)


@array_function("shift", "axis")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Move the elements of an array by `shift` places along an axis. The last elements move to the front.

    shift: one number for all axes, or one for each axis.
    """
    shape = shape_of(a)
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), shape)
    if isinstance(axis, tuple | list) or isinstance(shift, tuple | list):
        axes, shifts = as_shape(axis), as_shape(shift)
        (several,) = broadcast([(len(axes),), (len(shifts),)], "roll")
        for k in range(several):
            a = roll(a, shifts[k % len(shifts)], axes[k % len(axes)])
        return a
    k = axis_below(axis, len(shape), shape)
    n = shape[k]
    if n == 0 or shift % n == 0:
        return a
    from .subscripts import sliced

    back = n - shift % n
    return concatenate([sliced(a, k, slice(back, None)), sliced(a, k, slice(0, back))], k)


@array_function("reps")
def tile(a: Any, reps: Any) -> Any:
    """Repeat the array along its last axes. `reps` has the number of copies along each of these axes."""
    times = as_shape(reps)
    rank = max(len(times), len(shape_of(a)))
    a = _at_least(a, rank)
    times = (1,) * (rank - len(times)) + times
    old = shape_of(a)
    new = tuple(n * m for n, m in zip(old, times, strict=True))
    return rearranged(
        a, new, lambda indices: [_within(i, n, m) for i, n, m in zip(indices, old, times, strict=True)]
    )


def _within(i: Any, n: int, times: int) -> Any:
    return i if times == 1 or n == 0 else i % n


@array_function("repeats", "axis")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """The array with each element repeated along an axis.

    repeats: the number of copies of an element. Give one number, or a number for each index along the axis.
    """
    if axis is None:
        return repeat(ravel(a), repeats, 0)
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    if shape_of(repeats) or isinstance(repeats, tuple):
        times = [int(n) for n in repeats]
        if len(times) not in (1, shape[k]) or min(times, default=0) < 0:
            raise ShapeError(f"repeat takes one number ≥ 0 for each of the {shape[k]} elements, not {times}.")
        if not any(times):
            from .subscripts import sliced

            return sliced(a, k, slice(0, 0))
        if len(times) != 1:
            from .subscripts import sliced

            return sliced(a, k, [i for i, n in enumerate(times) for _ in range(n)])
        repeats = times[0]
    new = tuple(n * repeats if j == k else n for j, n in enumerate(shape))
    return rearranged(
        a, new, lambda indices: [i // repeats if j == k and repeats else i for j, i in enumerate(indices)]
    )

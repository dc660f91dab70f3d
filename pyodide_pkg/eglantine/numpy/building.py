"""Build arrays element by element, and reduce arrays along some of their axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eglantine.plain.symbolic import current
from eglantine.trace.elementwise import as_vector
from eglantine.trace.shapes import Shape, axes_below, shape_of
from eglantine.trace.sums import vec
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import UNROLLED, VecValue
from eglantine.trace.views import element_at, view
from eglantine.types import Real, RealType, VecType, scalar_of

Read = Callable[[tuple[Any, ...]], Any]
Fold = Callable[[Shape, Read], Any]
"""Takes a shape, and a function that reads the element at given indices. Returns one number for the array."""


def built(shape: Shape, read: Read) -> Any:
    """Build an array of this shape. Compute each element by `read(indices)` and store it."""

    def below(before: tuple[Any, ...]) -> Any:
        if len(before) == len(shape):
            return read(before)
        n = shape[len(before)]
        if not 0 < n <= UNROLLED:
            return vec(n, lambda i: below((*before, i)))
        elements = [below((*before, k)) for k in range(n)]
        return VecValue(VecType(n, type_of(elements[0])), elements, None)

    return below(())


def lazy(shape: Shape, read: Read, *sources: Any) -> Any:
    """Make an array of Reals that is not stored. Each read of an element computes the element again."""
    return view(shape, Real, read, sources)


def rearranged(v: Any, shape: Shape, places: Callable[[tuple[Any, ...]], Sequence[Any]]) -> Any:
    """Make a view of v with this shape. Its element at `indices` is v's element at `places(indices)`."""
    v = array_of(v)
    if not shape_of(v):
        return built(shape, lambda _: v)
    if 0 in shape and isinstance(scalar_of(v.type), RealType):
        return built(shape, lambda _: 0.0)  # the array is empty, so no element is ever read
    return view(shape, scalar_of(v.type), lambda indices: element_at(v, places(indices)), [v])


def array_of(value: Any) -> Any:
    """Return a list or array as a traced Vec. Return a number unchanged."""
    if isinstance(value, VecValue) or not shape_of(value):
        return value
    assert current.get() is not None
    return as_vector(value)


def folded(v: Any, axis: Any, keepdims: bool, fold: Fold) -> Any:
    """Reduce v along the given axes with `fold`. If `keepdims` is true, these axes remain with length 1."""
    v = array_of(v)
    shape = shape_of(v)
    axes = axes_below(axis, len(shape), shape)
    rest = [k for k in range(len(shape)) if k not in axes]
    inner = tuple(shape[k] for k in axes)

    def at(indices: tuple[Any, ...]) -> Any:
        outside = [indices[k] for k in rest] if keepdims else list(indices)

        def read(inside: tuple[Any, ...]) -> Any:
            places: list[Any] = [None] * len(shape)
            for k, i in zip(rest, outside, strict=True):
                places[k] = i
            for k, i in zip(axes, inside, strict=True):
                places[k] = i
            return element_at(v, places)

        return fold(inner, read)

    if keepdims:
        return built(tuple(1 if k in axes else n for k, n in enumerate(shape)), at)
    return built(tuple(shape[k] for k in rest), at)

"""Apply functions of matrices to each matrix of an array with more than two axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.shapes import broadcast, shape_of
from eglantine.trace.sums import vec
from eglantine.trace.views import element_at, view
from eglantine.types import TupleType, scalar_of

from .building import array_of


def square(a: Any, name: str) -> int:
    """The number of rows of a square matrix, or of each square matrix in an array.

    Raises: ShapeError for any other shape.
    """
    rows, columns = rectangle(a, name)
    if rows != columns:
        raise ShapeError(f"{name} takes a square matrix, but this array has the shape {shape_of(a)}.")
    return rows


def rectangle(a: Any, name: str) -> tuple[int, int]:
    """The numbers of rows and columns of a matrix, or of each matrix in an array.

    Raises: ShapeError for an array with fewer than two axes.
    """
    shape = shape_of(a)
    if len(shape) < 2:
        raise ShapeError(f"{name} takes a matrix, but this array has the shape {shape}.")
    return shape[-2], shape[-1]


def for_each(f: Callable[..., Any], arrays: Sequence[Any], axes: Sequence[int]) -> Any:
    """Apply f to the matrices or Vecs in the last axes of each array. The other axes broadcast.

    axes: for each array, 2 if f takes matrices from this array, or 1 if f takes Vecs.
    If f returns a tuple, the result is a tuple of arrays.
    """
    arrays = [array_of(a) for a in arrays]
    fronts = [shape_of(a)[: len(shape_of(a)) - own] for a, own in zip(arrays, axes, strict=True)]
    front = broadcast(fronts, "the axes before those of the matrices")
    if not front:
        return f(*arrays)

    def at(indices: tuple[Any, ...]) -> Any:
        parts = []
        for a, own in zip(arrays, fronts, strict=True):
            tail = indices[len(front) - len(own) :]
            parts.append(element_at(a, [0 if n == 1 else i for n, i in zip(own, tail, strict=True)]))
        return f(*parts)

    def below(before: tuple[Any, ...]) -> Any:
        if len(before) == len(front):
            return at(before)
        return vec(front[len(before)], lambda i: below((*before, i)))

    result = below(())
    of = scalar_of(result.type)
    if not isinstance(of, TupleType):
        return result

    def part(k: int, indices: tuple[Any, ...]) -> Any:
        return element_at(result, indices)[k]

    return tuple(view(front, item, partial(part, k), [result]) for k, item in enumerate(of.items))

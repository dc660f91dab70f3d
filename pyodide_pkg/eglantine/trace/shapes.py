"""The shapes of values, and NumPy's rules for broadcasting shapes and naming axes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eglantine.errors import ShapeError

from .vectors import VecValue

Shape = tuple[int, ...]


def shape_of(value: Any) -> Shape:
    """Return the shape of a Vec, array or list, or () for other values. Lists must be rectangular."""
    if isinstance(value, VecValue):
        return value.shape
    if isinstance(value, list):
        return (len(value), *(shape_of(value[0]) if value else ()))
    return tuple(getattr(value, "shape", ()))


def broadcast(shapes: Iterable[Shape], what: str = "") -> Shape:
    """Find the common shape of several shapes by NumPy's rules for broadcasting.

    Axes are paired from the last axis to the first. An axis of length 1 fits an axis of any length.
    what: the name of the operation, for the error message.
    Raises: ShapeError if the shapes do not fit. The message shows the shapes.
    """
    shapes = list(shapes)
    result = [1] * max(map(len, shapes), default=0)
    for shape in shapes:
        for k in range(1, len(shape) + 1):
            if result[-k] == 1:
                result[-k] = shape[-k]
            elif shape[-k] not in (1, result[-k]):
                told = " and ".join(str(shape) for shape in dict.fromkeys(shapes) if shape)
                raise ShapeError(
                    f"The shapes {told} do not broadcast{what and f' in {what}'}: NumPy pairs axes from the "
                    f"last, and here axis -{k} has {shape[-k]} and {result[-k]} elements. Give both the same "
                    "length, or one of them length 1."
                )
    return tuple(result)


def axis_below(axis: Any, ndim: int, shape: Shape) -> int:
    """Return the number of an axis, counted from 0. A negative `axis` counts from the end.

    Raises: ShapeError if there is no such axis.
    """
    k = axis.__index__()
    if not -ndim <= k < ndim:
        axes = f"axes from {-ndim} to {ndim - 1}" if ndim else "no axes"
        raise ShapeError(f"The axis {axis} does not exist: an array of shape {shape} has {axes}. Name one.")
    return int(k % ndim)


def axes_below(axis: Any, ndim: int, shape: Shape) -> tuple[int, ...]:
    """Convert an argument `axis` to a sorted tuple of axes, counted from 0. None stands for all axes."""
    if axis is None:
        return tuple(range(ndim))
    axes = [axis_below(one, ndim, shape) for one in (axis if isinstance(axis, tuple | list) else (axis,))]
    if len(set(axes)) < len(axes):
        raise ShapeError(f"The axes {tuple(axis)} name an axis twice. Name each axis only once.")
    return tuple(sorted(axes))

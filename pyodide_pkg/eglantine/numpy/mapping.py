"""`eg.vmap`: a function of one example as a function of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.plain.symbolic import current
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.types import field_names, is_container

from .building import array_of
from .shaping import moveaxis


def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that applies f to each part of its arguments along an axis, and puts the results together.

    in_axes: the axis of each argument, or None for one that all calls share; one value for all, or a tuple.
    out_axes: the axis of the results along which the calls are.
    """

    def mapped(*args: Any) -> Any:
        axes = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
        if len(axes) != len(args):
            raise TypeMismatchError(
                f"vmap has {len(axes)} in_axes, but this call gives {len(args)} arguments."
            )
        if current.get() is None:
            from .calls import at_once

            return at_once(mapped, args, (f, tuple(map(repr, axes)), repr(out_axes)))
        moved = [arg if axis is None else _tree(arg, lambda v, axis=axis: _front(v, axis)) for arg, axis in
                 zip(args, axes, strict=True)]  # fmt: skip
        lengths = {
            n for arg, axis in zip(moved, axes, strict=True) if axis is not None for n in _lengths(arg)
        }
        if len(lengths) != 1:
            told = " and ".join(map(str, sorted(lengths))) or "none"
            raise ShapeError(f"vmap needs one length along the mapped axes, but these have {told} elements.")
        (n,) = lengths
        result = vec(n, lambda i: f(*(arg if axis is None else _tree(arg, lambda v: v[i]) for arg, axis in
                                      zip(moved, axes, strict=True))))  # fmt: skip
        return result if out_axes == 0 else moveaxis(result, 0, out_axes)

    return mapped


def _front(v: Any, axis: int) -> Any:
    v = array_of(v)
    k = axis_below(axis, len(shape_of(v)), shape_of(v))
    return moveaxis(v, k, 0) if k else v


def _tree(value: Any, f: Callable[[Any], Any]) -> Any:
    """f of each array in tuples, dicts and structs."""
    if isinstance(value, dict):
        return {name: _tree(part, f) for name, part in value.items()}
    if is_container(value):
        return type(value)(**{name: _tree(getattr(value, name), f) for name in field_names(type(value))})
    if isinstance(value, tuple):
        return tuple(_tree(part, f) for part in value)
    return f(value)


def _lengths(value: Any) -> list[int]:
    found: list[int] = []
    _tree(value, lambda v: found.append(shape_of(v)[0]))
    return found

"""`eg.vmap`: turn a function of one example into a function of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.leaves import leaves
from eglantine.plain.symbolic import current
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.trace.vectors import VecValue
from eglantine.types import StructType, TupleType, VecType, field_names, is_container

from .building import array_of
from .shaping import moveaxis


def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Turn f into a function that takes arrays, calls f for each part along an axis, and joins the results.

    in_axes: the axis along which an argument is cut into parts. None means that each call of f gets the whole
        argument. Give one axis for all arguments, or a tuple with an axis for each argument.
    out_axes: the axis along which the results of the calls are joined. If f returns a tuple or a struct,
        the new function returns a tuple or struct of arrays.
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
        moved = [_mapped_first(arg, axis) for arg, axis in zip(args, axes, strict=True)]
        lengths = {
            n for arg, axis in zip(moved, axes, strict=True) if axis is not None for n in _lengths(arg)
        }
        if len(lengths) != 1:
            told = " and ".join(map(str, sorted(lengths))) or "none"
            raise ShapeError(
                f"All mapped axes of vmap must have the same length, but they have {told} elements."
            )
        (n,) = lengths

        def at(i: Any) -> Any:
            return f(*(_part(arg, axis, i) for arg, axis in zip(moved, axes, strict=True)))

        return _tree(arrays_of_parts(vec(n, at)), lambda v: moveaxis(v, 0, out_axes) if out_axes else v)

    return mapped


def _mapped_first(value: Any, axis: int | None) -> Any:
    """Move the mapped axis of each array in an argument to the front."""
    return value if axis is None else _tree(value, lambda v: _front(v, axis))


def _part(value: Any, axis: int | None, i: Any) -> Any:
    """Return the part of an argument for call i of f."""
    return value if axis is None else _tree(value, lambda v: v[i])


def arrays_of_parts(result: Any) -> Any:
    """Turn a Vec of structs into a struct of Vecs, so that each result of f becomes an array."""
    of = result.type.of
    if not isinstance(of, TupleType | StructType):
        return result
    arrays = result.arrays()
    parts = []
    for item in of.items:
        count = len(leaves(item))
        parts.append(arrays_of_parts(VecValue(VecType(result.type.n, item), None, arrays[:count])))
        arrays = arrays[count:]
    return of.pack(parts)


def _front(v: Any, axis: int) -> Any:
    v = array_of(v)
    k = axis_below(axis, len(shape_of(v)), shape_of(v))
    return moveaxis(v, k, 0) if k else v


def _tree(value: Any, f: Callable[[Any], Any]) -> Any:
    """Apply f to each array in tuples, dicts and structs."""
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

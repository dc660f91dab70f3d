"""`eg.vec` and `eg.sum`: loops over the elements or terms f(i)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.program import Loop
from eglantine.ir.row_types import I32
from eglantine.leaves import leaves
from eglantine.plain.symbolic import current, described
from eglantine.types import (
    FinType,
    RealType,
    StructType,
    TupleType,
    Type,
    VecType,
    field_names,
    is_container,
)

from .arguments import result_of
from .bodies import Body, length_of, loop_count, tracing
from .scalars import IndexValue
from .shapes import shape_of
from .traced import Traced
from .types_of import type_of
from .vectors import VecValue, _is_vector, rows_of, value_of

_OF_VEC = ("the element of vec", "eg.vec(n, lambda i: …)")
_OF_SUM = ("the term of sum", "eg.sum(n, lambda i: …)")


def vec(n: Any, f: Callable[[Any], Any]) -> Any:
    """The Vec of f(0), …, f(n − 1), computed in a loop.

    n: a whole number or a Fin. f: takes an index below n and returns a value of any type.
    Outside of a traced function, the result is a plain list.
    """
    n = length_of(n)
    parent = current.get()
    if parent is None:
        return [result_of(f, *_OF_VEC, i) for i in range(n)]
    parent = tracing("vec")
    with Body(parent) as body:
        value = result_of(f, *_OF_VEC, IndexValue(body, body.param(I32(0, max(n - 1, 0)))))
        of = type_of(value)
        results = rows_of(body, value, of)
    loop = Loop(body.finish(results), n, n, False, 0)
    rows = parent.loop(loop, body.captured)
    return VecValue(VecType(n, of), None, [Traced(parent, row) for row in rows])


def sum_(n: Any, f: Callable[[Any], Any] | None = None) -> Any:
    """The sum 0.0 + f(0) + … + f(n − 1), added in this order. f returns any structure of Reals.

    n: a whole number, a Fin or an index. If you leave out f, n must be a Vec or an array. Then the result is
        the sum of its elements.
    """
    if f is None:
        items = n
        if not _is_vector(items) and not isinstance(items, tuple):
            raise TypeMismatchError(
                f"eg.sum needs a Vec, but it was given {described(items)}. Write eg.sum(n, lambda i: …) for "
                "a sum of terms, or Python's own sum(…), which writes the terms out."
            )
        several = len(shape_of(items)) > 1
        return sum_(len(items), lambda i: sum_(items[i]) if several else items[i])
    parent = current.get()
    if parent is None:
        return _plain_sum(length_of(n), f)
    parent = tracing("sum")
    count, extent, first = loop_count(parent, n)
    with Body(parent) as body:
        value = result_of(f, *_OF_SUM, IndexValue(body, body.param(I32(0, max(extent - 1, 0)))))
        of = _of_reals(type_of(value))
        if any(leaf.dtype != "f64" for leaf in leaves(of)):
            raise TypeMismatchError(
                f"eg.sum adds only Reals, but these terms have the type {of!r}. Convert the terms to Reals "
                "with eg.real."
            )
        terms = rows_of(body, value, of)
        accs = [parent.acc(leaf.dims) for leaf in leaves(of)]
        for acc, term in zip(accs, terms, strict=True):
            body.add_to(body.capture(acc), term)
    parent.loop(Loop(body.finish(()), count, extent, False, 0), [*first, *body.captured])
    return value_of(of, parent, [parent.acc_read(acc) for acc in accs])


def _of_reals(of: Type) -> Type:
    """Replace all index types inside the type `of` by Real."""
    match of:
        case FinType():
            return RealType()
        case VecType(n, element):
            return VecType(n, _of_reals(element))
        case TupleType() | StructType():
            return of.of(map(_of_reals, of.items))
    return of


def _plain_sum(n: int, f: Callable[[Any], Any]) -> Any:
    total: Any = 0.0
    for i in range(n):
        term = result_of(f, *_OF_SUM, i)
        total = tree_map(lambda a, c: a + c, total, term) if i else tree_map(lambda c: 0.0 + c, term)
    return total


def tree_map(f: Callable[..., Any], *values: Any) -> Any:
    """Apply f to the numbers at the same place in several values. The values have the same structure."""
    first = values[-1]
    if isinstance(first, dict):
        return {name: tree_map(f, *(_part(value, name) for value in values)) for name in first}
    if is_container(first):
        names = field_names(type(first))
        return type(first)(**{name: tree_map(f, *(_part(value, name) for value in values)) for name in names})
    if isinstance(first, list | tuple):
        return type(first)(tree_map(f, *(_part(value, k) for value in values)) for k in range(len(first)))
    return None if first is None else f(*values)


def _part(value: Any, key: Any) -> Any:
    if isinstance(value, float | int):
        return value
    return value[key] if isinstance(value, dict | list) or isinstance(key, int) else getattr(value, key)

"""Convert values of any structure to a Vec of Reals and back, and read the bounds of these Reals."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.functions.structures import UNROLLED_DIRECTIONS, _before, _gather, _scalars
from eglantine.leaves import leaves
from eglantine.plain.typeof import shown
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.trace.sums import vec
from eglantine.types import Fin, Real, RealType, StructType, TupleType, Type, VecType
from eglantine.words.spelling import began, count


def number_of_reals(of: Type, what: str) -> int:
    """Return the number of Reals in a value of type `of`.

    what: a phrase for the value in error messages, such as "the start".
    Raises: TypeMismatchError if the value contains Bools or indices. ShapeError if it contains no Real.
    """
    if isinstance(of, VecType) and of.of is Real and of.n:
        return of.n
    if any(leaf.dtype != "f64" for leaf in leaves(of)):
        raise TypeMismatchError(
            f"{began(what)} must consist of Reals, but the type here is {of!r}. Pass other values in args."
        )
    n = _scalars(of)
    if not n:
        raise ShapeError(f"{began(what)} must contain at least one Real, but the type here is {of!r}.")
    return n


def flat(value: Any, of: Type) -> Any:
    """Return the Vec of all Reals in a traced value, in the order in which the value has them."""
    n = _scalars(of)
    if isinstance(of, VecType) and isinstance(of.of, RealType):
        return as_vector(value) if isinstance(value, list) else value
    if n <= UNROLLED_DIRECTIONS:
        return as_vector([_real_at(value, of, k) for k in range(n)])
    return vec(n, lambda i: _real_at(value, of, i))


def _real_at(value: Any, of: Type, i: Any) -> Any:
    """Return Real number i of a value. The number i may be known only at run time."""
    match of:
        case VecType(_, element):
            size = _scalars(element)
            return _real_at(value[i // size if size > 1 else i], element, i % size if size > 1 else 0)
        case TupleType() | StructType():
            return _real_in_parts(list(of.parts(value)), of.items, i)
    return value


def _real_in_parts(parts: Sequence[Any], items: Sequence[Type], i: Any) -> Any:
    sized = [(k, _scalars(item)) for k, item in enumerate(items) if _scalars(item)]
    if isinstance(i, int):
        k = next(k for k, size in sized if i < _before(items, k) + size)
        return _real_at(parts[k], items[k], i - _before(items, k))
    result: Any = None
    for k, size in reversed(sized):
        first = _before(items, k)
        here = select((i >= first) & (i < first + size), i - first, 0) if size > 1 else 0
        real = _real_at(parts[k], items[k], Fin(size)(here) if size > 1 else 0)
        result = real if result is None else select(i < first + size, real, result)
    return result


def with_structure(of: Type, at: Callable[[Any], Any]) -> Any:
    """Build a value of type `of` from its Reals. Real number k is at(k)."""
    return _gather(of, at)


# ---------------------------------------------------------------- plain values


def plain_reals(value: Any, of: Type) -> list[Any]:
    """The Reals in a plain value, in the order of elements."""
    match of:
        case VecType(n, element):
            return [x for k in range(n) for x in plain_reals(value[k], element)]
        case TupleType() | StructType():
            parts = zip(of.parts(value), of.items, strict=True)
            return [x for part, item in parts for x in plain_reals(part, item)]
    return [value]


def plain_structure(of: Type, reals: Sequence[float], numpy: Any = None) -> Any:
    """Build a plain value of type `of` from its Reals. If `numpy` is given, Vecs become NumPy's arrays."""
    numbers = map(float, reals)

    def build(of: Type) -> Any:
        match of:
            case VecType(n, element):
                values = [build(element) for _ in range(n)]
                return values if numpy is None else numpy.array(values)
            case TupleType() | StructType():
                return of.pack([build(item) for item in of.items])
        return next(numbers)

    return build(of)


def numpy_of(*values: Any) -> Any:
    """The module NumPy if one of the values is a NumPy array, else None."""
    return sys.modules["numpy"] if any(hasattr(value, "__array_interface__") for value in values) else None


def bounds_of(bounds: Any, of: Type, n: int) -> tuple[list[float], list[float]]:
    """Return the lower bounds and the upper bounds of all Reals in a value of type `of`.

    bounds: None, or a list of pairs (lo, hi), one for each Real. Or two structures like the value: the first
        contains the lower bounds, and the second contains the upper bounds. A single number instead of such a
        structure is the bound of all Reals. None instead of a number means that there is no bound.
    """
    if bounds is None:
        return [-math.inf] * n, [math.inf] * n
    if not hasattr(bounds, "__len__"):
        raise TypeMismatchError(f"{_BOUNDS}, but they are {shown(bounds)}.")
    ends = _two_structures(bounds, of, n) or _pairs(bounds, n)
    lower = [-math.inf if low is None else float(low) for low in ends[0]]
    upper = [math.inf if high is None else float(high) for high in ends[1]]
    for k, (low, high) in enumerate(zip(lower, upper, strict=True)):
        if not low <= high:
            raise ShapeError(
                f"The lower bound of parameter {k} must not be above its upper bound, but the bounds are "
                f"{low} and {high}. Swap or correct them."
            )
    return lower, upper


_BOUNDS = "The bounds must be (lo, hi) pairs, one for each Real, or two structures like the start"


def _two_structures(bounds: Any, of: Type, n: int) -> tuple[list[Any], list[Any]] | None:
    """Return the bounds if they are given as two structures like the value, else None."""
    if len(bounds) != 2 or (n == 2 and not isinstance(bounds, tuple)):
        return None
    if n == 2 and all(isinstance(part, tuple) for part in bounds) and not isinstance(of, TupleType):
        return None  # two pairs
    ends = [_like(part, of, n) for part in bounds]
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def _like(part: Any, of: Type, n: int) -> list[Any] | None:
    if part is None or isinstance(part, int | float):
        return [part] * n
    try:
        values = plain_reals(part, of)
    except (TypeError, KeyError, IndexError, AttributeError, ValueError, TypeMismatchError):
        return None
    lengths_agree = not isinstance(of, VecType) or len(part) == of.n
    return values if lengths_agree and all(map(_is_end, values)) else None


def _is_end(value: Any) -> bool:
    return value is None or (hasattr(value, "__float__") and not hasattr(value, "__len__"))


def _pairs(bounds: Any, n: int) -> tuple[list[Any], list[Any]]:
    if isinstance(bounds, dict):
        raise TypeMismatchError(f"{_BOUNDS}, but they are one dict. Write a pair of dicts.")
    pairs = list(bounds)
    for k, pair in enumerate(pairs):
        if not hasattr(pair, "__len__") or len(pair) != 2 or not all(map(_is_end, pair)):
            raise TypeMismatchError(f"{_BOUNDS}, but number {k} of them is {shown(pair)}.")
    if len(pairs) != n:
        raise ShapeError(f"{_BOUNDS}: there are {count(n, 'Real')}, but {len(pairs)} pairs.")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

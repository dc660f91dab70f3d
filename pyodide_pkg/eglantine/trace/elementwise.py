"""Apply functions of numbers to the elements of Vecs, and convert lists to Vecs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.plain.marshal import has_array
from eglantine.plain.symbolic import current, described
from eglantine.types import Fin, FinType, Type, VecType, as_type

from .arguments import function
from .bodies import _caller
from .scalars import BoolValue, IndexValue, RealValue, bool_row, index_row, is_plain_number, real_row
from .shapes import broadcast, shape_of
from .sums import vec
from .traced import Traced, builder_for
from .types_of import is_traced, type_of
from .vectors import UNROLLED, VecValue, _is_vector, give_operators, rows_of, value_of
from .views import subscripted


def _placed(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap f so that all rows that f adds have the user's call of f as their source."""

    @wraps(f)
    def run(*args: Any) -> Any:
        b = current.get()
        before = len(b.sources) if b else 0
        value = f(*args)
        if b and len(b.sources) > before:
            b.sources[before:] = [_caller()] * (len(b.sources) - before)
        return value

    return run


@_placed
def elementwise(f: Callable[..., Any], *operands: Any) -> Any:
    """Apply f to corresponding elements of the operands. Operands broadcast by NumPy's rules.

    f takes numbers. If an operand has several dimensions, we also call f with Vecs. In this case, f
    must call `elementwise`.
    """
    shapes = [shape_of(value) for value in operands]
    shape = broadcast(shapes)
    n, rank = shape[0], len(shape)
    plain = current.get() is None
    if not plain:
        operands = tuple(as_vector(value) if _is_vector(value) else value for value in operands)
    whole = [len(own) < rank for own in shapes]
    repeated = [own[0] == 1 != n if own else False for own in shapes]

    def at(i: Any) -> Any:
        triples = zip(operands, whole, repeated, strict=True)
        return f(*(value if all_of_it else value[0 if same else i] for value, all_of_it, same in triples))

    if plain:
        results = [at(k) for k in range(n)]
        arrays = any(has_array(value) for value in operands)
        return sys.modules["numpy"].array(results) if arrays else results
    if n > UNROLLED or n == 0:
        return vec(n, at)
    elements = [at(k) for k in range(n)]
    return VecValue(VecType(n, type_of(elements[0])), elements, None)


def as_vector(value: Any, of: Type | None = None) -> VecValue:
    """Convert a list, array or Vec to a traced Vec."""
    if isinstance(value, VecValue) and of is None:
        return value
    of = type_of(value) if of is None else of
    b = current.get()
    if not isinstance(of, VecType) or b is None:
        raise TypeMismatchError(
            f"A list of values is needed here, but this is {value!r}. Put the values into a list."
        )
    if len(value) <= UNROLLED and len(value) == of.n and is_traced(value):
        return VecValue(of, [value_of(of.of, b, rows_of(b, item, of.of)) for item in value], None)
    return VecValue(of, None, [Traced(b, row) for row in rows_of(b, value, of)])


def asarray(value: Any, of: Any = None) -> Any:
    """Convert a list or NumPy array to a Vec. If a list is empty or mixed, pass its type as `of`.

    Outside a function, check the list and return it unchanged.
    """
    declared = type_of(value) if of is None else as_type(of)
    if not isinstance(declared, VecType):
        raise TypeMismatchError(
            f"eg.asarray makes a Vec, but the type here is {declared!r}. Write eg.asarray([x], eg.Vec(1, "
            "eg.Real)) for a Vec of one number."
        )
    return value if current.get() is None else as_vector(value, declared)


_COND = "eg.cond(p, lambda: …, lambda: …)"


def _arm(holds: bool, then: Any, orelse: Any) -> tuple[Any, str, str]:
    """Return the arm that runs, the arm's name in error messages, and a correct call for error messages."""
    return (then, "the first arm of cond", _COND) if holds else (orelse, "the second arm of cond", _COND)


def _check_arms(then: Any, orelse: Any) -> None:
    for holds in (True, False):
        function(*_arm(holds, then, orelse)[:2], f"{_COND}, or eg.select(p, a, b) for values")


def not_a_condition(p: Any, what: str) -> TypeMismatchError:
    """The error for a condition that is not a Bool."""
    return TypeMismatchError(
        f"The condition of {what} must be a Bool, but it is {described(p)}. Compare to make one, as in x > 0."
    )


def real(value: Any) -> Any:
    """Convert an index or Bool to a Real."""
    if isinstance(value, VecValue):
        return elementwise(real, value)
    if isinstance(value, RealValue):
        return value
    if not isinstance(value, Traced):
        if isinstance(value, list):
            return elementwise(real, value)
        if isinstance(value, str) or not hasattr(value, "__float__"):
            raise TypeMismatchError(
                "eg.real converts an index, a Bool or a number to a Real, but it was given "
                f"{described(value)}. Pass an index, a Bool or a number."
            )
        return float(value)
    b = builder_for(value)
    b.source = _caller()
    if isinstance(value, BoolValue):
        return RealValue(b, b.un("real_i1", bool_row(b, value)))
    return RealValue(b, b.un("real_i32", index_row(b, value)))


def index(x: Any, n: Any) -> Any:
    """Convert x to the index floor(x), clamped to the range 0, …, n − 1. For NaN, return 0.

    Use it to read tables and images. Its derivative is 0.

    >>> import eglantine as eg
    >>> look_up = eg.fn([eg.Real])(lambda x: eg.asarray([0.0, 10.0, 20.0])[eg.index(x, 3)])
    >>> look_up(1.75), look_up(-5.0), look_up(99.0)
    (10.0, 0.0, 20.0)

    x: a Real, or a Vec of Reals. A Vec gives a Vec of indices. n: a whole number or a Fin.
    """
    of = n if isinstance(n, FinType) else Fin(n)
    if not of.n:
        raise ShapeError("eg.index needs at least one place to choose from, but n is 0. Give a larger n.")
    if _is_vector(x):
        return elementwise(lambda element: index(element, of), x)
    if not isinstance(x, Traced):
        if isinstance(x, bool | str) or not is_plain_number(x):
            raise _no_place(x)
        return of(int(min(max(0.0, float(x)), of.n - 1)))  # NaN is not larger than 0
    if not isinstance(x, RealValue | IndexValue):
        raise _no_place(x)
    b = builder_for(x)
    b.source = _caller()
    within = b.bi("min", b.bi("max", real_row(b, x), b.const(0.0)), b.const(of.n - 1.0))
    place = b.un("wrap_i64", b.un("int_f64", within))
    return IndexValue(b, b.bi("imod", place, b.int_const(of.n)))  # the modulo only gives the bounds


def _no_place(x: Any) -> TypeMismatchError:
    return TypeMismatchError(
        f"eg.index makes an index of a Real, but it was given {described(x)}. Give it a number."
    )


give_operators(elementwise)
VecValue._subscripted = subscripted  # type: ignore[assignment, method-assign]


def _on_request(name: str) -> Callable[..., Any]:
    """Make a method that calls the function `name` of `from_numpy`. The first call imports that module."""

    def called(*args: Any, **named: Any) -> Any:
        return getattr(import_module("eglantine.trace.from_numpy"), name)(*args, **named)

    return called


for _class in (Traced, VecValue):
    _class.__array_ufunc__ = _on_request("called_by_numpy")  # type: ignore[union-attr]
    _class.__array_function__ = _on_request("function_of_numpy")  # type: ignore[union-attr]

"""`eg.taylor`: the Taylor coefficients of a function along a line."""

from __future__ import annotations

from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import _real_leaves, _real_results, derived_fn
from eglantine.functions.eager import call_derivative
from eglantine.functions.fn import Fn, argument_types, as_fn
from eglantine.leaves import leaves, tangent_type
from eglantine.trace.traced import current_builder
from eglantine.trace.vectors import rows_of, value_of
from eglantine.types import RealType
from eglantine.words.spelling import count

from .rules import series_function


def taylor(f: Any, x: Any, direction: Any = 1.0, order: int = 1) -> list[Any]:
    """The Taylor coefficients 0 … order of t ↦ f(x + t·direction) at 0: (k-th derivative) / k!.

    >>> import eglantine as eg
    >>> eg.taylor(lambda x: 1.0 / x, 2.0, order=3)
    [0.5, -0.25, 0.125, -0.0625]
    >>> eg.taylor(lambda v: v[0] * v[1], [2.0, 3.0], [1.0, 1.0], order=2)
    [6.0, 5.0, 1.0]

    f: a function of one argument. Each coefficient has the structure of f's result. If a leaf of the result
        is a Bool, Fin or Unit, its coefficients 1 … order are None.
    direction: a tangent of x. It has the structure of x, with None in place of each Bool, Fin or Unit.
    order: the highest order. Each operation of f becomes O(order²) operations.

    `abs`, `floor`, `sign`, `minimum`, `maximum` and comparisons are defined in pieces. Where two pieces meet,
    `taylor` uses the same piece as `jvp`. If a function has a custom derivative, `taylor` computes all orders
    from it.
    Raises: MissingDerivativeError if f needs a derivative that does not exist. TypeMismatchError if the
        direction does not have the structure of x, or the order is not a whole number ≥ 0.
    """
    given: Any = order
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise TypeMismatchError(
            f"The order of eg.taylor must be a whole number ≥ 0, but it is {order!r}. Write order=2 for "
            "the value and two derivatives."
        )
    g = as_fn(f, argument_types((x,)), 1)
    if len(g.function.params) != 1:
        raise TypeMismatchError(
            f"eg.taylor takes a function of 1 argument, but {g.__name__} has "
            f"{count(len(g.function.params), 'argument')}. Put them into a tuple: lambda v: f(*v)."
        )
    of = g.function.params[0]
    if isinstance(direction, float | int) and not isinstance(tangent_type(of), RealType):
        raise TypeMismatchError(
            f"The direction of eg.taylor must have the structure of x, which is {of!r}, but it is "
            f"{direction!r}. Give a direction with a number for each Real of x."
        )
    return list(call_derivative(f, g, ("taylor", order), lambda g: taylor_fn(g, order), (x, direction)))


def taylor_fn(f: Fn, order: int) -> Fn:
    """Make an fn (x, direction) → a tuple of the coefficients 0 … order."""
    function = f.function
    of, out = tangent_type(function.params[0]), tangent_type(function.result)
    first = (True, *(False,) * (order - 1)) if order else ()
    pattern = tuple(first if on and order else None for on in _real_leaves(function))
    series, found = series_function(function, pattern, order)
    m = len(function.leaf_results)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        tangents = rows_of(b, args[1], of, "the direction") if order else []
        results = b.call(series, [*rows, *tangents])
        rest = iter(results[m:])
        columns = [
            [next(rest) if on else b.zeros(leaf) for on in ons or (False,) * order]
            for ons, leaf, on in zip(found, function.leaf_results, _real_results(function), strict=True) if on
        ]  # fmt: skip
        assert len(columns) == len(leaves(out))
        higher = (value_of(out, b, [column[k] for column in columns]) for k in range(order))
        return (value_of(function.result, b, results[:m]), *higher)

    return derived_fn(f, [*function.params, of], f"series of {f.__name__}", body)

"""Recurrences for truncated power series. Each computes the coefficients of f(x(t)) from those of x(t).

A recurrence computes coefficient k from the coefficients before it, so n coefficients take O(n²) operations.
The same definition serves both classes of `Coefficients`. Up to the order LONGEST_UNROLLED, a recurrence adds
one row for each operation, except operations on missing coefficients. For higher orders it is a loop over
arrays, so the size of the code does not grow with the order.

Source: Griewank and Walther, "Evaluating Derivatives", 2nd edition, section 13.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from eglantine.ir.builder import Builder
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64, ZERO
from eglantine.plain.symbolic import current
from eglantine.trace.elementwise import asarray, real
from eglantine.trace.loops import fori_loop
from eglantine.trace.tracer import trace
from eglantine.types import Real, TupleType, VecType

LONGEST_UNROLLED: Final = 12
"""The largest order for which a recurrence is straight-line code. For larger orders, it is a loop."""

FEW: Final = 3
"""The largest number of products for each coefficient for which we add rows instead of a call."""


class Coefficients(Protocol):
    """The operations that recurrences use. `k` is the number of the coefficient to compute."""

    def scaled(self, x: Any) -> Any:
        """Multiply coefficient j by j. For the series x(t), this gives the series t·x′(t)."""

    def sum(self, k: Any, x: Any, y: Any, first: int = 0, gap: int = 0) -> Any:
        """Σ x_j · y_{k−j} for j from `first` to k − gap."""

    def powered(self, k: Any, x: Any, z: Any, exponent: Any) -> Any:
        """Σ (exponent·j − (k − j)) · x_j · z_{k−j} for j from 1 to k."""

    def over(self, total: Any, k: Any) -> Any:
        """The quotient total / k."""

    def at(self, x: Any, k: Any) -> Any:
        """Coefficient k of a series."""

    def add(self, x: Any, y: Any) -> Any:
        """x + y."""

    def sub(self, x: Any, y: Any) -> Any:
        """x − y."""

    def mul(self, x: Any, y: Any) -> Any:
        """x · y."""

    def div(self, x: Any, y: Any) -> Any:
        """x / y."""

    def number(self, value: float) -> Any:
        """A constant."""

    def solve(self, step: Callable[..., Sequence[Any]], *starts: Any) -> list[Any]:
        """Solve a recurrence. `starts` are the first coefficients of the results, and `step` gives the rest.

        step: a function of k and of the first k coefficients of each result. It returns coefficient k of each
            result.
        """


class _Unrolled:
    """Coefficients as rows of a builder. The symbolic zero stands for a missing coefficient."""

    def __init__(self, b: Builder, order: int) -> None:
        self.order = order
        self.add, self.sub, self.mul, self.div, self.number = b.add, b.sub, b.mul, b.div, b.const

    def scaled(self, x: Sequence[int]) -> list[int]:
        return [ZERO, *(self.mul(self.number(float(j)), x[j]) for j in range(1, len(x)))]

    def sum(self, k: int, x: Sequence[int], y: Sequence[int], first: int = 0, gap: int = 0) -> int:
        total = ZERO
        for j in range(first, k - gap + 1):
            total = self.add(total, self.mul(x[j], y[k - j]))
        return total

    def powered(self, k: int, x: Sequence[int], z: Sequence[int], exponent: int) -> int:
        total = ZERO
        for j in range(1, k + 1):
            weight = self.sub(self.mul(exponent, self.number(float(j))), self.number(float(k - j)))
            total = self.add(total, self.mul(weight, self.mul(x[j], z[k - j])))
        return total

    def over(self, total: int, k: int) -> int:
        return self.div(total, self.number(float(k)))

    def at(self, x: Sequence[int], k: int) -> int:
        return x[k]

    def solve(self, step: Callable[..., Sequence[int]], *starts: int) -> list[list[int]]:
        series = [[start] for start in starts]
        for k in range(1, self.order + 1):
            for coefficients, row in zip(series, step(k, *series), strict=True):
                coefficients.append(row)
        return series


class _Rolled:
    """Coefficients as traced arrays, and recurrences as loops over them."""

    def __init__(self, order: int) -> None:
        self.order = order

    def scaled(self, x: Any) -> Any:
        return asarray([x[j] * float(j) for j in range(self.order + 1)])

    def sum(self, k: Any, x: Any, y: Any, first: int = 0, gap: int = 0) -> Any:
        return fori_loop(first, k + (1 - gap), lambda j, total: total + x[j] * y[k - j], 0.0)

    def powered(self, k: Any, x: Any, z: Any, exponent: Any) -> Any:
        def term(j: Any, total: Any) -> Any:
            return total + (exponent * real(j) - real(k - j)) * (x[j] * z[k - j])

        return fori_loop(1, k + 1, term, 0.0)

    def over(self, total: Any, k: Any) -> Any:
        return total / real(k)

    def at(self, x: Any, k: Any) -> Any:
        return x[k]

    def add(self, x: Any, y: Any) -> Any:
        return x + y

    def sub(self, x: Any, y: Any) -> Any:
        return x - y

    def mul(self, x: Any, y: Any) -> Any:
        return x * y

    def div(self, x: Any, y: Any) -> Any:
        return x / y

    def number(self, value: float) -> Any:
        return value

    def solve(self, step: Callable[..., Sequence[Any]], *starts: Any) -> list[Any]:
        def extended(k: Any, series: Any) -> Any:
            added = step(k, *series)
            return tuple(x.at[k].set(value) for x, value in zip(series, added, strict=True))

        first = tuple(asarray([start, *[0.0] * self.order]) for start in starts)
        return list(fori_loop(1, self.order + 1, extended, first))


# ------------------------------------------------------------ the recurrences
#
# A recurrence takes its starts and then the series of its operands. It returns the series of its results. If
# a recurrence cannot compute coefficient 0 of a result, the caller gives the coefficient as a start.


def product(e: Coefficients, _: Any, x: Any, y: Any) -> list[Any]:
    """z = x · y."""
    return e.solve(lambda k, _: (e.sum(k, x, y),), e.mul(e.at(x, 0), e.at(y, 0)))


def quotient(e: Coefficients, starts: Any, x: Any, y: Any) -> list[Any]:
    """z = x / y: z_k = (x_k − Σ y_j z_{k−j}) / y_0, where the sum begins at j = 1."""
    return e.solve(lambda k, z: (e.div(e.sub(e.at(x, k), e.sum(k, y, z, first=1)), e.at(y, 0)),), *starts)


def integral(e: Coefficients, _: Any, x: Any, slope: Any) -> list[Any]:
    """z′ = slope · x′, from z_0 = 0."""
    dx = e.scaled(x)
    return e.solve(lambda k, _: (e.over(e.sum(k, dx, slope, first=1), k),), e.number(0.0))


def exponential(e: Coefficients, starts: Any, x: Any) -> list[Any]:
    """z = exp(x): z′ = z · x′."""
    dx = e.scaled(x)
    return e.solve(lambda k, z: (e.over(e.sum(k, dx, z, first=1), k),), *starts)


def circular(e: Coefficients, starts: Any, x: Any) -> list[Any]:
    """s = sin(x) and c = cos(x): s′ = c · x′ and c′ = −s · x′."""
    dx = e.scaled(x)

    def step(k: Any, s: Any, c: Any) -> tuple[Any, Any]:
        return e.over(e.sum(k, dx, c, first=1), k), e.sub(e.number(0.0), e.over(e.sum(k, dx, s, first=1), k))

    return e.solve(step, *starts)


def hyperbolic(e: Coefficients, starts: Any, x: Any) -> list[Any]:
    """s = sinh(x) and c = cosh(x): s′ = c · x′ and c′ = s · x′."""
    dx = e.scaled(x)
    return e.solve(
        lambda k, s, c: (e.over(e.sum(k, dx, c, first=1), k), e.over(e.sum(k, dx, s, first=1), k)), *starts
    )


def _tangent(sign: Callable[[Coefficients, Any], Any]) -> Callable[..., list[Any]]:
    def solved(e: Coefficients, starts: Any, x: Any) -> list[Any]:
        dx = e.scaled(x)

        def step(k: Any, z: Any, slope: Any) -> tuple[Any, Any]:
            now = e.over(e.sum(k, dx, slope, first=1), k)
            outer = e.mul(e.number(2.0), e.mul(e.at(z, 0), now))
            return now, sign(e, e.add(outer, e.sum(k, z, z, first=1, gap=1)))

        return e.solve(step, *starts)

    return solved


tangent = _tangent(lambda _, square: square)
"""z = tan(x) and its slope 1 + z²."""

hyperbolic_tangent = _tangent(lambda e, square: e.sub(e.number(0.0), square))
"""z = tanh(x) and its slope 1 − z²."""


def root(e: Coefficients, starts: Any, x: Any) -> list[Any]:
    """z = √x: z_k = (x_k − Σ z_j z_{k−j}) / (2·z_0), where the sum goes over j from 1 to k − 1."""

    def step(k: Any, z: Any) -> tuple[Any]:
        rest = e.sub(e.at(x, k), e.sum(k, z, z, first=1, gap=1))
        return (e.div(rest, e.mul(e.number(2.0), e.at(z, 0))),)

    return e.solve(step, *starts)


def length(e: Coefficients, _: Any, x: Any, y: Any) -> list[Any]:
    """z = √(x² + y²), if z_0 = 1."""

    def step(k: Any, z: Any) -> tuple[Any]:
        squares = e.add(e.sum(k, x, x), e.sum(k, y, y))
        return (e.mul(e.number(0.5), e.sub(squares, e.sum(k, z, z, first=1, gap=1))),)

    return e.solve(step, e.number(1.0))


def power(e: Coefficients, starts: Any, x: Any) -> list[Any]:
    """z = x^y for a constant y and x_0 ≠ 0: x · z′ = y · z · x′. The starts are z_0 and y."""
    z_start, exponent = starts
    return e.solve(lambda k, z: (e.div(e.over(e.powered(k, x, z, exponent), k), e.at(x, 0)),), z_start)


RECURRENCES: Final[dict[str, tuple[Callable[..., list[Any]], int]]] = {
    "product": (product, 0),
    "quotient": (quotient, 1),
    "integral": (integral, 0),
    "exponential": (exponential, 1),
    "circular": (circular, 2),
    "hyperbolic": (hyperbolic, 2),
    "tangent": (tangent, 2),
    "hyperbolic tangent": (hyperbolic_tangent, 2),
    "root": (root, 1),
    "length": (length, 0),
    "power": (power, 2),
}
"""Maps a name to a recurrence and the number of its starts, which are its first arguments (see `solved`)."""


def solved(b: Builder, name: str, starts: Sequence[int], *series: Sequence[int]) -> list[tuple[int, ...]]:
    """Add a recurrence to `b`, as rows or as a call. Return the coefficients 1 … n of each result.

    name: the key of the recurrence in RECURRENCES.
    starts: the recurrence's first arguments, such as coefficient 0 of its result.
    series: the coefficients 0 … n of each operand. A missing coefficient is the symbolic zero.
    """
    order = len(series[0]) - 1
    if order <= LONGEST_UNROLLED:
        present = [sum(map(bool, x[1:])) for x in series]
        if order <= 2 or (name != "length" and min(present) + (len(series) > 1) <= FEW):
            results = RECURRENCES[name][0](_Unrolled(b, order), starts, *series)
            return [tuple(z[1:]) for z in results]
    function, pattern = _function(name, order, tuple(tuple(map(bool, x)) for x in series))
    rows = iter(b.call(function, [*starts, *(row for x in series for row in x if row)]))
    return [tuple(next(rows) if on else ZERO for on in ons) for ons in pattern]


@lru_cache(maxsize=4096)
def _function(
    name: str, order: int, pattern: tuple[tuple[bool, ...], ...]
) -> tuple[Function, list[list[bool]]]:
    """Make a function for a recurrence: (starts…, coefficients of operands…) → coefficients of results.

    pattern: for each operand, a flag for each coefficient. The flag is true if the coefficient is present.
        The function takes only coefficients that are present. We also return such flags for the results.
    """
    make = _unrolled_function if order <= LONGEST_UNROLLED else _rolled_function
    return make(name, order, pattern)


def _unrolled_function(name: str, order: int, pattern: Any) -> tuple[Function, list[list[bool]]]:
    recurrence, count = RECURRENCES[name]
    b = Builder()
    starts = [b.param(F64) for _ in range(count)]
    series = [[b.param(F64) if on else ZERO for on in ons] for ons in pattern]
    results = [z[1:] for z in recurrence(_Unrolled(b, order), starts, *series)]
    block = b.finish([row for z in results for row in z if row])
    function = Function(
        f"{name} of order {order}", (Real,) * len(block.params), TupleType((Real,) * len(block.results)),
        block, leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return function, [list(map(bool, z)) for z in results]


def _rolled_function(name: str, order: int, pattern: Any) -> tuple[Function, list[list[bool]]]:
    recurrence, count = RECURRENCES[name]

    def run(*values: Any) -> Any:
        rest = iter(values[count:])
        series = [
            asarray([next(rest) if on else 0.0 for on in ons], VecType(order + 1, Real)) for ons in pattern
        ]
        results = recurrence(_Rolled(order), values[:count], *series)
        return tuple(z[k] for z in results for k in range(1, order + 1))

    present = sum(sum(ons) for ons in pattern)
    function = traced(run, [Real] * (count + present), f"{name} of order {order}")
    return function, [[True] * order for _ in range(len(function.leaf_results) // order)]


def traced(f: Callable[..., Any], types: Sequence[Any], name: str) -> Function:
    """Trace one of this package's functions, outside of the current trace."""
    token = current.set(None)
    try:
        return trace(f, types, name=name)[0]
    finally:
        current.reset(token)

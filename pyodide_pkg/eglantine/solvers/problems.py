"""A function to be minimised. The methods see it as a function of a Vec, with its value and its gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eglantine.functions.derivatives import jvp, value_and_grad
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.functions.jacobians import hessian
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import index, real
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import vec
from eglantine.types import Fin, Real, RealType, Type, VecType, vec_type

LONG = 16
"""The least length of a Vec for which we compute four partial sums. A processor can add them in parallel."""

State = dict[str, Any]
"""The numbers that a method carries from one iteration to the next."""


@dataclass
class Problem:
    """A function of a Vec x of n Reals, which a method minimises. Use it only while a program is traced.

    value: the fn (x, *args) → Real. evaluate: the fn (x, *args) → (value, gradient).
    lower, upper: the bounds of x as Vecs, or None if no Real is bounded.
    """

    n: int
    value: Fn
    evaluate: Fn
    lower: Any = None
    upper: Any = None
    args: tuple[Any, ...] = field(default=())

    def at(self, x: Any) -> tuple[Any, Any]:
        """The value and the gradient at x."""
        return self.evaluate(x, *self.args)  # type: ignore[no-any-return]

    def with_numbers(self, *numbers: Any) -> Problem:
        """Return a copy of the problem that also passes these numbers, such as weights, to its function."""
        return replace(self, args=(*self.args, *numbers))

    def inside(self, x: Any) -> Any:
        """The point within the bounds that is nearest to x."""
        if self.lower is None:
            return x
        return vec(self.n, lambda i: clipped(x[i], self.lower[i], self.upper[i]))

    def is_free(self, x: Any, g: Any, i: Any) -> Any:
        """Return True if number i of x can move along −g without being stopped by a bound."""
        return ((x[i] > self.lower[i]) | (g[i] < 0.0)) & ((x[i] < self.upper[i]) | (g[i] > 0.0))

    def projected(self, x: Any, g: Any) -> Any:
        """Return the gradient g with 0 for each number of x that a bound stops."""
        if self.lower is None:
            return g
        return vec(self.n, lambda i: select(self.is_free(x, g, i), g[i], 0.0))

    def hessian(self, x: Any) -> Any:
        """The Hessian at x."""
        return hessian(self.value)(x, *self.args)

    def hessian_times(self, x: Any, v: Any) -> Any:
        """The Hessian at x times v."""

        def gradient(x: Any) -> Any:
            return self.evaluate(x, *self.args)[1]

        return jvp(gradient, (x,), (v,))[1]


def clipped(x: Any, low: Any, high: Any) -> Any:
    """x, or the bound that it crosses."""
    return select(x < low, low, select(x > high, high, x))


def is_finite(value: Any) -> Any:
    """True if a Real is finite."""
    return value - value == 0.0


def largest(v: Any) -> Any:
    """The largest absolute value in a Vec, or NaN."""
    return _in_strands(len(v), lambda i: abs(v[i]), maths.maximum)


def product(u: Any, v: Any) -> Any:
    """The inner product of two Vecs. For long Vecs, the processor can add four partial sums in parallel."""
    if len(u) < LONG:
        return dot(u, v)
    return _in_strands(len(u), lambda i: u[i] * v[i], lambda a, b: a + b)


def moved(x: Any, t: Any, d: Any) -> Any:
    """Compute x + t·d in one loop. The expression x + t * d would need two loops and one more Vec."""
    return vec(len(x), lambda i: x[i] + t * d[i])


def _in_strands(n: int, at: Callable[[Any], Any], joined: Callable[[Any, Any], Any]) -> Any:
    """Combine 0 and at(0) … at(n − 1) by `joined`, which adds two numbers or returns the larger one.

    For a large n, we compute four partial results, because the processor can compute them in parallel. If
    `joined` returns the larger number, no value may be below 0.
    """
    if n < LONG:
        return fori_loop(0, n, lambda i, so_far: joined(so_far, at(i)), 0.0)

    def four(i: Any, strands: Any) -> Any:
        return tuple(joined(strand, at(4 * i + k)) for k, strand in enumerate(strands))

    a, b, c, d = fori_loop(0, n // 4, four, (0.0,) * 4)
    result = joined(joined(a, b), joined(c, d))
    for k in range(4 * (n // 4), n):
        result = joined(result, at(k))
    return result


def length(v: Any) -> Any:
    """The Euclidean length of a Vec."""
    return maths.sqrt(product(v, v))


def all_equal(x: Any, y: Any) -> Any:
    """True if two Vecs have equal elements. The comparison stops at the first difference."""
    n = len(x)
    start = (Fin(n)(0), x[0] == y[0])

    def further(carry: Any) -> Any:
        i = index(real(carry[0]) + 1.0, n)
        return i, x[i] == y[i]

    return while_loop(lambda carry: carry[1] & (real(carry[0]) < n - 1), further, start)[1]


def line(n: int) -> Type:
    """The type of a Vec of n Reals."""
    return vec_type((n,), Real)


def is_line(of: Type) -> bool:
    """True if a type is a Vec of Reals."""
    return isinstance(of, VecType) and isinstance(of.of, RealType)


def flat_problem(
    f: Fn, types: Sequence[Type], n: int, with_structure: Callable[[Type, Callable[[Any], Any]], Any]
) -> tuple[Fn, Fn]:
    """Make two fns that take x as a Vec of n Reals. One returns f's value, the other (value, gradient)."""
    of = types[0]

    def value(x: Any, *args: Any) -> Any:
        return f(x if is_line(of) else with_structure(of, lambda k: x[k]), *args)

    flat_value = make_fn([line(n), *types[1:]], Real)(value)
    return flat_value, value_and_grad(flat_value, 0)

"""A function to be minimised, as the methods see it: its value and gradient at a Vec of Reals."""

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
from eglantine.trace.loops import fori_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec
from eglantine.types import Real, RealType, Type, VecType, vec_type

State = dict[str, Any]
"""The numbers that a method carries from one iteration to the next."""


@dataclass
class Problem:
    """A function of a Vec of n Reals, within a trace.

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
        """The problem whose function gets these numbers as last arguments: weights and multipliers."""
        return replace(self, args=(*self.args, *numbers))

    def inside(self, x: Any) -> Any:
        """The point within the bounds that is nearest to x."""
        if self.lower is None:
            return x
        return vec(self.n, lambda i: clipped(x[i], self.lower[i], self.upper[i]))

    def is_free(self, x: Any, g: Any, i: Any) -> Any:
        """Whether number i of x may move against its gradient."""
        return ((x[i] > self.lower[i]) | (g[i] < 0.0)) & ((x[i] < self.upper[i]) | (g[i] > 0.0))

    def projected(self, x: Any, g: Any) -> Any:
        """The gradient g at x without the numbers that a bound stops."""
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
    """Whether a Real is finite."""
    return value - value == 0.0


def largest(v: Any) -> Any:
    """The largest absolute value in a Vec, or NaN."""
    return fori_loop(0, len(v), lambda i, top: maths.maximum(top, abs(v[i])), 0.0)


def length(v: Any) -> Any:
    """The Euclidean length of a Vec."""
    return maths.sqrt(dot(v, v))


def all_equal(x: Any, y: Any) -> Any:
    """Whether two Vecs have equal elements."""
    return sum_(len(x), lambda i: select(x[i] == y[i], 0.0, 1.0)) == 0.0


def line(n: int) -> Type:
    """The type of a Vec of n Reals."""
    return vec_type((n,), Real)


def is_line(of: Type) -> bool:
    """Whether a type is a Vec of Reals."""
    return isinstance(of, VecType) and isinstance(of.of, RealType)


def flat_problem(
    f: Fn, types: Sequence[Type], n: int, with_structure: Callable[[Type, Callable[[Any], Any]], Any]
) -> tuple[Fn, Fn]:
    """The value, and the value with its gradient, of f as fns of a Vec of n Reals and further arguments."""
    of = types[0]

    def value(x: Any, *args: Any) -> Any:
        return f(x if is_line(of) else with_structure(of, lambda k: x[k]), *args)

    flat_value = make_fn([line(n), *types[1:]], Real)(value)
    return flat_value, value_and_grad(flat_value, 0)

"""A least-squares problem: residuals with their derivatives, and bounds.

The derivatives are fns. Either we differentiate the residuals, or another Wasm module computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eglantine.functions.derivatives import jvp
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.functions.jacobians import hessian, jacfwd_fn
from eglantine.functions.policies import checkpoint
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec
from eglantine.types import Real, Vec


@dataclass(frozen=True)
class Residuals:
    """Four fns. They compute m residuals r of a Vec x of n Reals, and derivatives of the residuals.

    value: takes (x, *data) and returns r.
    jacobian: takes (x, *data) and returns (r, J). The Jacobian J has one row for each residual.
    along: takes (v, x, *data) and returns the second derivative of r in the direction v.
    curvature: takes (weights, x, *data). It multiplies the Hessian of each residual by the weight of this
        residual, and returns the sum.
    """

    value: Fn
    jacobian: Fn
    along: Fn
    curvature: Fn


def differentiated(residuals: Fn) -> Residuals:
    """Make `Residuals` from the fn (x, *data) → r. Each fn for a derivative is optimised separately."""
    types = residuals.function.params

    def along(v: Any, x: Any, *data: Any) -> Any:
        def first(x: Any) -> Any:
            return jvp(lambda x: residuals(x, *data), (x,), (v,))[1]

        return jvp(first, (x,), (v,))[1]

    def curvature(weights: Any, x: Any, *data: Any) -> Any:
        return hessian(lambda x: dot(weights, residuals(x, *data)))(x)

    return Residuals(
        residuals,
        jacfwd_fn(residuals, 0, True),
        checkpoint(make_fn([types[0], *types])(along)),
        checkpoint(make_fn([residuals.function.result, *types])(curvature)),
    )


def pointwise(point: Fn, m: int) -> Residuals:
    """Make `Residuals` for m points. `point` is the fn (x, *numbers) → r, the residual of one point.

    The new fns take a Vec of m Reals for each of the numbers. We differentiate the residual of one point, and
    then make the loops over the points. This compiles in two thirds of the time that `differentiated` needs.
    If the derivatives are finite, `differentiated` gives the same bits.
    """
    parameters, *numbers = point.function.params
    line = Vec(m, Real)
    columns = [line] * len(numbers)
    with_slopes = jacfwd_fn(point, 0, True)

    def at(k: Any, data: Any) -> list[Any]:
        return [column[k] for column in data]

    def value(x: Any, *data: Any) -> Any:
        return vec(m, lambda k: point(x, *at(k, data)))

    def jacobian(x: Any, *data: Any) -> Any:
        both = vec(m, lambda k: with_slopes(x, *at(k, data)))
        return vec(m, lambda k: both[k][0]), vec(m, lambda k: both[k][1])

    def along(v: Any, x: Any, *data: Any) -> Any:
        def bent(k: Any) -> Any:
            def slope(x: Any) -> Any:
                return jvp(lambda x: point(x, *at(k, data)), (x,), (v,))[1]

            return jvp(slope, (x,), (v,))[1]

        return vec(m, bent)

    def curvature(weights: Any, x: Any, *data: Any) -> Any:
        def bent(k: Any) -> Any:
            return hessian(lambda x: weights[k] * point(x, *at(k, data)))(x)

        return sum_(m, bent)

    return Residuals(
        make_fn([parameters, *columns])(value),
        make_fn([parameters, *columns])(jacobian),
        checkpoint(make_fn([parameters, parameters, *columns])(along)),
        checkpoint(make_fn([line, parameters, *columns])(curvature)),
    )


@dataclass(frozen=True)
class LeastSquares:
    """A least-squares problem in a trace: residuals, their data, and bounds of the n parameters."""

    of: Residuals
    data: tuple[Any, ...]
    lower: Any
    upper: Any
    n: int

    def residuals(self, x: Any) -> Any:
        """The residuals at x."""
        return self.of.value(x, *self.data)

    def value_and_jacobian(self, x: Any) -> Any:
        """The residuals at x and their Jacobian."""
        return self.of.jacobian(x, *self.data)

    def along(self, x: Any, v: Any) -> Any:
        """The second derivative of the residuals along v."""
        return self.of.along(v, x, *self.data)

    def curvature(self, x: Any, weights: Any) -> Any:
        """Multiply each residual's Hessian by its weight and return the sum."""
        return self.of.curvature(weights, x, *self.data)

    def inside(self, x: Any) -> Any:
        """The nearest point within the bounds."""
        return vec(self.n, lambda j: maths.minimum(maths.maximum(x[j], self.lower[j]), self.upper[j]))

    def free(self, x: Any, gradient: Any) -> Any:
        """Return 0 for each parameter that cannot move along −gradient because of a bound, else 1."""

        def at(j: Any) -> Any:
            stopped_below = (x[j] <= self.lower[j]) & (gradient[j] >= 0.0)
            stopped_above = (x[j] >= self.upper[j]) & (gradient[j] <= 0.0)
            return select(stopped_below | stopped_above, 0.0, 1.0)

        return vec(self.n, at)

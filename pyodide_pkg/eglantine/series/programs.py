"""Make functions that the rules for series call: to scale an array, and to compute x^y at x = 0."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from eglantine.ir.program import Function
from eglantine.ir.row_types import Array
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import asarray, real
from eglantine.trace.loops import fori_loop
from eglantine.trace.sums import vec
from eglantine.types import Real, RealType, VecType

from .recurrences import traced


@lru_cache(maxsize=256)
def scaling(of: Array, inverse: bool) -> Function:
    """Return the function (array, factor) → array · factor or, if `inverse`, array / factor."""

    def scaled(x: Any, factor: Any, of: Any) -> Any:
        if isinstance(of, RealType):
            return x / factor if inverse else x * factor
        return vec(of.n, lambda i: scaled(x[i], factor, of.of))

    of_user: Any = Real
    for n in reversed(of.dims):
        of_user = VecType(n, of_user)
    return traced(lambda x, factor: scaled(x, factor, of_user), [of_user, Real], "scaled series")


@lru_cache(maxsize=64)
def power_at_zero(order: int) -> Function:
    """Return the function (y_0, y_1, x_1 … x_n) → coefficients 1 … n of x^y. Here x_0 is 0.

    If y_0 is a whole number ≥ 0, x^y is a product of y_0 factors x. Otherwise coefficient k is 0 for k < y_0
    and infinite for k > y_0. If y_0 ≤ 1, the mixed derivative ∂²/∂x∂y adds −∞ to coefficients 2 … n.
    """

    def run(y: Any, dy: Any, *series: Any) -> Any:
        x = asarray([0.0, *series])
        one = asarray([1.0, *[0.0] * order])

        def once_more(m: Any, product: Any) -> Any:
            def term(k: Any) -> Any:
                return fori_loop(0, k + 1, lambda j, total: total + x[j] * product[k - j], 0.0)

            return select(real(m) < y, vec(order + 1, term), product)

        products = fori_loop(0, order + 1, once_more, one)
        is_whole = (y >= 0.0) & (y == maths.floor(y))
        results = []
        binomial: Any = 1.0
        power: Any = 1.0
        for k in range(1, order + 1):
            binomial = binomial * (y - float(k - 1)) / float(k)
            power = power * series[0]
            infinite = select(y > float(k), 0.0, binomial * maths.pow(0.0, y - float(k)) * power)
            value = select(is_whole, products[k], infinite)
            pole = series[0] * dy * -maths.inf
            if k > 1:
                value = select((y <= 1.0) & (dy != 0.0) & (series[0] != 0.0), value + pole, value)
            results.append(value)
        return tuple(results)

    return traced(run, [Real] * (2 + order), f"power at 0 of order {order}")

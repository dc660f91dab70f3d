"""Derivatives of a solution with respect to the solver's arguments, by the implicit function theorem.

At a minimum, the gradient of the Lagrangian f − λ·c is zero for each number of x that is not at a bound, and
the active constraints are zero. Let H be the Hessian of the Lagrangian, and J the Jacobian of the
constraints. If the arguments change by dargs, x moves by dx and λ by dλ:

    H·dx − Jᵀ·dλ = −∂(gradient)/∂args·dargs
    J·dx         = −∂c/∂args·dargs

Source: Fiacco, "Introduction to sensitivity and stability analysis in nonlinear programming" (1983), chapter
    3. A constraint is active if it is an equality or its multiplier is above 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import jvp, value_and_grad
from eglantine.functions.jacobians import hessian, jacfwd
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.trace.products import dot
from eglantine.trace.sums import vec
from eglantine.types import Fin

from .flattening import flat
from .programs import Solve


def moved(
    solve: Solve, x: Any, multipliers: Any, args: Sequence[Any], tangents: Sequence[Any], ends: Sequence[Any]
) -> tuple[Any, Any, Any]:
    """Return the changes of the minimum, the multipliers and the value, if `args` change by `tangents`.

    multipliers: the Lagrange multipliers of the constraints, as a Vec. It is empty without constraints.
    ends: two Vecs, the lower bounds and the upper bounds. It is empty if there are no bounds.
    Raises: TypeMismatchError if the method is exterior-point and there are constraints.
    """
    from eglantine.numpy.linalg import solve as solved

    if solve.count and solve.method != "augmented-lagrangian":
        raise TypeMismatchError(
            "The derivative of a solution needs the multipliers of its constraints, but the method "
            "exterior-point finds none. Use augmented-lagrangian."
        )
    n, count, at = solve.n, solve.count, flat(x, solve.types[0])
    if not args:
        return solve.structured(vec(n, lambda _: 0.0)), [0.0] * count, 0.0

    def value(x: Any, *args: Any) -> Any:
        f = solve.value(x, *args)
        return f - dot(multipliers, constraints(x, *args)) if count else f

    def constraints(x: Any, *args: Any) -> Any:
        assert solve.violations is not None
        return solve.violations(x, *args)

    def value_and_slope(*args: Any) -> Any:
        return value_and_grad(lambda x: value(x, *args))(at)

    (_, g), (dfun, change) = jvp(value_and_slope, tuple(args), tuple(tangents))
    h = hessian(lambda x: value(x, *args))(at)

    def free(i: Any) -> Any:
        if not ends:
            return True
        return (at[i] > ends[0][i]) & (at[i] < ends[1][i]) | (g[i] == 0.0)

    def of_x(i: Any, j: Any) -> Any:
        return select(free(i) & free(j), h[i][j], select(i == j, 1.0, 0.0)) if ends else h[i][j]

    right = [select(free(i), -change[i], 0.0) for i in range(n)]
    if not count:
        dx = solved(vec(n, lambda i: vec(n, lambda j: of_x(i, j))), as_vector(right))
        return solve.structured(dx), [], dfun

    dc = jvp(lambda *args: constraints(at, *args), tuple(args), tuple(tangents))[1]
    jacobian = jacfwd(lambda x: constraints(x, *args))(at)
    active = [k < solve.equal or multipliers[k] > 0.0 for k in range(count)]
    slopes = [[select(active[k] & free(i), jacobian[k][i], 0.0) for i in range(n)] for k in range(count)]
    rows = [[*(of_x(i, j) for j in range(n)), *(-slope[i] for slope in slopes)] for i in range(n)]
    for k, slope in enumerate(slopes):
        rows.append([*slope, *(select(active[k], 0.0, 1.0) if j == k else 0.0 for j in range(count))])
    right += [select(one, -change, 0.0) for one, change in zip(active, dc, strict=True)]
    both = solved(as_vector([as_vector(row) for row in rows]), as_vector(right))
    place = Fin(n + count)
    dx = vec(n, lambda i: both[place(i)])
    return solve.structured(dx), [both[n + k] for k in range(count)], dfun

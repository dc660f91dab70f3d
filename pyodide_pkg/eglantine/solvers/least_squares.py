"""`eg.least_squares`: minimise the sum of the squares of residuals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from eglantine.checking.diagnose import diagnose
from eglantine.errors import NotFiniteError, TypeMismatchError
from eglantine.functions.eager import _key_of
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.typeof import shown
from eglantine.types import Real, Type, vec_type

from .arguments import function_and_types
from .flattening import bounds_of, flat, number_of_reals, with_structure
from .levenberg_marquardt import levenberg_marquardt
from .outcomes import Outcome
from .residuals import differentiated
from .solves import solved
from .statuses import CONVERGED, EXHAUSTED, NOT_FINITE, STUCK

TOLERANCE = 1e-12
"""The default of `tol`.

At a minimum, the residuals are orthogonal to the Jacobian's columns. A solve ends when the cosine between the
residuals and the space of these columns is at most `tol`.
"""

MOST_ROUNDS = 3000


def least_squares(
    residuals: Any,
    x0: Any,
    args: Sequence[Any] = (),
    method: Any = "lm",
    bounds: Any = None,
    *,
    tol: Any = None,
    maxiter: Any = MOST_ROUNDS,
) -> Outcome:
    """Find an x near x0 that minimises the sum of the squares of `residuals(x, *args)`.

    residuals: an `fn`, a `jit` or a plain function. It returns Reals in any structure.
    x0: the start, Reals in any structure. The result `x` has the same structure.
    args: further arguments. New values of the same types need no new compilation.
    method: only "lm", the method of Levenberg and Marquardt. Near a minimum it takes Newton's steps.
    bounds: a list of pairs (lo, hi), one for each Real of x0. Or two structures like x0: the first contains
        the lower bounds, and the second contains the upper bounds. None instead of a number means that there
        is no bound. If x0 violates a bound, the solve starts at the nearest point that violates none.
    tol: the solve ends when the cosine between the residuals and the space of the Jacobian's columns is at
        most `tol`. None means 1e-12.
    maxiter: the largest number of iterations. If the solver makes several attempts, it counts all of them.

    The outcome has `x`, `cost` (half the sum of squares), `fun` (the residuals as one list), `jac` (the
    Jacobian, one row for each residual), `grad` (the gradient of the cost), `optimality` (the largest
    absolute value in the gradient, without parameters that a bound stops), `nit` (the number of iterations),
    `nfev` (the number of evaluations), `status`, `success` and `message`.

    Raises: NotFiniteError if a residual or its derivative is not finite at x0.
    """
    if not isinstance(method, str) or method.lower() != "lm":
        raise TypeMismatchError(f'The method of eg.least_squares must be "lm", but it is {shown(method)}.')
    f, types, args = function_and_types(residuals, x0, args)
    number_of_reals(f.function.result, "the residuals")
    end = solve(lambda: f, _key_of(residuals, f), types, x0, args, bounds, tol, maxiter)
    if end["status"] == NOT_FINITE and end["nit"] == 0:
        raise not_finite_start("eg.least_squares", residuals, (x0, *args))
    return outcome_of(end)


def solve(
    make: Callable[[], Fn], key: Hashable, types: Sequence[Type], x0: Any, args: Sequence[Any], bounds: Any,
    tol: Any, maxiter: Any,
) -> dict[str, Any]:  # fmt: skip
    """Run Levenberg–Marquardt's method and return its results.

    make: a function that returns the fn (x, *args) → residuals. We call it only if we have no kernel yet.
    key: identifies the function in the cache of kernels. Equal functions have equal keys.
    """
    n = number_of_reals(types[0], "the start")
    lower, upper = bounds_of(bounds, types[0], n)
    if isinstance(maxiter, bool) or not isinstance(maxiter, int) or maxiter < 0:
        raise TypeMismatchError(f"maxiter must be a whole number ≥ 0, but it is {shown(maxiter)}.")
    tolerance = TOLERANCE if tol is None else tol
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance >= 0:
        raise TypeMismatchError(f"tol must be a number ≥ 0, or None, but it is {shown(tol)}.")
    kernel_args = (x0, *args, lower, upper, float(tolerance), float(maxiter))
    results: dict[str, Any] = solved(
        ("least squares", key, tuple(types)), lambda: _program(make(), types, n), kernel_args
    )
    return results


def _program(f: Fn, types: Sequence[Type], n: int) -> Fn:
    """Make the fn (x0, *args, lower, upper, tolerance, most rounds) → results of a solve."""
    of, result = types[0], f.function.result
    line = vec_type((n,), Real)

    @make_fn([line, *types[1:]])
    def residuals(x: Any, *args: Any) -> Any:
        return flat(f(with_structure(of, lambda k: x[k]), *args), result)

    @make_fn([*types, line, line, Real, Real])
    def program(x0: Any, *rest: Any) -> Any:
        *args, lower, upper, tolerance, most_rounds = rest
        end = levenberg_marquardt(
            differentiated(residuals), flat(x0, of), tuple(args), lower, upper, tolerance, most_rounds
        )
        x = end["x"]
        return {**end, "x": with_structure(of, lambda k: x[k])}

    return program


def not_finite_start(what: str, f: Any, args: Sequence[Any]) -> NotFiniteError:
    """The error for a start where a value or a derivative is not finite."""
    diagnosis = diagnose(f)(*args)
    reason = "The sum of its squares is too large for a Real." if diagnosis.finite else diagnosis.message
    return NotFiniteError(
        f"{what} cannot start at this x0, because a value there is not finite. {reason} Choose another "
        "start.",
        diagnosis.span,
    )


STATUSES = {
    CONVERGED: "converged",
    STUCK: "no decrease",
    EXHAUSTED: "iterations",
    NOT_FINITE: "not finite",
}
"""Maps the number of each status to its name. A status is the reason why a solve ended."""

MESSAGES = {
    CONVERGED: "Converged: no small change of x lowers the sum of squares.",
    STUCK: "Converged: no step can be represented that lowers the sum of squares.",
    EXHAUSTED: "Not converged: the iterations are used up. Try another start, bounds, or a larger maxiter.",
    NOT_FINITE: "Not converged: a derivative is not finite at x. Try another start, or bounds.",
}


def outcome_of(end: dict[str, Any]) -> Outcome:
    """Convert the results of a kernel to the outcome that `eg.least_squares` returns."""
    status = end["status"]
    return Outcome(
        x=end["x"], cost=end["cost"], fun=end["fun"], jac=end["jac"], grad=end["gradient"],
        optimality=end["optimality"], nit=int(end["nit"]), nfev=int(end["nfev"]),
        success=status in (CONVERGED, STUCK), status=STATUSES[status], message=MESSAGES[status],
    )  # fmt: skip

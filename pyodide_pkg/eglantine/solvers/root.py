"""`eg.root`: solve f(x) = 0 for an x in any structure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from eglantine.errors import ShapeError
from eglantine.functions.eager import _key_of
from eglantine.words.spelling import count

from .arguments import function_and_types
from .flattening import number_of_reals, numpy_of, plain_reals, plain_structure
from .least_squares import MESSAGES, MOST_ROUNDS, STATUSES, not_finite_start, solve
from .outcomes import Outcome
from .statuses import EXHAUSTED, NOT_FINITE

FINEST = 1e-17
"""The `tol` of the solve. It is so small that the solve ends only when f consists of rounding errors."""

RELATIVE = 1e-8
"""The largest change of each unknown u that may be needed to make f zero, as a fraction of max(1, |u|).

A point counts as a root if changes of at most this size can make the linear model of each equation zero.
"""


def root(f: Any, x0: Any, args: Sequence[Any] = (), *, maxiter: Any = MOST_ROUNDS) -> Outcome:
    """Find an x near x0 with f(x, *args) = 0.

    f: an `fn`, a `jit` or a plain function. It returns as many Reals as x0 has.
    x0: the start, Reals in any structure. The result `x` has the same structure.
    args: further arguments. New values of the same types need no new compilation.
    maxiter: the largest number of iterations. If the solver makes several attempts, it counts all of them.

    The method is Powell's hybrid method with exact steps. If Newton's step lies in the trust region, we take
    it. Otherwise we take Levenberg–Marquardt's step. Its direction lies between Newton's direction and the
    steepest descent of the sum of squares.

    The outcome has `x`, `fun` (the value of f at x), `jac` (the Jacobian, one row for each equation), `nit`
    (the number of iterations), `nfev` (the number of evaluations), `status`, `success` and `message`. If the
    solve ends at a minimum of the sum of squares where f is not 0, `success` is False.

    Raises: ShapeError unless f returns as many Reals as x0 has. NotFiniteError if f or its derivative is not
        finite at x0.
    """
    g, types, args = function_and_types(f, x0, args)
    n = number_of_reals(types[0], "the start")
    equations = number_of_reals(g.function.result, "the result of f")
    if equations != n:
        raise ShapeError(
            f"eg.root needs as many equations as unknowns, but f returns {count(equations, 'Real')} and x0 "
            f"has {n}. If there are more equations than unknowns, use eg.least_squares."
        )
    end = solve(lambda: g, _key_of(f, g), types, x0, args, None, FINEST, maxiter)
    if end["status"] == NOT_FINITE and end["nit"] == 0:
        raise not_finite_start("eg.root", f, (x0, *args))
    x = plain_reals(end["x"], types[0])
    success = all(_is_zero(value, row, x) for value, row in zip(end["fun"], end["jac"], strict=True))
    if success:
        status, message = "converged", "Converged: f is zero within rounding errors."
    elif end["status"] in (NOT_FINITE, EXHAUSTED):
        status, message = STATUSES[end["status"]], MESSAGES[end["status"]]
    else:
        status = "no root"
        message = "Not converged: here the sum of squares is least, but f is not zero. Try another start."
    value = plain_structure(g.function.result, end["fun"], numpy_of(end["fun"]))
    return Outcome(
        x=end["x"], fun=value, jac=end["jac"], nit=int(end["nit"]), nfev=int(end["nfev"]), success=success,
        status=status, message=message,
    )  # fmt: skip


def _is_zero(value: float, row: Sequence[float], x: Sequence[float]) -> bool:
    """True if changing each unknown u by a tiny part of max(1, |u|) could make `value` zero."""
    reach = math.fsum(abs(slope) * max(abs(unknown), 1.0) for slope, unknown in zip(row, x, strict=True))
    return abs(value) <= RELATIVE * reach

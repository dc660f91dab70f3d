"""`eg.minimize`: minimise a function. The solver is compiled once and then used for further calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from eglantine.checking.diagnose import diagnose
from eglantine.errors import FuelError, NotFiniteError
from eglantine.functions.eager import _key_of
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.words.spelling import count

from .arguments import function_and_types
from .constraints import names_of_values
from .flattening import bounds_of, number_of_reals
from .outcomes import Outcome
from .problems import line
from .programs import Solve, method_named
from .solves import solved
from .statuses import (
    CONVERGED,
    EXHAUSTED,
    INFEASIBLE,
    NAMES,
    NOT_FINITE,
    OUT_OF_FUEL,
    RUNNING,
    STOPPED,
    STUCK,
    SUCCESSES,
    UNBOUNDED,
)
from .stepping import make_solve, packed, stepper

MISSED = {"augmented-lagrangian": 1e-6, "exterior-point": 1e-2}
"""For each method, the largest amount by which the final x may miss a constraint without violating it.

If the option `feasible` is larger, it counts instead.
"""

MESSAGES = {
    CONVERGED: "Converged: the gradient is as small as asked for.",
    EXHAUSTED: "Not converged: the iterations are used up. Continue from x, or raise maxiter.",
    STUCK: "Converged: no step can be represented that lowers the value.",
    NOT_FINITE: "Not converged: every step that was tried gives a value that is not finite.",
    INFEASIBLE: "Not converged: no point was found that satisfies the constraints.",
    OUT_OF_FUEL: "Not converged: the fuel is used up. Give more fuel, or start nearer.",
    STOPPED: "Stopped by the callback.",
    UNBOUNDED: "Not converged: the value is below -1e20 and still falls. The function may have no minimum.",
}
COARSE = "Converged: the method predicts little descent. For a nearer minimum, give tol."
"""The message when exterior-point converges. This method tests the predicted descent, not the gradient."""


def minimize(
    f: Any, x0: Any, args: Sequence[Any] = (), method: str | None = None, bounds: Any = None,
    constraints: Any = (), tol: float | None = None, callback: Callable[[Any], Any] | None = None,
    **options: Any,
) -> Outcome:  # fmt: skip
    """Find an x near x0 that minimises f(x, *args).

    f: an `fn`, a `jit` or a plain function that returns one Real.
    x0: the start, Reals in any structure. The result's `x` and `jac` have the same structure.
    args: further arguments. New values of the same types need no new compilation.
    method: "gradient-descent", "momentum", "adam", "bfgs", "l-bfgs" (also with bounds), "newton" (exact
        Hessian in a trust region), "newton-cg" (products with the Hessian), "augmented-lagrangian" or
        "exterior-point". None means "augmented-lagrangian" with constraints, else "l-bfgs".
    bounds: a list of pairs (lo, hi), one for each Real of x0. Or two structures like x0: the first contains
        the lower bounds, and the second contains the upper bounds. None instead of a number means that there
        is no bound. If x0 violates a bound, the solve starts at the nearest point that violates none.
    constraints: a function that must be at least 0, or a list of such functions. Instead of a function g, you
        can write a dict {"type": t, "fun": g} as in SciPy. If t is "ineq", g must be at least 0. If t is
        "eq", g must be 0. The functions take x, or x and args, and return Reals in any structure.
    tol: the solve ends when ‖g‖∞ ≤ tol·max(1, |f|), where g is the gradient. None means 1e-8. The method
        exterior-point does not test the gradient, and ends by its options `settled` and `descent`. If you
        give tol, this method does one more solve, which ends when the predicted descent is below
        tol·max(1, |f|).
    callback: a function that is called with the state (x, fun, nit, …) after each iteration. If it returns
        True, the solve ends.
    options: maxiter (10,000 for the first three methods, else 15,000), fuel, and the options of the method.
        In brackets are the defaults. gradient-descent: learning_rate, normalise (False), softening (0.0).
        momentum: learning_rate (0.01), momentum (0.9), dampening (0.0), normalise, softening. adam:
        learning_rate (0.01), beta1 (0.9), beta2 (0.999). l-bfgs: memory (10). newton and newton-cg: radius
        (1.0). augmented-lagrangian: memory (10), weight (10), growth (10), feasible (1e-8). exterior-point:
        memory (17), weight (1e3), growth (10), least_solves (3), settled (1e-3), descent (1e-2), finish,
        reach. Without a learning_rate, gradient-descent does line searches. A learning_rate may be a function
        of args, so that it can change without a new compilation. momentum multiplies each gradient by 1 −
        dampening. normalise divides the gradient by its length plus softening.

    The outcome has `x`, `fun` (the value), `jac` (the gradient), `nit` (the number of iterations), `nfev`
    (the number of evaluations), `success`, `message` and `status`: "converged", "no decrease", "iterations",
    "not finite", "infeasible", "unbounded", "fuel" or "stopped". With constraints and without a callback, it
    also has `violations`: a list with a text for each constraint that x violates.

    Raises: NotFiniteError if the value or the gradient is not finite at x0.
    """
    made, types, _ = function_and_types(f, x0, args)
    if callback is not None:
        return _watched(made, f, types, x0, args, method, bounds, constraints, tol, callback, options)
    bounded = bounds is not None
    settings = (method, bounded, _constraint_keys(constraints), tol, tuple(sorted(options.items())))

    def make() -> Solve:
        return make_solve(made, types, method, bounded, constraints, tol, options)

    ends: tuple[Any, ...] = ()
    if bounded:
        ends = bounds_of(bounds, types[0], number_of_reals(types[0], "the start"))
    key = ("minimize", _key_of(f, made), tuple(types), settings)
    try:
        end = solved(key, lambda: _program(make()), (x0, *args, *ends), fuel=options.get("fuel"))
    except FuelError:
        nothing = dict.fromkeys(("fun", "nit", "nfev"), math.nan)
        return _outcome({"x": x0, "jac": None, **nothing, "status": OUT_OF_FUEL})
    if end["status"] == NOT_FINITE and end["nit"] == 0:
        raise not_finite_start(f, (x0, *args))
    return _in_the_methods_words(_with_violations(end, make), method)


def _in_the_methods_words(outcome: Outcome, method: str | None) -> Outcome:
    """For the method exterior-point, change the message of a converged solve."""
    converged = method is not None and outcome.status == NAMES[CONVERGED]
    if converged and method_named(method, constrained=False, bounded=False) == "exterior-point":
        outcome.message = COARSE
    return outcome


def _constraint_keys(constraints: Any) -> Any:
    """Return a key for the cache of kernels. Equal constraints have equal keys."""
    several = constraints if isinstance(constraints, list | tuple) else [constraints]
    return tuple((one.get("type"), one.get("fun")) if isinstance(one, dict) else one for one in several)


def _program(solve: Solve) -> Fn:
    """Make the fn (x0, *args, and bounds if there are any) → all numbers of the outcome."""
    bounds = [line(solve.n)] * 2 if solve.bounded else []

    @make_fn([*solve.types, *bounds])
    def program(x0: Any, *args: Any) -> Any:
        s = solve.solved(x0, args)
        told = packed(solve, s, args)
        result = {name: told[name] for name in ("x", "fun", "jac", "nit", "nfev", "status")}
        if solve.violations is not None:
            own = args[:-2] if solve.bounded else args
            result["violations"] = solve.violations(s["x"], *own)
        return result

    return program


def _watched(
    made: Fn, f: Any, types: Sequence[Any], x0: Any, args: Sequence[Any], method: Any, bounds: Any,
    constraints: Any, tol: Any, callback: Callable[[Any], Any], options: dict[str, Any],
) -> Outcome:  # fmt: skip
    """Solve step by step, and call `callback` after each iteration."""
    begin, step = stepper(made, types, method, bounds=bounds, constraints=constraints, tol=tol, **options)
    key = ("stepper", id(begin))
    state = solved((*key, "begin"), lambda: begin, (x0, *args))
    if state.status == NOT_FINITE:
        raise not_finite_start(f, (x0, *args))
    stopped = False
    while state.status == RUNNING and not stopped:
        state = solved((*key, "step"), lambda: step, (state, 1.0, *args))
        try:
            stopped = bool(callback(state))
        except StopIteration:
            stopped = True
    end = {name: getattr(state, name) for name in ("x", "fun", "jac", "nit", "nfev", "status")}
    if stopped and state.status == RUNNING:
        end["status"] = STOPPED
    return _in_the_methods_words(_outcome(end), method)


def _with_violations(end: dict[str, Any], make: Callable[[], Solve]) -> Outcome:
    """Return the outcome of a solve. If x violates constraints, name them and set status "infeasible"."""
    values = end.pop("violations", None)
    if values is None:
        return _outcome(end)
    solve = make()
    allowed = max(MISSED[solve.method], solve.options.get("feasible", 0.0))
    told = []
    for one, value in zip(names_of_values(solve.constraints, solve.types), values, strict=True):
        missed = abs(value) if one.equality else -value
        if not missed <= allowed:
            place = f" in line {one.span.line}" if one.span else ""
            told.append(f"{one.name}{place} by {missed:.3g}")
    outcome = _outcome({**end, "status": INFEASIBLE} if told else end)
    outcome.__dict__["violations"] = told
    if told:
        violated = count(len(told), "constraint")
        outcome.message = f"{MESSAGES[INFEASIBLE]} It violates {violated}: {'; '.join(told)}."
    return outcome


def _outcome(end: dict[str, Any]) -> Outcome:
    """The outcome that users see."""
    status = end["status"]
    nit, nfev = end["nit"], end["nfev"]
    return Outcome(
        x=end["x"], fun=end["fun"], jac=end["jac"],
        nit=int(nit) if nit == nit else 0, nfev=int(nfev) if nfev == nfev else 0,
        success=status in SUCCESSES, status=NAMES[status], message=MESSAGES[status],
    )  # fmt: skip


def not_finite_start(f: Any, args: Sequence[Any]) -> NotFiniteError:
    """The error for a start at which the value or the gradient is not finite."""
    found = diagnose(f)(*args)
    return NotFiniteError(
        f"eg.minimize cannot start at this x0, because a value there is not finite. {found} Choose another "
        "start."
    )

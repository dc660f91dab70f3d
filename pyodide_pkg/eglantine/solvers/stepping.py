"""`eg.stepper` and `eg.minimizer`: solvers as functions that can be called, compiled and exported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.fn import Fn, as_fn, check_function
from eglantine.functions.fn import fn as make_fn
from eglantine.trace.elementwise import as_vector
from eglantine.trace.loops import while_loop
from eglantine.trace.sums import vec
from eglantine.types import Real, RealType, StructType, Type, as_type
from eglantine.words.spelling import listed, nearest

from .constraints import read_constraints
from .flattening import bounds_of, flat, number_of_reals
from .implicit import moved
from .problems import State
from .programs import (
    DEFAULT_TOLERANCE,
    MOST_ITERATIONS,
    ORDINARY_MOST,
    PLAIN,
    WITH_CONSTRAINTS,
    Restrict,
    Solve,
    method_named,
    state_class,
)
from .statuses import RUNNING


def stepper(
    f: Any, types: Sequence[Any], method: str | None = None, *, bounds: Any = None, constraints: Any = (),
    tol: float | None = None, **options: Any,
) -> tuple[Fn, Fn]:  # fmt: skip
    """Make two fns for a solve that can be paused: begin(x0, *args) → state, step(state, n, *args) → state.

    f: the function to be minimised.
    types: the type of x, and then the type of each further argument.
    method, bounds, constraints, tol, options: as for `eg.minimize`.

    `step` makes n iterations, where n is a Real. It makes fewer if the solve ends. The state is a struct with
    x, fun, jac, nit, nfev, status and the numbers of the method. The status is a number: 0 while the solve
    runs, 1 if it has converged, 2 if the iterations are used up, 3 if no lower value can be represented, 4 if
    values are not finite, 5 if the constraints cannot be satisfied, 8 if the value falls below −1e20. The
    results do not depend on n: twenty single iterations give the same bits as one call with n = 20. On a
    page, compile both fns and call `step` once in each frame.
    """
    return restricted_stepper(
        f, types, None, method, bounds=bounds, constraints=constraints, tol=tol, **options
    )  # fmt: skip


def restricted_stepper(
    f: Any, types: Sequence[Any], restrict: Restrict | None, method: str | None = None, *, bounds: Any = None,
    constraints: Any = (), tol: float | None = None, **options: Any,
) -> tuple[Fn, Fn]:  # fmt: skip
    """Make the fns of `stepper`. `Solve` describes the argument `restrict`."""
    types = [as_type(of) for of in types]
    solve = make_solve(f, types, method, bounds is not None, constraints, tol, options, restrict)
    ends = _bounds(bounds, solve)

    @make_fn(types)
    def start(x0: Any, *args: Any) -> Any:
        every = (*args, *ends())
        return packed(solve, solve.begin(x0, every), every)

    result = start.function.result
    assert isinstance(result, StructType)
    of = state_class(dict(zip(result.names, result.items, strict=True)))

    @make_fn(types)
    def begin(x0: Any, *args: Any) -> Any:
        return of(**start(x0, *args))

    @make_fn([of, Real, *types[1:]])
    def step(state: Any, n: Any, *args: Any) -> Any:
        every = (*args, *ends())
        own = {name: getattr(state, name) for name in result.names}

        def body(carry: Any) -> Any:
            count, s = carry
            return count + 1.0, solve.iterate(s, every)

        end = while_loop(
            lambda carry: (carry[0] < n) & (carry[1]["status"] == RUNNING), body, (0.0, unpacked(solve, own))
        )[1]
        return of(**packed(solve, end, every))

    begin.__name__, step.__name__ = "begin", "step"
    return begin, step


def minimizer(
    f: Any, types: Sequence[Any], method: str | None = None, *, bounds: Any = None, constraints: Any = (),
    tol: float | None = None, **options: Any,
) -> Fn:  # fmt: skip
    """Make an fn for a whole solve: (x0, *args) → a struct with x, fun, jac, nit, nfev and status.

    f, types, method, bounds, constraints, tol, options: as for `eg.stepper`.

    The fn can be compiled, exported, and called in other functions. Its derivative with respect to args is
    the derivative of the solution, by the implicit function theorem. We assume that numbers at a bound stay
    there and that active constraints stay active. The derivative with respect to x0 is 0. With constraints,
    the struct also has the field `multipliers`: the Lagrange multipliers, with those of equalities first. The
    method exterior-point finds no multipliers, and is too coarse for a derivative.
    """
    types = [as_type(of) for of in types]
    solve = make_solve(f, types, method, bounds is not None, constraints, tol, options)
    ends = _bounds(bounds, solve)
    has_multipliers = solve.method == "augmented-lagrangian"

    @make_fn(types)
    def end(x0: Any, *args: Any) -> Any:
        every = (*args, *ends())
        s = solve.solved(x0, every)
        told = packed(solve, s, every)
        result = {name: told[name] for name in ("x", "fun", "jac", "nit", "nfev", "status")}
        return {**result, "multipliers": s["multipliers"]} if has_multipliers else result

    result = end.function.result
    assert isinstance(result, StructType)
    of = state_class(dict(zip(result.names, result.items, strict=True)))

    @make_fn(types)
    def minimum(x0: Any, *args: Any) -> Any:
        return of(**end(x0, *args))

    @minimum.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        y = minimum(*primals)
        multipliers = y.multipliers if has_multipliers else ()
        dx, changes, dfun = moved(solve, y.x, multipliers, primals[1:], tangents[1:], ends())
        zeros = solve.structured(vec(solve.n, lambda _: 0.0))
        changed = {"multipliers": as_vector(changes)} if has_multipliers else {}
        return y, of(x=dx, fun=dfun, jac=zeros, nit=0.0, nfev=0.0, status=0.0, **changed)

    return minimum


def make_solve(
    f: Any,
    types: Sequence[Type],
    method: Any,
    bounded: bool,
    constraints: Any,
    tol: Any,
    options: dict[str, Any],
    restrict: Restrict | None = None,
) -> Solve:
    """Make the programs of a solve from a user's arguments.

    Raises: TypeMismatchError for a function, method or option that does not fit.
    """
    check_function(f)
    number = number_of_reals(types[0], "the start")
    made = as_fn(f, types, 2)
    if not isinstance(made.function.result, RealType):
        raise TypeMismatchError(
            f"A solver minimises a Real, but {made.__name__} returns {made.function.result!r}. Return one "
            "number, such as a sum of squares, or use eg.least_squares."
        )
    several = read_constraints(constraints) if constraints or callable(constraints) else []
    name = method_named(method, bool(several), bounded)
    allowed = (*PLAIN[name][1], "maxiter", "fuel")
    for option in options:
        if option not in allowed:
            raise TypeMismatchError(
                f"The method {name!r} has no option {option!r}. It takes {listed(allowed)}.",
                None,
                nearest(option, allowed),
            )
    own = {option: value for option, value in options.items() if option not in ("maxiter", "fuel")}
    if tol is not None and name == "exterior-point":
        own.setdefault("finish", float(tol))
    most = options.get("maxiter")
    most = MOST_ITERATIONS.get(name, ORDINARY_MOST) if most is None else most
    tolerance = DEFAULT_TOLERANCE if tol is None else float(tol)
    return Solve(made, tuple(types), number, name, bounded, several, tolerance, int(most), own, restrict)


def _bounds(bounds: Any, solve: Solve) -> Any:
    """Return a function that makes the bounds as Vecs while tracing. Without bounds, it returns ()."""
    if bounds is None:
        return tuple
    lower, upper = bounds_of(bounds, solve.types[0], solve.n)
    return lambda: (as_vector(lower), as_vector(upper))


def packed(solve: Solve, s: State, args: Sequence[Any]) -> State:
    """Convert a state for users. x and jac get the structure of x0, and fun and jac have no penalties."""
    told = {**s, "x": solve.structured(s["x"]), "jac": solve.structured(s["jac"])}
    if solve.method in WITH_CONSTRAINTS:
        value, gradient = solve.plain(s, args)
        told |= {"energy": s["fun"], "slope": told["jac"], "fun": value, "jac": solve.structured(gradient)}
    return told


def unpacked(solve: Solve, told: State) -> State:
    """The state of the programs."""
    of = solve.types[0]
    s = dict(told)
    if solve.method in WITH_CONSTRAINTS:
        s |= {"fun": s.pop("energy"), "jac": s.pop("slope")}
    return {**s, "x": flat(s["x"], of), "jac": flat(s["jac"], of)}

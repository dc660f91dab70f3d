"""Find fixed points. Their derivatives solve a linear equation, so no values of the iteration are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.program import Function
from eglantine.ir.row_types import user_type
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.symbolic import current
from eglantine.trace.choices import select
from eglantine.trace.loops import while_loop
from eglantine.trace.maths import inf, nan
from eglantine.trace.sums import sum_
from eglantine.trace.traced import current_builder, lift
from eglantine.trace.tracer import parameter_names, trace
from eglantine.trace.types_of import type_of
from eglantine.trace.vectors import VecValue, rows_of, value_of
from eglantine.types import TupleType, Type

from .closures import closed_of, from_zero
from .derivatives import jvp, vjp
from .fn import Fn, argument_types, as_fn, fn
from .rules import give_rule
from .structures import zero_of

Values = tuple[Any, ...]
"""The leaves of a value, traced."""


def fixed_point(
    f: Callable[..., Any], init: Any, *args: Any, tolerance: float = 1e-13, limit: int = 10_000
) -> Any:
    """Start with x = `init`, and repeat x ← f(x, *args) until x hardly changes. Return x.

    f: a function that takes x and `args`, and returns the next x, which has the same type as x. It may also
        use traced values from outside.
    init: the first x. All its leaves must be Reals. The derivative with respect to init is 0.
    tolerance: the iteration ends when a round changes x by at most tolerance · (1 + |x|). The change and |x|
        are sums of absolute values over all Reals in x.
    limit: the largest number of rounds. If the iteration has not ended after these rounds, the result is NaN.

    The result has derivatives of any order. A tangent dx of the fixed point solves dx = A·dx + b, with
    A = ∂f/∂x and b = ∂f/∂args · dargs at x. We solve this equation by iteration too. Reverse mode solves the
    equation with the transpose Aᵀ in place of A. We store no values of the iteration.
    Source: Christianson, "Reverse accumulation and attractive fixed points" (1994).
    """
    if current.get() is None:
        types = argument_types((init, *args))
        solved = fn(list(types), names=parameter_names(f, len(types)))(
            lambda x, *rest: fixed_point(f, x, *rest, tolerance=tolerance, limit=limit)
        )
        return solved(init, *args)
    of = type_of(init)
    if any(leaf.dtype != "f64" for leaf in leaves(of)):
        raise TypeMismatchError(
            f"A fixed point can hold only Reals, but this one has the type {of!r}. Give other values "
            "as arguments."
        )
    step = as_fn(f, [of, *map(type_of, args)])
    if step.function.result != of:
        raise TypeMismatchError(
            f"A step of eg.fixed_point must return the type {of!r}, like the start, but it returned "
            f"{step.function.result!r}. Make the types the same."
        )
    b = current_builder()
    rows = [row for x, t in zip((init, *args), step.function.params, strict=True) for row in rows_of(b, x, t)]
    solve = _Solver(closed_of(step).function, len(leaves(of)), tolerance, limit).solve
    rows += [lift(b, value) for value in step.hidden]
    return value_of(of, b, b.call(solve, from_zero(b, step, rows)))


class _Solver:
    """The functions that compute a fixed point and its derivative.

    All parameters of these functions are leaves. We write x… for the unknowns, and p… for the other arguments
    of the step.

    step: the function (x…, p…) → next x…
    solve: the function (x…, p…) → fixed point. Its derivative rule calls the function linear("forward").

    The method `linear` makes two functions (x…, p…, b…) → w. The function linear("forward") returns the w for
    which w = A·w + b. The function linear("backward") returns the w for which w = Aᵀ·w + b. Here, A is the
    matrix ∂step/∂x. Each of the two functions is the transpose of the other one.
    """

    def __init__(self, step: Function, unknowns: int, tolerance: float, limit: int) -> None:
        types = tuple(map(user_type, step.leaf_params))
        self.result = TupleType(types[:unknowns])
        self.step = Fn(
            Function(
                step.name,
                types,
                self.result,
                step.block,
                leaf_params=step.leaf_params,
                leaf_results=step.leaf_results,
            )
        )
        self.n, self.tolerance, self.limit = unknowns, tolerance, limit
        self.solve = self._function(
            "fixed point", types, lambda *v: self._iterated(self._stepped(v), v[: self.n])
        )
        give_rule(self.solve, self._rule)
        self._linear: dict[str, Function] = {}

    def _function(self, what: str, types: Sequence[Type], f: Callable[..., Any]) -> Function:
        token = current.set(None)
        try:
            return trace(f, list(types), self.result, name=f"{what} of {self.step.__name__}")[0]
        finally:
            current.reset(token)

    def _stepped(self, v: Values) -> Callable[[Values], Values]:
        return lambda x: self.step(*x, *v[self.n :])

    def _rule(self, primals: Values, tangents: Values) -> tuple[Values, Values]:
        x = Fn(self.solve)(*primals)
        r = (*x, *primals[self.n :])
        b = jvp(self.step, r, (*map(_zero_tangent, x), *tangents[self.n :]))[1]
        return x, Fn(self.linear("forward"))(*r, *b)

    # ------------------------------------------------------------ the linear maps

    def applied(self, which: str, r: Values, w: Values) -> Values:
        """Compute A·w ("forward") or Aᵀ·w ("backward"). A is the matrix ∂step/∂x at the arguments r."""
        if which == "forward":
            tangents = (_zero_tangent(x) for x in r[self.n :])
            return jvp(self.step, r, (*w, *tangents))[1]  # type: ignore[no-any-return]
        return vjp(self.step, *r)[1](w)[: self.n]

    def linear(self, which: str) -> Function:
        """Return the function that solves w = A·w + b ("forward") or w = Aᵀ·w + b ("backward")."""
        if which not in self._linear:
            types = (*self.step.function.params, *self.result.items)
            m = len(self.step.function.params)

            def solved(*v: Any) -> Values:
                r, b = v[:m], v[m:]
                return self._iterated(lambda w: _sum(self.applied(which, r, w), b), b)

            def rule(primals: Values, tangents: Values) -> tuple[Values, Values]:
                r, dr, db = primals[:m], tangents[:m], tangents[m:]
                w = Fn(solve)(*primals)
                change = jvp(lambda *q: self.applied(which, q, w), r, dr)[1]
                return w, Fn(solve)(*r, *_sum(change, db))

            other = "backward" if which == "forward" else "forward"
            solve = replace(
                self._function("linear solve", types, solved),
                linear=self.n, transposed=lambda: self.linear(other),
            )  # fmt: skip
            give_rule(solve, rule)
            self._linear[which] = solve
        return self._linear[which]

    # ------------------------------------------------------------ the iteration

    def _iterated(self, step: Callable[[Values], Values], start: Values) -> Values:
        def is_moving(carry: Any) -> Any:
            _, distance, rounds = carry
            return (distance > self.tolerance) & (rounds < self.limit)

        def again(carry: Any) -> Any:
            x, _, rounds = carry
            new = step(x)
            moved, size = 0.0, 1.0
            for old, value in zip(x, new, strict=True):
                moved = moved + _total(value - old)
                size = size + _total(value)
            return new, moved / size, rounds + 1.0

        x, distance, _ = while_loop(is_moving, again, (start, inf, 0.0))
        return tuple(select(distance <= self.tolerance, value, value * nan) for value in x)


def _zero_tangent(value: Any) -> Any:
    return zero_of(tangent_type(type_of(value)))


def _sum(a: Values, b: Values) -> Values:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _total(value: Any) -> Any:
    """Return the sum of the absolute values of all Reals in a leaf."""
    return sum_(len(value), lambda i: _total(value[i])) if isinstance(value, VecValue) else abs(value)

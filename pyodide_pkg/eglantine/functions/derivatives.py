"""Derivatives of functions: jvp, vjp, linearize, grad, jacobians, Hessians and Hessian-vector products.

Each transform takes an `fn`, a `jit` or a plain function, inside or outside a trace. Transforms can be nested
in any order. The tangent or cotangent of a Bool, a Fin or a Unit is a Unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eglantine.autodiff.forward import jvp_function
from eglantine.autodiff.reverse import jacobian_transposed, vjp_function
from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.ir.program import Block, Function, with_results
from eglantine.leaves import leaves, tangent_type
from eglantine.trace.traced import current_builder, lift
from eglantine.trace.tracer import trace
from eglantine.trace.vectors import rows_of, value_of
from eglantine.types import RealType, TupleType, Type
from eglantine.words.spelling import count

from .eager import call_derivative, derived, with_run
from .fn import Fn, argument_types, as_fn, sequence_of_arguments


def derived_fn(
    f: Fn, types: Sequence[Type], name: str, body: Callable[[list[int], Any], Any], result: Type | None = None
) -> Fn:
    """Make an `Fn` by tracing `body`. The first parameters of the `Fn` are the parameters of f.

    types: the types of all parameters of the `Fn`.
    body: a function of two arguments. The first is a list with the rows of f's arguments and captures. The
        second is a tuple with all arguments of the `Fn`. It returns the result of the `Fn`.
    """

    def run(*args: Any) -> Any:
        b = current_builder()
        n = len(f.function.params)
        rows = [
            row for arg, of in zip(args[:n], f.function.params, strict=True) for row in rows_of(b, arg, of)
        ]
        return body([*rows, *(lift(b, value) for value in f.hidden)], args)

    names = [*f.function.param_names, *(f"d{name}" for name in f.function.param_names)][: len(types)]
    function, hidden = trace(run, types, result, name=name, param_names=names)
    function = replace(function, span=f.function.span, order=f.function.order + 1)
    return Fn(function, hidden, f.__wrapped__)


def _real_leaves(function: Function, wanted: Sequence[int] | None = None) -> tuple[bool, ...]:
    """Return a flag for each leaf of the parameters and captures.

    The flag is True if the leaf holds Reals and belongs to a wanted parameter. It is False for captures.
    wanted: the positions of the wanted parameters, or None if all parameters are wanted.
    """
    flags = [
        (wanted is None or k in wanted) and leaf.dtype == "f64"
        for k, of in enumerate(function.params) for leaf in leaves(of)
    ]  # fmt: skip
    return (*flags, *(False,) * function.hidden)


def _real_results(function: Function) -> tuple[bool, ...]:
    return tuple(leaf.dtype == "f64" for leaf in leaves(function.result))


def jvp_fn(f: Fn, effects: bool = True) -> Fn:
    """The function (x…, dx…) → (y, dy)."""
    function = f.function
    types = [*function.params, *(tangent_type(of) for of in function.params)]
    pattern = tuple((True,) if on else None for on in _real_leaves(function))
    pushed, out = jvp_function(function, pattern, 1, effects)
    n = len(function.params)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        tangents = [row for dx, of in zip(args[n:], types[n:], strict=True) for row in rows_of(b, dx, of)]
        results = b.call(pushed, [*rows, *tangents])
        m = len(function.leaf_results)
        rest = iter(results[m:])
        dy = [
            next(rest) if ons and ons[0] else b.zeros(of)
            for ons, of, on in zip(out, function.leaf_results, _real_results(function), strict=True) if on
        ]  # fmt: skip
        return value_of(function.result, b, results[:m]), value_of(tangent_type(function.result), b, dy)

    return derived_fn(f, types, f"jvp of {f.__name__}", body)


def jvp(f: Any, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Return f(*primals), and the derivative of f in the direction `tangents`.

    >>> import eglantine as eg
    >>> eg.jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.0))
    (6.0, 3.0)

    primals, tangents: one value for each argument of f. The tangent of a Bool, Fin or Unit is None.
    """
    check_pair("jvp", primals, tangents)
    g = as_fn(f, argument_types(primals), 1)
    return call_derivative(f, g, "jvp", jvp_fn, (*primals, *tangents))  # type: ignore[no-any-return]


def check_pair(name: str, primals: Any, tangents: Any) -> None:
    """Check that the primals and tangents of `eg.<name>` are tuples or lists of the same length."""
    sequence_of_arguments(primals, f"the primals of {name}", f"eg.{name}(f, {{}}, (1.0,))")
    sequence_of_arguments(tangents, f"the tangents of {name}", f"eg.{name}(f, (x,), {{}})")
    if len(primals) != len(tangents):
        raise ShapeError(
            f"eg.{name} needs as many tangents as primals, but it was given "
            f"{count(len(primals), 'primal')} and {count(len(tangents), 'tangent')}. Give one for "
            f"each argument, as in eg.{name}(f, (x, y), (dx, dy))."
        )


def linearize(f: Any, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """Return f(*primals), and the derivative of f at `primals` as a linear function.

    The linear function takes a tangent for each argument of f, and returns the tangent of the result. It can
    be called more than once.
    """
    g = as_fn(f, argument_types(primals), 1)
    pushed = with_run(f, g, "linearize", lambda g: jvp_fn(g, effects=False))
    return g(*primals), lambda *tangents: pushed(*primals, *tangents)[1]


def vjp_fn(f: Fn) -> Fn:
    """Make the function (x…, ct_y) → (ct_x, …). It does not print, and has no other effects of f."""
    function = f.function
    of = tangent_type(function.result)
    pulled = vjp_function(function, _real_leaves(function), _real_results(function), effects=False)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        results = b.call(pulled, [*rows, *rows_of(b, args[-1], of, "the cotangent")])
        return _cotangents(function, range(len(function.params)), results[len(function.leaf_results) :])

    return derived_fn(f, [*function.params, of], f"vjp of {f.__name__}", body)


def _cotangents(function: Function, argnums: Sequence[int], rows: Sequence[int]) -> tuple[Any, ...]:
    """Combine the cotangents of leaves (`rows`) into the cotangents of the arguments `argnums`."""
    b = current_builder()
    cotangents = []
    for k in argnums:
        of = tangent_type(function.params[k])
        n = len(leaves(of))
        cotangents.append(value_of(of, b, rows[:n]))
        rows = rows[n:]
    return tuple(cotangents)


def vjp(f: Any, *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Return f(*primals), and a function from the result's cotangent to the arguments' cotangents.

    >>> import eglantine as eg
    >>> y, pull = eg.vjp(lambda x, y: x * y, 2.0, 3.0)
    >>> y, pull(1.0)
    (6.0, (3.0, 2.0))

    `pull` returns a tuple with a cotangent for each argument. It can be called more than once.
    """
    g = as_fn(f, argument_types(primals), 1)
    pulled = with_run(f, g, "vjp", vjp_fn)

    def pull(*cotangents: Any) -> tuple[Any, ...]:
        if len(cotangents) != 1:
            raise TypeMismatchError(
                f"The result of {g.__name__} takes 1 cotangent, but it was given "
                f"{len(cotangents)}. Write pull(1.0), or pull((a, b)) if the result is a tuple."
            )
        return pulled(*primals, *cotangents)  # type: ignore[no-any-return]

    return g(*primals), pull


def _positions(f: Fn, argnums: Any) -> list[int]:
    n = len(f.function.params)
    wanted = list(argnums) if isinstance(argnums, tuple | list) else [argnums]
    for k in wanted:
        if isinstance(k, bool) or not isinstance(k, int) or not -n <= k < n:
            if not n:
                raise TypeMismatchError(
                    f"{f.__name__} has no arguments to differentiate by. Give it a parameter."
                )
            raise TypeMismatchError(
                f"{f.__name__} has {count(n, 'argument')}, so argnums takes "
                f"{'the position 0' if n == 1 else f'positions from 0 to {n - 1}'}, but it is "
                f"{argnums!r}. Write argnums=0 for the first."
            )
    return [k % n for k in wanted]


def _pulled(f: Fn, wanted: Sequence[int], has_aux: bool) -> Function:
    """Make a function that returns leaves: first f's value, then its gradients for the `wanted` arguments."""
    function = f.function
    if has_aux:
        items = function.result.items if isinstance(function.result, TupleType) else ()
        if len(items) != 2 or not isinstance(items[0], RealType):
            raise TypeMismatchError(
                f"With has_aux, {f.__name__} must return a pair (one Real, any value), but it returns "
                f"{function.result!r}. Write `return loss, aux`."
            )
    elif not isinstance(function.result, RealType):
        raise TypeMismatchError(
            f"The gradient of {f.__name__} needs a function that returns one Real, but it returns "
            f"{function.result!r}. Use eg.jacrev or eg.vjp."
        )
    return jacobian_transposed(function, _real_leaves(function, wanted), ((0, 0),))


def _gradient(f: Fn, argnums: Any, with_value: bool, has_aux: bool = False) -> Fn:
    function = f.function
    wanted = _positions(f, argnums)
    pulled = _pulled(f, wanted, has_aux)
    types = {k: tangent_type(function.params[k]) for k in wanted}
    rows: dict[int, list[int]] = {}
    assert pulled.block is not None
    values = pulled.block.results[: len(function.leaf_results)]
    cts = pulled.block.results[len(values) :]
    for k in sorted(types):
        n = len(leaves(types[k]))
        rows[k], cts = list(cts[:n]), cts[n:]
    is_tuple = isinstance(argnums, tuple | list)
    of: Type = TupleType(tuple(types[k] for k in wanted)) if is_tuple else types[wanted[0]]
    results = [row for k in wanted for row in rows[k]]
    if with_value:
        results = [*values, *results]
        of = TupleType((function.result, of))
    elif has_aux:
        results = [*results, *values[1:]]
        assert isinstance(function.result, TupleType)
        of = TupleType((of, function.result.items[1]))
    return _same_arguments(f, with_results(pulled.block, results), of, "grad")


def _same_arguments(f: Fn, block: Block, of: Type, what: str) -> Fn:
    """Make a function with the parameters of f, but with another block.

    block: the new block.
    of: the type of the new function's result.
    what: the first word of the new function's name.
    """
    old = f.function
    function = Function(
        f"{what} of {f.__name__}", old.params, of, block, order=old.order + 1, hidden=old.hidden,
        param_names=old.param_names, span=old.span, leaf_params=block.param_types,
        leaf_results=block.result_types,
    )  # fmt: skip
    return Fn(function, f.hidden, f.__wrapped__)


def grad(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """Make a function that returns the gradient of f. The function f must return one Real.

    >>> import eglantine as eg
    >>> eg.grad(lambda x: x ** 3)(2.0)
    12.0
    >>> @eg.fn
    ... def f(x: eg.Real, v: eg.Vec(2, eg.Real)) -> eg.Real:
    ...     return x * v[0] * v[1]
    >>> eg.grad(f)(2.0, [3.0, 5.0]), eg.grad(f, (0, 1))(2.0, [3.0, 5.0])
    (15.0, (15.0, [10.0, 6.0]))
    >>> eg.compile(eg.grad(f))(2.0, [3.0, 5.0])
    15.0

    argnums: the position of the argument to differentiate by. If it is a tuple of positions, the result is a
        tuple of gradients. A gradient has the same structure as the argument.
    has_aux: if true, f returns a pair: the Real to differentiate, and other values. Then the new function
        returns the pair (gradient, other values).
    """
    what = ("grad", repr(argnums), has_aux)
    return derived(f, lambda g: _gradient(g, argnums, False, has_aux), "grad", 1, what)


def value_and_grad(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """Make a function that returns the pair (value of f, gradient of f). For `argnums`, see `grad`.

    >>> import eglantine as eg
    >>> eg.value_and_grad(lambda x: x ** 3)(2.0)
    (8.0, 12.0)
    >>> eg.value_and_grad(lambda x: (x ** 3, {"half": x / 2}), has_aux=True)(2.0)
    ((8.0, {'half': 1.0}), 12.0)

    has_aux: if true, f returns a pair: the Real to differentiate, and other values. Then the new function
        returns ((value, other values), gradient).
    """
    what = ("value_and_grad", repr(argnums), has_aux)
    return derived(f, lambda g: _gradient(g, argnums, True, has_aux), "value_and_grad", 1, what)

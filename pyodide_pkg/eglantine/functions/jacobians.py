"""Jacobians and Hessians: by forward mode, by reverse mode, and by loops over directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.autodiff.forward import Pattern, jacobian_function
from eglantine.autodiff.reverse import jacobian_transposed
from eglantine.errors import TypeMismatchError
from eglantine.ir.program import Function, with_results
from eglantine.ir.row_types import ZERO
from eglantine.leaves import leaves, tangent_type
from eglantine.trace.sums import vec
from eglantine.trace.traced import current_builder
from eglantine.trace.vectors import value_of
from eglantine.types import RealType, TupleType, Type

from .derivatives import (
    _cotangents,
    _gradient,
    _positions,
    _real_leaves,
    _real_results,
    _same_arguments,
    check_pair,
    derived_fn,
    jvp_fn,
    vjp_fn,
)
from .eager import call_derivative, derived
from .fn import Fn, argument_types, as_fn
from .structures import (
    UNROLLED_DIRECTIONS,
    _basis,
    _flat_order,
    _gather,
    _scalars,
    each_real,
    structured,
)


def _input(f: Fn, argnums: Any) -> tuple[list[int], Type]:
    """Return the positions of the arguments to differentiate by, and the type of their tangents."""
    wanted = _positions(f, argnums)
    types = [tangent_type(f.function.params[k]) for k in wanted]
    return wanted, TupleType(tuple(types)) if isinstance(argnums, tuple | list) else types[0]


def jacfwd_fn(f: Fn, argnums: Any, with_value: bool = False, chunk: int | None = None) -> Fn:
    """Make the function x… → Jacobian in forward mode. If `with_value` is true: x… → (y, Jacobian)."""
    function = f.function
    wanted, of = _input(f, argnums)
    out = tangent_type(function.result)
    n = _scalars(of)
    ordered = wanted == sorted(set(wanted))
    if n > UNROLLED_DIRECTIONS or not ordered:
        from .chunks import jacobian_in_chunks  # most pages need no chunks

        result = _jacobian_type(f, of, with_value)
        return jacobian_in_chunks(f, wanted, of, isinstance(argnums, tuple | list), result, chunk)
    pushed, pattern = jacobian_function(function, _real_leaves(function, wanted))
    order = _flat_order(of)
    if not any(leaf.dims for leaf in (*leaves(of), *leaves(out))):
        return _jacobian_of_scalars(f, pushed, pattern, order, of, with_value)

    def body(rows: list[int], _: Any) -> Any:
        b = current_builder()
        both = b.call(pushed, rows)
        tangents = iter(both[len(function.leaf_results) :])
        columns: list[list[int]] = [[] for _ in range(n)]
        for ons, leaf, on in zip(pattern, function.leaf_results, _real_results(function), strict=True):
            if on:
                for k in range(n):
                    columns[k].append(next(tangents) if ons and ons[k] else b.zeros(leaf))
        values = [value_of(out, b, column) for column in columns]
        J = structured(out, [values[k] for k in order], lambda parts: _gather(of, lambda k: parts[k]))
        return (value_of(function.result, b, both[: len(function.leaf_results)]), J) if with_value else J

    result = _jacobian_type(f, of, with_value)
    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, result)


def _jacobian_type(f: Fn, of: Type, with_value: bool) -> Type:
    J = each_real(tangent_type(f.function.result), of)
    return TupleType((f.function.result, J)) if with_value else J


def _jacobian_of_scalars(
    f: Fn, pushed: Function, pattern: Pattern, order: Sequence[int], of: Type, with_value: bool
) -> Fn:
    """Make the Jacobian of a function that takes and returns only scalars.

    Its leaves are the tangents that `pushed` returns. `order` has their new order within each result.
    """
    function = f.function
    assert pushed.block is not None
    tangents = iter(pushed.block.results[len(function.leaf_results) :])
    results = list(pushed.block.results[: len(function.leaf_results)]) if with_value else []
    for ons, on in zip(pattern, _real_results(function), strict=True):
        if on:
            row = [next(tangents) if flag else ZERO for flag in ons or (False,) * len(order)]
            results.extend(row[k] for k in order)
    return _same_arguments(
        f, with_results(pushed.block, results), _jacobian_type(f, of, with_value), "jacobian"
    )


def jacfwd(f: Any, argnums: Any = 0, chunk: Any = None) -> Any:
    """Make a function that computes the Jacobian of f in forward mode.

    The Jacobian has the structure of f's result, but with a gradient in place of each Real. A gradient has
    the structure of the argument.

    chunk: the number of directions (columns of the Jacobian) that one run of f computes. It affects the
        speed, but not the result. The default depends on the size of f and is at most 12. If the Jacobian has
        at most 16 columns, one run computes all of them.
    """
    if chunk is not None and (isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1):
        raise TypeMismatchError(
            f"The chunk of eg.jacfwd must be a whole number of at least 1, but it is {chunk!r}. Leave "
            "it out, or write chunk=10, for example."
        )
    return derived(
        f, lambda g: jacfwd_fn(g, argnums, chunk=chunk), "jacfwd", 1, ("jacfwd", repr(argnums), chunk)
    )


def _jacrev(f: Fn, argnums: Any) -> Fn:
    function = f.function
    wanted, of = _input(f, argnums)
    out = tangent_type(function.result)
    n = _scalars(out)
    is_tuple = isinstance(argnums, tuple | list)
    if n > UNROLLED_DIRECTIONS:
        return _jacrev_loop(f, wanted, of, is_tuple)
    leaf_positions = [k for k, on in enumerate(_real_results(function)) if on]
    places = [(k, j) for k, leaf in zip(leaf_positions, leaves(out), strict=True) for j in range(leaf.size)]
    seeds = [places[k] for k in _flat_order(out)]
    pulled = jacobian_transposed(function, _real_leaves(function, wanted), seeds)

    def body(rows: list[int], _: Any) -> Any:
        b = current_builder()
        cotangents = b.call(pulled, rows)[len(function.leaf_results) :]
        size = len(cotangents) // max(n, 1)
        in_order = sorted(set(wanted))
        parts = []
        for k in range(n):
            column = _cotangents(function, in_order, cotangents[k * size : (k + 1) * size])
            cts = dict(zip(in_order, column, strict=True))
            parts.append(tuple(cts[j] for j in wanted) if is_tuple else cts[wanted[0]])
        return _gather(out, lambda k: parts[k])

    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, each_real(out, of))


def _jacrev_loop(f: Fn, wanted: Sequence[int], of: Type, is_tuple: bool) -> Fn:
    function = f.function
    out = tangent_type(function.result)
    pulled = vjp_fn(f)

    def body(_: list[int], args: Any) -> Any:
        def row(k: Any) -> Any:
            cts = pulled(*args, _basis(out, k))
            return tuple(cts[j] for j in wanted) if is_tuple else cts[wanted[0]]

        rows = vec(_scalars(out), row)
        return _gather(out, lambda k: rows[k])

    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, each_real(out, of))


def jacrev(f: Any, argnums: Any = 0) -> Any:
    """Make a function that returns the Jacobian of f. It uses reverse mode.

    The Jacobian has the structure of f's result, but with a gradient in place of each Real. A gradient has
    the structure of the argument.
    """
    return derived(f, lambda g: _jacrev(g, argnums), "jacrev", 1, ("jacrev", repr(argnums)))


def hessian(f: Any, argnums: Any = 0) -> Any:
    """Make a function that returns the second derivatives of f. It uses forward mode over reverse mode.

    If f returns one Real, the Hessian has the structure of the argument, but with a row of second derivatives
    in place of each Real. Each row has the structure of the argument too.

    >>> import eglantine as eg
    >>> eg.hessian(lambda v: v[0] ** 2 * v[1])([1.0, 3.0])
    [[6.0, 2.0], [2.0, 0.0]]
    """

    def make(g: Fn) -> Fn:
        first = (
            _gradient(g, argnums, False) if isinstance(g.function.result, RealType) else _jacrev(g, argnums)
        )
        return jacfwd_fn(first, argnums)

    return derived(f, make, "hessian", 2, ("hessian", repr(argnums)))


def hvp(f: Any, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """Multiply the Hessian of f at `primals` by `tangents`. Return a tuple with a part for each argument.

    We compute the product by forward mode over reverse mode.
    """
    check_pair("hvp", primals, tangents)
    g = as_fn(f, argument_types(primals), 2)

    def make(g: Fn) -> Fn:
        return jvp_fn(_gradient(g, tuple(range(len(g.function.params))), False))

    return call_derivative(f, g, "hvp", make, (*primals, *tangents))[1]  # type: ignore[no-any-return]

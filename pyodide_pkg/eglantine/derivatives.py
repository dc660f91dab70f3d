"""Derivatives of functions: jvp, vjp, linearize, grad, jacobians, Hessians and Hessian-vector products.

All take an `fn`, a `jit` or a plain function, work inside and outside a trace, and nest in any order.
Tangents and cotangents of Bool, Fin and Unit are Unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .control import real, vec
from .errors import ShapeError, TypeMismatchError
from .forward import Pattern, jacobian_function, jvp_function
from .functions import Fn, argument_types, as_fn, derived, sequence_of_arguments
from .ir import ZERO, Block, Function, with_results
from .reverse import jacobian_transposed, vjp_function
from .spelling import count
from .tracer import trace
from .types import RealType, StructType, TupleType, Type, UnitType, VecType, leaves, tangent_type
from .values import current_builder, lift
from .vectors import rows_of, value_of

UNROLLED_DIRECTIONS = 16
"""The most columns or rows of a Jacobian that are written out side by side; more are computed in a loop."""


def derived_fn(
    f: Fn, types: Sequence[Type], name: str, body: Callable[[list[int], Any], Any], result: Type | None = None
) -> Fn:
    """The function of `types` whose result is body(rows of f's arguments and captures, all arguments)."""

    def run(*args: Any) -> Any:
        b = current_builder()
        n = len(f.function.params)
        rows = [
            row for arg, of in zip(args[:n], f.function.params, strict=True) for row in rows_of(b, arg, of)
        ]
        return body([*rows, *(lift(b, value) for value in f.hidden)], args)

    names = [*f.function.param_names, *(f"d{name}" for name in f.function.param_names)][: len(types)]
    function, hidden = trace(run, types, result, name=name, param_names=names)
    function.span, function.order = f.function.span, f.function.order + 1
    return Fn(function, hidden, f.__wrapped__)


def _real_leaves(function: Function, wanted: Sequence[int] | None = None) -> tuple[bool, ...]:
    """Which leaves of the parameters (of those at positions `wanted`) are real, captured ones aside."""
    flags = [
        (wanted is None or k in wanted) and leaf.dtype == "f64"
        for k, of in enumerate(function.params) for leaf in leaves(of)
    ]  # fmt: skip
    return (*flags, *(False,) * function.hidden)


def _real_results(function: Function) -> tuple[bool, ...]:
    return tuple(leaf.dtype == "f64" for leaf in leaves(function.result))


# ---------------------------------------------------------------- forward


def jvp_fn(f: Fn, effects: bool = True) -> Fn:
    """The function (x…, dx…) → (y, dy)."""
    function = f.function
    types = [*function.params, *(tangent_type(of) for of in function.params)]
    pattern = tuple((True,) if on else None for on in _real_leaves(function))
    made, out = jvp_function(function, pattern, 1, effects)
    n = len(function.params)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        tangents = [row for dx, of in zip(args[n:], types[n:], strict=True) for row in rows_of(b, dx, of)]
        found = b.call(made, [*rows, *tangents])
        m = len(function.leaf_results)
        rest = iter(found[m:])
        dy = [
            next(rest) if ons and ons[0] else b.zeros(of)
            for ons, of, on in zip(out, function.leaf_results, _real_results(function), strict=True) if on
        ]  # fmt: skip
        return value_of(function.result, b, found[:m]), value_of(tangent_type(function.result), b, dy)

    return derived_fn(f, types, f"jvp of {f.__name__}", body)


def jvp(f: Any, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """f(*primals) and its derivative in the direction `tangents`.

    primals, tangents: one each for each argument of f; the tangent of a Bool, Fin or Unit is None.
    """
    check_pair("jvp", primals, tangents)
    g = as_fn(f, argument_types(primals), 1)
    return jvp_fn(g)(*primals, *tangents)  # type: ignore[no-any-return]


def check_pair(name: str, primals: Any, tangents: Any) -> None:
    """Refuse primals and tangents that are no tuples of one length, for `eg.<name>`."""
    sequence_of_arguments(primals, f"the primals of {name}", f"eg.{name}(f, {{}}, (1.0,))")
    sequence_of_arguments(tangents, f"the tangents of {name}", f"eg.{name}(f, (x,), {{}})")
    if len(primals) != len(tangents):
        raise ShapeError(
            f"Found {count(len(primals), 'primal')} and {count(len(tangents), 'tangent')} in "
            f"{name}, expected as "
            f"many of each; give one for each argument, as in eg.{name}(f, (x, y), (dx, dy))."
        )


def linearize(f: Any, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """f(*primals), and the linear function from tangents to the result's tangent there, for many calls."""
    g = as_fn(f, argument_types(primals), 1)
    pushed = jvp_fn(g, effects=False)
    return g(*primals), lambda *tangents: pushed(*primals, *tangents)[1]


# ---------------------------------------------------------------- reverse


def vjp_fn(f: Fn) -> Fn:
    """The function (x…, ct_y) → (ct_x, …), without f's effects."""
    function = f.function
    of = tangent_type(function.result)
    made = vjp_function(function, _real_leaves(function), _real_results(function), effects=False)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        found = b.call(made, [*rows, *rows_of(b, args[-1], of, "the cotangent")])
        return _cotangents(function, range(len(function.params)), found[len(function.leaf_results) :])

    return derived_fn(f, [*function.params, of], f"vjp of {f.__name__}", body)


def _cotangents(function: Function, argnums: Sequence[int], rows: Sequence[int]) -> tuple[Any, ...]:
    """The cotangents of the arguments `argnums` from the rows of their real leaves."""
    b = current_builder()
    found = []
    for k in argnums:
        of = tangent_type(function.params[k])
        n = len(leaves(of))
        found.append(value_of(of, b, rows[:n]))
        rows = rows[n:]
    return tuple(found)


def vjp(f: Any, *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """f(*primals), and the function from a cotangent of it to the tuple of cotangents of the arguments.

    That function can be called more than once.
    """
    g = as_fn(f, argument_types(primals), 1)
    pulled = vjp_fn(g)

    def pull(*cotangents: Any) -> tuple[Any, ...]:
        if len(cotangents) != 1:
            raise TypeMismatchError(
                f"Found {count(len(cotangents), 'cotangent')} for the result of {g.__name__}, "
                "expected 1; write "
                "pull(1.0), or pull((a, b)) if the result is a tuple."
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
                    f"Found {f.__name__}, which has no arguments to differentiate by; expected at least one; "
                    "give it a parameter."
                )
            raise TypeMismatchError(
                f"Found argnums={argnums!r} for {f.__name__}, which has {count(n, 'argument')}; expected "
                f"{'the position 0' if n == 1 else f'positions from 0 to {n - 1}'}; write argnums=0 "
                "for the first."
            )
    return [k % n for k in wanted]


def _pulled(f: Fn, wanted: Sequence[int]) -> Function:
    """The function of f's leaves that returns its value and the gradient by those of arguments `wanted`."""
    function = f.function
    if not isinstance(function.result, RealType):
        raise TypeMismatchError(
            f"Found the gradient of {f.__name__}, which returns {function.result!r}; expected a function "
            "that returns one Real; use eg.jacrev or eg.vjp."
        )
    return jacobian_transposed(function, _real_leaves(function, wanted), ((0, 0),))


def _gradient(f: Fn, argnums: Any, with_value: bool) -> Fn:
    function = f.function
    wanted = _positions(f, argnums)
    made = _pulled(f, wanted)
    types = {k: tangent_type(function.params[k]) for k in wanted}
    rows: dict[int, list[int]] = {}
    assert made.block is not None
    cts = made.block.results[1:]
    for k in sorted(types):
        n = len(leaves(types[k]))
        rows[k], cts = list(cts[:n]), cts[n:]
    is_tuple = isinstance(argnums, tuple | list)
    of: Type = TupleType(tuple(types[k] for k in wanted)) if is_tuple else types[wanted[0]]
    results = [row for k in wanted for row in rows[k]]
    if with_value:
        results = [made.block.results[0], *results]
        of = TupleType((function.result, of))
    return _same_arguments(f, with_results(made.block, results), of, "grad")


def _same_arguments(f: Fn, block: Block, of: Type, what: str) -> Fn:
    """The function of f's arguments with a block made from f's."""
    old = f.function
    function = Function(
        f"{what} of {f.__name__}", old.params, of, block, order=old.order + 1, hidden=old.hidden,
        param_names=old.param_names, span=old.span, leaf_params=block.param_types,
        leaf_results=block.result_types,
    )  # fmt: skip
    return Fn(function, f.hidden, f.__wrapped__)


def grad(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the gradient of f, which returns one Real.

    argnums: the position of the argument to differentiate by, which gives the bare gradient; a tuple of
        positions gives a tuple. A gradient has its argument's container.
    """
    return derived(f, lambda g: _gradient(g, argnums, False), "grad", 1)


def value_and_grad(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the pair of f's value and its gradient; see `grad`."""
    return derived(f, lambda g: _gradient(g, argnums, True), "value_and_grad", 1)


# ---------------------------------------------------------------- jacobians


def _scalars(of: Type) -> int:
    """How many Reals a value of type `of` holds."""
    return sum(leaf.size for leaf in leaves(of) if leaf.dtype == "f64")


def _gather(of: Type, at: Callable[[Any], Any], offset: Any = 0) -> Any:
    """The value of type `of` whose Real number k, in order of elements, is at(offset + k)."""
    match of:
        case RealType():
            return at(offset)
        case VecType(n, element):
            size = _scalars(element)
            if isinstance(offset, int) and n <= UNROLLED_DIRECTIONS:
                return [_gather(element, at, offset + k * size) for k in range(n)]
            return vec(n, lambda i: _gather(element, at, i * size + offset))
        case TupleType() | StructType():
            return of.pack(
                _gather(item, at, offset + _before(of.items, k)) for k, item in enumerate(of.items)
            )
    return None


def _before(items: Sequence[Type], k: int) -> int:
    return sum(_scalars(item) for item in items[:k])


def _basis(of: Type, j: Any) -> Any:
    """The value of type `of` that is 1 at Real number j (an index) and 0 elsewhere."""
    match of:
        case RealType():
            return real(j == 0)
        case VecType(n, element):
            size = _scalars(element)
            return vec(n, lambda i: _basis(element, j - i * size))
        case TupleType() | StructType():
            return of.pack(_basis(item, j - _before(of.items, k)) for k, item in enumerate(of.items))
    return None


def structured(of: Type, parts: Sequence[Any], at: Callable[[Sequence[Any]], Any]) -> Any:
    """The value of type `of` whose every Real is at([that Real of each of `parts`])."""
    match of:
        case RealType():
            return at(parts)
        case VecType(n, element):
            if n <= UNROLLED_DIRECTIONS:
                return [structured(element, [part[k] for part in parts], at) for k in range(n)]
            return vec(n, lambda i: structured(element, [part[i] for part in parts], at))
        case TupleType() | StructType():
            columns = zip(of.items, *map(of.parts, parts), strict=True)
            return of.pack(structured(item, column, at) for item, *column in columns)
    return None


def _flat_order(of: Type) -> list[int]:
    """For each Real of a value of type `of` in order of elements, its place in order of leaves."""
    starts, total = [], 0
    for leaf in leaves(of):
        starts.append(total)
        total += leaf.size if leaf.dtype == "f64" else 0
    order: list[int] = []
    pending: list[tuple[Type, list[int], list[int]]] = [(of, [0] * len(starts), list(range(len(starts))))]
    while pending:
        item, offsets, mine = pending.pop()
        match item:
            case RealType():
                order.append(starts[mine[0]] + offsets[mine[0]])
            case VecType(n, element):
                inner = leaves(element)
                for k in reversed(range(n)):
                    shifted = list(offsets)
                    for m, leaf in zip(mine, inner, strict=True):
                        shifted[m] = offsets[m] + k * leaf.size
                    pending.append((element, shifted, mine))
            case TupleType() | StructType():
                split, at = [], 0
                for part in item.items:
                    n = len(leaves(part))
                    split.append((part, offsets, mine[at : at + n]))
                    at += n
                pending.extend(reversed(split))
    return order


def each_real(out: Type, of: Type) -> Type:
    """The type `out` with `of` in each Real's place: that of a Jacobian."""
    match out:
        case RealType():
            return of
        case VecType(n, element):
            return VecType(n, each_real(element, of))
        case TupleType() | StructType():
            return out.of(each_real(item, of) for item in out.items)
    return out


def _input(f: Fn, argnums: Any) -> tuple[list[int], Type]:
    """The positions of the arguments to differentiate by, and the type of one tangent of them all."""
    wanted = _positions(f, argnums)
    types = [tangent_type(f.function.params[k]) for k in wanted]
    return wanted, TupleType(tuple(types)) if isinstance(argnums, tuple | list) else types[0]


def jacfwd_fn(f: Fn, argnums: Any, with_value: bool = False) -> Fn:
    """The function x… → Jacobian by forward mode, or → (y, Jacobian)."""
    function = f.function
    wanted, of = _input(f, argnums)
    out = tangent_type(function.result)
    n = _scalars(of)
    ordered = wanted == sorted(set(wanted))
    if n > UNROLLED_DIRECTIONS or not ordered:
        return _jacfwd_loop(f, wanted, of, isinstance(argnums, tuple | list), with_value)
    made, pattern = jacobian_function(function, _real_leaves(function, wanted))
    order = _flat_order(of)
    if not any(leaf.dims for leaf in (*leaves(of), *leaves(out))):
        return _jacobian_of_scalars(f, made, pattern, order, of, with_value)

    def body(rows: list[int], _: Any) -> Any:
        b = current_builder()
        both = b.call(made, rows)
        found = iter(both[len(function.leaf_results) :])
        columns: list[list[int]] = [[] for _ in range(n)]
        for ons, leaf, on in zip(pattern, function.leaf_results, _real_results(function), strict=True):
            if on:
                for k in range(n):
                    columns[k].append(next(found) if ons and ons[k] else b.zeros(leaf))
        values = [value_of(out, b, column) for column in columns]
        J = structured(out, [values[k] for k in order], lambda parts: _gather(of, lambda k: parts[k]))
        return (value_of(function.result, b, both[: len(function.leaf_results)]), J) if with_value else J

    result = _jacobian_type(f, of, with_value)
    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, result)


def _jacobian_type(f: Fn, of: Type, with_value: bool) -> Type:
    J = each_real(tangent_type(f.function.result), of)
    return TupleType((f.function.result, J)) if with_value else J


def _jacobian_of_scalars(
    f: Fn, made: Function, pattern: Pattern, order: Sequence[int], of: Type, with_value: bool
) -> Fn:
    """The Jacobian of a function of scalars: the tangents themselves, put in order."""
    function = f.function
    assert made.block is not None
    found = iter(made.block.results[len(function.leaf_results) :])
    results = list(made.block.results[: len(function.leaf_results)]) if with_value else []
    for ons, on in zip(pattern, _real_results(function), strict=True):
        if on:
            row = [next(found) if flag else ZERO for flag in ons or (False,) * len(order)]
            results.extend(row[k] for k in order)
    return _same_arguments(
        f, with_results(made.block, results), _jacobian_type(f, of, with_value), "jacobian"
    )


def _jacfwd_loop(f: Fn, wanted: Sequence[int], of: Type, is_tuple: bool, with_value: bool) -> Fn:
    function = f.function
    out = tangent_type(function.result)
    pushed = jvp_fn(f, effects=False)

    def body(_: list[int], args: Any) -> Any:
        def column(k: Any) -> Any:
            unit = _basis(of, k)
            tangents = [zero_of(tangent_type(item)) for item in function.params]
            for position, part in zip(wanted, unit if is_tuple else (unit,), strict=True):
                tangents[position] = part
            return pushed(*args, *tangents)[1]

        columns = vec(_scalars(of), column)
        J = _structured_at(out, lambda k: columns[k], lambda at: _gather(of, at))
        return (f(*args), J) if with_value else J

    result = _jacobian_type(f, of, with_value)
    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, result)


def _structured_at(
    of: Type, part: Callable[[Any], Any], gather: Callable[[Callable[[Any], Any]], Any]
) -> Any:
    """The value of type `of` whose every Real is gather(k ↦ that Real of part(k))."""
    match of:
        case RealType():
            return gather(part)
        case VecType(n, element):
            return vec(n, lambda i: _structured_at(element, lambda k: part(k)[i], gather))
        case TupleType() | StructType():
            return of.pack(
                _structured_at(item, lambda k, m=m: of.parts(part(k))[m], gather)  # type: ignore[misc]
                for m, item in enumerate(of.items)
            )
    return None


def zero_of(of: Type) -> Any:
    """The value of type `of` whose Reals are all 0."""
    match of:
        case VecType(n, element):
            return [zero_of(element)] * n if n <= UNROLLED_DIRECTIONS else vec(n, lambda _: zero_of(element))
        case UnitType():
            return None
    return _gather(of, lambda _: 0.0)


def jacfwd(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the Jacobian of f, result over argument, by forward mode."""
    return derived(f, lambda g: jacfwd_fn(g, argnums), "jacfwd", 1)


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
    made = jacobian_transposed(function, _real_leaves(function, wanted), seeds)

    def body(rows: list[int], _: Any) -> Any:
        b = current_builder()
        found = b.call(made, rows)[len(function.leaf_results) :]
        size = len(found) // max(n, 1)
        in_order = sorted(set(wanted))
        parts = []
        for k in range(n):
            cts = dict(
                zip(in_order, _cotangents(function, in_order, found[k * size : (k + 1) * size]), strict=True)
            )
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
    """The function that returns the Jacobian of f, result over argument, by reverse mode."""
    return derived(f, lambda g: _jacrev(g, argnums), "jacrev", 1)


def hessian(f: Any, argnums: Any = 0) -> Any:
    """The function that returns the second derivatives of f, argument over argument, forward over reverse."""

    def make(g: Fn) -> Fn:
        first = (
            _gradient(g, argnums, False) if isinstance(g.function.result, RealType) else _jacrev(g, argnums)
        )
        return jacfwd_fn(first, argnums)

    return derived(f, make, "hessian", 2)


def hvp(f: Any, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """The Hessian of f at `primals` times `tangents`, forward over reverse: a tuple like `primals`."""
    check_pair("hvp", primals, tangents)
    g = as_fn(f, argument_types(primals), 2)
    gradient = _gradient(g, tuple(range(len(g.function.params))), False)
    return jvp(gradient, primals, tangents)[1]  # type: ignore[no-any-return]

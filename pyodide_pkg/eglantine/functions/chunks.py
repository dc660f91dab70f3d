"""Compute Jacobians in forward mode, with several directions (tangents) in each run of the function.

Source: Revels, Lubin, Papamarkou, "Forward-Mode Automatic Differentiation in Julia" (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.analysis.callgraph import size_of
from eglantine.autodiff.forward import jvp_function
from eglantine.ir.program import Function
from eglantine.ir.row_types import leaf_row_type
from eglantine.leaves import leaves, tangent_type
from eglantine.trace.sums import vec
from eglantine.trace.traced import Traced, current_builder
from eglantine.trace.vectors import VecValue, rows_of, value_of
from eglantine.types import RealType, Type, VecType

from .derivatives import _real_leaves, _real_results, derived_fn
from .fn import Fn
from .structures import UNROLLED_DIRECTIONS, _basis, _gather, _scalars, _structured_at, each_real, zero_of

CHUNK = 12
"""The largest number of directions that one run of a function computes. It is the same in ForwardDiff.jl."""

LARGEST_CHUNKED = 3000
"""The largest number of rows that compute tangents in one run of a function.

So a run of a large function computes fewer directions than CHUNK."""


def jacobian_in_chunks(
    f: Fn, wanted: Sequence[int], of: Type, is_tuple: bool, result: Type, chunk: int | None
) -> Fn:
    """Make a function that returns the Jacobian of f. Each round of a loop computes several directions.

    wanted: the positions of the arguments to differentiate by.
    of: the type of the tangents of these arguments.
    is_tuple: true if `of` is a tuple with the type of a tangent for each of these arguments.
    result: the type of the Jacobian. If the new function must also return f's value, the type of the pair
        (value, Jacobian).
    chunk: the number of directions that each round computes, or None to choose the number by f's size.
    """
    function = f.function
    out = tangent_type(function.result)
    n = _scalars(of)
    m = chunk_of(function, n, chunk)
    pushed = pushes_fn(f, m)

    def body(_: list[int], args: Any) -> Any:
        def columns_of(k: Any) -> Any:
            tangents: list[Any] = []
            for d in range(m):
                unit = unit_of(of, k * m + d)
                own = [zero_of(tangent_type(item)) for item in function.params]
                for position, part in zip(wanted, unit if is_tuple else (unit,), strict=True):
                    own[position] = part
                tangents += own
            return pushed(*args, *tangents)

        columns = vec(-(-n // m), columns_of)
        J = _structured_at(out, lambda k: columns[k // m][k % m], lambda at: _gather(of, at))
        return (f(*args), J) if result != each_real(out, of) else J

    return derived_fn(f, function.params, f"jacobian of {f.__name__}", body, result)


def chunk_of(function: Function, n: int, chunk: int | None) -> int:
    """Choose how many of the n directions each run of the function computes.

    All runs compute about equally many directions.
    """
    if chunk is not None:
        return min(chunk, n)
    size = size_of(function.block) if function.block is not None else 1
    most = max(1, min(CHUNK, LARGEST_CHUNKED // max(size, 1)))
    return -(-n // -(-n // most))


def pushes_fn(f: Fn, directions: int) -> Fn:
    """Make a function that takes x and several tangents dx, and returns a tangent dy for each dx.

    The new function does not print, and has no other effects of f.
    """
    function = f.function
    tangent_types = [tangent_type(of) for of in function.params]
    pattern = tuple((True,) * directions if on else None for on in _real_leaves(function))
    pushed, out = jvp_function(function, pattern, directions, effects=False)
    n = len(function.params)

    def body(rows: list[int], args: Any) -> Any:
        b = current_builder()
        own = [
            [
                row
                for dx, of in zip(args[n + d * n :], tangent_types, strict=False)
                for row in rows_of(b, dx, of)
            ]
            for d in range(directions)
        ]
        results = b.call(pushed, [*rows, *(row for leaf in zip(*own, strict=True) for row in leaf)])
        rest = iter(results[len(function.leaf_results) :])
        dys: list[list[int]] = [[] for _ in range(directions)]
        for ons, of, on in zip(out, function.leaf_results, _real_results(function), strict=True):
            if on:
                for d in range(directions):
                    dys[d].append(next(rest) if ons and ons[d] else b.zeros(of))
        return [value_of(tangent_type(function.result), b, dy) for dy in dys]

    result = VecType(directions, tangent_type(function.result))
    types = [*function.params, *tangent_types * directions]
    return derived_fn(f, types, f"{directions} tangents of {f.__name__}", body, result)


def unit_of(of: Type, j: Any) -> Any:
    """Make a value of type `of` in which the j-th Real is 1 and all other Reals are 0.

    j: an index or a plain number. If there is no j-th Real, the result has no meaning.
    """
    if not isinstance(of, VecType) or not isinstance(of.of, RealType) or of.n <= UNROLLED_DIRECTIONS:
        return _basis(of, j)
    b = current_builder()
    zeros = VecValue(of, None, [Traced(b, b.zeros(leaf_row_type(leaves(of)[0])))])
    return zeros.at[j % of.n].set(1.0)

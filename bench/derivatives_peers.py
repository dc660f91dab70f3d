"""Compare our derivatives with those of JAX and CasADi. All contestants are timed in turns.

Each library is imported when it is used, because it may be missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.adbench.peers import CASADI, JAX, Call, casadi_call, jax_call, jax_with_doubles
from bench.contest import Contestant, compete
from bench.measure import TIMES, Row, Series

HOST = "CPython with wasmtime"
TOLERANCE = 1e-9
IN_MEMORY = "All have the arguments in their memory."
PROCESSOR_TIME = "Processor time of one thread."
Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Peer:
    """A library with which we compare ours.

    make: imports the library and returns the contestant.
    """

    name: str
    make: Callable[[], Contestant]


def contest(
    title: str, unit: str, ours: Mapping[str, Contestant], peers: Sequence[Peer], *, check: bool, **more: Any
) -> Row:
    """Compare all results, and time the calls in turns. Libraries that are not installed are left out.

    The times are processor times, because the machine may be busy with other work.
    """
    contestants, missing = dict(ours), {}
    for peer in peers:
        try:
            contestants[peer.name] = peer.make()
        except ImportError as error:
            missing[peer.name] = f"{error} (pip install eglantine[bench])"
    outcome = compete(contestants, check=check, tolerance=TOLERANCE, clock=time.process_time)
    factor = 1e-3 / TIMES[unit]
    series = {name: Series(tuple(factor * ms for ms in one.samples)) for name, one in outcome.series.items()}
    return Row(
        title, unit, series, missing=missing, compared=outcome.compared, wrong=outcome.wrong,
        **{"host": HOST, **more},
    )  # fmt: skip


def kernel(compiled: Any, x: Any, numbers_of: Callable[[Any], Any]) -> Contestant:
    """Our kernel as a contestant.

    Here we call the kernel once, which copies x into its memory. Timed calls use this copy.
    """
    compiled(x)
    return Contestant(lambda: list(numbers_of(compiled(x))), compiled._instance.call)


# ---------------------------------------------------------------- JAX


def jax_matrix(matrix: Callable[[Any], Callable[..., Any]], f: Callable[[Any, Any], Any], x: Any,
               places: Places) -> Peer:  # fmt: skip
    """JAX as a contestant that computes a dense matrix. The entries at `places` are compared.

    matrix: takes JAX, and returns `jax.hessian` or a similar function.
    f: takes `jax.numpy` and the argument, and returns the function's value.
    """

    def make() -> Contestant:
        jax = jax_with_doubles()
        call = jax_call(jax, matrix(jax)(lambda v: f(jax.numpy, v)), (np.asarray(x),))
        rows, cols = np.array(places).T
        return Contestant(lambda: list(np.asarray(call())[rows, cols]), call)

    return Peer(f"{JAX} (dense)", make)


# ---------------------------------------------------------------- CasADi


def casadi_function(f: Callable[[Any, Any], Any], n: int, kind: str) -> Any:
    """CasADi's function that computes a sparse "hessian" or "jacobian".

    f: takes CasADi and a column of symbols, and returns the function's value as an expression.
    """
    import casadi as ca

    x = ca.SX.sym("x", n)
    matrix = ca.hessian(f(ca, x), x)[0] if kind == "hessian" else ca.jacobian(f(ca, x), x)
    return ca.Function("f", [x], [matrix])


def casadi_matrix(f: Callable[[Any, Any], Any], x: Any, kind: str, places: Places) -> Peer:
    """CasADi as a contestant that computes a sparse matrix. It returns the entries column by column."""

    def make() -> Contestant:
        function = casadi_function(f, len(x), kind)
        own = function.sparsity_out(0)
        call = casadi_call(function, [np.ascontiguousarray(x, float)], [np.zeros(own.nnz())])
        order = {place: k for k, place in enumerate(zip(own.row(), own.get_triplet()[1], strict=True))}
        return Contestant(lambda: read(call, order, places), call)

    return Peer(CASADI, make)


def read(call: Call, order: Mapping[tuple[int, int], int], places: Places) -> list[float]:
    (values,) = call()
    return [float(values[order[place]]) if place in order else 0.0 for place in places]


def casadi_gradient_in_groups(f: Callable[[Any, Any], Any], x: Any, together: int) -> Contestant:
    """CasADi as a contestant that computes a gradient by forward mode, several directions at a time."""
    import casadi as ca

    n = len(x)
    symbols = ca.SX.sym("x", n)
    function = ca.Function("f", [symbols], [f(ca, symbols)])
    pushed = function.forward(together)
    point = np.ascontiguousarray(x, float)
    value, seeds, found = np.array([float(function(point))]), np.zeros(n * together), np.zeros(together)
    run = casadi_call(pushed, [point, value, seeds], [found])
    gradient = np.zeros(n)

    def call() -> Any:
        for first in range(0, n, together):
            for d in range(min(together, n - first)):
                seeds[d * n + first + d] = 1.0
            run()
            count = min(together, n - first)
            gradient[first : first + count] = found[:count]
            for d in range(count):
                seeds[d * n + first + d] = 0.0
        return gradient

    return Contestant(lambda: list(call()), call)


def places_of(matrix: Any) -> list[tuple[int, int]]:
    """The places of a sparse matrix's entries."""
    return list(zip(matrix.rows, matrix.cols, strict=True))


def dense_entries(places: Places) -> Callable[[Any], Iterator[float]]:
    """The function that returns a dense matrix's entries at the given places."""
    return lambda matrix: (matrix[i][j] for i, j in places)

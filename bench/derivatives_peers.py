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
    """Another library that takes part in a comparison.

    make: a function that imports the library and makes the library's contestant.
    """

    name: str
    make: Callable[[], Contestant]


def contest(
    title: str, unit: str, ours: Mapping[str, Contestant], peers: Sequence[Peer], *, check: bool, **more: Any
) -> Row:
    """Compare all results, and time the calls in turns. Ignore libraries that are not installed.

    We measure processor times, because other programs may keep the machine busy.
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
    """Make a contestant from our kernel.

    A first call copies x into the kernel's memory, so the timed calls copy nothing.
    """
    compiled(x)
    return Contestant(lambda: list(numbers_of(compiled(x))), compiled._instance.call)


# ---------------------------------------------------------------- JAX


def jax_matrix(matrix: Callable[[Any], Callable[..., Any]], f: Callable[[Any, Any], Any], x: Any,
               places: Places) -> Peer:  # fmt: skip
    """Make a contestant: JAX computes a dense matrix. Its result is the matrix's entries at `places`.

    matrix: a function that takes JAX and returns `jax.hessian` or a similar function.
    f: the function that is differentiated. It takes `jax.numpy` and x, and returns the value.
    """

    def make() -> Contestant:
        jax = jax_with_doubles()
        call = jax_call(jax, matrix(jax)(lambda v: f(jax.numpy, v)), (np.asarray(x),))
        rows, cols = np.array(places).T
        return Contestant(lambda: list(np.asarray(call())[rows, cols]), call)

    return Peer(f"{JAX} (dense)", make)


# ---------------------------------------------------------------- CasADi


def casadi_function(f: Callable[[Any, Any], Any], n: int, kind: str) -> Any:
    """Make a CasADi function that computes a sparse Hessian or Jacobian. kind: "hessian" or "jacobian".

    f: takes CasADi and a column of symbols, and returns the function's value as an expression.
    """
    import casadi as ca

    x = ca.SX.sym("x", n)
    matrix = ca.hessian(f(ca, x), x)[0] if kind == "hessian" else ca.jacobian(f(ca, x), x)
    return ca.Function("f", [x], [matrix])


def casadi_matrix(f: Callable[[Any, Any], Any], x: Any, kind: str, places: Places) -> Peer:
    """Make a contestant: CasADi computes a sparse matrix. Its result is the matrix's entries at `places`."""

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
    """Make a contestant: CasADi computes a gradient by forward mode. One call computes `together` entries."""
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
    """Make the function that returns a dense matrix's entries at the given places."""
    return lambda matrix: (matrix[i][j] for i, j in places)

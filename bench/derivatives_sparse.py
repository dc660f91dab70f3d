"""Time sparse Hessians and Jacobians on CPython, in comparison with dense matrices, JAX and CasADi."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import eglantine as eg
from bench.adbench.peers import CASADI
from bench.derivatives_peers import (
    HOST,
    IN_MEMORY,
    PROCESSOR_TIME,
    casadi_function,
    casadi_matrix,
    contest,
    dense_entries,
    jax_matrix,
    kernel,
    places_of,
)
from bench.measure import OURS, Row, Series

DENSE = f"{OURS} (dense)"
SIDE = 23
"""The number of nodes along each side of the net of springs. So the net has 529 nodes and 1,012 springs."""
UNKNOWNS, FEW_UNKNOWNS = 100_000, 1_000
ARROW = 1_000
ROUNDS = 7


def rows(*, check: bool) -> Iterator[Row]:
    """Yield the results of this module as rows of a table. With `check`, compare results but time nothing."""
    yield springs(check=check)
    yield from tridiagonal(check=check)
    yield arrow(check=check)


def rosenbrock(n: int) -> Any:
    """Rosenbrock's function of n unknowns."""
    return eg.fn([eg.Vec(n, eg.Real)], eg.Real)(
        lambda x: eg.sum(n - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2)
    )


def rosenbrock_of_casadi(ca: Any, x: Any) -> Any:
    """The same function of CasADi's symbols."""
    return ca.sum1(100.0 * (x[1:] - x[:-1] * x[:-1]) ** 2 + (1.0 - x[:-1]) ** 2)


# ---------------------------------------------------------------- springs


def pairs_of_nodes() -> list[tuple[int, int]]:
    """The ends of each spring."""
    across = [(i * SIDE + j, i * SIDE + j + 1) for i in range(SIDE) for j in range(SIDE - 1)]
    return across + [(i * SIDE + j, i * SIDE + SIDE + j) for i in range(SIDE - 1) for j in range(SIDE)]


def net() -> Any:
    """The energy of the net of springs."""
    pairs = pairs_of_nodes()
    of = eg.Vec(len(pairs), eg.Fin(SIDE * SIDE))

    def energy(x: Any) -> Any:
        a, b = (eg.asarray([pair[k] for pair in pairs], of) for k in range(2))

        def term(k: Any) -> Any:
            dx = x[2 * b[k]] - x[2 * a[k]]
            dy = x[2 * b[k] + 1] - x[2 * a[k] + 1]
            return (eg.math.sqrt(dx * dx + dy * dy) - 1.0) ** 2

        return eg.sum(len(pairs), term)

    return eg.fn([eg.Vec(2 * SIDE * SIDE, eg.Real)], eg.Real)(energy)


def net_of_jax(np: Any, x: Any) -> Any:
    """The same energy of an array."""
    a, b = (np.array([pair[k] for pair in pairs_of_nodes()]) for k in range(2))
    p = x.reshape(-1, 2)
    return ((np.sqrt(((p[b] - p[a]) ** 2).sum(axis=1)) - 1.0) ** 2).sum()


def net_of_casadi(ca: Any, x: Any) -> Any:
    """The same energy of CasADi's symbols."""
    a, b = ([pair[k] for pair in pairs_of_nodes()] for k in range(2))
    d = [x[[2 * i + k for i in b]] - x[[2 * i + k for i in a]] for k in range(2)]
    return ca.sum1((ca.sqrt(d[0] * d[0] + d[1] * d[1]) - 1.0) ** 2)


def springs(*, check: bool) -> Row:
    """Time the Hessian of a net of springs, once as a sparse matrix and once as a dense matrix."""
    n = 2 * SIDE * SIDE
    x = array(
        "d", [1.3 * (k // 2 % SIDE if k % 2 == 0 else k // (2 * SIDE)) + 0.1 * math.sin(k) for k in range(n)]
    )
    f = net()
    sparse, dense = eg.compile(eg.sparse_hessian(f)), eg.compile(eg.hessian(f))
    H = sparse(x)
    places = places_of(H)
    ours = {OURS: kernel(sparse, x, lambda H: H.values), DENSE: kernel(dense, x, dense_entries(places))}
    peers = [
        jax_matrix(lambda jax: jax.hessian, net_of_jax, x, places),
        casadi_matrix(net_of_casadi, x, "hessian", places),
    ]
    note = f"{H.directions} directions for {H.nnz:,} entries. {IN_MEMORY} {PROCESSOR_TIME}"
    title = f"Hessian of {len(pairs_of_nodes()):,} springs"
    return contest(title, "ms", ours, peers, check=check, note=note)


# ---------------------------------------------------------------- bands


def tridiagonal(*, check: bool) -> Iterator[Row]:
    """Time a large tridiagonal Hessian: first compile it, then evaluate it. Also time the gradient."""
    n = FEW_UNKNOWNS if check else UNKNOWNS
    title = f"tridiagonal Hessian, n = {n:,}"
    f = rosenbrock(n)
    x = array("d", map(math.sin, range(n)))
    sparse, gradient = eg.compile(eg.sparse_hessian(f)), eg.compile(eg.grad(f))
    H = sparse(x)
    ours = {OURS: kernel(sparse, x, lambda H: H.values)}
    peer = casadi_matrix(rosenbrock_of_casadi, x, "hessian", places_of(H))
    if not check:
        yield definition(f"{title}: trace, pattern, colours and compile", n)
    note = f"{H.directions} directions. {IN_MEMORY} {PROCESSOR_TIME}"
    yield contest(f"{title}: evaluate", "ms", ours, [peer], check=check, note=note)
    if not check:
        alone = {OURS: kernel(gradient, x, iter)}
        yield contest("  the gradient", "ms", alone, [], check=check)


def definition(title: str, n: int) -> Row:
    """Time how long it takes to trace and compile the sparse Hessian."""
    series = {OURS: timed(lambda: eg.compile(eg.sparse_hessian(rosenbrock(n))), ROUNDS)}
    missing = {}
    try:
        series[CASADI] = timed(lambda: casadi_function(rosenbrock_of_casadi, n, "hessian"), 1)
    except ImportError as error:
        missing[CASADI] = str(error)
    return Row(title, "ms", series, target=100.0, missing=missing, host=HOST)


def timed(run: Callable[[], Any], rounds: int) -> Series:
    """The milliseconds of some calls."""
    samples = []
    for _ in range(rounds):
        began = time.process_time()
        run()
        samples.append((time.process_time() - began) * 1e3)
    return Series(tuple(samples))


# ---------------------------------------------------------------- an arrow


def arrow(*, check: bool) -> Row:
    """Time a sparse Jacobian that has one full row and one full column.

    Our sparse Jacobian combines forward and reverse mode. The dense contestant uses only forward mode.
    """
    n = ARROW

    @eg.fn([eg.Vec(n, eg.Real)])
    def f(x: Any) -> Any:
        return eg.vec(
            n, lambda i: eg.cond(i > 0, lambda: x[i] ** 2 * x[0], lambda: eg.sum(n, lambda j: x[j] ** 3))
        )

    x = array("d", map(math.cos, range(n)))
    sparse, dense = eg.compile(eg.sparse_jacobian(f)), eg.compile(eg.jacfwd(f))
    J = sparse(x)
    places = places_of(J)
    ours = {OURS: kernel(sparse, x, lambda J: J.values), DENSE: kernel(dense, x, dense_entries(places))}
    peers = [
        jax_matrix(lambda jax: jax.jacfwd, arrow_of_jax, x, places),
        casadi_matrix(arrow_of_casadi, x, "jacobian", places),
    ]
    note = f"{J.directions} directions for {J.nnz:,} entries. One mode alone needs {n:,}. {IN_MEMORY}"
    note += f" {PROCESSOR_TIME}"
    return contest(f"Jacobian of an arrow matrix, n = {n:,}", "ms", ours, peers, check=check, note=note)


def arrow_of_jax(np: Any, x: Any) -> Any:
    """The same function of an array."""
    return np.concatenate([(x**3).sum()[None], x[1:] ** 2 * x[0]])


def arrow_of_casadi(ca: Any, x: Any) -> Any:
    """The same function of CasADi's symbols."""
    return ca.vertcat(ca.sum1(x**3), x[1:] ** 2 * x[0])

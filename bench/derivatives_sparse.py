"""Sparse Hessians beside dense ones, on this machine's Python."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import eglantine as eg
from bench.measure import OURS, Row, Series

HOST = "CPython with wasmtime"
DENSE, JAX = f"{OURS} (dense)", "JAX hessian"
SIDE = 23
"""The net of springs has 23 × 23 nodes and 1,012 springs."""
UNKNOWNS = 100_000
ROUNDS = 7


def rows(*, check: bool) -> Iterator[Row]:
    """All rows of this part. With `check`, only compare the results."""
    yield springs(check=check)
    yield from tridiagonal(check=check)


def rosenbrock(n: int) -> Any:
    """Rosenbrock's function of n unknowns."""
    return eg.fn([eg.Vec(n, eg.Real)], eg.Real)(
        lambda x: eg.sum(n - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2)
    )


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


def timed(run: Callable[[], Any], unit: float, *, check: bool) -> Series:
    """The times of several calls. The first call is not timed."""
    run()
    samples = []
    for _ in range(1 if check else ROUNDS):
        began = time.perf_counter()
        run()
        samples.append((time.perf_counter() - began) / unit)
    return Series(tuple(samples))


def springs(*, check: bool) -> Row:
    """The Hessian of the net, sparse and dense."""
    title = f"Hessian of {len(pairs_of_nodes()):,} springs"
    n = 2 * SIDE * SIDE
    x = array(
        "d", [1.3 * (k // 2 % SIDE if k % 2 == 0 else k // (2 * SIDE)) + 0.1 * math.sin(k) for k in range(n)]
    )
    f = net()
    sparse, dense = eg.compile(eg.sparse_hessian(f)), eg.compile(eg.hessian(f))
    H, D = sparse(x), dense(x)
    places = zip(H.rows, H.cols, H.values, strict=True)
    if any(not math.isclose(D[i][j], value, rel_tol=1e-9, abs_tol=1e-9) for i, j, value in places):
        return Row(title, "ms", wrong="The sparse Hessian differs from the dense one.", host=HOST)
    series = {
        OURS: timed(lambda: sparse(x), 1e-3, check=check),
        DENSE: timed(lambda: dense(x), 1e-3, check=check),
    }
    missing = {}
    try:
        series[JAX] = timed(jax_hessian(x), 1e-3, check=check)
    except ImportError as error:
        missing[JAX] = str(error)
    note = f"{H.directions} directions for {H.nnz:,} entries."
    return Row(title, "ms", series, missing=missing, compared=(OURS, DENSE), note=note, host=HOST)


def jax_hessian(x: Any) -> Callable[[], Any]:
    """The dense Hessian by JAX, compiled."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    pairs = pairs_of_nodes()
    a, b = (jnp.array([pair[k] for pair in pairs]) for k in range(2))

    def energy(x: Any) -> Any:
        p = x.reshape(-1, 2)
        return ((jnp.sqrt(((p[b] - p[a]) ** 2).sum(axis=1)) - 1.0) ** 2).sum()

    compiled, at = jax.jit(jax.hessian(energy)), jnp.array(list(x))
    return lambda: compiled(at).block_until_ready()


def tridiagonal(*, check: bool) -> Iterator[Row]:
    """A large tridiagonal Hessian: from the function to a kernel, and one evaluation."""
    title = f"tridiagonal Hessian, n = {UNKNOWNS:,}"
    compiling = timed(lambda: eg.compile(eg.sparse_hessian(rosenbrock(UNKNOWNS))), 1e-3, check=check)
    yield Row(
        f"{title}: trace, pattern, colours and compile", "ms", {OURS: compiling}, target=100.0, host=HOST
    )
    kernel = eg.compile(eg.sparse_hessian(rosenbrock(UNKNOWNS)))
    gradient = eg.compile(eg.grad(rosenbrock(UNKNOWNS)))
    x = array("d", map(math.sin, range(UNKNOWNS)))
    series = {
        OURS: timed(lambda: kernel(x), 1e-3, check=check),
        f"{OURS} (the gradient)": timed(lambda: gradient(x), 1e-3, check=check),
    }
    yield Row(f"{title}: evaluate", "ms", series, note=f"{kernel(x).directions} directions.", host=HOST)

"""Time Taylor series of functions on CPython. For comparison, also time the functions themselves.

We call a function with a batch of many points, and divide the time by the number of points."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import eglantine as eg
from bench.measure import OURS, Row, Series

HOST = "CPython with wasmtime"
VALUE, JET = f"{OURS} (the value)", "JAX jet"
POINTS, ROUNDS = 20_000, 7
ORDER, ORDERS = 10, (5, 10, 20, 40)
MOST = 60
"""The longest time that the series of order 10 should take, as a multiple of the value's time."""

DERIVATIVE_OF_ORDER_TEN = -19579430.576962268
"""The 10th derivative of 0.3·sin(t)·t¹⁰ at t = 1.1."""

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "0.3·sin(t)·t¹⁰": lambda t: 0.3 * eg.math.sin(t) * t**10,
    "exp(sin(t)·t) / (1 + t²) + log(2 + t)·√(1 + t²)": lambda t: (
        eg.math.exp(eg.math.sin(t) * t) / (1.0 + t * t) + eg.math.log(2.0 + t) * eg.math.sqrt(1.0 + t * t)
    ),
    "50 rounds of c²/2 − 0.3·c": lambda t: eg.fori_loop(0, 50, lambda _, c: c * c * 0.5 - 0.3 * c, t),
    "50 rounds of 0.9·sin(c) + c²/10": lambda t: eg.fori_loop(
        0, 50, lambda _, c: 0.9 * eg.math.sin(c) + 0.1 * c * c, t
    ),
}


def rows(*, check: bool) -> Iterator[Row]:
    """Yield the results of this module as rows of a table. With `check`, compare results but time nothing."""
    tenth = eg.taylor(PROGRAMS["0.3·sin(t)·t¹⁰"], 1.1, order=ORDER)[ORDER] * math.factorial(ORDER)
    wrong = "" if abs(tenth / DERIVATIVE_OF_ORDER_TEN - 1.0) < 1e-13 else f"the 10th derivative is {tenth!r}"
    for title, f in PROGRAMS.items():
        yield run_time(title, f, wrong, check=check)
    if not check:
        yield from compile_times()


def summed(f: Callable[[Any], Any], order: int) -> Callable[[Any], Any]:
    """Make the function t → sum of the Taylor coefficients of f at t.

    We return only the sum, because one number takes almost no time to return.
    """
    return lambda t: sum(eg.taylor(f, t, order=order)[1:], f(t))


def run_time(name: str, f: Callable[[Any], Any], wrong: str, *, check: bool) -> Row:
    """Time a Taylor series of order 10, and compare it with the time of the value alone."""
    title = f"Taylor series of order {ORDER}: {name}"
    if wrong or check:
        return Row(title, "ns", wrong=wrong, host=HOST, compared=() if wrong else (OURS,))
    series, value = ns_a_point(summed(f, ORDER)), ns_a_point(f)
    contestants, missing = {OURS: series, VALUE: value}, {}
    try:
        contestants[JET] = jet_ns_a_point(JAX_PROGRAMS[name])
    except (ImportError, KeyError) as error:
        missing[JET] = "jet has no rule for loops" if isinstance(error, KeyError) else str(error)
    note = f"The series takes {series.minimum / value.minimum:.1f} × the time of the value (minima)."
    return Row(
        title, "ns", contestants, missing=missing, target=MOST * value.median, compared=(OURS,), note=note,
        host=HOST,
    )  # fmt: skip


def ns_a_point(f: Callable[[Any], Any]) -> Series:
    """Compile f, call it with a batch of points, and return the nanoseconds for each point."""
    kernel = eg.compile(f, [eg.Real])
    points = [0.5 + k / (2.0 * POINTS) for k in range(POINTS)]
    samples = []
    for _ in range(ROUNDS):
        start = time.process_time()
        kernel.batch(points)
        samples.append((time.process_time() - start) * 1e9 / POINTS)
    return Series(tuple(samples))


JAX_PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "0.3·sin(t)·t¹⁰": lambda m, t: 0.3 * m.sin(t) * t**10,
    "exp(sin(t)·t) / (1 + t²) + log(2 + t)·√(1 + t²)": lambda m, t: (
        m.exp(m.sin(t) * t) / (1.0 + t * t) + m.log(2.0 + t) * m.sqrt(1.0 + t * t)
    ),
}
"""The programs without loops, written for JAX. Each takes `jax.numpy` and t. JAX's `jet` has no rule for
loops."""


def jet_ns_a_point(f: Callable[[Any, Any], Any]) -> Series:
    """Time JAX's `jet`, compiled for a whole batch of points. Return the nanoseconds for each point."""
    import jax
    import jax.numpy as jnp
    from jax.experimental.jet import jet

    jax.config.update("jax_enable_x64", True)
    direction = [1.0, *[0.0] * (ORDER - 1)]

    def total(t: Any) -> Any:
        value, higher = jet(lambda t: f(jnp, t), (t,), (direction,))
        return value + sum(higher)

    compiled = jax.jit(jax.vmap(total))
    points = jnp.array([0.5 + k / (2.0 * POINTS) for k in range(POINTS)])
    compiled(points).block_until_ready()
    samples = []
    for _ in range(ROUNDS):
        start = time.process_time()
        compiled(points).block_until_ready()
        samples.append((time.process_time() - start) * 1e9 / POINTS)
    return Series(tuple(samples))


def compile_times() -> Iterator[Row]:
    """Yield rows with the times to compile series of growing order."""
    f = PROGRAMS["exp(sin(t)·t) / (1 + t²) + log(2 + t)·√(1 + t²)"]
    for order in ORDERS:
        samples, size = [], 0
        for _ in range(ROUNDS):
            start = time.process_time()
            size = len(eg.compile(summed(f, order), [eg.Real]).wasm)
            samples.append((time.process_time() - start) * 1e3)
        note = f"{size:,} B of Wasm."
        yield Row(
            f"compile a series of order {order}", "ms", {OURS: Series(tuple(samples))}, note=note, host=HOST
        )

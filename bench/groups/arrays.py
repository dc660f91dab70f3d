"""Time programs on whole arrays: matrix products, a network, a convolution, a Gaussian process, a regression.

The data is already in memory. On CPython, NumPy and JAX compute with one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import eglantine as eg
from bench.adbench.peers import jax_with_doubles
from bench.array_problems import PROBLEMS, Problem, compiled_form
from bench.contest import Contestant, compete
from bench.lab import Lab
from bench.measure import OURS, Row, Series
from bench.native import HOST, TOLERANCE, contestant
from bench.slower_than_jax import SLOWER_ONCE

JAX, NUMPY = "JAX, one thread", "NumPy, one thread"
PER_MS = 1e3
MOST_OF_JAX = 1.5
"""The longest time that our kernel should take, as a multiple of JAX's time."""
SMALL = 16
"""The largest n for which our product of two n × n matrices should be faster than NumPy's."""
MLP_COMPILE_MS = 60.0


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium, then on CPython."""
    problems = [
        {
            "name": name, "title": problem.title, "args": problem.arguments(),
            "shapes": [list(shape) for shape in problem.shapes], "unknowns": len(problem.unknowns),
            "compile": MLP_COMPILE_MS if name == "mlp" else None,
        }
        for name, problem in PROBLEMS.items()
    ]  # fmt: skip
    yield from lab.in_browser("arrays", {"problems": problems})
    for problem in (*PROBLEMS.values(), *SLOWER_ONCE.values()):
        lab.say(f"{problem.title} ({HOST})")
        yield native_row(problem, lab.check)


def native_row(problem: Problem, check: bool) -> Row:
    """On CPython, time JAX and our kernel in wasmtime. If the problem has no gradient, also time NumPy."""
    args = [
        np.array(flat).reshape(shape) for flat, shape in zip(problem.arguments(), problem.shapes, strict=True)
    ]
    kernel = eg.compile(compiled_form(problem))
    contestants = {OURS: Contestant(contestant(lambda: kernel(*args)).result, kernel._instance.call)}
    missing: dict[str, str] = {}
    if not problem.unknowns:
        contestants[NUMPY] = contestant(lambda: problem.loss(np, *args))
    try:
        contestants[JAX] = contestant(jax_call(problem, args))
    except ImportError as error:
        missing[JAX] = f"{error} (pip install jax)"
    outcome = compete(contestants, check=check, tolerance=TOLERANCE)
    series = {one: Series(tuple(PER_MS * ms for ms in of.samples)) for one, of in outcome.series.items()}
    return Row(
        f"{problem.title} ({HOST})", "µs", series, target=target(problem, series), missing=missing,
        compared=outcome.compared, wrong=outcome.wrong, host=HOST,
    )  # fmt: skip


def target(problem: Problem, series: dict[str, Series]) -> float | None:
    """Return our target. It is NumPy's time for a small matrix product, else MOST_OF_JAX · JAX's time."""
    if NUMPY in series and problem.shapes[0][0] <= SMALL:
        return series[NUMPY].median
    return MOST_OF_JAX * series[JAX].median if JAX in series else None


def jax_call(problem: Problem, args: list[Any]) -> Callable[[], Any]:
    """Make a function that computes the value with JAX, and also the gradient if there are unknowns.

    We copy the arrays into JAX before the timed calls.
    """
    jax = jax_with_doubles()
    f = problem.function(jax.numpy)
    run = jax.jit(jax.value_and_grad(f, problem.unknowns) if problem.unknowns else f)
    arrays = [jax.numpy.asarray(arg) for arg in args]
    return lambda: jax.block_until_ready(run(*arrays))

"""The programs that the benches measure, written for Eglantine, and functions that time their compilation.

This module runs in Pyodide and on CPython. The bench's page unpacks it beside specs.py.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import eglantine as eg
from app import service
from eglantine import formulas
from eglantine.inside import emit, live_rows, optimise, ready_library

NAMES = ("x", "y")
PASSES = ("trace", "differentiate", "optimise", "emit")

Compiled = tuple[str, bytes]
"""The ABI as JSON, and the module."""


def compile_formula(text: str) -> Compiled:
    """Read a formula of x and y from a text, and compile its value, gradient and Hessian."""
    return handed_over(service.jet(formulas.to_fn(text, NAMES)))


def answer(text: str) -> Compiled:
    """Do what the page's worker does: compile the formula, and typeset its results as TeX."""
    page = service.Service()
    reply, module = page.ask("formula", [text, NAMES])
    page.afterwards()
    return reply, module


def compile_straight_line(instructions: Sequence[Sequence[Any]], inputs: int, scale: float) -> Compiled:
    """Compile the value and the gradient of a straight-line program."""
    return handed_over(eg.value_and_grad(straight_line(instructions, inputs, scale)))


def compile_regression(n: int, m: int) -> Compiled:
    """Compile the gradient of a linear regression's error with respect to its weights and its offset."""

    @eg.fn([eg.Vec(n, eg.Vec(m, eg.Real)), eg.Vec(n, eg.Real), eg.Vec(m, eg.Real), eg.Real], eg.Real)
    def loss(x: Any, y: Any, w: Any, b: Any) -> Any:
        def squared(i: Any) -> Any:
            residual = eg.dot(x[i], w) + b - y[i]
            return residual * residual

        return eg.sum(n, squared) / n

    return handed_over(eg.grad(loss, argnums=(2, 3)))


def handed_over(f: Any) -> Compiled:
    """Compile a function as the page does."""
    artifact = eg.compile_artifact(f)
    return artifact.json, artifact.wasm


def straight_line(instructions: Sequence[Sequence[Any]], inputs: int, scale: float) -> Any:
    """Make a fn that multiplies its inputs by `scale` and then runs a straight-line program of specs.py."""

    def program(v: Any) -> Any:
        values = [x * scale for x in v]
        for kind, a, b in instructions:
            values.append(OPERATIONS[kind](values[a], values[b]))
        total = values[-inputs]
        for value in values[1 - inputs :]:
            total = total + value
        return total

    return eg.fn([eg.Vec(inputs, eg.Real)], eg.Real)(program)


OPERATIONS: dict[str, Any] = {
    "mean": lambda a, b: (a + b) * 0.5,
    "difference": lambda a, b: (a - b) * 0.5,
    "product": lambda a, b: a * b,
    "root": lambda a, b: eg.math.sqrt(a * a + b * b + 0.5) * 0.5,
    "ratio": lambda a, b: a / (b * b + 1.0),
}


def time_passes(instructions: Sequence[Sequence[Any]], inputs: int, scale: float) -> dict[str, float]:
    """Compile a straight-line program with its gradient.

    Return the milliseconds of each pass, the number of emitted rows (`rows`) and the module's size (`bytes`).
    """
    clock = time.perf_counter
    start = clock()
    f = straight_line(instructions, inputs, scale)
    traced = clock()
    function = eg.value_and_grad(f).function
    differentiated = clock()
    optimised = optimise(function)
    ready = clock()
    wasm = emit(optimised, ready_library).wasm
    times = [start, traced, differentiated, ready, clock()]
    spans = {name: 1000 * (times[k + 1] - times[k]) for k, name in enumerate(PASSES)}
    assert optimised.block is not None
    return {**spans, "rows": sum(live_rows(optimised.block).flags), "bytes": len(wasm)}


def emitted_rows(instructions: Sequence[Sequence[Any]], inputs: int) -> int:
    """Count the IR rows that are emitted for a straight-line program and its gradient."""
    return int(time_passes(instructions, inputs, 1.0)["rows"])

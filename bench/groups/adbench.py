"""Time ADBench's problems on CPython: value and derivatives in wasmtime, JAX, CasADi and autograd."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

import eglantine as eg
from bench.adbench.cases import TOLERANCE, Case, case, numbers, random_ba, random_gmm
from bench.adbench.peers import AUTOGRAD, PEERS
from bench.contest import Competition, Contestant, compete
from bench.lab import Lab
from bench.measure import OURS, Row, Series, times_the_value

PASSED = f"{OURS}, arrays passed"
MODEL = f"{OURS}, value alone"
REFERENCE = "the reference"
COMPILES = 5
MOST_TIMES_THE_VALUE = 4.0
"""The longest time that value and gradient together should take, as a multiple of the value's time."""

CASES: tuple[tuple[Callable[[], Case], float | None], ...] = (
    (lambda: case("gmm_d2_k5_n1000"), 0.35),
    (lambda: random_gmm(10, 5, 1000), 2.0),
    (lambda: case("lstm_l2_b14_c32"), 0.12),
    (lambda: case("lstm_l2_b14_c1024"), 4.4),
    (lambda: random_ba(20, 500, 2000), 1.0),
    (lambda: case("hand_simple_n100"), None),
    (lambda: case("hand_complicated_n100"), None),
)
"""The measured cases. Each has a target for the time of a call in milliseconds, or None."""


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows for each case: times of calls and of compiling, and sizes of the module and its memory."""
    for make, target in CASES:
        problem = make()
        lab.say(problem.name)
        yield from of_case(problem, target, lab.check)


def of_case(problem: Case, target: float | None, check: bool) -> Iterator[Row]:
    """The rows of one case."""
    arrays = tuple(map(np.array, problem.args))
    contestants, preparing, missing = contestants_of(problem, arrays)
    wrong = against_expected(problem, contestants)
    outcome = Competition(wrong=wrong) if wrong else compete(contestants, check=check, tolerance=TOLERANCE)
    known = (REFERENCE,) if problem.expected else ()
    call = Row(
        f"{problem.name}, value and derivatives",
        "ms",
        {name: series for name, series in outcome.series.items() if name != MODEL},
        target=target,
        missing=missing,
        compared=(*(name for name in outcome.compared if name != MODEL), *known),
        wrong=outcome.wrong,
        note="The arguments are in place before the clock starts: in the memory of our module and of "
        "CasADi, and as JAX arrays.",
    )
    yield call
    if call.wrong or check:
        return
    times = times_the_value(outcome.series[OURS], outcome.series[MODEL])
    yield Row("  times the value's", "×", {OURS: times}, target=MOST_TIMES_THE_VALUE if target else None)
    kernel, compiles = compile_ours(problem)
    yield Row("  compile", "ms", {OURS: compiles, **preparing})
    yield Row("  module", "B", {OURS: Series((float(len(kernel.wasm)),))})
    yield Row("  memory", "B", {OURS: Series((float(kernel.memory_bytes),))})


def contestants_of(
    problem: Case, arrays: tuple[Any, ...]
) -> tuple[dict[str, Contestant], dict[str, Series], dict[str, str]]:
    """Make the contestants. Return them, each peer's preparation time, and the reasons for missing peers."""
    contestants = ours(problem, arrays)
    preparing, missing = {}, {}
    for name, make in PEERS[problem.name.partition("_")[0]].items():
        try:
            import_module(name.lower())
        except ImportError as error:
            missing[name] = f"{error} (pip install eglantine[bench])"
            continue
        start = time.perf_counter()
        call = make(arrays)
        if name != AUTOGRAD:  # autograd compiles nothing
            preparing[name] = Series((1e3 * (time.perf_counter() - start),))
        contestants[name] = contestant(call)
    return contestants, preparing, missing


def ours(problem: Case, arrays: tuple[Any, ...]) -> dict[str, Contestant]:
    """Make our three contestants.

    OURS calls the derivative's kernel, whose memory already contains the arguments. PASSED calls the
    derivative's kernel with arrays, and each call copies the arrays into the kernel's memory. MODEL calls the
    model's kernel, whose memory already contains the arguments.
    """
    kernel, model = eg.compile(problem.derivative()), eg.compile(problem.model())
    for compiled in (kernel, model):
        compiled(*arrays)
    passed = contestant(lambda: kernel(*arrays))
    return {
        OURS: replace(passed, call=kernel._instance.call),
        PASSED: passed,
        MODEL: replace(passed, call=model._instance.call),
    }


def contestant(call: Callable[[], Any]) -> Contestant:
    """Make a contestant from a function f. The bench times calls of f, and compares f's result."""
    return Contestant(lambda: list(numbers(call())), call)


def against_expected(problem: Case, contestants: dict[str, Contestant]) -> str:
    """Compare our result with the known result. Return a description of the difference, or ""."""
    if not problem.expected:
        return ""
    expected = Contestant(lambda: list(problem.expected), lambda: None)
    both = {REFERENCE: expected, OURS: contestants[OURS]}
    return compete(both, check=True, tolerance=TOLERANCE).wrong


def compile_ours(problem: Case) -> tuple[eg.Kernel, Series]:
    """Trace and compile the derivative several times. Return a kernel, and the times."""
    samples = []
    for _ in range(COMPILES):
        start = time.perf_counter()
        kernel = eg.compile(problem.derivative())
        samples.append(1e3 * (time.perf_counter() - start))
    return kernel, Series(tuple(samples))

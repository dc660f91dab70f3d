"""Measure a problem on CPython: our kernel in wasmtime, and the peers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

import eglantine as eg
from bench.adbench.cases import numbers
from bench.adbench.peers import Call
from bench.contest import Contestant, compete
from bench.lab import Lab
from bench.measure import OURS, TIMES, Row, Series, times_the_value
from bench.native_peers import Maker, NoCompilerError, package

VALUE = f"{OURS}, value alone"
COMPILES = 5
TOLERANCE = 1e-9
HOST = "CPython, wasmtime"


@dataclass(frozen=True)
class Work:
    """A problem of bench/problems.py, with the peers that compute it.

    sizes: the arguments of the problem's function in bench/problems.py, such as a number of steps.
    args: the arguments of the compiled function, as NumPy arrays.
    kind: "gradient", or "both" for value and gradient.
    peers: for each peer's name, a function that makes it. A peer returns the same numbers as our kernel.
    """

    name: str
    title: str
    sizes: tuple[Any, ...]
    args: tuple[Any, ...]
    kind: str = "both"
    unit: str = "µs"
    peers: Mapping[str, Maker] = field(default_factory=dict)


def rows(lab: Lab, work: Work) -> Iterator[Row]:
    """Yield three rows: the derivative's time, its ratio to the value's time, and the time to compile."""
    lab.say(f"{work.title} ({HOST})")
    kernel, value = (compiled(work, kind) for kind in (work.kind, "value"))
    contestants = {
        OURS: replace(contestant(lambda: kernel(*work.args)), call=kernel._instance.call),
        VALUE: Contestant(list, value._instance.call),
    }
    value(*work.args)
    ready, missing = peers_of(work, contestants)
    timed = {name: one for name, one in contestants.items() if name != VALUE}
    outcome = compete(timed, check=True, tolerance=TOLERANCE)
    if not outcome.wrong and not lab.check:
        shared = {**contestants, VALUE: replace(contestants[VALUE], result=contestants[OURS].result)}
        outcome = replace(compete(shared, check=False, tolerance=TOLERANCE), compared=outcome.compared)
    factor = 1e-3 / TIMES[work.unit]
    series = {
        name: Series(tuple(factor * ms for ms in one.samples))
        for name, one in outcome.series.items()
        if name != VALUE
    }
    yield Row(
        f"{work.title} ({HOST})",
        work.unit,
        series,
        missing=missing,
        compared=outcome.compared,
        wrong=outcome.wrong,
        host=HOST,
    )
    if outcome.wrong or lab.check:
        return
    times = times_the_value(outcome.series[OURS], outcome.series[VALUE])
    yield Row("  times the value's", "×", {OURS: times}, target=4, aim=3, host=HOST)
    yield Row("  definition → callable", "ms", {OURS: compile_times(work), **ready}, host=HOST)


def contestant(call: Call) -> Contestant:
    """Make a contestant from a function f. The bench times calls of f, and compares f's result."""
    return Contestant(lambda: list(numbers(call())), call)


def compiled(work: Work, kind: str, scale: float = 1.0) -> eg.Kernel:
    """Compile our kernel of the problem."""
    from bench.problems import problem

    return eg.compile(problem(work.name, kind, scale, *work.sizes))


def compile_times(work: Work) -> Series:
    """Measure several times how many milliseconds it takes to define, compile and call the function."""
    samples = []
    for k in range(COMPILES):
        start = time.perf_counter()
        compiled(work, work.kind, 1 - 1e-7 * k)(*work.args)
        samples.append(1e3 * (time.perf_counter() - start))
    return Series(tuple(samples))


def peers_of(work: Work, contestants: dict[str, Contestant]) -> tuple[dict[str, Series], dict[str, str]]:
    """Add the available peers to the contestants.

    Returns two dicts. One has each available peer's milliseconds from its import to its first result. The
    other has, for each missing peer, the reason.
    """
    ready: dict[str, Series] = {}
    missing: dict[str, str] = {}
    arrays = tuple(np.asarray(arg, float) for arg in work.args)
    for name, make in work.peers.items():
        start = time.perf_counter()
        try:
            import_module(package(name))
            call = make(*arrays)
            call()
        except ImportError as error:
            missing[name] = f"{error} (pip install eglantine[bench])"
        except NoCompilerError as error:
            missing[name] = str(error)
        else:
            ready[name] = Series((1e3 * (time.perf_counter() - start),))
            contestants[name] = contestant(call)
    return ready, missing


def both_hosts(
    lab: Lab, group: str, work: dict[str, Any], native: Callable[[], Iterator[Work]]
) -> Iterator[Row]:
    """Measure a group in Chromium and then on CPython. Yield its rows."""
    yield from lab.in_browser(group, work)
    for one in native():
        yield from rows(lab, one)

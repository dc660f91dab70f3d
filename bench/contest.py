"""Compare contestants' results, then time the contestants in turns.

This module runs on CPython. In the browser, timing.js does the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.measure import Series

Clock = Callable[[], float]
SMALLEST_SAMPLE_MS = 8.0
WARM_UPS, ROUNDS = 2, 11
SLOW_MS, FEW_ROUNDS = 500.0, 3
"""A contestant whose call takes longer than this is timed only in the first rounds."""


@dataclass(frozen=True)
class Contestant:
    """A program that we time. We also compare its result with the other contestants' results.

    result: a function that returns all numbers of the result in order.
    call: the function that we time.
    """

    result: Callable[[], list[float]]
    call: Callable[[], Any]


@dataclass(frozen=True)
class Competition:
    """The outcome of comparing and timing contestants.

    series: each contestant's samples. A sample is the time of a call in milliseconds.
    compared: the names of the contestants with equal results.
    wrong: a text that describes how two results differ, or "".
    """

    series: Mapping[str, Series] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    wrong: str = ""


def compete(
    contestants: Mapping[str, Contestant], *, check: bool, tolerance: float, clock: Clock = time.perf_counter
) -> Competition:
    """Compare the contestants' results. If all are equal, time the contestants in turns.

    check: if true, only compare the results and time nothing.
    tolerance: the largest |x − y| / max(1, |x| + |y|) for which the numbers x and y count as equal.
    clock: the function that returns the time. Pass `time.process_time` to measure processor time, which other
        programs on the machine hardly disturb.
    """
    results = {name: contestant.result() for name, contestant in contestants.items()}
    names = list(contestants)
    wrong = next(filter(None, (difference(results, names[0], name, tolerance) for name in names)), "")
    if wrong or check:
        return Competition(compared=() if wrong else tuple(names), wrong=wrong)
    counts = {name: enough(contestants[name].call, clock) for name in names}
    samples: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(WARM_UPS + ROUNDS):
        for k in range(len(names)):
            name = names[(k + turn) % len(names)]
            calls, is_slow = counts[name]
            if not is_slow or turn < FEW_ROUNDS:
                ms = timed(contestants[name].call, calls, clock) / calls
                if is_slow or turn >= WARM_UPS:
                    samples[name].append(ms)
    return Competition({name: Series(tuple(times)) for name, times in samples.items()}, tuple(names))


def difference(results: Mapping[str, list[float]], a: str, b: str, tolerance: float) -> str:
    """Describe the first difference between the results of a and b. Return "" if they are equal."""
    xs, ys = results[a], results[b]
    if len(xs) != len(ys):
        return f"{a} gave {len(xs)} numbers, {b} {len(ys)}"
    for k, (x, y) in enumerate(zip(xs, ys, strict=True)):
        if not abs(x - y) <= tolerance * max(1.0, abs(x) + abs(y)):
            return f"number {k} is {x} by {a}, {y} by {b}"
    return ""


def enough(call: Callable[[], Any], clock: Clock = time.perf_counter) -> tuple[int, bool]:
    """Return how many calls make up one sample, and whether a single call is slow (over SLOW_MS).

    A sample must take at least SMALLEST_SAMPLE_MS, because the clock is not exact for shorter times.
    """
    calls = 1
    while (ms := timed(call, calls, clock)) < SMALLEST_SAMPLE_MS:
        calls *= 2
    return calls, ms / calls > SLOW_MS


def timed(call: Callable[[], Any], calls: int, clock: Clock = time.perf_counter) -> float:
    """Return the milliseconds that `calls` calls take."""
    start = clock()
    for _ in range(calls):
        call()
    return 1e3 * (clock() - start)

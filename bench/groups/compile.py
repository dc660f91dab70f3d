"""Time the compilation of x^y, and each pass of our compiler, in Pyodide and on CPython.

A visitor waits for the compiler after each edit, so these times matter. We measure each pass in µs per
emitted row. If a pass needs the same time per row for long and short programs, it takes linear time. The
programs that we time have no loops. The JavaScript of this group is compile.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench import specs
from bench.lab import Lab
from bench.measure import OURS, Row, Series, row_from_json

INSTRUCTIONS = (145, 580, 2900)
"""The lengths of the programs, in instructions. With the gradient, the programs have about 1,000, 4,000 and
20,000 rows."""
ROUNDS = {145: 20, 580: 12, 2900: 6}
WARM_UPS = 2
NATIVE = f"{OURS} (CPython)"
ROSE = "Rose 0.4.10"
TARGET, AIM = 3.0, 2.0
POWER = {"title": "x^y, gradient and Hessian: formula → callable", "target": 0.6, "aim": 0.3}
NOTE = "Rose's time ends when its module is instantiated. We divide both times by the number of our rows."

Timing = Mapping[str, float]


def rows(lab: Lab) -> Iterator[Row]:
    """For every program, yield a row with the time of all passes together, then a row for each pass."""
    programs = [
        {
            "title": f"{count} instructions",
            "instructions": specs.straight_line(count),
            "inputs": specs.WINDOW,
            "rounds": ROUNDS[count],
        }
        for count in INSTRUCTIONS
    ]
    work = {"programs": programs, "power": POWER, "formulas": specs.FORMULAS}
    titles = {f"{count} instructions": count for count in INSTRUCTIONS}
    for answer in lab.in_browser_raw("compile", work):
        if answer["title"] not in titles:
            yield row_from_json(answer)
        elif OURS in answer["missing"]:
            yield Row(answer["title"], "µs", missing=answer["missing"])
        else:
            yield from by_pass(answer, native(titles[answer["title"]], lab.check))


def native(instructions: int, check: bool) -> list[Timing]:
    """Time compilations of the program on CPython. (The browser times the same compilations in Pyodide.)"""
    from bench import programs

    spec = specs.straight_line(instructions)
    rounds = 1 if check else ROUNDS[instructions]
    timings = [programs.time_passes(spec, specs.WINDOW, 1 - 1e-6 * k) for k in range(rounds + WARM_UPS)]
    return timings[-rounds:]


def by_pass(answer: Mapping[str, Any], here: Sequence[Timing]) -> Iterator[Row]:
    """Yield the rows of one program. answer: its times in Pyodide. here: its times on CPython."""
    browser: Sequence[Timing] = answer["samples"]["passes"]
    live = int(browser[0]["rows"])
    names = [name for name in browser[0] if name not in {"rows", "bytes"}]
    totals = {
        who: [sum(timing[name] for name in names) for timing in timings]
        for who, timings in ((OURS, browser), (NATIVE, here))
    }
    if answer["samples"][ROSE]:
        totals[ROSE] = answer["samples"][ROSE]
    series = {who: per_row(ms, live) for who, ms in totals.items()}
    yield Row(
        f"compile, each of {live:,} live rows, all passes",
        "µs",
        series,
        target=TARGET,
        aim=AIM,
        note=f"{browser[0]['bytes']:,.0f} B of Wasm. {NOTE}",
        missing=answer["missing"],
    )
    for name in names:
        parts = {OURS: [timing[name] for timing in browser], NATIVE: [timing[name] for timing in here]}
        yield Row(f"  of it: {name}", "µs", {who: per_row(ms, live) for who, ms in parts.items()})


def per_row(ms: Sequence[float], rows: int) -> Series:
    """The microseconds for each row."""
    return Series(tuple(1000 * value / rows for value in ms))

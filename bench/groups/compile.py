"""Compiling: x^y, and our compiler by pass in Pyodide and on CPython, µs for each row that is emitted.

Compile time is what a person waits for after an edit; that it stays the same for each row says that no
pass is worse than linear. The programs of the passes have no loops. The browser's half is compile.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench import specs
from bench.lab import Lab
from bench.measure import OURS, Row, Series, row_from_json

INSTRUCTIONS = (145, 580, 2900)
"""About 1,000, 4,000 and 20,000 rows with the gradient."""
ROUNDS = {145: 20, 580: 12, 2900: 6}
WARM_UPS = 2
NATIVE = f"{OURS} (CPython)"
ROSE = "Rose 0.4.10"
TARGET, AIM = 3.0, 2.0
POWER = {"title": "x^y, gradient and Hessian: formula → callable", "target": 0.6, "aim": 0.3}
NOTE = "Rose's time, until its module is instantiated, is divided by the same number of our rows"

Timing = Mapping[str, float]


def rows(lab: Lab) -> Iterator[Row]:
    """For each program: every pass, then all of them."""
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
    for found in lab.in_browser_raw("compile", work):
        if found["title"] not in titles:
            yield row_from_json(found)
        elif OURS in found["missing"]:
            yield Row(found["title"], "µs", missing=found["missing"])
        else:
            yield from by_pass(found, native(titles[found["title"]], lab.check))


def native(instructions: int, check: bool) -> list[Timing]:
    """Timings on this Python, which runs the same code without a browser."""
    from bench import programs

    spec = specs.straight_line(instructions)
    rounds = 1 if check else ROUNDS[instructions]
    found = [programs.time_passes(spec, specs.WINDOW, 1 - 1e-6 * k) for k in range(rounds + WARM_UPS)]
    return found[-rounds:]


def by_pass(found: Mapping[str, Any], here: Sequence[Timing]) -> Iterator[Row]:
    """The rows of one program from its timings in Pyodide and on CPython."""
    browser: Sequence[Timing] = found["samples"]["passes"]
    live = int(browser[0]["rows"])
    names = [name for name in browser[0] if name not in {"rows", "bytes"}]
    totals = {
        who: [sum(timing[name] for name in names) for timing in timings]
        for who, timings in ((OURS, browser), (NATIVE, here))
    }
    if found["samples"][ROSE]:
        totals[ROSE] = found["samples"][ROSE]
    series = {who: per_row(ms, live) for who, ms in totals.items()}
    yield Row(
        f"compile, each of {live:,} live rows, all passes",
        "µs",
        series,
        target=TARGET,
        aim=AIM,
        note=f"{browser[0]['bytes']:,.0f} B of Wasm; {NOTE}",
        missing=found["missing"],
    )
    for name in names:
        parts = {OURS: [timing[name] for timing in browser], NATIVE: [timing[name] for timing in here]}
        yield Row(f"  of it: {name}", "µs", {who: per_row(ms, live) for who, ms in parts.items()})


def per_row(ms: Sequence[float], rows: int) -> Series:
    """Microseconds for each row."""
    return Series(tuple(1000 * value / rows for value in ms))

"""Our compiler by pass, in Pyodide and on CPython: µs for each row that is emitted, straight-line programs.

Compile time is what a person waits for after an edit; that it stays the same for each row says that no
pass is worse than linear. The browser's half is passes.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench import specs
from bench.lab import Lab
from bench.measure import OURS, Row, Series

INSTRUCTIONS = (145, 580, 2320)
"""About 1,000, 4,000 and 16,000 rows with the gradient."""
ROUNDS = {145: 20, 580: 12, 2320: 6}
WARM_UPS = 2
NATIVE = f"{OURS} (CPython)"
TARGET = 6.0

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
    for count, found in zip(INSTRUCTIONS, lab.in_browser_raw("passes", {"programs": programs}), strict=True):
        if found["missing"]:
            yield Row(found["title"], "µs", missing=found["missing"])
        else:
            yield from by_pass(found["samples"]["passes"], native(count, lab.check))


def native(instructions: int, check: bool) -> list[Timing]:
    """Timings on this Python, which runs the same code without a browser."""
    from bench import programs

    spec = specs.straight_line(instructions)
    rounds = 1 if check else ROUNDS[instructions]
    found = [programs.time_passes(spec, specs.WINDOW, 1 - 1e-6 * k) for k in range(rounds + WARM_UPS)]
    return found[-rounds:]


def by_pass(browser: Sequence[Timing], here: Sequence[Timing]) -> Iterator[Row]:
    """The rows of one program from its timings in Pyodide and on CPython."""
    live = int(browser[0]["rows"])
    names = [name for name in browser[0] if name not in {"rows", "bytes"}]
    for name in names:
        parts = {OURS: [timing[name] for timing in browser], NATIVE: [timing[name] for timing in here]}
        yield Row(f"{name}, {live} rows", "µs", {who: per_row(ms, live) for who, ms in parts.items()})
    totals = {
        who: [sum(timing[name] for name in names) for timing in timings]
        for who, timings in ((OURS, browser), (NATIVE, here))
    }
    note = f"{browser[0]['bytes']:.0f} B of Wasm"
    series = {who: per_row(ms, live) for who, ms in totals.items()}
    yield Row(f"all passes, {live} rows", "µs", series, target=TARGET, note=note)


def per_row(ms: Sequence[float], rows: int) -> Series:
    """Microseconds for each row."""
    return Series(tuple(1000 * value / rows for value in ms))

"""Time a formula from an edit to the result of its first call, and measure the size of the wheel.

The part that runs in the browser is first.js.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bench import specs
from bench.lab import STATIC, Lab
from bench.measure import OURS, Row, Series

INSTRUCTIONS = 580
"""The length of the straight-line program, in instructions. With the gradient, it has about 4,000 emitted
rows."""
OBSERVATIONS, FEATURES = 1000, 10
WHEEL_TARGET = 150_000


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows with the times of compiling and calling, and a row with the wheel's size."""
    yield from lab.in_browser(
        "first",
        {
            "formulas": specs.FORMULAS,
            "straightLine": {
                "instructions": specs.straight_line(INSTRUCTIONS),
                "inputs": specs.straight_line_inputs(),
            },
            "regression": specs.regression(OBSERVATIONS, FEATURES),
        },
    )
    yield wheel()


def wheel() -> Row:
    """The size of the wheel."""
    manifest = json.loads((STATIC / "build" / "manifest.json").read_text(encoding="utf-8"))
    size = (STATIC / "build" / manifest["wheel"]).stat().st_size
    return Row("wheel", "B", {OURS: Series((float(size),))}, target=WHEEL_TARGET)

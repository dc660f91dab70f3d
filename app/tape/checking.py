"""Whether all the numbers of a formula's tape are true, and its derivatives against differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import eglantine as eg
from app.formulas.checking import differ, verdict

from .tape import NAMES, Tape, tape_of

RESULTS: Final = ("f", "fx", "fy", "df")
"""Of all numbers, those that a tape is made for: value, gradient, and the derivative along the direction."""
DIFFERENCES: Final = (("fx", 0, 0), ("fy", 0, 1), ("df", 0, 2))
"""As in `checking`; the third coordinate goes along the direction."""


def tape_verdict(text: str, values: Sequence[float], shown: Sequence[float]) -> dict[str, Any]:
    """What becomes of all the numbers that a tape's module gave.

    values: x, y, dx and dy.

    Returns `checking.verdict` of RESULTS, with {"count"} numbers that the interpreter gave too. Where it did
    not, the answer is {"state": "differ", "entry": the row's name, "part": of which of its numbers, …}.
    """
    tape = _tape_of(text)
    run = eg.interp(tape.numbers)
    for place, (found, wanted) in enumerate(zip(shown, run(*values), strict=True)):
        if found != wanted and not (math.isnan(found) and math.isnan(wanted)):
            row, part = next((row, part) for row, part, at in _places(tape) if at == place)
            return {**differ(row, found, wanted, "interpreter"), "part": part}
    result = tape.nodes[tape.result]
    asked = (result["value"], *(node["cotangent"] for node in tape.nodes[:2]), result["tangent"])
    x, y, dx, dy = values

    def along(point: Sequence[float]) -> list[float]:
        """RESULTS at x, y, and so far along the direction."""
        a, b, t = point
        # x + 0·dx is x, but for infinite dx.
        numbers = run(a + t * dx if t else a, b + t * dy if t else b, dx, dy)
        return [0.0 if place is None else numbers[place] for place in asked]

    answer = verdict(along, (x, y, 0.0), along((x, y, 0.0)), RESULTS, DIFFERENCES)
    return {**answer, "count": len(shown)}


@lru_cache(maxsize=4)
def _tape_of(text: str) -> Tape:
    """A formula's tape, made anew but for the last few."""
    return tape_of(text, NAMES)


def _places(tape: Tape) -> Iterator[tuple[str, str, int | None]]:
    """Each number's row, what it is of that row, and its place."""
    for node in tape.nodes:
        for part in ("value", "cotangent", "tangent"):
            yield node["name"], part, node[part]
        for operand in node["operands"]:
            yield node["name"], "slope", operand.get("slope")
            yield node["name"], "tangent", operand.get("share")
        for one in node["contributions"]:
            yield node["name"], "cotangent", one["term"]
            yield node["name"], "cotangent", one["total"]

"""Check a formula's tape: all numbers by the interpreter, and derivatives also by difference quotients."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import eglantine as eg
from app.formulas.checking import differ, verdict

from .tape import NAMES, Tape, tape_of

RESULTS: Final = ("f", "fx", "fy", "df")
"""The names of a tape's results: the value f, its two partial derivatives, and its derivative df along the
direction (dx, dy)."""
DIFFERENCES: Final = (("fx", 0, 0), ("fy", 0, 1), ("df", 0, 2))
"""The difference quotients, in a table like the one in `app.formulas.checking`. Each has the result that it
estimates, the index of the result from whose values it is computed, and the index of the variable that is
varied. The variables are x, y and t, where t moves the point along the direction (dx, dy)."""


def tape_verdict(text: str, values: Sequence[float], shown: Sequence[float]) -> dict[str, Any]:
    """Judge all numbers that a tape's module computed.

    values: the module's arguments x, y, dx and dy.
    shown: the numbers that the module computed.

    We compare each number with the interpreter's result. If a number differs, we return {"state": "differ",
    "entry": the row's name, "part": the kind of number, such as "tangent", …}. Otherwise we return the
    verdict of `checking.verdict` on RESULTS, and add "count": how many numbers we compared.
    """
    tape = _tape_of(text)
    run = eg.interp(tape.numbers)
    for place, (value, wanted) in enumerate(zip(shown, run(*values), strict=True)):
        if value != wanted and not (math.isnan(value) and math.isnan(wanted)):
            row, part = next((row, part) for row, part, at in _places(tape) if at == place)
            return {**differ(row, value, wanted, "interpreter"), "part": part}
    result = tape.nodes[tape.result]
    asked = (result["value"], *(node["cotangent"] for node in tape.nodes[:2]), result["tangent"])
    x, y, dx, dy = values

    def along(point: Sequence[float]) -> list[float]:
        """Compute RESULTS at the point (a + t·dx, b + t·dy)."""
        a, b, t = point
        # Do not add t·dx if t is 0, because 0·dx is NaN if dx is infinite.
        numbers = run(a + t * dx if t else a, b + t * dy if t else b, dx, dy)
        return [0.0 if place is None else numbers[place] for place in asked]

    answer = verdict(along, (x, y, 0.0), along((x, y, 0.0)), RESULTS, DIFFERENCES)
    return {**answer, "count": len(shown)}


@lru_cache(maxsize=4)
def _tape_of(text: str) -> Tape:
    """Make a formula's tape. The four most recent tapes are cached."""
    return tape_of(text, NAMES)


def _places(tape: Tape) -> Iterator[tuple[str, str, int | None]]:
    """Yield (name of a row, kind such as "tangent", index in the module's result) for each number."""
    for node in tape.nodes:
        for part in ("value", "cotangent", "tangent"):
            yield node["name"], part, node[part]
        for operand in node["operands"]:
            yield node["name"], "slope", operand.get("slope")
            yield node["name"], "tangent", operand.get("share")
        for one in node["contributions"]:
            yield node["name"], "cotangent", one["term"]
            yield node["name"], "cotangent", one["total"]

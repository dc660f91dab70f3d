"""Find loops that count from a constant to a constant, like Python's `for i in range(n)`.

The compiler then knows the number of rounds. Such a loop needs no test, and reverse mode stores its values in
arrays of a known size.

    i: int = const 0;                     the counter begins with a constant
.head:
    more: bool = lt i n;                  the test compares it with a constant
    br more .body .end;
.body:
    ...
    i: int = add i one;                   each round adds a constant
    jmp .head;
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import I64
from eglantine.ir.rules import MAX_INDEX

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_MIRRORED: Final = {"llt": "lgt", "lgt": "llt", "lle": "lge", "lge": "lle"}
"""For each comparison, the one that says the same with exchanged operands. For a < b, this is b > a."""
_OPPOSITE: Final = {"llt": "lge", "lge": "llt", "lle": "lgt", "lgt": "lle"}
"""For each comparison, the one that is true exactly if the first one is false. For a < b, this is a ≥ b."""


def rounds_of(
    outer: Builder, inits: Sequence[int], body: Builder, results: Sequence[int], test: Builder, test_row: int
) -> int | None:
    """Compute the number of rounds of a while loop. Return None if it is known only when the loop runs.

    inits: the first values of the carry, as rows of `outer`.
    results: the values of the carry for the next round, as rows of `body`.
    test_row: the row of `test` that is the condition.
    """
    compared = _comparison(test, test_row)
    if compared is None:
        return None
    comparison, counter, bound = compared
    if counter not in test.params[1:]:
        return None
    k = test.params.index(counter) - 1
    if k >= len(inits) or inits[k] >= 0:
        return None
    step = _step(body, results[k], body.params[k + 1])
    return None if step is None else _rounds(comparison, outer.value(inits[k]), bound, step)


def _comparison(test: Builder, row: int) -> tuple[str, int, int] | None:
    """Return (comparison, row, constant) if a condition compares a row with a constant, else None."""
    opposite = False
    while row > 0 and test.rows[row][0] == "not":
        row, opposite = test.rows[row][1], not opposite
    if row <= 0 or test.rows[row][0] not in _OPPOSITE:
        return None
    op, a, b = test.rows[row]
    if opposite:
        op = _OPPOSITE[op]
    if a < 0 < b:
        op, a, b = _MIRRORED[op], b, a
    return (op, a, test.value(b)) if b < 0 < a else None


def _step(body: Builder, row: int, counter: int) -> int | None:
    """Return the constant that each round adds to the counter. None if the counter changes in another way."""
    if row <= 0 or body.types[row] != I64:
        return None
    match body.rows[row]:
        case ("ladd", a, b) if a == counter and b < 0:
            return int(body.value(b))
        case ("ladd", a, b) if b == counter and a < 0:
            return int(body.value(a))
        case ("lsub", a, b) if a == counter and b < 0:
            return -int(body.value(b))
    return None


def _rounds(comparison: str, first: int, bound: int, step: int) -> int | None:
    """Return the number of rounds until the comparison is false.

    Return None if this number is too large, or if the counter overflows.
    """
    if comparison in ("lgt", "lge"):
        comparison, first, bound, step = _MIRRORED[comparison], -first, -bound, -step
    end = bound + (comparison == "lle")
    if first >= end:
        return 0
    if step <= 0:
        return None
    rounds = -((first - end) // step)
    last = first + rounds * step
    return rounds if rounds <= MAX_INDEX and last <= _MOST else None

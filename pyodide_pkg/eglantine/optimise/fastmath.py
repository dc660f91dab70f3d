"""Rewrites that are not exact, for who asks for them: `compile(…, fastmath=True)` states their errors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from eglantine.analysis.callgraph import callees_first
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import ZERO
from eglantine.rewrite.copying import copied
from eglantine.rewrite.environment import Options, Places
from eglantine.rewrite.inlining import called_in_place

STEPS: Final = ("floor", "ceil", "trunc", "round")
"""Where the smallest error may become a whole step, as in 49 // 49; what they take is left as it is."""

MOST_IN_A_ROW: Final = 4
"""Sums of more terms than this are made of pairs, which a processor adds side by side."""


def approximated(function: Function) -> Function:
    """The function, and those it calls, with divisions and long sums in a cheaper form."""
    done: dict[Function, Function] = {}
    order, _ = callees_first(function)
    for callee in order:
        assert callee.block is not None
        block = called_in_place(callee.block, lambda f: done.get(f, f))
        done[callee] = replace(callee, block=copied(block, Options(instead=_rewriting())))
    return done[function]


def _rewriting() -> Callable[[Block, int, Builder, Places], int | None]:
    """What gives the row to make instead of a division or an addition, or None."""
    plans: dict[int, tuple[dict[int, list[int]], set[int]]] = {}

    def instead(block: Block, i: int, b: Builder, env: Places) -> int | None:
        row = block.rows[i]
        if row[0] not in ("div", "add"):
            return None
        if id(block) not in plans:
            stepped = {row[1] for row in block.rows if row[0] in STEPS}
            plans[id(block)] = _long_sums(block), stepped
        sums, stepped = plans[id(block)]
        if row[0] == "div":
            return None if i in stepped else _quotient(b, env[row[1]], env[row[2]])
        terms = sums.get(i)
        return None if terms is None else _pairwise(b, [env[term] for term in terms])

    return instead


def _quotient(b: Builder, x: int, y: int) -> int | None:
    """x / y with a constant's reciprocal, or with one division for two."""
    if y < 0 and x:
        inverse = 1.0 / b.value(y) if b.value(y) else 0.0
        return b.mul(x, b.const(inverse)) if sys.float_info.min <= abs(inverse) < float("inf") else None
    if x > 0 and b.rows[x][0] == "div":
        return b.div(b.rows[x][1], b.mul(b.rows[x][2], y))
    return None


def _pairwise(b: Builder, rows: list[int]) -> int:
    """The sum of the rows, by pairs of pairs; ZERO for none: a partial sum that its long sum does without."""
    while len(rows) > 1:
        odd = rows[-1:] if len(rows) % 2 else []
        rows = [b.add(x, y) for x, y in zip(rows[::2], rows[1::2], strict=False)] + odd
    return rows[0] if rows else ZERO


def _long_sums(block: Block) -> dict[int, list[int]]:
    """The terms of each long sum in a block, by its last row; no terms for the partial sums within it."""
    uses = [0] * len(block.rows)
    for used in (*(operands(row) for row in block.rows), block.results):
        for a in used:
            if a > 0:
                uses[a] += 1
    found: dict[int, list[int]] = {}
    for i in range(len(block.rows) - 1, 0, -1):
        if block.rows[i][0] != "add" or i in found:
            continue
        terms: list[int] = []
        inner: list[int] = []
        waiting = [*block.rows[i][:0:-1]]
        while waiting:
            a = waiting.pop()
            if a > 0 and uses[a] == 1 and block.rows[a][0] == "add":
                inner.append(a)
                waiting += block.rows[a][:0:-1]
            else:
                terms.append(a)
        if len(terms) > MOST_IN_A_ROW:
            found[i] = terms
            found.update((a, []) for a in inner)
    return found

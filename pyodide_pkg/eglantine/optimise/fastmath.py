"""Rewrite code in cheaper forms that are not exact, for `fastmath=True`. `compile` documents the errors."""

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
from eglantine.rewrite.environment import Env, Options
from eglantine.rewrite.inlining import called_in_place

STEPS: Final = ("floor", "ceil", "trunc", "round")
"""Operations that can turn a tiny error of their operand into an error of 1.

For example, floor(49 / 49) is 1, but floor(49 · (1/49)) is 0. So a division is not rewritten if its quotient
is an operand of such an operation.
"""

MOST_IN_A_ROW: Final = 4
"""The largest number of terms that are added one after the other.

The terms of a longer sum are added in pairs. The additions of different pairs can run in parallel.
"""


def approximated(function: Function) -> Function:
    """Rewrite divisions and long sums in a cheaper form, in a function and in the functions it calls."""
    done: dict[Function, Function] = {}
    order, _ = callees_first(function)
    for callee in order:
        assert callee.block is not None
        block = called_in_place(callee.block, lambda f: done.get(f, f))
        done[callee] = replace(callee, block=copied(block, Options(instead=_rewriting())))
    return done[function]


def _rewriting() -> Callable[[Block, int, Builder, Env], int | None]:
    """Return a function for `Options.instead` that rewrites divisions and sums while a block is copied."""
    plans: dict[int, tuple[dict[int, list[int]], set[int]]] = {}

    def instead(block: Block, i: int, b: Builder, env: Env) -> int | None:
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
    """Build x / y as x · (1/y) if y is a constant, or as a / (b · y) if x is a / b. Else return None."""
    if y < 0 and x:
        inverse = 1.0 / b.value(y) if b.value(y) else 0.0
        return b.mul(x, b.const(inverse)) if sys.float_info.min <= abs(inverse) < float("inf") else None
    if x > 0 and b.rows[x][0] == "div":
        return b.div(b.rows[x][1], b.mul(b.rows[x][2], y))
    return None


def _pairwise(b: Builder, rows: list[int]) -> int:
    """Sum rows: add them in pairs, then add the sums in pairs, and so on. The sum of no rows is ZERO."""
    while len(rows) > 1:
        odd = rows[-1:] if len(rows) % 2 else []
        rows = [b.add(x, y) for x, y in zip(rows[::2], rows[1::2], strict=False)] + odd
    return rows[0] if rows else ZERO


def _long_sums(block: Block) -> dict[int, list[int]]:
    """Find the long sums of a block.

    The result maps the last row of each long sum to its terms, and each partial sum within it to [].
    """
    uses = [0] * len(block.rows)
    for used in (*(operands(row) for row in block.rows), block.results):
        for a in used:
            if a > 0:
                uses[a] += 1
    terms_of: dict[int, list[int]] = {}
    for i in range(len(block.rows) - 1, 0, -1):
        if block.rows[i][0] != "add" or i in terms_of:
            continue
        terms: list[int] = []
        partial_sums: list[int] = []
        waiting = [*block.rows[i][:0:-1]]
        while waiting:
            a = waiting.pop()
            if a > 0 and uses[a] == 1 and block.rows[a][0] == "add":
                partial_sums.append(a)
                waiting += block.rows[a][:0:-1]
            else:
                terms.append(a)
        if len(terms) > MOST_IN_A_ROW:
            terms_of[i] = terms
            terms_of.update((a, []) for a in partial_sums)
    return terms_of

"""Estimate how many operations one call of a function runs."""

from __future__ import annotations

from math import prod
from typing import Final

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import DYNAMIC, I32, Acc, Array
from eglantine.ir.rules import LIBRARY

from .callgraph import callees_first

LIBRARY_CALL: Final = 20
"""The number of operations for which we count a call of a library function, such as sin."""

UNKNOWN_ROUNDS: Final = 10
"""The number of rounds that we assume for a loop if the number is not known before the loop runs."""

_FREE: Final = frozenset({"zero", "param", "proj", "table", "zeros", "acc_read"})


def work(function: Function) -> int:
    """Estimate how many operations one call of a function runs, including its callees.

    A row that fills or copies an array counts once for each element. For a branch, only the longer arm
    counts. Arithmetic on indices does not count.
    """
    of: dict[Function, int] = {}
    for callee in callees_first(function)[0]:
        of[callee] = _work_of_block(callee.block, of) if callee.block is not None else LIBRARY_CALL
    return of[function]


def _work_of_block(block: Block, of: dict[Function, int]) -> int:
    total = 0
    for row, type_ in zip(block.rows, block.types, strict=True):
        op = row[0]
        if op == "loop":
            loop = row[2]
            rounds = loop.count if loop.count is not None else loop.extent
            times = UNKNOWN_ROUNDS if rounds == DYNAMIC else rounds
            total += times * sum(_work_of_block(inner, of) for inner in loop.blocks)
        elif op == "cond":
            total += max(_work_of_block(arm, of) for arm in row[2].blocks)
        elif op == "call":
            total += of.get(row[2], LIBRARY_CALL)
        elif op in PRIMITIVES and PRIMITIVES[op].wasm is LIBRARY:
            total += LIBRARY_CALL
        elif op not in _FREE and not isinstance(type_, I32):
            is_filled = op != "index" and isinstance(type_, Array | Acc)
            total += prod(type_.dims) if is_filled else 1
    return total

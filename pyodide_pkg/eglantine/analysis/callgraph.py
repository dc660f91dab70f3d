"""Find the functions that a function calls, and count the rows of a block."""

from __future__ import annotations

from typing import Any

from eglantine.ir.program import NESTING, Block, Function, Memo

CALLEES: Memo[list[Function]] = Memo("callees")

_CALLING = frozenset({"call", *NESTING})


def callees(block: Block | None) -> list[Function]:
    """List the functions that a block and its nested blocks call, once for each call. Omit host functions."""
    called: list[Function] = []
    pending = [block] if block else []
    while pending:
        inner = pending.pop()
        for row in () if inner.operations.isdisjoint(_CALLING) else inner.rows:
            match row[0]:
                case "call" if row[2].block is not None:
                    called.append(row[2])
                case "loop" | "cond":
                    pending.extend(row[2].blocks)
    return called


def size_of(block: Block) -> int:
    """Count the rows of a block, including the rows of all loop bodies and arms inside it."""
    size = 0
    pending = [block]
    for inner in pending:  # the list grows in the loop
        size += len(inner.rows)
        if not inner.operations.isdisjoint(NESTING):
            for row in inner.rows:
                if row[0] in NESTING:
                    pending += row[2].blocks
    return size


def called_by(function: Function) -> list[Function]:
    """Return `callees(function.block)`. The list is computed only once for each function."""
    return CALLEES.remember(function, None, lambda: callees(function.block))


def callees_first(function: Function) -> tuple[list[Function], dict[Function, int]]:
    """List a function and its direct and indirect callees, callees first.

    Host functions have no block and are not in the list.
    Also return a dict: callee → the number of its calls in all listed functions.
    """
    sites: dict[Function, int] = {}
    order: list[Function] = []
    pending: list[tuple[Function, Any]] = [(function, iter(called_by(function)))]
    seen = {function}
    while pending:
        caller, rest = pending[-1]
        for callee in rest:
            sites[callee] = sites.get(callee, 0) + 1
            if callee not in seen:
                seen.add(callee)
                pending.append((callee, iter(called_by(callee))))
                break
        else:
            order.append(caller)
            pending.pop()
    return order, sites

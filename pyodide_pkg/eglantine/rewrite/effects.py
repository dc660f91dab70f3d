"""Find the rows that have effects (prints, and calls of impure functions), and remove them from programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from eglantine.analysis.liveness import acc_root
from eglantine.ir.program import (
    ACTIONS,
    NESTING,
    Block,
    Cond,
    Function,
    Memo,
    has_effects,
    holding,
    with_results,
    with_rows,
)
from eglantine.ir.row_types import F64, Row

QUIET: Memo[Function] = Memo("quiet")

_GONE = ("zero",)

_STRIPPED = ACTIONS | NESTING | {"call", "add_to", "acc_index"}
"""The operations of rows that `stripped` may change."""


def impure_rows(body: Block) -> list[int]:
    """List the rows that read Real results of impure calls, or of branches that contain impure calls.

    Reverse mode stores these values, because it must not run an impure call again.
    """
    return [
        i for i, row in enumerate(body.rows)
        if row[0] == "proj" and body.types[i] is F64 and _is_impure(body.rows[row[1]])
    ]  # fmt: skip


def _is_impure(row: Row) -> bool:
    if row[0] == "call":
        return not row[2].pure
    return row[0] == "cond" and any(map(has_effects, row[2].blocks))


def exposed(block: Block) -> Block:
    """Add results to the branches of a block: the Reals that impure calls in their arms return.

    Reverse mode has to store these values. The existing rows keep their numbers. The rows that read the new
    results are added at the end.
    """
    if not has_effects(block):
        return block
    rows, types, sources = list(block.rows), list(block.types), list(block.sources)
    for i, row in enumerate(block.rows):
        if row[0] == "loop":
            rows[i] = ("loop", row[1], row[2].with_body(exposed(row[2].body)))
        elif row[0] == "cond":
            arms = [exposed(arm) for arm in row[2].blocks]
            impure = [impure_rows(arm) for arm in arms]
            zeros = [[0] * len(rows_of_arm) for rows_of_arm in impure]
            n = len(arms[0].results)
            new = (with_results(arms[0], (*arms[0].results, *impure[0], *zeros[1])),
                   with_results(arms[1], (*arms[1].results, *zeros[0], *impure[1])))  # fmt: skip
            rows[i] = ("cond", row[1], Cond(*new))
            for k in range(n, len(new[0].results)):
                rows.append(("proj", i, k))
                types.append(F64)
                sources.append(block.sources[i])
    return replace(block, rows=tuple(rows), types=tuple(types), sources=tuple(sources))


def stripped(block: Block, outer: tuple[int, ...]) -> Block:
    """Remove a block's effects, so that it can run a second time to compute the same values.

    Prints and impure calls without a result are removed. An impure call with a result becomes a call of
    `quiet(function)`. Additions to the accumulators in `outer` are removed, because the second run must not
    add the same terms again.

    outer: the positions of accumulators among the block's parameters.
    """
    gone = {block.params[k] for k in outer}
    rows = list(block.rows)
    changed = False
    for i, row in enumerate(rows):
        op = row[0]
        if op not in _STRIPPED:
            continue
        if _is_effect(row) or (op in ("add_to", "acc_index") and acc_root(block, row[1]) in gone):
            rows[i] = _GONE
        elif op == "call" and not row[2].pure:
            rows[i] = ("call", row[1], quiet(row[2]))
        elif op in ("loop", "cond"):
            rows[i] = _stripped_structure(block, row, gone)
        changed = changed or rows[i] is not row
    if not changed:
        return block
    return with_rows(block, rows)


def quiet(function: Function) -> Function:
    """A copy of an impure function without its effects, for a second run. The copy is marked as pure."""
    return QUIET.remember(function, None, lambda: _quiet(function))


def _quiet(function: Function) -> Function:
    body = None if function.block is None else stripped(function.block, ())
    return replace(function, block=body, pure=True)


def _is_effect(row: Row) -> bool:
    """True if a row prints, or calls an impure function without a result."""
    return row[0] in ACTIONS or (row[0] == "call" and not row[2].pure and not row[2].leaf_results)


def _stripped_structure(block: Block, row: Row, gone: set[int]) -> Any:
    op, operands, info = row
    bodies = info.blocks
    params = {param: k for k, param in enumerate(bodies[0].params)}
    outer = tuple(
        params[param] for param, a in info.given(bodies[0], operands)
        if bodies[0].types[param].dtype == "acc" and acc_root(block, a) in gone
    )  # fmt: skip
    new = tuple(stripped(body, outer) for body in bodies)
    if all(x is y for x, y in zip(new, bodies, strict=True)):
        return row
    return (op, operands, holding(info, new))

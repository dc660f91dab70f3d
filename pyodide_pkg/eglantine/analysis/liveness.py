"""Find the rows that compute a block's wanted results and its effects. Visit the rows from the end.

A row `add_to` is needed if its accumulator is needed. A loop or branch is needed if one of its results is
needed, or if a row in it has a needed effect. A carry of a loop is needed if a needed result depends on it,
perhaps after several rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from eglantine.ir.primitives import ARITY, operands
from eglantine.ir.program import ACTIONS, NESTING, Block, Loop


@dataclass(slots=True)
class Live:
    """The needed rows of a block.

    flags: for each row, 1 if it is needed, otherwise 0.
    nested: for each needed loop or branch, the needed results and the needed rows of its blocks.
    """

    flags: bytearray
    nested: dict[int, LiveNested]


class LiveNested(NamedTuple):
    """The needed parts of a loop or branch.

    results: for each result, true if it is needed.
    bodies: the needed rows of each block of the loop or branch.
    """

    results: list[bool]
    bodies: list[Live]


def acc_root(block: Block | Any, acc: int) -> int:
    """Return the accumulator that `acc` is a part of, or `acc` itself if it is a whole accumulator."""
    while block.rows[acc][0] == "acc_index":
        acc = block.rows[acc][1]
    return acc


def accumulators(block: Block, i: int) -> frozenset[int]:
    """Return the accumulators that a row reads, adds to, or takes a part of."""
    types = block.types
    accs = [a for a in operands(block.rows[i]) if a > 0 and types[a].dtype == "acc"]
    return frozenset([acc_root(block, a) for a in accs])


def uses_by_rows(block: Block) -> list[int]:
    """Count the uses of each row. A use by an `acc_read` row does not count.

    The counts of the constants follow, the last constant first.
    """
    uses = [0] * (len(block.rows) + len(block.consts))
    for row in block.rows:
        n = ARITY[row[0]]
        if n == 2:
            uses[row[1]] += 1
            uses[row[2]] += 1
        elif n and row[0] != "acc_read":
            for a in row[1] if n < 0 else row[1 : 1 + n]:
                uses[a] += 1
    return uses


def live_rows(  # noqa: C901, PLR0912 - one loop over all rows; a call for each would be slow
    block: Block, wanted: Sequence[bool] | None = None, live_params: Sequence[int] = (), traps: bool = False
) -> Live:
    """Find the rows that a block needs.

    wanted: for each result, true if the caller needs it. None means that the caller needs all results.
    live_params: the positions of the parameters that are accumulators whose sums are needed.
    traps: if true, keep index checks even if no row reads their results.
    """
    flags = bytearray(len(block.rows))
    nested: dict[int, LiveNested] = {}
    needed: dict[int, set[int]] = {}
    for k, result in enumerate(block.results):
        if result > 0 and (wanted is None or wanted[k]):
            flags[result] = 1
    for k in live_params:
        flags[block.params[k]] = 1
    rows = block.rows
    for i in range(len(rows) - 1, 0, -1):
        row = rows[i]
        op = row[0]
        if op in ("loop", "cond"):
            _structure(block, i, flags, needed.get(i, set()), nested, traps)
            continue
        if not flags[i]:
            if op == "add_to":
                flags[i] = flags[acc_root(block, row[1])]
            elif op in ACTIONS or (op == "call" and not row[2].pure) or (traps and op == "check"):
                flags[i] = 1
            if not flags[i]:
                continue
        n = ARITY[op]
        if n == 2:
            a, b = row[1], row[2]
            if a > 0:
                flags[a] = 1
            if b > 0:
                flags[b] = 1
        elif n == 1:
            a = row[1]
            if a > 0:
                flags[a] = 1
            if op == "proj":
                needed.setdefault(a, set()).add(row[2])
        elif n:
            for a in row[1] if n < 0 else row[1:4]:
                if a > 0:
                    flags[a] = 1
    return Live(flags, nested)


def _structure(
    block: Block, i: int, flags: bytearray, needed: set[int], nested: dict[int, LiveNested], traps: bool
) -> None:
    """Decide whether loop or branch i is needed. If so, mark the operands that it needs.

    needed: the positions of the needed results of row i.
    """
    op, operands, info = block.rows[i]
    bodies = info.blocks
    first, types = info.given(bodies[0], operands), bodies[0].types
    own = len(bodies[0].params) - len(first)
    live_accs = [
        own + k for k, (param, a) in enumerate(first)
        if types[param].dtype == "acc" and _is_live_acc(block, a, flags)
    ]  # fmt: skip
    wanted = [k in needed for k in range(len(bodies[0].results))]
    if op == "loop":
        lives = [_carry_closure(info, wanted, live_accs, traps)]
        if info.test:
            lives.append(live_rows(info.test, [False], traps=traps))
    else:
        lives = [live_rows(body, wanted, live_accs, traps) for body in bodies]
    if not flags[i] and not any(map(_has_effect, bodies, lives, [traps, traps])):
        return
    if op == "loop" and info.test:
        lives = _with_test(info, wanted, live_accs, traps)
    flags[i] = 1
    nested[i] = LiveNested(wanted, lives)
    marked = {*operands[: len(operands) - len(first)]}
    if op == "loop":
        marked.update([a for (_, a), want in zip(first[: info.carried], wanted, strict=False) if want])
    for body, live in zip(bodies, lives, strict=True):
        pairs, used = first if body is bodies[0] else info.given(body, operands), live.flags
        marked.update([a for param, a in pairs if used[param]])
    for a in marked:
        if a > 0:
            flags[a] = 1


def _with_test(loop: Loop, wanted: list[bool], live_accs: Sequence[int], traps: bool) -> list[Live]:
    """Find the needed parts of a while loop. In `wanted`, mark the carries that its test reads."""
    assert loop.test is not None
    test = live_rows(loop.test, traps=traps)
    for k in range(loop.carried):
        wanted[k] = wanted[k] or bool(test.flags[loop.test.params[1 + k]])
    return [_carry_closure(loop, wanted, live_accs, traps), test]


def _is_live_acc(block: Block, operand: int, flags: bytearray) -> bool:
    return operand > 0 and bool(flags[acc_root(block, operand)])


_MAY_ACT = ACTIONS | {"add_to", "loop", "cond", "call", "check"}


def _has_effect(body: Block, live: Live, traps: bool) -> bool:
    if body.operations.isdisjoint(_MAY_ACT):
        return False
    for i, row in enumerate(body.rows):
        op = row[0]
        if op not in _MAY_ACT or not live.flags[i]:
            continue
        if op == "check":
            acts = traps
        elif op == "call":
            acts = not row[2].pure
        else:
            acts = op not in NESTING or i in live.nested
        if acts:
            return True
    return False


def _carry_closure(loop: Loop, wanted: list[bool], live_accs: Sequence[int], traps: bool) -> Live:
    """Find the needed rows of a loop's body. In `wanted`, mark the carries that these rows read."""
    while True:
        live = live_rows(loop.body, wanted, live_accs, traps)
        more = [
            k for k in range(loop.carried)
            if not wanted[k] and live.flags[loop.body.params[1 + k]]
        ]  # fmt: skip
        if not more:
            return live
        for k in more:
            wanted[k] = True

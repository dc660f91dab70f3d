"""The steps of optimisation: inline calls, lower rows, remove dead rows, join loops."""

from __future__ import annotations

from dataclasses import replace

from eglantine.analysis.callgraph import called_by, callees_first, size_of
from eglantine.analysis.liveness import live_rows
from eglantine.ir.folding import ARITHMETIC, ROUNDED
from eglantine.ir.primitives import LOWERED, PRIMITIVES
from eglantine.ir.program import NESTING, Block, Function, has_effects, made_once
from eglantine.mathlib.library import library
from eglantine.rewrite.copying import copied
from eglantine.rewrite.environment import Options
from eglantine.rewrite.inlining import called_in_place
from eglantine.rewrite.unrolling import has_short

from .sums_in_arms import added_in_arms
from .units import without_units

SMALL = 100
"""The largest number of rows by which a program may grow when a function is inlined at all its calls.

If SMALL is 0, 50, 100 or 300, the programs of the benchmarks are the same. Generated programs are shortest if
it is 50 or 100.
"""

_UNFINISHED = frozenset({"acc", "call", "powi", "update_add"} | NESTING | LOWERED.keys())
"""Operations that must be rewritten before emission. A block without them is kept, unless a row folds."""

_FOLDING = {"powi", "select"} | {name for name, primitive in PRIMITIVES.items() if primitive.evaluate}
"""Operations that the builder folds if all operands are constants. For `select`, the condition is enough."""

_ROUNDING = ARITHMETIC.keys() | ROUNDED
"""Operations whose result may be rounded. If an operation rounds, we compute its result for two constants
late: just before emission."""

_LOGIC = frozenset({"and", "or", "xor"})
"""Operations that fold even if only one operand is a constant."""

UNROLLING = Options(lower=True, unroll=True)


def optimise(function: Function, stages: list[tuple[str, Block]] | None = None) -> Function:
    """Optimise a function for emission. Also optimise the functions that it still calls after inlining.

    stages: None, or a list. After each step, we append (name of the step, block after the step) to it.
    """
    done: dict[Function, Function] = {}
    called: set[Function] = set()
    order, sites = callees_first(function)
    for callee in order[:-1]:
        if sites[callee] > 1 or callee.policy == "checkpoint":
            ready = _optimised(callee, done, called, None)
            block = ready.block
            assert block is not None
            if has_effects(block, checks=True):
                # The function may trap, print or call impure functions. So we keep even unused calls of it.
                ready = replace(ready, pure=False, merges=ready.pure)
            # `ready` is a key too, because the body of an inlined function may call it
            done[callee] = done[ready] = ready
            if size_of(block) * (sites[callee] - 1) > SMALL or callee.policy == "checkpoint":
                ready = done[callee] = done[ready] = replace(ready, block=in_lanes(block))
                called.add(ready)
    final = _optimised(function, done, called, stages)
    assert final.block is not None
    block = in_lanes(final.block)
    if block is final.block:
        return final
    if stages is not None:
        stages.append(("functions in lanes", block))
    return replace(final, block=block)


def in_lanes(block: Block) -> Block:
    """Inline calls of library functions in the loops of a block. `vectors` explains why."""
    if block.operations.isdisjoint(NESTING):
        return block
    from .vectors import in_lanes  # imported on first use

    return in_lanes(block)


@made_once
def ready_library(name: str) -> Function:
    """The library function `name`, ready for emission. It may still call other library functions."""
    function = library(name)
    assert function.block is not None
    block = called_in_place(function.block, lambda callee: ready_library(callee.name))
    return replace(function, block=copied(block, Options(lower=True), rounds=True))


def _optimised(
    function: Function,
    done: dict[Function, Function],
    called: set[Function],
    stages: list[tuple[str, Block]] | None,
) -> Function:
    """Optimise one function.

    done: maps each function that `function` may call to its optimised form.
    called: the functions in `done` that are not inlined.
    """
    block = function.block
    assert block is not None

    def placed(callee: Function) -> Function | Block:
        """Return the optimised function that replaces `callee`, or its block if we inline it."""
        ready = done.get(callee, callee)
        return ready if ready in called or ready.block is None else ready.block

    if block.operations.isdisjoint(_UNFINISHED) and not _folds(block):
        return function
    first = called_in_place(block, placed) if called_by(function) else block
    if has_short(first):
        first = copied(first, UNROLLING, rounds=True)
    last = _lowered(first)
    while has_short(last):
        last = _lowered(copied(last, UNROLLING, rounds=True))
    last = without_units(last)
    with_joined_loops = _joined(last)
    final = added_in_arms(with_joined_loops)
    if stages is not None:
        if first is not block:
            stages.append(("calls in place", first))
        stages.append(("lowered and pruned", last))
        if with_joined_loops is not last:
            stages.append(("loops joined", with_joined_loops))
        if final is not with_joined_loops:
            stages.append(("sums in arms", final))
    return replace(function, block=final, leaf_params=final.param_types, leaf_results=final.result_types)


def _joined(block: Block) -> Block:
    """Replace accumulators by stacked arrays or by sums in locals, and join loops.

    Then unroll short loops, because these changes can make new short loops.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    from .apart import apart  # imported on first use
    from .joining import joined
    from .stacking import stacked

    made = apart(stacked(block))
    if has_short(made):
        made = copied(made, UNROLLING, rounds=True)
    made = joined(made)
    if made is block:
        return block
    made = copied(made, Options(hoist=True), live_rows(made, traps=True), rounds=True)
    while has_short(made):
        made = copied(made, UNROLLING, rounds=True)
        made = copied(made, Options(hoist=True), live_rows(made, traps=True), rounds=True)
    return made


def _lowered(block: Block) -> Block:
    """Lower a block to instructions. If it has loops or branches, also prune it and hoist invariant rows.

    To hoist x·(1/3) out of a loop, the compiler must know that 1/3 is a constant. Hoisting happens while the
    rows are copied, so we first make another copy, which folds the constants.
    """
    structured = not block.operations.isdisjoint(NESTING) or _adds_in_vain(block)
    if structured and _folds_within(block):
        block = copied(block, Options(lower=True), rounds=True)
    live = live_rows(block, traps=True) if structured else None
    return copied(block, Options(lower=True, hoist=structured), live, rounds=True)


def _folds(block: Block) -> bool:
    """True if a row of the block does arithmetic on two constants."""
    return bool([1 for row in block.rows if row[0] in _ROUNDING and row[1] < 0 and row[2] < 0])


def _folds_within(block: Block) -> bool:
    """True if a copy of the block, or of a body in it, would fold or split a row.

    A copy folds rows, branches and loops with constant operands, and loops without rounds. Lowering splits
    some operations on two values into several rows. If one of these rows uses only one of the values, it may
    be possible to move this row out of a loop, but not the whole operation.
    """
    pending = [block]
    while pending:
        inner = pending.pop()
        for row in inner.rows:
            op = row[0]
            if op in _FOLDING:
                n = len(row)
                if row[1] < 0 and (n == 2 or n > 3 or op == "powi" or row[2] < 0):
                    return True
                if op in _LOGIC and (row[1] < 0 or row[2] < 0):
                    return True
                if op in LOWERED and inner is not block and n > 2 and row[1] > 0 < row[2] != row[1]:
                    return True
            elif op in NESTING:
                _, operands, info = row
                if op == "loop" and info.carried:
                    trips, _, captures = info.parts(operands)
                    operands = (*trips, *captures)
                if min(operands, default=0) < 0 or getattr(info, "count", None) == 0:
                    return True
                pending += info.blocks
    return False


def _adds_in_vain(block: Block) -> bool:
    """True if the block has a call or an addition to an accumulator that is not needed."""
    if block.operations.isdisjoint(("acc", "call")):
        return False
    pairs = zip(block.rows, live_rows(block).flags, strict=True)
    return any(row[0] in ("add_to", "call") and not needed for row, needed in pairs)

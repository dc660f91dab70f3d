"""From a function as written to what is emitted: calls put in place, rows lowered, the dead left out."""

from __future__ import annotations

from dataclasses import replace

from eglantine.analysis.callgraph import called_by, callees_first
from eglantine.analysis.liveness import live_rows
from eglantine.ir.folding import ARITHMETIC, ROUNDED
from eglantine.ir.primitives import LOWERED, PRIMITIVES
from eglantine.ir.program import NESTING, Block, Function, has_effects, made_once, size_of
from eglantine.mathlib.library import library
from eglantine.rewrite.copying import copied
from eglantine.rewrite.environment import Options
from eglantine.rewrite.inlining import called_in_place
from eglantine.rewrite.unrolling import has_short

from .joining import joined
from .sums_in_arms import added_in_arms

SMALL = 100
"""How many rows a program may grow by when a function, once optimised, is put in the place of its calls.

The benches' programs are the same with 0, 50, 100 and 300; generated ones are shortest with 50 and 100.
"""

_UNFINISHED = frozenset({"acc", "call", "powi", "update_add"} | NESTING | LOWERED.keys())
"""What a block holds that is not ready to be emitted: else it stays as it is."""

_FOLDING = {"powi", "select"} | {name for name, primitive in PRIMITIVES.items() if primitive.evaluate}
"""Operations that the builder folds where their operands are constants. `select` needs only its condition."""

_ROUNDING = ARITHMETIC.keys() | ROUNDED
"""Operations of two constants that wait for the last copy."""

_LOGIC = frozenset({"and", "or", "xor"})
"""Operations that fold where one operand is a constant."""

UNROLLING = Options(lower=True, unroll=True)


def optimise(function: Function, stages: list[tuple[str, Block]] | None = None) -> Function:
    """The function ready to be emitted: functions it still calls are ready too.

    stages: if given, receives each step's name and block.
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
                ready = replace(ready, pure=False)  # a call checks indices even if nothing uses its results
            done[callee] = done[ready] = ready  # an inlined body may call the function as it is ready
            if size_of(block) * (sites[callee] - 1) > SMALL or callee.policy == "checkpoint":
                called.add(ready)
    return _optimised(function, done, called, stages)


@made_once
def ready_library(name: str) -> Function:
    """The library function `name`, ready to be emitted; others it is made of stay called, to be shared."""
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
    """The function ready, given those that are `done` before, of which `called` ones stay functions."""
    block = function.block
    assert block is not None

    def placed(callee: Function) -> Function | Block:
        """What to put in the place of a call, or to call."""
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
    whole = joined(last)
    final = added_in_arms(whole)
    if stages is not None:
        if first is not block:
            stages.append(("calls in place", first))
        stages.append(("lowered and pruned", last))
        if whole is not last:
            stages.append(("loops joined", whole))
        if final is not whole:
            stages.append(("sums in arms", final))
    return replace(function, block=final, leaf_params=final.param_types, leaf_results=final.result_types)


def _lowered(block: Block) -> Block:
    """The block in instructions; if it has loops or branches, pruned, their invariants before them.

    Constants fold first. Hoisting moves rows by the operands they have before the copy, so it would leave
    x·(1/3) in a loop: only the copy finds out that 1/3 is a constant.
    """
    structured = not block.operations.isdisjoint(NESTING) or _adds_in_vain(block)
    if structured and _folds_within(block):
        block = copied(block, Options(lower=True), rounds=True)
    live = live_rows(block, traps=True) if structured else None
    return copied(block, Options(lower=True, hoist=structured), live, rounds=True)


def _folds(block: Block) -> bool:
    """Whether arithmetic of two constants is left."""
    return bool([1 for row in block.rows if row[0] in _ROUNDING and row[1] < 0 and row[2] < 0])


def _folds_within(block: Block) -> bool:
    """Whether a copy of the block, or of a body in it, folds a row, or makes several that may move apart.

    A row of constants folds, and so does a branch or loop that is given constants, and a loop of no rounds.
    Lowering makes several rows of an operation of two values, and some of them may use only one of the two.
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
                given = operands
                if op == "loop":
                    trips, _, captures = info.parts(operands)
                    given = (*trips, *captures)
                if any(a < 0 for a in given) or getattr(info, "count", None) == 0:
                    return True
                pending += info.blocks
    return False


def _adds_in_vain(block: Block) -> bool:
    """Whether something is added, or may be by a call, to an accumulator that nothing reads."""
    if block.operations.isdisjoint(("acc", "call")):
        return False
    pairs = zip(block.rows, live_rows(block).flags, strict=True)
    return any(row[0] in ("add_to", "call") and not needed for row, needed in pairs)

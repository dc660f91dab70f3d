"""Basic blocks, and the variables that are live or assigned at their starts and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .mistakes import Place
from .syntax import ENDS, FunctionText, Instruction, Label


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """A block of instructions that always run in order. It ends with a jump or a return.

    end: the last instruction (jmp, br or ret). If the text has none, we add one.
    after: the numbers of the possible next blocks, in the order of the labels of `end`.
    cost: the number of the block's instructions, without those that we added.
    """

    instructions: tuple[Instruction, ...]
    end: Instruction
    after: tuple[int, ...]
    cost: int


def basic_blocks(function: FunctionText) -> list[BasicBlock]:
    """Split a checked function into basic blocks. The first one is the entry.

    Unreachable blocks are left out.
    """
    pieces: list[tuple[list[Instruction], Instruction | None, str | None]] = []
    numbers: dict[str, int] = {}
    current: list[Instruction] = []
    opened = True
    for item in function.body:
        if isinstance(item, Label):
            if opened:
                pieces.append((current, None, item.name))
                current = []
            numbers[item.name] = len(pieces)
            opened = True
        elif not opened:
            continue  # no label leads here
        elif item.op in ENDS:
            pieces.append((current, item, None))
            current, opened = [], False
        else:
            current.append(item)
    if opened:
        pieces.append((current, None, None))
    place = function.body[-1].place if function.body else function.place
    return _reachable([_block(piece, numbers, place) for piece in pieces])


def _block(
    piece: tuple[list[Instruction], Instruction | None, str | None], numbers: dict[str, int], place: Place
) -> BasicBlock:
    instructions, end, following = piece
    cost = len(instructions)
    if end is None:
        if following is None:
            end = Instruction("ret", place=place)
        else:
            end = Instruction("jmp", labels=(following,), place=place)
    else:
        cost += 1
    if end.op == "br" and end.labels[0] == end.labels[1]:
        end = replace(end, op="jmp", args=(), labels=end.labels[:1])
    return BasicBlock(tuple(instructions), end, tuple(numbers[label] for label in end.labels), cost)


def _reachable(blocks: Sequence[BasicBlock]) -> list[BasicBlock]:
    """Return the blocks that can be reached from the first one, renumbered in depth-first order."""
    new = {0: 0}
    order = [0]
    pending = [0]
    while pending:
        for target in blocks[pending.pop()].after:
            if target not in new:
                new[target] = len(order)
                order.append(target)
                pending.append(target)
    return [replace(blocks[k], after=tuple(new[target] for target in blocks[k].after)) for k in order]


def predecessors(blocks: Sequence[BasicBlock]) -> list[list[int]]:
    """The blocks that lead to each block."""
    before: list[list[int]] = [[] for _ in blocks]
    for k, block in enumerate(blocks):
        for target in dict.fromkeys(block.after):
            before[target].append(k)
    return before


def live_at_ends(blocks: Sequence[BasicBlock]) -> list[frozenset[str]]:
    """Return the variables that later blocks may read, as a set for each block."""
    starts = live_at_starts(blocks)
    return [frozenset().union(*(starts[target] for target in block.after)) for block in blocks]


def live_at_starts(blocks: Sequence[BasicBlock]) -> list[frozenset[str]]:
    """Return the variables that are live at the start of each block.

    The block itself or a later block may read their values.
    """
    read: list[set[str]] = []
    written: list[set[str]] = []
    for block in blocks:
        reads: set[str] = set()
        writes: set[str] = set()
        for item in (*block.instructions, block.end):
            reads.update(name for name in uses(item) if name not in writes)
            if item.dest is not None:
                writes.add(item.dest)
        read.append(reads)
        written.append(writes)
    live_in = [set(reads) for reads in read]
    before = predecessors(blocks)
    pending = list(range(len(blocks)))
    while pending:
        k = pending.pop()
        for p in before[k]:
            new = (live_in[k] - written[p]) - live_in[p]
            if new:
                live_in[p] |= new
                pending.append(p)
    return [frozenset(names) for names in live_in]


def uses(item: Instruction) -> tuple[str, ...]:
    """The variables that an instruction reads."""
    return item.args[1:] if item.op == "set" else item.args


def assigned_at_starts(blocks: Sequence[BasicBlock], parameters: Sequence[str]) -> list[frozenset[str]]:
    """Return the variables that surely have a value at the start of each block."""
    every = frozenset(parameters).union(
        *({item.dest for item in block.instructions if item.dest is not None} for block in blocks)
    )
    before = predecessors(blocks)
    starts = [every] * len(blocks)
    starts[0] = frozenset(parameters)
    pending = list(range(len(blocks)))[::-1]
    waiting = set(pending)
    while pending:
        k = pending.pop()
        waiting.discard(k)
        if k:
            starts[k] = frozenset.intersection(*(_after(blocks[p], starts[p]) for p in before[k]))
        ends = _after(blocks[k], starts[k])
        for target in blocks[k].after:
            if target and target not in waiting and not starts[target] <= ends:
                pending.append(target)
                waiting.add(target)
    return starts


def may_lack_values(function: FunctionText) -> bool:
    """True if a path through a function reads a variable before the path sets it."""
    blocks = basic_blocks(function)
    starts = assigned_at_starts(blocks, [p.name for p in function.parameters])
    for block, start in zip(blocks, starts, strict=True):
        assigned = set(start)
        for item in (*block.instructions, block.end):
            if not assigned.issuperset(uses(item)):
                return True
            if item.dest is not None:
                assigned.add(item.dest)
    return False


def _after(block: BasicBlock, start: frozenset[str]) -> frozenset[str]:
    """Return the variables that have a value after a block. Those in `start` have one before the block."""
    names = set(start)
    for item in block.instructions:
        if item.op == "undef":
            names.discard(item.dest or "")
        elif item.dest is not None:
            names.add(item.dest)
    return frozenset(names)

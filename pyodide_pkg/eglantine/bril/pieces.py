"""Cut functions into pieces. A piece is a basic block or a part of one. A call ends a piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .flow import BasicBlock, basic_blocks, live_at_starts
from .flows import Text
from .syntax import FunctionText, Instruction


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a basic block.

    call: the call at the end of the piece, or None.
    following: the numbers of the possible next pieces. After a call, this is the piece to which it returns.
    begins: the call just before this piece, or None.
    saved: the variables that are on the stack during the call `begins`.
    """

    text: FunctionText
    instructions: Sequence[Instruction]
    end: Instruction
    call: Instruction | None
    following: tuple[int, ...]
    begins: Instruction | None
    saved: tuple[str, ...]
    live: frozenset[str]


def direct_functions(functions: dict[str, FunctionText]) -> frozenset[str]:
    """Find the functions that can be copied into their callers.

    Such a function is not recursive. Loops and branches can express all its jumps, and the jumps of its
    callees.
    """
    callees = {
        name: {item.funcs[0] for item in function.instructions if item.op == "call"}
        for name, function in functions.items()
    }
    direct: set[str] = set()
    changed = True
    while changed:
        changed = False
        for name, function in functions.items():
            new = name not in direct and callees[name] <= direct
            if new and Text.of(function).graph.reducible:
                direct.add(name)
                changed = True
    return frozenset(direct)


def pieces_of(function: FunctionText, direct: frozenset[str], start: int) -> list[Piece]:
    """Cut a function into pieces.

    direct: the names of functions that are copied into their callers. A call of such a function does not end
        a piece.
    start: the number of the first piece.
    """
    blocks = basic_blocks(function)
    firsts: list[int] = []
    parts: list[BasicBlock] = []
    calls: list[tuple[Instruction | None, Instruction | None]] = []
    for block in blocks:
        firsts.append(len(parts))
        begins: Instruction | None = None
        pending: list[Instruction] = []
        for item in block.instructions:
            pending.append(item)
            if item.op == "call" and item.funcs[0] not in direct:
                jump = Instruction("jmp", place=item.place)
                parts.append(BasicBlock(tuple(pending), jump, (len(parts) + 1,), 0))
                calls.append((begins, item))
                begins, pending = item, []
        parts.append(BasicBlock(tuple(pending), block.end, block.after, 0))
        calls.append((begins, None))
    parts = [
        part if call is not None else replace(part, after=tuple(firsts[target] for target in part.after))
        for part, (_, call) in zip(parts, calls, strict=True)
    ]
    live = live_at_starts(parts)
    shadows = tuple(sorted(f"={item.dest}" for item in function.instructions if item.op == "get"))
    pieces = []
    for k, (part, (begins, call)) in enumerate(zip(parts, calls, strict=True)):
        saved: tuple[str, ...] = ()
        if begins is not None:
            saved = (*sorted(live[k] - {begins.dest or ""}), *dict.fromkeys(shadows))
        instructions = part.instructions if call is None else part.instructions[:-1]
        following = tuple(start + target for target in part.after)
        pieces.append(
            Piece(function, instructions, part.end, call, following, begins, saved, live[k] | {*shadows})
        )
    return pieces

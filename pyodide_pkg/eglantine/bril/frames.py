"""The data types for running a program: segments, operands, and the state of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

Frame: TypeAlias = list[Any]
Getter: TypeAlias = Callable[[Frame], Any]

JUMP, BRANCH, CALL, RETURN = range(4)


class Segment(NamedTuple):
    """A part of a basic block, up to a call or to the end of the block. `kind` says what happens after it.

    JUMP: run segment a next.
    BRANCH: run segment b next if the getter a returns true, else segment c.
    CALL: call a function. a is a pair: the function, and the position of the parameter by which `grad`
        differentiates (-1 for a plain call). b lists the getters of the arguments. c contains the place
        for the result, the next segment and the call instruction.
    RETURN: return the result of the getter a. If a is None, return nothing.
    cost: the number of instructions in the segment.
    """

    steps: tuple[tuple[int, Getter], ...]
    kind: int
    a: Any
    b: Any
    c: Any
    cost: int


class Operand(NamedTuple):
    """An operand of an instruction. `kind` says whether it is a place in the frame, a constant or a getter.

    reads: the places in the frame that the operand reads. depth: the number of nested getters in the operand.
    """

    kind: str
    value: Any
    reads: frozenset[int] = frozenset()
    depth: int = 0


class Run:
    """The state of a program's run, without its frames.

    output: the printed lines. last: the last printed float. live: the number of allocations that are not yet
        freed.
    """

    __slots__ = ("allocations", "cells", "frames", "last", "live", "output", "total")

    def __init__(self) -> None:
        self.output: list[str] = []
        self.last: Any = None
        self.live = 0
        self.allocations = 0
        self.cells = 0
        self.total = 0
        self.frames = 0

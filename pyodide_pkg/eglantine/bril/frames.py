"""The data types for running a program: segments, operands, and the state of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

Frame: TypeAlias = list[Any]
Getter: TypeAlias = Callable[[Frame], Any]

JUMP, BRANCH, CALL, RETURN = range(4)


class Segment(NamedTuple):
    """A part of a basic block, up to a call or the end of the block. Its kind says what happens at its end.

    JUMP: go on with segment a.
    BRANCH: go on with segment b if the getter a returns true, else with c.
    CALL: a is a pair: the function, and the position of the parameter with respect to which `grad`
        differentiates it (-1 for a plain call). b lists the arguments' getters. c has the place for the
        result, the next segment and the instruction.
    RETURN: return the result of the getter a, or nothing if a is None.
    cost: the number of instructions of the segment.
    """

    steps: tuple[tuple[int, Getter], ...]
    kind: int
    a: Any
    b: Any
    c: Any
    cost: int


class Operand(NamedTuple):
    """An operand of an instruction: a place in the frame, a constant or a getter, as `kind` says.

    reads: the places in the frame that it reads. depth: how deep the getters that compute it are nested.
    """

    kind: str
    value: Any
    reads: frozenset[int] = frozenset()
    depth: int = 0


class Run:
    """The state of a program's run, except its frames.

    output: the lines that it printed. last: the float that it printed last. live: how many allocations are
    not freed.
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

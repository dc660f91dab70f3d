"""Run programs: each function becomes a list of segments of Python closures.

A frame is a list with a place for each variable. A *getter* is a closure that computes a value from a frame.
A segment is a list of steps (place, getter), and its end chooses the next segment. A call saves the caller's
frame in a list instead of using Python's stack. So a deep recursion of the program does not exceed Python's
recursion limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .closures import Compiler
from .duals import Dual, slope_of
from .frames import BRANCH, CALL, JUMP, Frame, Run, Segment
from .mistakes import BrilError, BrilFuelError
from .syntax import FunctionText, Instruction

MAX_DEPTH = 1_000_000
"""The greatest depth of calls."""
_ENDLESS = 1 << 200


class Code:
    """A function that is ready to run. Its segments are made when it is first called."""

    __slots__ = ("_segments", "function", "machine", "template")

    def __init__(self, function: FunctionText, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self._segments: list[Segment] | None = None
        self.template: Frame = []

    def segments(self) -> list[Segment]:
        """The segments. The first one is the entry."""
        if self._segments is None:
            compiler = Compiler(self.function, self.machine.codes, self.machine.run)
            self._segments = compiler.segments()
            self.template = compiler.template()
        return self._segments


class Machine:
    """Runs the functions of a program."""

    def __init__(self, functions: Iterable[FunctionText]) -> None:
        self.run = Run()
        self.codes = {function.name: Code(function, self) for function in functions}

    def execute(self, name: str, arguments: Sequence[Any], fuel: int | None = None) -> Any:
        """Run a function to its end. Return its result.

        Raises: BrilError, with the output so far.
        """
        try:
            return self._execute(self.codes[name], arguments, fuel)
        except BrilError as error:
            error.output = self.text()
            raise

    def text(self) -> str:
        """The output so far."""
        return "".join(f"{line}\n" for line in self.run.output)

    def _execute(self, code: Code, arguments: Sequence[Any], fuel: int | None) -> Any:
        left = _ENDLESS if fuel is None else fuel
        segments = code.segments()
        frame = code.template.copy()
        frame[: len(arguments)] = arguments
        stack: list[Any] = []
        tags: list[int] = []
        deepest = 0
        number = 0
        while True:
            steps, kind, a, b, c, cost = segments[number]
            left -= cost
            if left < 0:
                raise BrilFuelError(
                    f"The program used up its fuel of {fuel:,} instructions before it ended. Give it more "
                    "fuel, or check that its loops end."
                )
            for place, get in steps:
                frame[place] = get(frame)
            if kind == BRANCH:
                number = b if a(frame) else c
            elif kind == JUMP:
                number = a
            elif kind == CALL:
                code, position = a
                stack.append((segments, frame, c))
                if len(stack) > deepest:
                    deepest = self._deeper(len(stack))
                values = [get(frame) for get in b]
                if position >= 0:
                    tags.append(len(tags))
                    values[position] = Dual(tags[-1], values[position], 1.0)
                segments = code.segments()
                frame = code.template.copy()
                frame[: len(values)] = values
                number = 0
            else:
                result = None if a is None else a(frame)
                if not stack:
                    return result
                segments, frame, (place, number, instruction) = stack.pop()
                if a is None and instruction.dest is not None:
                    raise _no_result(instruction)
                if instruction.op == "grad":
                    result = slope_of(result, tags.pop())
                frame[place] = result

    def _deeper(self, depth: int) -> int:
        """Record the largest depth of calls so far. Raise an error if `depth` exceeds the limit."""
        if depth > MAX_DEPTH:
            raise BrilError(f"The calls nest more than {MAX_DEPTH:,} deep. Check that the recursion ends.")
        self.run.frames = depth
        return depth


def _no_result(instruction: Instruction) -> BrilError:
    return BrilError(
        f"@{instruction.funcs[0]} ended without a result, but its call needs one. Let it return a value on "
        "every path.",
        instruction.place,
    )

"""Run a Bril program step by step. Then visit the steps from last to first and compute all derivatives.

A program can be traced if its @main neither calls functions nor uses memory. The page can also run and
differentiate other programs, but without single steps: the compiler translates each as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from eglantine.bril.flow import basic_blocks
from eglantine.bril.mistakes import BrilError
from eglantine.bril.operations import BINARIES, UNARIES
from eglantine.bril.syntax import FLOAT, FunctionText, Instruction

MOST_STEPS: Final = 400
PLAIN: Final = frozenset({"const", "id", "nop", "print", "jmp", "br", "ret", *BINARIES, *UNARIES})
END: Final = -1
"""The `position` of a `Step` whose instruction ends a block."""


@dataclass
class Step:
    """An instruction that ran.

    block: the number of the instruction's block.
    position: the instruction's position in this block, or END.
    value: the instruction's result. None if it has no result.
    slope: the derivative of the program's result with respect to `value`. None if `value` is not a float.
    """

    block: int
    position: int
    item: Instruction
    value: Any = None
    slope: float | None = None


@dataclass
class Trace:
    """The steps of a run.

    slopes: the derivatives of the program's result with respect to its float arguments.
    is_whole: true if the program ended within MOST_STEPS steps. Otherwise no derivatives are computed.
    """

    steps: list[Step]
    slopes: dict[str, float]
    is_whole: bool


def is_plain(main: FunctionText) -> bool:
    """True if all instructions of a function can be run step by step."""
    return all(item.op in PLAIN for item in main.instructions)


def trace(main: FunctionText, values: Sequence[Any]) -> Trace:
    """Run a function step by step, and compute the steps' derivatives. The function must satisfy `is_plain`.

    Raises: BrilError if the program fails.
    """
    run = _Run(main, values)
    is_whole = run.forwards()
    slopes = run.backwards() if is_whole else {}
    return Trace(run.steps, slopes, is_whole)


class _Run:
    """The state of a run. Assignments are numbered. `of`: the number of each variable's last assignment."""

    def __init__(self, main: FunctionText, values: Sequence[Any]) -> None:
        self.main, self.blocks = main, basic_blocks(main)
        self.values: dict[str, Any] = {}
        self.of: dict[str, int] = {}
        self.steps: list[Step] = []
        self.operands: list[tuple[tuple[int, float], ...]] = []
        """The operands of each number, and the partial derivatives with respect to these operands."""
        self.numbers: list[int | None] = []
        """For each step, the number of its value."""
        self.last: int | None = None
        for parameter, value in zip(main.parameters, values, strict=True):
            self._define(parameter.name, value, ())

    def _define(self, name: str, value: Any, operands: tuple[tuple[int, float], ...]) -> int:
        self.values[name] = value
        self.operands.append(operands)
        self.of[name] = len(self.operands) - 1
        return self.of[name]

    def forwards(self) -> bool:
        """Run at most MOST_STEPS steps of the program. Return whether the program ended."""
        number = 0
        while True:
            block = self.blocks[number]
            for position, item in enumerate(block.instructions):
                if len(self.steps) >= MOST_STEPS:
                    return False
                self._step(number, position, item)
            is_written = block.cost > len(block.instructions)
            if is_written and len(self.steps) < MOST_STEPS:
                self.steps.append(Step(number, END, block.end))
                self.numbers.append(None)
            if block.end.op == "ret":
                return True
            if len(self.steps) >= MOST_STEPS:
                return False
            taken = 0 if block.end.op == "jmp" or self._read(block.end, 0) else 1
            number = block.after[taken]

    def _read(self, item: Instruction, k: int) -> Any:
        name = item.args[k]
        if name not in self.values:
            raise BrilError(
                f"{name} has no value here. Set it on every path that leads here.", item.at("args", k)
            )
        return self.values[name]

    def _step(self, block: int, position: int, item: Instruction) -> None:
        step = Step(block, position, item)
        made: int | None = None
        args = [self._read(item, k) for k in range(len(item.args))]
        if item.op == "print":
            for name, value in zip(item.args, args, strict=True):
                if isinstance(value, float):
                    self.last = self.of[name]
        elif item.dest is not None:
            step.value = _result(item, args)
            made = self._define(item.dest, step.value, self._partials(item, args, step.value))
        self.steps.append(step)
        self.numbers.append(made)

    def _partials(self, item: Instruction, args: Sequence[Any], z: Any) -> tuple[tuple[int, float], ...]:
        """Return pairs (operand, partial derivative with respect to this operand) of a float operation."""
        if item.type != FLOAT or item.op in ("const", "bits2float"):
            return ()
        match item.op:
            case "fadd":
                slopes: tuple[float, ...] = (1.0, 1.0)
            case "fsub":
                slopes = (1.0, -1.0)
            case "fmul":
                slopes = (args[1], args[0])
            case "fdiv":
                one_over = _result(item, (1.0, args[1]))
                slopes = (one_over, -z * one_over)
            case _:  # id
                slopes = (1.0,)
        return tuple((self.of[name], slope) for name, slope in zip(item.args, slopes, strict=True))

    def backwards(self) -> dict[str, float]:
        """Compute each step's derivative. Return the derivatives with respect to the float parameters."""
        slopes = [0.0] * len(self.operands)
        if self.last is not None:
            slopes[self.last] = 1.0
            for number in range(len(self.operands) - 1, -1, -1):
                for operand, partial in self.operands[number]:
                    slopes[operand] += slopes[number] * partial
        for step, number in zip(self.steps, self.numbers, strict=True):
            if number is not None and step.item.type == FLOAT:
                step.slope = slopes[number]
        return {p.name: slopes[k] for k, p in enumerate(self.main.parameters) if p.type == FLOAT}


def _result(item: Instruction, args: Sequence[Any]) -> Any:
    """Compute an instruction's result from the values of its operands."""
    if item.op == "const":
        return float(item.value) if item.type == FLOAT else item.value
    if item.op == "id":
        return args[0]
    if item.op in BINARIES:
        return BINARIES[item.op][0](0, 1, item.place)(list(args))
    return UNARIES[item.op](lambda frame: frame[0], item.place)(list(args))

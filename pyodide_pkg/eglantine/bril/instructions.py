"""Turn single instructions into rows.

The instructions read and set variables. An environment has the values of these variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64, RowType

from .flow import uses
from .flows import (
    LAST,
    RESULT,
    Differentiated,
    Env,
    NotStructuredError,
    Text,
    Value,
    effects_of,
)  # fmt: skip
from .heap_rows import HeapRows
from .scalar_rows import constant_row, operation_row, row_type
from .syntax import FLOAT, FunctionText, Instruction

MOST_INSTRUCTIONS = 20_000
"""The most instructions by which a program may grow when functions are copied into their callers.

If it would grow more, the program counts as not structured.
"""


class InstructionLowering:
    """Writes the rows of instructions into a builder.

    differentiated: a function that writes the rows of a grad instruction.
    counted: if true, loops with a known number of rounds become counted loops.
    """

    def __init__(
        self, functions: Iterable[FunctionText], b: Builder, heap: HeapRows, differentiated: Differentiated,
        *, counted: bool = False,
    ) -> None:  # fmt: skip
        self.functions = {function.name: function for function in functions}
        self.b, self.heap, self.differentiated = b, heap, differentiated
        self.counted = counted
        self.texts: dict[str, Text] = {}
        self.effects = effects_of(self.functions)
        self.active: list[str] = []
        self.count = 0
        self.most = MOST_INSTRUCTIONS + sum(len(function.body) for function in self.functions.values())
        self.loops = 0

    # ------------------------------------------------------------ values

    def row(self, value: Value) -> int:
        """Return a value's row in the current builder. Capture the value if it is from an outer builder."""
        scope, row = value
        steps = []
        step: Builder | None = self.b
        while step is not scope:
            assert step is not None
            steps.append(step)
            step = step.parent
        for step in reversed(steps):
            row = step.capture(row)
        return row

    def read(self, text: Text, env: Env, name: str) -> int:
        """Return the row of a variable. If the variable has no value here, return the row of a zero."""
        value = env.get(name)
        return self.zero(self.type_of(text, name)) if value is None else self.row(value)

    def zero(self, of: RowType) -> int:
        """A zero of this type."""
        return self.b.zeros(of)

    def type_of(self, text: Text, name: str) -> RowType:
        """The row type of a variable."""
        if name[0] == "=":
            return row_type(text.types[name[1:]])
        if name[0] != "$":
            return row_type(text.types[name])
        if name == LAST:
            return F64
        if name == RESULT:
            assert text.function.type is not None
            return row_type(text.function.type)
        return self.heap.type_of(name)

    # ------------------------------------------------------------ instructions

    def instruction(self, text: Text, env: Env, item: Instruction) -> None:
        """Write an instruction that is neither a call nor a jump."""
        self.count += 1
        if self.count > self.most:
            raise NotStructuredError("its functions, copied into their callers, are too large")
        rows = [self.read(text, env, name) for name in uses(item)]
        match item.op:
            case "print":
                for name, row in zip(item.args, rows, strict=True):
                    if text.types[name] == FLOAT:
                        env[LAST] = Value(self.b, row)
            case "set":
                if item.args[0] in text.types:
                    env[f"={item.args[0]}"] = Value(self.b, rows[0])
            case "undef":
                env.pop(item.dest or "", None)
            case "free" | "store":
                self.memory(text, env, item, rows)
        if item.dest is not None and item.op != "undef":
            env[item.dest] = Value(self.b, self.result(text, env, item, rows))

    def result(self, text: Text, env: Env, item: Instruction, rows: Sequence[int]) -> int:
        """Write an instruction that has a result. Return the row of the result."""
        match item.op:
            case "const":
                assert item.type is not None
                return constant_row(self.b, item.value, item.type)
            case "id":
                return rows[0]
            case "get":
                return self.read(text, env, f"={item.dest}")
            case "alloc" | "load" | "ptradd":
                return self.memory(text, env, item, rows)
            case "grad":
                return self.differentiated(self.b, item, rows)
        return operation_row(self.b, item, rows)

    def memory(self, text: Text, env: Env, item: Instruction, rows: Sequence[int]) -> int:
        """Write an instruction that uses memory. Return the row of its result, if it has one."""
        parts = {key: self.row(env[key]) for key in self.heap.names(env)}
        changed, row = self.heap.write(self.b, item, rows, parts, text.types)
        env |= {key: Value(self.b, new) for key, new in changed.items()}
        return row

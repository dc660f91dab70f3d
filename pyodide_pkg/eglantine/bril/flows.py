"""The data types for turning a Bril function into rows: values, environments, flows and effects."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from eglantine.ir.builder import Builder

from .checks import variables
from .dominators import Graph, graph_of
from .flow import BasicBlock, basic_blocks, live_at_starts
from .heap_rows import HeapRows
from .syntax import BINARY, FLOAT, FunctionText, Instruction, Type


class Value(NamedTuple):
    """A row and its builder, which is the current builder or an outer one."""

    scope: Builder
    row: int


Env: TypeAlias = dict[str, Value]
"""The value of each variable. Names that begin with `$` belong to the whole program, not to a function."""

LASTING = "$="
"""The first characters of variables that are never dead.

`$` begins variables of the whole program, and `=` begins shadow variables.
"""

LAST, RESULT = "$last", "$result"
"""The float that was printed last, and the result of the function that ran last."""


class Flow(NamedTuple):
    """The state at the end of a part of a function.

    env: the values of the variables.
    exits: the numbers of the blocks that may run next. RETURNS stands for the end of the function.
    next: the value that contains the next block's number at run time. None if there is only one exit.
    """

    env: Env
    exits: frozenset[int]
    next: Value | None = None


RETURNS = -1
Part: TypeAlias = Generator[Any, Any, Any]


class NotStructuredError(Exception):
    """Raised for functions that loops and branches cannot express, and for programs that are too large."""


@dataclass(frozen=True, slots=True)
class Text:
    """A function, its basic blocks, and the dominators and loops of these blocks."""

    function: FunctionText
    blocks: Sequence[BasicBlock]
    graph: Graph
    live: Sequence[frozenset[str]]
    types: dict[str, Type]

    @staticmethod
    def of(function: FunctionText) -> Text:
        """Find the structure of a function."""
        blocks = basic_blocks(function)
        return Text(function, blocks, graph_of(blocks), live_at_starts(blocks), variables(function))

    def live_at(self, exits: Iterable[int]) -> frozenset[str]:
        """Return the variables that may be read after at least one of these exits."""
        return frozenset().union(*(self.live[k] for k in exits if k != RETURNS))


Differentiated: TypeAlias = Callable[[Builder, Instruction, Sequence[int]], int]
"""Writes a grad instruction: takes the builder, the instruction and the rows of its operands."""


def is_cheap(block: BasicBlock) -> bool:
    """True if a block only does arithmetic that cannot fail, and sets no variable twice."""
    names = [item.dest for item in block.instructions]
    fine = all(
        item.op in ("const", "id", "nop") or (item.op in BINARY and item.op != "div") or item.op == "not"
        for item in block.instructions
    )
    return fine and len(set(names)) == len(names)


def is_empty(builder: Builder) -> bool:
    """True if a builder has no rows of its own. Parameters for captured values do not count."""
    return len(builder.rows) == 1 + len(builder.params)


def effects_of_instruction(item: Instruction, types: dict[str, Type]) -> frozenset[str]:
    """Return the names of the heap's parts that an instruction uses, or LAST if it prints a float."""
    if item.op == "print":
        return frozenset({LAST} if any(types[name] == FLOAT for name in item.args) else ())
    return HeapRows.effects(item, types)


def effects_of(functions: dict[str, FunctionText]) -> dict[str, frozenset[str]]:
    """For each function, name the global values that the function or its callees use or change."""
    effects: dict[str, frozenset[str]] = {}
    callers: dict[str, list[str]] = {name: [] for name in functions}
    for name, function in functions.items():
        types = variables(function)
        changed: set[str] = set()
        for item in function.instructions:
            changed |= effects_of_instruction(item, types)
            if item.op == "call":
                callers[item.funcs[0]].append(name)
        effects[name] = frozenset(changed)
    pending = list(functions)
    while pending:
        name = pending.pop()
        for caller in callers[name]:
            if not effects[name] <= effects[caller]:
                effects[caller] |= effects[name]
                pending.append(caller)
    return effects


def finished(part: Part) -> Any:
    """Run a generator to its end. If it yields another generator, run this one and send its result back."""
    stack = [part]
    value: Any = None
    while stack:
        try:
            stack.append(stack[-1].send(value))
            value = None
        except StopIteration as stop:
            stack.pop()
            value = stop.value
    return value

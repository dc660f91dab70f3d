"""Before emission, find the functions and tables that a program uses, and count the uses of each row.

One loop goes over the rows of each block, from the last to the first. If a row has one use, its code becomes
part of the expression that uses it. We call a row a *root* if it has its own place in the code. A row is a
root if it has several uses, has an effect, has a body, or is a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from eglantine.ir.primitives import ARITY, PRIMITIVES
from eglantine.ir.program import Block, Function, Memo
from eglantine.ir.row_types import DYNAMIC, F64, Acc, Array, Row, RowType
from eglantine.ir.rules import LIBRARY

from .layout import table_bytes

INSTRUCTIONS: Final[dict[str, bytes]] = {
    name: primitive.wasm for name, primitive in PRIMITIVES.items() if isinstance(primitive.wasm, bytes)
}
"""The opcode of each primitive that is an instruction."""

BINARY: Final = frozenset(name for name in INSTRUCTIONS if ARITY[name] == 2)

LIBRARY_NAMES: Final = frozenset(name for name, primitive in PRIMITIVES.items() if primitive.wasm is LIBRARY)

CAPTURED: Final = 2
"""The number of uses that a capture by a body counts as. With two uses, the captured row gets a local."""


@dataclass(slots=True, eq=False)
class Usage:
    """The uses of a block's rows.

    uses: for each row, the number of live rows and results that use it. The last entries are for constants.
    once: for each row, the row itself if it is an instruction with two operands and one use. The entry is ()
        for a Real with several uses that an instruction computes or loads, and None for all other rows.
    roots: the roots, in row order.
    pointers: the rows that select one of two arrays. Their code selects an address.
    projections: for each call, loop or branch, a dict from a result's position to the row that reads it.
    in_memory: the scalar accumulators that are in memory because they are passed to a call.
    effects: true if the block must run even if none of its results is used.
    pushes: the initial value of `Locals.push`. The first scope of the block computes it for later scopes.
    lanes: the lists `types` and `once` of a `LaneScope` of the block. The first such scope computes them.
    """

    uses: list[int]
    once: list[Row | None]
    roots: list[int] = field(default_factory=list)
    pointers: set[int] = field(default_factory=set)
    projections: dict[int, dict[int, int]] = field(default_factory=dict)
    in_memory: set[int] = field(default_factory=set)
    effects: bool = False
    pushes: list[bytes | None] = field(default_factory=list)
    lanes: tuple[tuple[RowType, ...], list[Row | None]] | None = None


class Program:
    """The functions, tables and imports that an entry function reaches.

    called: the functions with a block that the entry calls.
    functions: all functions with a block, callers before callees. `reach` fills this list.
    hosts: the opaque functions and the prints, in the order of their first use. A print is a pair (format,
        dtypes of its operands).
    callees: for each function, the functions with a block that it calls.
    library_functions: a dict from the names of primitives to the library functions that compute them.
    shared: the library functions and their callees. In every program their rows have the same uses. So we
        count these only once for each function, in a separate program that we keep in the function's memo.
    tables: a dict from pairs (dtype, values) to the bytes of constant arrays.
    zeros: the size of the largest array of zeros, in bytes.
    grows: true if the program has an array with a length that is known only at run time.
    """

    def __init__(self, entry: Function, library: Callable[[str], Function], reaches_now: bool = True) -> None:
        self.entry = entry
        self.library = library
        self.hosts: dict[Any, None] = {}
        self.tables: dict[tuple[str, tuple[Any, ...]], bytes] = {}
        self.zeros = 0
        self.grows = False
        self.callees: dict[Function, dict[Function, None]] = {}
        self.library_functions: dict[str, Function] = {}
        self.shared: set[Function] = set()
        self._usages: dict[Block, Usage] = {}
        self._current: dict[Function, None] = {}
        self.called = self._callees(entry)
        self.functions: list[Function] = []
        if reaches_now:
            self.reach()

    def usage(self, block: Block) -> Usage:
        """Return how the rows of a reachable block are used."""
        return self._usages[block]

    def reach(self) -> None:
        """Visit all functions depth first, and list them in reverse postorder in `functions`.

        We keep the stack in a list, because calls may nest deeper than Python's stack.
        """
        done: list[Function] = []
        waiting = [(self.entry, iter(self.called))]
        while waiting:
            function, rest = waiting[-1]
            callee = next((f for f in rest if f not in self.callees), None)
            if callee is None:
                done.append(function)
                waiting.pop()
            else:
                waiting.append((callee, iter(self._callees(callee))))
        self.functions = done[::-1]

    def _callees(self, function: Function) -> list[Function]:
        assert function.block is not None
        self._current = self.callees[function] = {}
        if function in self.shared:
            self._merge(self.alone(function), function)
        else:
            self.count(function.block)
        return list(self._current)

    def alone(self, function: Function) -> Program:
        """Return a separate program for a shared function. This function is the program's entry."""
        return _PROGRAM.remember(function, self.library, lambda: Program(function, self.library))

    def _merge(self, other: Program, entry: Function) -> None:
        """Add the counts of `other` to the counts of this program. The entry of `other` is `entry`."""
        self.shared.update(other.functions)
        self._usages.update(other._usages)
        self.tables.update(other.tables)
        self.zeros = max(self.zeros, other.zeros)
        self.library_functions.update(other.library_functions)
        self._current.update(other.callees[entry])

    def count(self, block: Block) -> Usage:
        """Return the usage of a block. Count each block only once, even if functions share it."""
        counted = self._usages.get(block)
        if counted is not None:
            self._revisit(block)
            return counted
        n = len(block.rows) + len(block.consts)
        usage = self._usages[block] = Usage([0] * n, [None] * n)
        _Counter(self, block, usage).count()
        return usage

    def _revisit(self, block: Block) -> None:
        """Add the callees of a block to the callees of the current function."""
        waiting = [block]
        while waiting:
            for row in waiting.pop().rows:
                if row[0] == "call" and row[2].block is not None:
                    self.add_callee(row[2])
                elif row[0] in LIBRARY_NAMES:
                    self.add_library(row[0])
                elif row[0] in ("loop", "cond"):
                    waiting += row[2].blocks

    def add_callee(self, function: Function) -> None:
        """Record that the current function calls a function with a block."""
        self._current[function] = None

    def add_library(self, name: str) -> None:
        """Record that the current function calls a function of the library."""
        function = self.library_functions.get(name)
        if function is None:
            function = self.library_functions[name] = self.library(name)
            self.shared.add(function)
        self._current[function] = None


class _Counter:
    """Counts the uses of one block's rows."""

    def __init__(self, program: Program, block: Block, usage: Usage) -> None:
        self.program = program
        self.block = block
        self.usage = usage
        self.uses, self.once, self.types = usage.uses, usage.once, block.types
        self.roots = usage.roots

    def count(self) -> None:
        """Count from the last row to the first. So a row's count is complete when we reach the row."""
        rows, uses, once, types, roots = self.block.rows, self.uses, self.once, self.types, self.roots
        for number in self.block.results:
            uses[number] += 1
        binary, other = BINARY, self._count_other
        for number in range(len(rows) - 1, 0, -1):
            row = rows[number]
            if row[0] in binary:
                count = uses[number]
                if count:
                    _, a, b = row
                    uses[a] += 1
                    uses[b] += 1
                    if count == 1:
                        once[number] = row
                    else:
                        roots.append(number)
                        if types[number] is F64:
                            once[number] = ()
            else:
                other(number, row)
        roots.reverse()

    def _count_other(self, number: int, row: Row) -> None:
        op = row[0]
        if op in INSTRUCTIONS or op in LIBRARY_NAMES:
            if self.uses[number]:
                if op in LIBRARY_NAMES:
                    self.program.add_library(op)
                self._expression(number, row[1:])
        elif op in _COUNT:
            _COUNT[op](self, number, row)
        else:
            assert op == "param" or not self.uses[number], f"row {row} was to be lowered before emission"

    def _expression(self, number: int, operands: Sequence[int]) -> None:
        """Count a use of each operand of a live row. If the row has several uses, make it a root."""
        if self.uses[number] > 1:
            self.roots.append(number)
            if self.types[number] is F64:
                self.once[number] = ()
        for operand in operands:
            self.uses[operand] += 1

    def _root(self, number: int, operands: Sequence[int]) -> None:
        """Make a row a root, and count a use of each of its operands."""
        self.roots.append(number)
        for operand in operands:
            self.uses[operand] += 1

    # ---------------------------------------------------------------- one method an operation

    def _select(self, number: int, row: Row) -> None:
        if self.uses[number]:
            if isinstance(self.block.types[number], Array):
                self.usage.pointers.add(number)
                self.uses[number] += 1
            self._expression(number, row[1:])

    def _index(self, number: int, row: Row) -> None:
        count = self.uses[number]
        if not count:
            return
        if row[2] < 0 and isinstance(self.block.types[number], Array | Acc):
            self.uses[row[1]] += count  # a constant index needs no code, only another offset
        else:
            self._expression(number, row[1:])

    def _acc_read(self, number: int, row: Row) -> None:
        count = self.uses[number]
        self.uses[row[1]] += count
        if count > 1:
            self.roots.append(number)

    def _add_to(self, number: int, row: Row) -> None:
        self.usage.effects = True
        self._root(number, row[2:])
        self.uses[row[1]] += CAPTURED

    def _update(self, number: int, row: Row) -> None:
        if self.uses[number]:
            self._root(number, row[1:])

    def _stack(self, number: int, row: Row) -> None:
        if self.uses[number]:
            self._root(number, row[1])

    def _zeros(self, number: int, row: Row) -> None:
        if self.uses[number]:
            self.program.zeros = max(self.program.zeros, bytes_of(row[1]))

    def _table(self, number: int, row: Row) -> None:
        if self.uses[number]:
            key = self.block.types[number].leaf.dtype, row[1]
            if key not in self.program.tables:
                self.program.tables[key] = table_bytes(*key)

    def _acc(self, number: int, row: Row) -> None:
        if self.uses[number]:
            self._root(number, row[1])
            self.program.grows |= bool(row[1])

    def _check(self, number: int, row: Row) -> None:
        self.usage.effects = True
        self._root(number, row[1:2])

    def _print(self, number: int, row: Row) -> None:
        self.usage.effects = True
        self.program.hosts[row[2], tuple(self.block.type_of(x).dtype for x in row[1])] = None
        self._root(number, row[1])

    def _require(self, number: int, row: Row) -> None:
        self.usage.effects = True
        self._root(number, row[1])

    def _call(self, number: int, row: Row) -> None:
        _, operands, function = row
        scalars = [x for x in operands if self.block.type_of(x) == Acc(())]
        effects = not function.pure or any(isinstance(self.block.type_of(x), Acc) for x in operands)
        self.usage.effects |= effects
        if not (self.uses[number] or effects):
            return
        self.usage.in_memory.update(scalars)
        self._root(number, operands)
        if function.block is None:
            self.program.hosts[function] = None
        else:
            self.program.add_callee(function)

    def _loop(self, number: int, row: Row) -> None:
        _, operands, loop = row
        blocks = [(block, self.program.count(block)) for block in loop.blocks]
        effects = any(inner.effects for _, inner in blocks)
        if self.uses[number] or effects:
            self.usage.effects |= effects
            trips, inits, captures = loop.parts(operands)
            self._root(number, (*trips, *inits))
            for block, inner in blocks:
                self._capture(captures, block.params[1 + loop.carried :], inner)
            read = self.usage.projections.get(number, {})
            self.program.grows |= loop.extent == DYNAMIC and any(k >= loop.carried for k in read)

    def _cond(self, number: int, row: Row) -> None:
        _, operands, cond = row
        arms = [(arm, self.program.count(arm)) for arm in (cond.then, cond.orelse)]
        effects = any(inner.effects for _, inner in arms)
        if self.uses[number] or effects:
            self.usage.effects |= effects
            self._root(number, operands[:1])
            for arm, inner in arms:
                self._capture(operands[1:], arm.params, inner)

    def _capture(self, operands: Sequence[int], params: Sequence[int], inner: Usage) -> None:
        for operand, param in zip(operands, params, strict=True):
            if inner.uses[param]:
                self.uses[operand] += CAPTURED
                if param in inner.in_memory:
                    self.usage.in_memory.add(operand)

    def _proj(self, number: int, row: Row) -> None:
        count = self.uses[number]
        if count:
            self.uses[row[1]] += 1
            first = self.usage.projections.setdefault(row[1], {}).setdefault(row[2], number)
            if first != number:
                self.uses[first] += count


_COUNT: Final[dict[str, Callable[[_Counter, int, Row], None]]] = {
    "select": _Counter._select, "index": _Counter._index, "acc_index": _Counter._index,
    "acc_read": _Counter._acc_read, "add_to": _Counter._add_to, "stack": _Counter._stack,
    "update": _Counter._update, "zeros": _Counter._zeros, "table": _Counter._table,
    "acc": _Counter._acc, "check": _Counter._check, "print": _Counter._print,
    "require": _Counter._require, "call": _Counter._call,
    "loop": _Counter._loop, "cond": _Counter._cond, "proj": _Counter._proj,
}  # fmt: skip


def bytes_of(of: Any) -> int:
    """Return how many bytes of memory a value of a row type takes."""
    if isinstance(of, Array):
        size = 4 if of.leaf.dtype in ("i32", "i1") else 8
    elif isinstance(of, Acc):
        size = 8
    else:
        return 4 if of.dtype in ("i32", "i1") else 8
    for n in of.dims:
        size *= n
    return size


_PROGRAM: Final[Memo[Program]] = Memo("program")


SHIFTS: Final = frozenset({"lshl", "lshr", "lshr_u"})


def shifts_by_constants(body: Block) -> bool:
    """True if a body shifts only by constants, and only shifts use these constants."""
    if body.operations.isdisjoint(SHIFTS):
        return True
    shifts = {key[2] for key in body.rows if key[0] in SHIFTS}
    if any(a >= 0 for a in shifts):
        return False
    used = [key[1:2] if key[0] in SHIFTS else key for key in body.rows]
    return all(map(shifts.isdisjoint, used))


def rounds_further(body: Block, index: int) -> int | None:
    """If an index is the round's number plus a constant c ≥ 0, return c. Otherwise return None."""
    if index <= 0 or body.rows[index][0] != "iadd":
        return None
    constant, row = sorted(body.rows[index][1:])
    if row != body.params[0] or constant >= 0 or body.consts[~constant] < 0:
        return None
    further: int = body.consts[~constant]
    return further

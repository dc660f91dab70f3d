"""Turn a Bril function into Python closures. A basic block becomes a segment, and a result becomes a getter.

A frame is the list of a function's variables. A getter is a closure that computes a value from a frame. If a
result is read only once, we do not store it: the reader calls its getter directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from .checks import variables
from .flow import BasicBlock, assigned_at_starts, basic_blocks, live_at_ends, uses
from .frames import BRANCH, CALL, JUMP, RETURN, Frame, Getter, Operand, Run, Segment
from .memory import UNSET, allocate, free_cells, load_cell, store_cell
from .mistakes import BrilError, Place
from .operations import BINARIES, UNARIES, written
from .syntax import FLOAT, FunctionText, Instruction

DEEPEST = 16
"""The largest depth of nested getters that compute a result. Deeper results are stored, so that Python's
stack stays shallow."""

_LONGEST_COPY = 12
"""The largest number of instructions of a block whose copy is appended to a block that jumps to it."""
_MOST_COPIES = 4
"""The largest number of blocks that we join into one by appending copies of the blocks that follow."""


class Compiler:
    """Makes the segments of one function.

    codes: the program's functions by name. run: the state of the program's run.
    """

    def __init__(self, function: FunctionText, codes: Mapping[str, Any], run: Run) -> None:
        self.function, self.codes, self.run = function, codes, run
        parameters = [p.name for p in function.parameters]
        self.places: dict[str, int] = {name: k for k, name in enumerate(parameters)}
        self.types = variables(function)
        for name in self.types:
            self.places.setdefault(name, len(self.places))
        self.blocks = basic_blocks(function)
        self.starts = assigned_at_starts(self.blocks, parameters)
        self.live = live_at_ends(self.blocks)
        self.shadows: dict[str, int] = {}
        for instruction in function.instructions:
            shadow = {"get": instruction.dest, "set": (instruction.args or ("",))[0]}.get(instruction.op)
            if shadow is not None:
                self.shadows.setdefault(shadow, len(self.places) + len(self.shadows))
        self.ignored = len(self.places) + len(self.shadows)
        self.has_undef = any(item.op == "undef" for item in function.instructions)
        self.constants = self._constants(set(parameters))

    def template(self) -> Frame:
        """An empty frame."""
        return [UNSET] * (self.ignored + 1)

    def _constants(self, parameters: set[str]) -> dict[str, Any]:
        """Find the variables to which the function assigns only one constant.

        Return a dict: name → constant.
        """
        values: dict[str, Any] = {}
        others = set(parameters)
        for item in self.function.instructions:
            if item.dest is not None:
                same = item.op == "const" and repr(values.setdefault(item.dest, item.value)) == repr(
                    item.value
                )
                if not same:
                    others.add(item.dest)
        for block, start in zip(self.blocks, self.starts, strict=True):
            assigned = set(start)
            for item in (*block.instructions, block.end):
                others.update(name for name in uses(item) if name not in assigned)
                if item.dest is not None:
                    assigned.add(item.dest)
        return {
            name: float(value) if self.types[name] == FLOAT else value
            for name, value in values.items()
            if name not in others
        }

    def segments(self) -> list[Segment]:
        """Make the segments of all blocks. The first segment of block k has the number k."""
        made: list[Segment | None] = [None] * len(self.blocks)
        for k in range(len(self.blocks)):
            _BlockCompiler(self, k, made).run()
        return made  # type: ignore[return-value]

    def extended(self, k: int) -> tuple[list[Instruction], BasicBlock, int, frozenset[str]]:
        """Return the instructions of block k, followed by those of the short blocks that it jumps to.

        Also return the last of these blocks, the total cost of the blocks, and the variables that are live at
        the end of the last block.
        """
        block = self.blocks[k]
        instructions = list(block.instructions)
        cost = block.cost
        passed = {k}
        while block.end.op == "jmp" and len(passed) < _MOST_COPIES:
            following = block.after[0]
            if following in passed or len(self.blocks[following].instructions) > _LONGEST_COPY:
                break
            k = following
            passed.add(k)
            block = self.blocks[k]
            instructions += block.instructions
            cost += block.cost
        return instructions, block, cost, self.live[k]


class _BlockCompiler:
    """Makes the segments of one block."""

    def __init__(self, outer: Compiler, k: int, made: list[Segment | None]) -> None:
        self.outer, self.made, self.number = outer, made, k
        self.instructions, self.block, self.cost, self.live = outer.extended(k)
        self.assigned = set(outer.starts[k])
        self.steps: list[tuple[int, Getter]] = []
        self.pending: dict[str, Operand] = {}

    def run(self) -> None:
        counts, lasting = self._uses()
        for k, item in enumerate(self.instructions):
            self._instruction(item, counts[k], lasting[k])
        end, after = self.block.end, self.block.after
        if end.op == "jmp":
            self._finish(JUMP, after[0], None, None, self.cost)
        elif end.op == "br":
            self._finish(BRANCH, _getter(self._read(end, 0)), after[0], after[1], self.cost)
        else:
            returned = _getter(self._read(end, 0)) if end.args else None
            self._finish(RETURN, returned, None, None, self.cost)

    def _uses(self) -> tuple[list[int], list[bool]]:
        """Return two lists with an entry for each instruction of the block.

        The first list counts how often the block reads the instruction's result. The second list says whether
        later blocks read the result.
        """
        counts, lasting = [0] * len(self.instructions), [False] * len(self.instructions)
        reads: dict[str, int] = dict.fromkeys(uses(self.block.end), 1)
        live = set(self.live)
        for k in range(len(self.instructions) - 1, -1, -1):
            item = self.instructions[k]
            if item.dest is not None:
                counts[k] = reads.pop(item.dest, 0)
                lasting[k] = item.dest in live
                live.discard(item.dest)
            for name in uses(item):
                reads[name] = reads.get(name, 0) + 1
        return counts, lasting

    # ------------------------------------------------------------ segments

    def _finish(self, kind: int, a: Any, b: Any, c: Any, cost: int) -> None:
        self.made[self.number] = Segment(tuple(self.steps), kind, a, b, c, cost)

    def _call(self, item: Instruction) -> None:
        arguments = [_getter(self._read(item, k)) for k in range(len(item.args))]
        place = self.outer.ignored
        if item.dest is not None:
            place = self._place_of_result(item.dest)
        following = len(self.made)
        self.made.append(None)
        code = self.outer.codes[item.funcs[0]]
        names = [p.name for p in code.function.parameters]
        position = names.index(item.labels[0]) if item.op == "grad" else -1
        self._finish(CALL, (code, position), arguments, (place, following, item), 0)
        self.number, self.steps = following, []

    # ------------------------------------------------------------ values

    def _read(self, item: Instruction, k: int) -> Operand:
        """Return operand k. If its variable may have no value yet, add a step that checks this."""
        name = item.args[k]
        if name in self.outer.constants:
            return Operand("constant", self.outer.constants[name])
        operand = self.pending.get(name)
        if operand is not None:
            if operand.kind == "getter":
                del self.pending[name]
            return operand
        place = self.outer.places[name]
        if name not in self.assigned:
            self.steps.append((self.outer.ignored, _checking(place, name, item.at("args", k))))
            self.assigned.add(name)
        return Operand("place", place, frozenset({place}))

    def _place_of_result(self, name: str) -> int:
        """Return a variable's place in the frame. The caller will store a new value there.

        First add steps that compute all pending values that read the old value.
        """
        place = self.outer.places[name]
        self.pending.pop(name, None)
        for waiting in [other for other, operand in self.pending.items() if place in operand.reads]:
            self.steps.append((self.outer.places[waiting], _getter(self.pending.pop(waiting))))
        self.assigned.add(name)
        return place

    def _store(self, name: str, get: Getter) -> None:
        self.steps.append((self._place_of_result(name), get))

    def _define(self, name: str, operand: Operand, count: int, lasting: bool) -> None:
        """Set a variable to an operand. Add a step that stores it, or only remember it in `pending`."""
        if name in self.outer.constants:
            return
        single = operand.kind != "getter" or (count == 1 and operand.depth < DEEPEST)
        place = self._place_of_result(name)
        if lasting or not single:
            if lasting or count:
                self.steps.append((place, _getter(operand)))
            if operand.kind == "constant":
                self.pending[name] = operand
        elif count:
            self.pending[name] = operand

    def _act(self, get: Getter) -> None:
        """Add a step that has no result."""
        self.steps.append((self.outer.ignored, get))

    def _instruction(self, item: Instruction, count: int, lasting: bool) -> None:
        op, dest = item.op, item.dest
        if op in BINARIES:
            assert dest is not None
            a, b = self._read(item, 0), self._read(item, 1)
            get = _binary(op, a, b, item.place)
            if op == "div" and not (b.kind == "constant" and b.value):
                self._store(dest, get)
            else:
                self._define(
                    dest, Operand("getter", get, a.reads | b.reads, 1 + max(a.depth, b.depth)), count, lasting
                )
        elif op in UNARIES:
            assert dest is not None
            a = self._read(item, 0)
            get = UNARIES[op](_getter(a), item.place)
            if op == "int2char":
                self._store(dest, get)
            else:
                self._define(dest, Operand("getter", get, a.reads, 1 + a.depth), count, lasting)
        elif op == "id":
            assert dest is not None
            self._define(dest, self._read(item, 0), count, lasting)
        elif op == "const":
            assert dest is not None
            value = float(item.value) if item.type == FLOAT else item.value
            self._define(dest, Operand("constant", value), count, lasting)
        elif op in ("call", "grad"):
            self._call(item)
        elif op != "nop":
            getattr(self, _ACTS[op])(item)

    def _print(self, item: Instruction) -> None:
        getters = [_getter(self._read(item, k)) for k in range(len(item.args))]
        floats = [k for k, name in enumerate(item.args) if self.outer.types[name] == FLOAT]
        run = self.outer.run
        last = floats[-1] if floats else None

        def act(frame: Frame) -> None:
            values = [get(frame) for get in getters]
            if last is not None:
                run.last = values[last]
            run.output.append(" ".join(map(written, values)))

        self._act(act)

    def _undef(self, item: Instruction) -> None:
        assert item.dest is not None
        self._store(item.dest, lambda frame: UNSET)
        self.assigned.discard(item.dest)

    def _set(self, item: Instruction) -> None:
        if self.outer.has_undef and item.args[1] not in self.assigned:
            get: Getter = itemgetter(self.outer.places[item.args[1]])
        else:
            get = _getter(self._read(item, 1))
        self.steps.append((self.outer.shadows[item.args[0]], lambda frame: (get(frame),)))

    def _get(self, item: Instruction) -> None:
        assert item.dest is not None
        place, name = self.outer.shadows[item.dest], item.dest

        def get(frame: Frame) -> Any:
            shadow = frame[place]
            if shadow is UNSET:
                raise BrilError(
                    f"`get` reads the shadow variable {name}, but no `set` has given it a value. Add `set "
                    f"{name} …` on every path that leads here.",
                    item.place,
                )
            return shadow[0]

        self._store(item.dest, get)
        if self.outer.has_undef:
            self.assigned.discard(item.dest)

    # ------------------------------------------------------------ memory

    def _alloc(self, item: Instruction) -> None:
        assert item.dest is not None
        get, run = _getter(self._read(item, 0)), self.outer.run
        self._store(item.dest, lambda frame: allocate(run, get(frame), item))

    def _free(self, item: Instruction) -> None:
        get, run = _getter(self._read(item, 0)), self.outer.run
        self._act(lambda frame: free_cells(run, get(frame), item))

    def _store_(self, item: Instruction) -> None:
        pointer, value = _getter(self._read(item, 0)), _getter(self._read(item, 1))

        def act(frame: Frame) -> None:
            cells, offset = pointer(frame)
            if 0 <= offset < len(cells):
                cells[offset] = value(frame)
            else:
                store_cell(cells, offset, item)

        self._act(act)

    def _load(self, item: Instruction) -> None:
        assert item.dest is not None
        pointer = _getter(self._read(item, 0))

        def get(frame: Frame) -> Any:
            cells, offset = pointer(frame)
            if 0 <= offset < len(cells):
                value = cells[offset]
                if value is not UNSET:
                    return value
            return load_cell(cells, offset, item)

        self._store(item.dest, get)

    def _ptradd(self, item: Instruction) -> None:
        assert item.dest is not None
        pointer, offset = _getter(self._read(item, 0)), _getter(self._read(item, 1))

        def get(frame: Frame) -> Any:
            cells, start = pointer(frame)
            return cells, start + offset(frame)

        self._store(item.dest, get)


_ACTS = {op: f"_{op}" for op in ("print", "undef", "set", "get", "alloc", "free", "load", "ptradd")}
_ACTS["store"] = "_store_"


def _checking(place: int, name: str, where: Place) -> Getter:
    """Return a getter that raises an error if a variable has no value."""

    def get(frame: Frame) -> None:
        if frame[place] is UNSET:
            raise BrilError(
                f"The variable {name} has no value here. Set it on every path that leads here.", where
            )

    return get


def _getter(operand: Operand) -> Getter:
    if operand.kind == "place":
        return itemgetter(operand.value)
    if operand.kind == "constant":
        value = operand.value
        return lambda frame: value
    return operand.value  # type: ignore[no-any-return]


def _binary(op: str, a: Operand, b: Operand, place: Place) -> Getter:
    on_places, with_constant, on_constant, general = BINARIES[op]
    if a.kind == b.kind == "place":
        return on_places(a.value, b.value, place)
    if a.kind == "place" and b.kind == "constant":
        return with_constant(a.value, b.value, place)
    if a.kind == "constant" and b.kind == "place":
        return on_constant(a.value, b.value, place)
    return general(_getter(a), _getter(b), place)

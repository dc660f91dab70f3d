"""Run programs: each function becomes a list of segments of Python closures.

A frame is a list with a place for each variable. A *getter* computes a value from a frame. A segment has
steps, which are pairs (place, getter), and says what follows. Results that are read once are not stored:
their getter becomes part of the getter that reads them. Calls push a frame on a list, so a deep recursion of
the program does not reach Python's limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from .checks import variables
from .duals import Dual, slope_of
from .flow import BasicBlock, assigned_at_starts, basic_blocks, live_at_ends, uses
from .memory import UNSET, allocate, free_cells, load_cell, store_cell
from .mistakes import BrilError, BrilFuelError, Place
from .operations import BINARIES, UNARIES, written
from .syntax import FLOAT, FunctionText, Instruction

Frame: TypeAlias = list[Any]
Getter: TypeAlias = Callable[[Frame], Any]

JUMP, BRANCH, CALL, RETURN = range(4)


class Segment(NamedTuple):
    """A part of a basic block that ends where it does, or with a call.

    kind, a, b, c: JUMP to segment a. BRANCH to segment b if the getter a gives true, else to c. CALL a
        function with the getters b of its arguments; a is the function, and the position of the parameter by
        which its result is differentiated or -1; c is the place of the result, the next segment, and the
        instruction. RETURN what the getter a gives, or nothing if it is None.
    cost: how many instructions it stands for.
    """

    steps: tuple[tuple[int, Getter], ...]
    kind: int
    a: Any
    b: Any
    c: Any
    cost: int


class Operand(NamedTuple):
    """An operand of a closure. kind: "place", "constant" or "getter". reads: the places that it reads.

    depth: how many getters call each other to compute it.
    """

    kind: str
    value: Any
    reads: frozenset[int] = frozenset()
    depth: int = 0


class Run:
    """What a run of a program has besides its frames.

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
            compiler = _Compiler(self.function, self.machine)
            self._segments = compiler.segments()
            self.template = compiler.template()
        return self._segments


class Machine:
    """The functions of a program that runs."""

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
        """What was printed so far."""
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
        """Note that calls nest this deep, which is deeper than before. Return the depth."""
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


DEEPEST = 16
"""A result that takes more nested getters than this is stored, so that Python's stack stays shallow."""

MAX_DEPTH = 1_000_000
"""The greatest depth of calls."""

_ENDLESS = 1 << 200
_LONGEST_COPY = 12
"""A block that ends with a jump takes a copy of the block after it if that is not longer."""
_MOST_COPIES = 4
"""The most blocks of which one segment consists."""


class _Compiler:
    """Makes the segments of one function."""

    def __init__(self, function: FunctionText, machine: Machine) -> None:
        self.function, self.machine = function, machine
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
        """The variables that are one constant wherever they are read, and these constants."""
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
        """The segments of all blocks. The first segment of block k has the number k."""
        made: list[Segment | None] = [None] * len(self.blocks)
        for k in range(len(self.blocks)):
            _BlockCompiler(self, k, made).run()
        return made  # type: ignore[return-value]

    def extended(self, k: int) -> tuple[list[Instruction], BasicBlock, int, frozenset[str]]:
        """The instructions of block k and of short blocks that follow it by a jump.

        Returns them with the last of the blocks, the cost, and the variables that are live at the end.
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

    def __init__(self, outer: _Compiler, k: int, made: list[Segment | None]) -> None:
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
        """For each instruction, how often its result is read in this block, and whether it is read later."""
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
        code = self.outer.machine.codes[item.funcs[0]]
        names = [p.name for p in code.function.parameters]
        position = names.index(item.labels[0]) if item.op == "grad" else -1
        self._finish(CALL, (code, position), arguments, (place, following, item), 0)
        self.number, self.steps = following, []

    # ------------------------------------------------------------ values

    def _read(self, item: Instruction, k: int) -> Operand:
        """The value of operand k. If it may have none, add a check."""
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
        """The place of a variable that is about to be set. Waiting values that read it are computed first."""
        place = self.outer.places[name]
        self.pending.pop(name, None)
        for waiting in [other for other, operand in self.pending.items() if place in operand.reads]:
            self.steps.append((self.outer.places[waiting], _getter(self.pending.pop(waiting))))
        self.assigned.add(name)
        return place

    def _store(self, name: str, get: Getter) -> None:
        self.steps.append((self._place_of_result(name), get))

    def _define(self, name: str, operand: Operand, count: int, lasting: bool) -> None:
        """Set a variable to a value that nothing but a variable's change can change."""
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
        run = self.outer.machine.run
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
                    f"get reads the shadow variable {name}, but no set came before it. Add `set {name} …` on "
                    "every path.",
                    item.place,
                )
            return shadow[0]

        self._store(item.dest, get)
        if self.outer.has_undef:
            self.assigned.discard(item.dest)

    # ------------------------------------------------------------ memory

    def _alloc(self, item: Instruction) -> None:
        assert item.dest is not None
        get, run = _getter(self._read(item, 0)), self.outer.machine.run
        self._store(item.dest, lambda frame: allocate(run, get(frame), item))

    def _free(self, item: Instruction) -> None:
        get, run = _getter(self._read(item, 0)), self.outer.machine.run
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
    """A getter that fails if a variable has no value."""

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

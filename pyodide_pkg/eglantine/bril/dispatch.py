"""Make rows of any program: one loop over basic blocks, with an explicit stack.

It serves programs that are recursive, or that jump into loops. Each round of the loop runs one *piece*: a
basic block, or the part of one that ends with a call. A number says which piece runs next. A call pushes the
number of the piece after it, and the variables that are still read there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Cond, Loop
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, I64, Array, RowType

from .checks import variables
from .flow import BasicBlock, basic_blocks, live_at_starts
from .flows import LAST, Differentiated, Env, Text, Value, finished
from .heap_rows import HeapRows
from .lowering import Lowering
from .scalar_rows import row_type
from .syntax import FunctionText, Instruction

NEXT: Final = "$next"
FLOATS, INTS = "$stack float", "$stack int"
FLOATS_END, INTS_END = "$end float", "$end int"
RESULTS: Final = {"f64": "$result float", "i64": "$result int"}

_TYPES: Final = {FLOATS_END: I64, INTS_END: I64, LAST: F64, "$result float": F64, "$result int": I64}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a basic block.

    call: the call with which it ends, or None. following: the pieces that may come next; for a call, the one
        after it. begins: the call after which this piece begins, or None. saved: the variables that this call
        saves.
    """

    text: FunctionText
    instructions: Sequence[Instruction]
    end: Instruction
    call: Instruction | None
    following: tuple[int, ...]
    begins: Instruction | None
    saved: tuple[str, ...]
    live: frozenset[str]


class DispatchLowering(Lowering):
    """Writes the rows of any program into a builder.

    depth: how many calls the stack holds at least.
    """

    def __init__(
        self, functions: Iterable[FunctionText], b: Builder, heap: HeapRows, differentiated: Differentiated,
        depth: int, direct: bool,
    ) -> None:  # fmt: skip
        super().__init__(functions, b, heap, differentiated)
        if not direct:
            self.most = sys.maxsize
        self.depth, self.direct = depth, self._direct() if direct else frozenset()
        self.pieces: list[Piece] = []
        self.entries: dict[str, int] = {}
        self.kinds = {name: variables(function) for name, function in self.functions.items()}
        self.room = 0
        self.pushes = {FLOATS: 0, INTS: 0}
        self.tops: list[Value] = []
        self.keys: dict[str, RowType] = {}
        self.sent: list[str] = []

    def _direct(self) -> frozenset[str]:
        """The functions that are copied into their callers."""
        callees = {
            name: {item.funcs[0] for item in function.instructions if item.op == "call"}
            for name, function in self.functions.items()
        }
        direct: set[str] = set()
        changed = True
        while changed:
            changed = False
            for name, function in self.functions.items():
                new = name not in direct and callees[name] <= direct
                if new and Text.of(function).graph.reducible:
                    direct.add(name)
                    changed = True
        return frozenset(direct)

    def _called_from(self, entry: str) -> list[str]:
        """The functions that have pieces, the entry first."""
        names = [entry]
        for name in names:
            for item in self.functions[name].instructions:
                if item.op == "call" and item.funcs[0] not in names and item.funcs[0] not in self.direct:
                    names.append(item.funcs[0])
        return names

    # ------------------------------------------------------------ pieces

    def _split(self, function: FunctionText) -> None:
        """Add the pieces of a function."""
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
                if item.op == "call" and item.funcs[0] not in self.direct:
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
        start = len(self.pieces)
        self.entries[function.name] = start
        for k, (part, (begins, call)) in enumerate(zip(parts, calls, strict=True)):
            saved: tuple[str, ...] = ()
            if begins is not None:
                saved = (*sorted(live[k] - {begins.dest or ""}), *dict.fromkeys(shadows))
            instructions = part.instructions if call is None else part.instructions[:-1]
            following = tuple(start + target for target in part.after)
            self.pieces.append(
                Piece(function, instructions, part.end, call, following, begins, saved, live[k] | {*shadows})
            )

    # ------------------------------------------------------------ the whole program

    def entry(self, name: str, arguments: Sequence[int], wanted: str) -> int:
        """Write a function and all that it calls. Return the row of LAST or RESULT after it."""
        b = self.b
        for called in self._called_from(name):
            self._split(self.functions[called])
        largest = max((len(piece.saved) for piece in self.pieces), default=0)
        self.room = (self.depth + 1) * (largest + 1)
        self._find_pushes()
        env: Env = {}
        self._declare(env, self.effects[name] - {LAST})
        for parameter, row in zip(self.functions[name].parameters, arguments, strict=True):
            env[f"{parameter.name}\n{name}"] = Value(b, row)
        ints = b.update(self.row(env[INTS]), b.int_const(0), b.constant(len(self.pieces), I64))
        env[INTS] = Value(b, ints)
        env[INTS_END] = Value(b, b.constant(1, I64))
        env[NEXT] = Value(b, b.int_const(self.entries[name]))
        inits = [self.row(env[key]) for key in self.keys]
        body = self._enter(env)
        env |= self._nothing_pushed()
        self._read_tops(env)
        after = self._choose(0, len(self.pieces), dict(env))
        self._write_pushed(after)
        results = [self.row(after[key]) for key in self.keys]
        self.b = b
        tested = self._enter(env)
        test = tested.bi("ine", self.row(env[NEXT]), tested.int_const(len(self.pieces)))
        self.b = b
        captured = unify([body, tested], 1 + len(inits))
        loop = Loop(body.finish(results), None, DYNAMIC, False, len(inits), tested.finish([test]))
        rows = b.loop(loop, [*inits, *captured])
        return rows[list(self.keys).index(LAST if wanted == LAST else RESULTS["f64"])]

    def _find_pushes(self) -> None:
        """Find how many values of each kind a call pushes at most."""
        for piece in self.pieces:
            kinds = self.kinds[piece.text.name]
            floats = sum(row_type(kinds[name.lstrip("=")]) is F64 for name in piece.saved)
            pushed = {FLOATS: floats, INTS: len(piece.saved) - floats + (piece.begins is not None)}
            self.pushes = {stack: max(self.pushes[stack], n) for stack, n in pushed.items()}

    def _declare(self, env: Env, parts: Iterable[str]) -> None:
        """Find the names that the loop carries, and their types. Give each its first value.

        parts: the parts of the heap.
        """
        b = self.b
        self.keys[NEXT] = I32(0, len(self.pieces))
        for name in (LAST, *RESULTS.values(), FLOATS_END, INTS_END):
            self.keys[name] = _TYPES[name]
        for stack, of in ((FLOATS, F64), (INTS, I64)):
            self.keys[stack] = Array(of, (self.room + self.pushes[stack],))
        for name in sorted(parts):
            self.keys[name] = self.heap.type_of(name)
        for piece in self.pieces:
            names = {p.name for p in piece.text.parameters} | piece.live
            for name in sorted(names):
                of = row_type(self.kinds[piece.text.name][name.lstrip("=")])
                self.keys[f"{name}\n{piece.text.name}"] = of
        for key, of in self.keys.items():
            env[key] = Value(b, b.int_const(0) if isinstance(of, I32) else b.zeros(of))

    def _enter(self, env: Env) -> Builder:
        """Start the loop's body or its test. All names then stand for its parameters."""
        self.b = Builder(self.b)
        self.b.param(I32(0, DYNAMIC - 1))
        for key, of in self.keys.items():
            env[key] = Value(self.b, self.b.param(of))
        return self.b

    def _nothing_pushed(self) -> Env:
        """The names for what a piece pushes. A piece without a call writes behind the end of the stack."""
        b = self.b
        self.sent = []
        env: Env = {}
        for stack, of in ((FLOATS, F64), (INTS, I64)):
            env[f"{stack} at"] = Value(b, b.constant(self.room, I64))
            env |= {f"{stack} {k}": Value(b, b.zeros(of)) for k in range(self.pushes[stack])}
        self.sent = list(env)
        return env

    def _read_tops(self, env: Env) -> None:
        """Read the floats on top of the stack that a piece may pop, the topmost first.

        Reverse mode then stores these floats of each round. If a piece read them inside its branch, reverse
        mode would store the whole stack.
        """
        b, end = self.b, self.row(env[FLOATS_END])
        self.tops = []
        for k in range(1, self.pushes[FLOATS] + 1):
            place = b.bi("lsub", end, b.constant(k, I64))
            absent = b.bi("llt", place, b.constant(0, I64))
            place = b.select(absent, b.constant(self.room, I64), place)
            self.tops.append(Value(b, b.index(self.row(env[FLOATS]), self._place(place, FLOATS))))

    def _write_pushed(self, env: Env) -> None:
        """Write what the piece pushed. The branches around the pieces then carry no stack, which is large."""
        b = self.b
        for stack in (FLOATS, INTS):
            array, first = self.row(env[stack]), self.row(env[f"{stack} at"])
            for k in range(self.pushes[stack]):
                place = self._place(b.bi("ladd", first, b.constant(k, I64)), stack)
                array = b.update(array, place, self.row(env[f"{stack} {k}"]))
            env[stack] = Value(b, array)

    def _choose(self, low: int, high: int, env: Env) -> Env:
        """Write a branch that runs one of the pieces from `low` up to but not including `high`."""
        if high - low == 1:
            return self._piece(self.pieces[low], env)
        b, middle = self.b, (low + high) // 2
        p = b.bi("ilt", self.row(env[NEXT]), b.int_const(middle))
        return self._branch(
            p, lambda: self._choose(low, middle, dict(env)), lambda: self._choose(middle, high, dict(env))
        )

    def _branch(self, p: int, *arms: object) -> Env:
        b = self.b
        builders, envs = [], []
        for arm in arms:
            self.b = Builder(b, conditional=True)
            builders.append(self.b)
            envs.append(arm())  # type: ignore[operator]
        one, other = envs
        keys = [key for key in (*self.keys, *self.sent) if one[key] != other[key]]
        results = []
        for builder, env in zip(builders, envs, strict=True):
            self.b = builder
            results.append([self.row(env[key]) for key in keys])
        self.b = b
        shared = unify(builders)
        blocks = [builder.finish(rows) for builder, rows in zip(builders, results, strict=True)]
        chosen = b.cond(Cond(*blocks), [p, *shared])
        return {**one, **{key: Value(b, row) for key, row in zip(keys, chosen, strict=True)}}

    # ------------------------------------------------------------ one piece

    def _piece(self, piece: Piece, env: Env) -> Env:
        """Write a piece. Returns the environment after it."""
        name = piece.text.name
        text = Text(piece.text, (), None, (), self.kinds[name])  # type: ignore[arg-type]
        suffix = f"\n{name}"
        local = {key[: -len(suffix)]: value for key, value in env.items() if key.endswith(suffix)}
        local |= {key: value for key, value in env.items() if key[0] == "$"}
        if piece.begins is not None:
            self._restore(text, piece, local)
        for item in piece.instructions:
            if item.op == "call":
                finished(self.called(text, local, item))
            else:
                self.instruction(text, local, item)
        b = self.b
        if piece.call is not None:
            self._push(text, piece, local)
            callee = self.functions[piece.call.funcs[0]]
            values = [Value(b, self.read(text, local, arg)) for arg in piece.call.args]
            following = Value(b, b.int_const(self.entries[callee.name]))
        else:
            following = self._following(text, piece, local)
        after = dict(env)
        for key in (*self.keys, *self.sent):
            if key[0] == "$":
                after[key] = local[key]
            elif key.endswith(suffix) and key[: -len(suffix)] in local:
                after[key] = local[key[: -len(suffix)]]
        if piece.call is not None:
            for parameter, value in zip(callee.parameters, values, strict=True):
                after[f"{parameter.name}\n{callee.name}"] = value
        after[NEXT] = following
        return after

    def _following(self, text: Text, piece: Piece, env: Env) -> Value:
        """The number of the piece after one that ends with a jump or a return."""
        b, end = self.b, piece.end
        if end.op == "jmp":
            return Value(b, b.int_const(piece.following[0]))
        if end.op == "br":
            then, orelse = (b.int_const(target) for target in piece.following)
            return Value(b, b.select(self.read(text, env, end.args[0]), then, orelse))
        if end.args:
            row = self._as_word(self.read(text, env, end.args[0]))
            env[RESULTS[b.type_of(row).dtype]] = Value(b, row)
        place = b.bi("lsub", self.row(env[INTS_END]), b.constant(1, I64))
        env[INTS_END] = Value(b, place)
        number = b.index(self.row(env[INTS]), self._place(place, INTS))
        return Value(b, b.check(b.un("wrap_i64", number), len(self.pieces) + 1))

    def _as_word(self, row: int) -> int:
        """A row as one of a float or an int. A bool becomes 1 or 0."""
        b = self.b
        if b.type_of(row) is not I1:
            return row
        return b.select(row, b.constant(1, I64), b.constant(0, I64))

    def _from_word(self, row: int, of: RowType) -> int:
        """A row of type `of` that `_as_word` made."""
        return self.b.bi("lne", row, self.b.constant(0, I64)) if of is I1 else row

    def _place(self, end: int, stack: str) -> int:
        """A number of 64 bits as an index of a stack."""
        return self.b.check(self.b.un("wrap_i64", end), self.room + self.pushes[stack])

    def _push(self, text: Text, piece: Piece, env: Env) -> None:
        """Push what the piece after a call needs, and its number."""
        b = self.b
        assert piece.call is not None
        following = self.pieces[piece.following[0]]
        room = b.constant(self.room - len(following.saved) - 1, I64)
        for end in (FLOATS_END, INTS_END):
            b.require(
                b.bi("lle", self.row(env[end]), room),
                "The calls nest deeper than the stack of the compiled program allows. "
                f"{STACK_ADVICE} (Bril, line {piece.call.place.line})",
            )
        rows = [self._as_word(self.read(text, env, name)) for name in following.saved]
        rows.append(b.constant(piece.following[0], I64))
        for stack, end in ((FLOATS, FLOATS_END), (INTS, INTS_END)):
            pushed = [row for row in rows if (b.type_of(row) is F64) == (stack == FLOATS)]
            place = self.row(env[end])
            env[f"{stack} at"] = Value(b, place)
            env |= {f"{stack} {k}": Value(b, row) for k, row in enumerate(pushed)}
            env[end] = Value(b, b.bi("ladd", place, b.constant(len(pushed), I64)))

    def _restore(self, text: Text, piece: Piece, env: Env) -> None:
        """Pop what a call saved, and take its result."""
        b = self.b
        assert piece.begins is not None
        tops = iter(self.tops)
        for name in reversed(piece.saved):
            of = self.type_of(text, name)
            end = FLOATS_END if of is F64 else INTS_END
            place = b.bi("lsub", self.row(env[end]), b.constant(1, I64))
            env[end] = Value(b, place)
            if of is F64:
                env[name] = next(tops)
            else:
                word = b.index(self.row(env[INTS]), self._place(place, INTS))
                env[name] = Value(b, self._from_word(word, of))
        dest = piece.begins.dest
        if dest is not None:
            of = self.type_of(text, dest)
            result = self.row(env[RESULTS["f64" if of is F64 else "i64"]])
            env[dest] = Value(b, self._from_word(result, of))


STACK_ADVICE: Final = "Give p.function arguments with which they nest as deep."

"""Turn any Bril program into rows: a single loop that jumps between pieces of code, and an explicit stack.

We use this form for programs that are recursive, or that jump into loops. The code is cut into numbered
pieces (see `pieces`). Each round of the loop runs one piece and computes the number of the next piece. A call
pushes the number of the piece that follows the call, and the values of the variables that are read later.
There are three stacks: for floats, for ints and for numbers of pieces.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final

from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Cond, Loop
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, I64, RowType, ScalarType

from .checks import variables
from .flows import LAST, Differentiated, Env, Text, Value, finished
from .heap_rows import HeapRows
from .lowering import Lowering
from .pieces import Piece, direct_functions, pieces_of
from .scalar_rows import row_type
from .stacks import FLOATS, INTS, NUMBERS, Stack
from .syntax import FunctionText
from .windows import STACK_ADVICE, TOO_DEEP, in_windows

NEXT: Final = "$next"
RESULTS: Final = {"f64": "$result float", "i64": "$result int"}
_TYPES: Final = {LAST: F64, "$result float": F64, "$result int": I64}


class DispatchLowering(Lowering):
    """Writes the rows of any program into a builder.

    depth: the number of nested calls that fit on the stack.
    direct: if true, copy a function into its callers if the function needs only loops and branches.
    windows: if true, cut the loop that runs the program into segments. Each segment uses only a part of the
        stack, so that reverse mode stores less.
    """

    def __init__(
        self, functions: Iterable[FunctionText], b: Builder, heap: HeapRows, differentiated: Differentiated,
        depth: int, direct: bool, windows: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(functions, b, heap, differentiated)
        if not direct:
            self.most = sys.maxsize
        self.depth, self.windows = depth, windows
        self.direct = direct_functions(self.functions) if direct else frozenset()
        self.pieces: list[Piece] = []
        self.entries: dict[str, int] = {}
        self.kinds = {name: variables(function) for name, function in self.functions.items()}
        self.stacks: dict[str, Stack] = {}
        self.tops: dict[str, list[Value]] = {}
        self.keys: dict[str, RowType] = {}
        self.sent: list[str] = []

    def _called_from(self, entry: str) -> list[str]:
        """List the functions that are cut into pieces. The entry comes first."""
        names = [entry]
        for name in names:
            for item in self.functions[name].instructions:
                if item.op == "call" and item.funcs[0] not in names and item.funcs[0] not in self.direct:
                    names.append(item.funcs[0])
        return names

    # ------------------------------------------------------------ the whole program

    def entry(self, name: str, arguments: Sequence[int], wanted: str) -> int:
        """Write a function and all functions that it calls. Return the row of the value `wanted`.

        wanted: LAST (the float that was printed last) or RESULT (the function's result).
        """
        b = self.b
        for called in self._called_from(name):
            self.entries[called] = len(self.pieces)
            self.pieces += pieces_of(self.functions[called], self.direct, len(self.pieces))
        self._find_stacks()
        env: Env = {}
        self._declare(env, self.effects[name] - {LAST})
        for parameter, row in zip(self.functions[name].parameters, arguments, strict=True):
            env[f"{parameter.name}\n{name}"] = Value(b, row)
        numbers = b.update(self.row(env[NUMBERS]), b.int_const(0), b.int_const(len(self.pieces)))
        env[NUMBERS] = Value(b, numbers)
        env[self.stacks[NUMBERS].end] = Value(b, b.constant(1, I64))
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
        if self.windows:
            rows = in_windows(b, loop, [*inits, *captured], list(self.keys), list(self.stacks.values()))
        else:
            rows = b.loop(loop, [*inits, *captured])
        return rows[list(self.keys).index(LAST if wanted == LAST else RESULTS["f64"])]

    def _find_stacks(self) -> None:
        """Make the stacks. Each has room for the values that `depth` nested calls push."""
        most = {FLOATS: 0, INTS: 0, NUMBERS: 1}
        for piece in self.pieces:
            kinds = self.kinds[piece.text.name]
            floats = sum(row_type(kinds[name.lstrip("=")]) is F64 for name in piece.saved)
            pushed = {FLOATS: floats, INTS: len(piece.saved) - floats}
            most |= {stack: max(most[stack], n) for stack, n in pushed.items()}
        types: dict[str, ScalarType] = {FLOATS: F64, INTS: I64, NUMBERS: I32(0, len(self.pieces))}
        for name, n in most.items():
            if n:
                self.stacks[name] = Stack.of_calls(name, types[name], n, self.depth + 1, self.windows)

    def _declare(self, env: Env, parts: Iterable[str]) -> None:
        """List the names and types of the values that the loop carries. In `env`, set each value to zero.

        parts: the names of the parts of the heap.
        """
        b = self.b
        self.keys[NEXT] = I32(0, len(self.pieces))
        self.keys |= _TYPES
        for stack in self.stacks.values():
            self.keys |= {stack.end: I64, stack.name: stack.array}
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
        """Start the loop's body or test.

        Set each name in `env` to a parameter of this body or test.
        """
        self.b = Builder(self.b)
        self.b.param(I32(0, DYNAMIC - 1))
        for key, of in self.keys.items():
            env[key] = Value(self.b, self.b.param(of))
        return self.b

    def _nothing_pushed(self) -> Env:
        """Return an environment that sets each pushed value to zero.

        A piece that calls a function replaces the zeros by the values that it pushes. In all other pieces the
        zeros go to spare places beyond the stack's end.
        """
        b = self.b
        self.sent = []
        env: Env = {}
        for stack in self.stacks.values():
            env[stack.first] = Value(b, b.constant(stack.room, I64))
            zero = b.int_const(0) if stack.name == NUMBERS else b.zeros(stack.of)
            env |= {name: Value(b, zero) for name in stack.pushed}
        self.sent = list(env)
        return env

    def _read_tops(self, env: Env) -> None:
        """Read the topmost values of each stack, before the branches that choose a piece.

        The branches then use these values. If they read the stacks themselves, reverse mode would store a
        copy of each stack in every round.
        """
        b = self.b
        self.tops = {}
        for stack in self.stacks.values():
            end = self.row(env[stack.end])
            self.tops[stack.name] = []
            for k in range(1, stack.pushes + 1):
                place = b.bi("lsub", end, b.constant(k, I64))
                absent = b.bi("llt", place, b.constant(0, I64))
                place = b.select(absent, b.constant(stack.room, I64), place)
                top = b.index(self.row(env[stack.name]), stack.place(b, place))
                self.tops[stack.name].append(Value(b, top))

    def _write_pushed(self, env: Env) -> None:
        """Write the pushed values to the stacks.

        The branches return only the pushed values, so they need not return the whole stacks.
        """
        b = self.b
        for stack in self.stacks.values():
            array, first = self.row(env[stack.name]), self.row(env[stack.first])
            for k, name in enumerate(stack.pushed):
                place = stack.place(b, b.bi("ladd", first, b.constant(k, I64)))
                array = b.update(array, place, self.row(env[name]))
            env[stack.name] = Value(b, array)

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
        """Write a piece. Return the environment (the values of all variables) after it."""
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
        """If a piece ends with a jump or a return, compute the number of the next piece."""
        b, end = self.b, piece.end
        if end.op == "jmp":
            return Value(b, b.int_const(piece.following[0]))
        if end.op == "br":
            then, orelse = (b.int_const(target) for target in piece.following)
            return Value(b, b.select(self.read(text, env, end.args[0]), then, orelse))
        if end.args:
            row = self._as_word(self.read(text, env, end.args[0]))
            env[RESULTS[b.type_of(row).dtype]] = Value(b, row)
        stack = self.stacks[NUMBERS]
        env[stack.end] = Value(b, b.bi("lsub", self.row(env[stack.end]), b.constant(1, I64)))
        return self.tops[NUMBERS][0]

    def _as_word(self, row: int) -> int:
        """Convert a row to a float or an int. A bool becomes 1 or 0."""
        b = self.b
        if b.type_of(row) is not I1:
            return row
        return b.select(row, b.constant(1, I64), b.constant(0, I64))

    def _from_word(self, row: int, of: RowType) -> int:
        """Convert a result of `_as_word` back to the type `of`."""
        return self.b.bi("lne", row, self.b.constant(0, I64)) if of is I1 else row

    def _push(self, text: Text, piece: Piece, env: Env) -> None:
        """Before a call, push the values that the next piece needs, and the number of the next piece."""
        b = self.b
        assert piece.call is not None
        following = self.pieces[piece.following[0]]
        pushed: dict[str, list[int]] = {name: [] for name in self.stacks}
        for name in following.saved:
            row = self._as_word(self.read(text, env, name))
            pushed[FLOATS if b.type_of(row) is F64 else INTS].append(row)
        pushed[NUMBERS].append(b.int_const(piece.following[0]))
        for stack in self.stacks.values():
            rows, end = pushed[stack.name], self.row(env[stack.end])
            b.require(
                b.bi("lle", end, b.constant(stack.room - len(rows), I64)),
                f"{TOO_DEEP} {STACK_ADVICE} (Bril, line {piece.call.place.line})",
            )
            env[stack.first] = Value(b, end)
            env |= {name: Value(b, row) for name, row in zip(stack.pushed, rows, strict=False)}
            env[stack.end] = Value(b, b.bi("ladd", end, b.constant(len(rows), I64)))

    def _restore(self, text: Text, piece: Piece, env: Env) -> None:
        """After a call, pop the saved variables from the stacks, and set the call's result variable."""
        b = self.b
        assert piece.begins is not None
        tops = {name: iter(values) for name, values in self.tops.items()}
        for name in reversed(piece.saved):
            of = self.type_of(text, name)
            stack = self.stacks[FLOATS if of is F64 else INTS]
            env[stack.end] = Value(b, b.bi("lsub", self.row(env[stack.end]), b.constant(1, I64)))
            top = next(tops[stack.name])
            env[name] = top if of is not I1 else Value(b, self._from_word(self.row(top), of))
        dest = piece.begins.dest
        if dest is not None:
            of = self.type_of(text, dest)
            result = self.row(env[RESULTS["f64" if of is F64 else "i64"]])
            env[dest] = Value(b, self._from_word(result, of))

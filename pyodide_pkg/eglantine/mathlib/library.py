"""The library functions (exp, sin and so on) as IR. Each body is traced once, when it is first requested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Cond, Function, Loop, made_once
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, I64
from eglantine.types import Real, TupleType

from .functions import FUNCTIONS, arity


@made_once
def library(name: str) -> Function:
    """Return the library function `name`. It takes Reals, and returns one Real or a tuple of Reals."""
    b = Builder()
    o = _Ops(b)
    n = arity(name)
    arguments = [_Value(o, b.param(F64), "f64") for _ in range(n)]
    result = FUNCTIONS[name](o, *arguments)
    results = result if isinstance(result, tuple) else (result,)
    block = b.finish([o.row(value, "f64") for value in results])
    of = Real if len(results) == 1 else TupleType((Real,) * len(results))
    return Function(
        name, (Real,) * n, of, block, leaf_params=block.param_types, leaf_results=block.result_types
    )


class _Ops:
    """Implements the operations of `Ops` by adding rows to a builder."""

    def __init__(self, b: Builder) -> None:
        self.b = b

    def row(self, value: Any, kind: str) -> int:
        """Return a row of the current block for a value or constant. A row of an outer block is captured."""
        if isinstance(value, _Value):
            scope, row = value.scope, value.row
            inner = []
            b = self.b
            while b is not scope:
                inner.append(b)
                assert b.parent is not None
                b = b.parent
            for b in reversed(inner):
                row = b.capture(row)
            return row
        if kind == "f64":
            return self.b.const(value)
        return self.b.constant(value, I64 if kind == "i64" else I1)

    def _un(self, op: str, x: Any, kind: str = "f64", result: str = "f64") -> _Value:
        return _Value(self, self.b.un(op, self.row(x, kind)), result)

    def sqrt(self, x: Any) -> _Value:
        return self._un("sqrt", x)

    def abs(self, x: Any) -> _Value:
        return self._un("abs", x)

    def floor(self, x: Any) -> _Value:
        return self._un("floor", x)

    def ceil(self, x: Any) -> _Value:
        return self._un("ceil", x)

    def trunc(self, x: Any) -> _Value:
        return self._un("trunc", x)

    def nearest(self, x: Any) -> _Value:
        return self._un("nearest", x)

    def copysign(self, x: Any, y: Any) -> _Value:
        return _Value(self, self.b.bi("copysign", self.row(x, "f64"), self.row(y, "f64")), "f64")

    def bits(self, x: Any) -> _Value:
        return self._un("bits", x, "f64", "i64")

    def float(self, n: Any) -> _Value:
        return self._un("from_bits", n, "i64", "f64")

    def to_real(self, n: Any) -> _Value:
        return self._un("real_i64", n, "i64", "f64")

    def to_int(self, x: Any) -> _Value:
        return self._un("int_f64", x, "f64", "i64")

    def shr_u(self, n: Any, k: Any) -> _Value:
        return _Value(self, self.b.bi("lshr_u", self.row(n, "i64"), self.row(k, "i64")), "i64")

    def select(self, p: Any, a: Any, b: Any) -> Any:
        kind = _kind(a, b)
        row = self.b.select(self.row(p, "i1"), self.row(a, kind), self.row(b, kind))
        return _Value(self, row, kind)

    def cond(self, p: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        parent = self.b
        condition = self.row(p, "i1")
        arms: list[Builder] = []
        values: list[tuple[Any, ...]] = []
        for run in (then, otherwise):
            self.b = Builder(parent, conditional=True)
            arms.append(self.b)
            value = run()
            values.append(value if isinstance(value, tuple) else (value,))
            self.b = parent
        kinds = [_kind(x, y) for x, y in zip(*values, strict=True)]
        rows = []
        for b, results in zip(arms, values, strict=True):
            self.b = b
            rows.append([self.row(value, kind) for value, kind in zip(results, kinds, strict=True)])
            self.b = parent
        shared = list(dict.fromkeys(row for b in arms for row in b.captured))
        for b in arms:
            b.reorder_params([b.capture(row) for row in shared])
        blocks = [b.finish(results) for b, results in zip(arms, rows, strict=True)]
        chosen = parent.cond(Cond(blocks[0], blocks[1]), [condition, *shared])
        results = tuple(_Value(self, row, kind) for row, kind in zip(chosen, kinds, strict=True))
        return results if len(results) > 1 else results[0]

    def repeat(self, test: Callable[[Any], Any], step: Callable[[Any], Any], start: Any) -> Any:
        parent, is_tuple = self.b, isinstance(start, tuple)
        firsts = [self.row(value, "f64") for value in (start if is_tuple else (start,))]
        bodies: list[Builder] = []
        blocks = []
        for run, kind in ((step, "f64"), (test, "i1")):
            self.b = b = Builder(parent)
            b.param(I32(0, DYNAMIC - 1))
            carry = tuple([_Value(self, b.param(F64), "f64") for _ in firsts])
            found = run(carry if is_tuple else carry[0])
            results = [self.row(value, kind) for value in (found if isinstance(found, tuple) else (found,))]
            bodies.append(b)
            blocks.append(partial(b.finish, results))
        self.b = parent
        captured = unify(bodies, 1 + len(firsts))
        loop = Loop(blocks[0](), None, DYNAMIC, False, len(firsts), blocks[1]())
        last = parent.loop(loop, [*firsts, *captured])
        values = tuple([_Value(self, last[k], "f64") for k in range(len(firsts))])
        return values if is_tuple else values[0]

    def table(self, entries: Sequence[Any], n: Any) -> _Value:
        kind = "i64" if all(isinstance(entry, int) for entry in entries) else "f64"
        table = self.b.table(tuple(entries), I64 if kind == "i64" else F64)
        return _Value(self, self.b.index(table, self.b.un("wrap_i64", self.row(n, "i64"))), kind)

    def call(self, name: str, *arguments: Any) -> Any:
        function = library(name)
        rows = self.b.call(function, [self.row(argument, "f64") for argument in arguments])
        values = tuple(_Value(self, row, "f64") for row in rows)
        return values if len(values) > 1 else values[0]


def _kind(*values: Any) -> str:
    for value in values:
        if isinstance(value, _Value):
            return value.kind
    return (
        "i1" if isinstance(values[0], bool) else "i64" if all(isinstance(v, int) for v in values) else "f64"
    )


_FLOAT = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div"}
_COMPARE = ("lt", "le", "gt", "ge", "eq", "ne")
_INTEGER = {"add": "ladd", "sub": "lsub", "mul": "lmul", "and": "land", "or": "lor", "xor": "lxor",
            "lshift": "lshl", "rshift": "lshr"}  # fmt: skip
_LOGIC = {"and": "and", "or": "or", "xor": "xor"}
_ROWS: dict[str, dict[str, tuple[str, str]]] = {
    "f64": {n: (op, "f64") for n, op in _FLOAT.items()} | {n: (n, "i1") for n in _COMPARE},
    "i64": {n: (op, "i64") for n, op in _INTEGER.items()} | {n: ("l" + n, "i1") for n in _COMPARE},
    "i1": {n: (op, "i1") for n, op in _LOGIC.items()},
}
"""Maps a kind of value and a Python operator to the name of a primitive and the kind of the result."""


def _operator(name: str, reflected: bool = False) -> Any:
    def operator(self: _Value, other: Any) -> _Value:
        op, result = _ROWS[self.kind][name]
        o = self.o
        x, y = o.row(self, self.kind), o.row(other, self.kind)
        return _Value(o, o.b.bi(op, y, x) if reflected else o.b.bi(op, x, y), result)

    return operator


class _Value:
    """A symbolic f64, i64 or truth value. Library functions compute with it while they are traced."""

    __slots__ = ("kind", "o", "row", "scope")
    __hash__ = object.__hash__

    def __init__(self, o: _Ops, row: int, kind: str) -> None:
        self.o = o
        self.scope = o.b
        self.row = row
        self.kind = kind

    __add__, __radd__ = _operator("add"), _operator("add", True)
    __sub__, __rsub__ = _operator("sub"), _operator("sub", True)
    __mul__, __rmul__ = _operator("mul"), _operator("mul", True)
    __truediv__, __rtruediv__ = _operator("truediv"), _operator("truediv", True)
    __and__, __rand__ = _operator("and"), _operator("and", True)
    __or__, __ror__ = _operator("or"), _operator("or", True)
    __xor__, __rxor__ = _operator("xor"), _operator("xor", True)
    __lshift__, __rshift__ = _operator("lshift"), _operator("rshift")
    __lt__, __le__, __gt__, __ge__ = _operator("lt"), _operator("le"), _operator("gt"), _operator("ge")
    __eq__, __ne__ = _operator("eq"), _operator("ne")

    def __neg__(self) -> _Value:
        o = self.o
        if self.kind == "f64":
            return _Value(o, o.b.neg(o.row(self, "f64")), "f64")
        negated: _Value = 0 - self
        return negated

    def __invert__(self) -> _Value:
        o = self.o
        if self.kind == "i64":
            inverted: _Value = self ^ -1
            return inverted
        return _Value(o, o.b.un("not", o.row(self, "i1")), "i1")

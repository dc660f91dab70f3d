"""The builder, the only way to make rows. It folds and merges as it adds them: half of optimising.

Every rewrite here is exact in IEEE arithmetic, to the last bit: x·1, x−0, −−x, constants; never x+0, 0·x or
x−x. Only the symbolic zero (row 0), which means "this tangent is not there", vanishes from sums and
annihilates products.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from struct import pack
from typing import Any, Self

from eglantine import ieee as numbers
from eglantine.errors import LimitError

from .primitives import LOWERED, PRIMITIVES
from .program import Block, Cond, Function, Loop, loop_results
from .row_types import (
    EFFECT,
    F64,
    I1,
    I32,
    MULTI,
    TRIPS,
    TRIPS_TYPE,
    ZERO,
    Acc,
    Array,
    Row,
    RowType,
    _either,
    _with_length,
    element_type,
)
from .rules import MAX_INDEX

MAX_NESTING = 100
"""How deep loops and branches may nest."""

MAX_WHOLE = 1 << 53
"""Whole floats below it are exact."""

SHORT = 16
"""The longest array of which one element is changed by listing all of them anew."""


class Results(list[int]):
    """The rows that read the results of a call, loop or cond, and that row itself."""

    __slots__ = ("row",)

    def __init__(self, row: int, results: Sequence[Any]) -> None:
        super().__init__(results)
        self.row = row


class Builder:
    """A block in the making.

    parent: the builder of the block around it, or None.
    conditional: whether the block is an arm of a `Cond`: rows must not leave it.
    source: what the next rows are made for; the tracer and transforms set it.
    order: how many differentiations of a plain function the block is traced for, one inside the other.
    promotes: whether an index is a Real where it meets one, as in Python's own code (`control_flow`).
    rounds: whether constants fold to the nearest float. Until a function is emitted they fold only where the
        float is the exact result, so that the interpreter divides 1 by 3 in the numbers it computes with.
    captured: the parent's rows that the last parameters stand for, in order.
    """

    __slots__ = (
        "_capture_index", "_const_index", "_index", "captured", "conditional", "const_types", "consts",
        "depth", "order", "params", "parent", "promotes", "rounds", "rows", "source", "sources", "types",
    )  # fmt: skip

    def __init__(self, parent: Builder | None = None, conditional: bool = False) -> None:
        self.parent = parent
        self.conditional = conditional
        self.order: int = parent.order if parent else 0
        self.promotes: bool = parent is not None and parent.promotes
        self.rounds: bool = parent is not None and parent.rounds
        self.depth: int = parent.depth + 1 if parent else 0
        if self.depth > MAX_NESTING:
            raise LimitError(
                f"Loops and branches nest {self.depth} deep here; at most {MAX_NESTING} are possible."
            )
        self.rows: list[Row] = [("zero",)]
        self.types: list[RowType] = [F64]
        self.sources: list[Any] = [None]
        self.source: Any = parent.source if parent else None
        self.consts: list[Any] = []
        self.const_types: list[RowType] = []
        self.params: list[int] = []
        self.captured: list[int] = []
        self._index: dict[Row, int] = {}
        self._const_index: dict[Any, int] = {}
        self._capture_index: dict[int, int] = {}

    @classmethod
    def resume(cls, block: Block) -> Self:
        """A builder that goes on where `block` ended: its row numbers stay valid."""
        b = cls()
        b.rows = list(block.rows)
        b.types = list(block.types)
        b.sources = list(block.sources)
        b.params = list(block.params)
        for value, of in zip(block.consts, block.const_types, strict=True):
            b._constant(value, of)
        b._index = dict(zip(b.rows, range(len(b.rows)), strict=True))
        return b

    def finish(self, results: Sequence[int]) -> Block:
        """The finished block; a result that is the symbolic zero becomes 0.0."""
        found = tuple([row or self.const(0.0) for row in results])  # first of all, for it may add a constant
        return Block(
            tuple(self.rows),
            tuple(self.types),
            tuple(self.sources),
            tuple(self.consts),
            tuple(self.const_types),
            tuple(self.params),
            found,
        )

    # ---------------------------------------------------------------- rows

    def row(self, key: Row, of: RowType) -> int:
        """The row `key`, made now unless it is there already."""
        new = len(self.rows)
        number = self._index.setdefault(key, new)
        if number == new:
            self.rows.append(key)
            self.types.append(of)
            self.sources.append(self.source)
        return number

    def copy_plain(self, block: Block, env: list[Any], pending: Iterator[int]) -> int:
        """Copy rows of which only operands' numbers change; return the first that is another, or ZERO.

        env: for each row of the block, and from the end each constant, its row here; None where it has none.
        """
        rows, types, sources = block.rows, block.types, block.sources
        own, own_types, own_sources, find = self.rows, self.types, self.sources, self._index.setdefault
        for i in pending:
            if env[i] is not None:
                continue
            row = rows[i]
            op = row[0]
            if op not in _PLAIN:
                return i
            n = len(row)
            x = env[row[1]]
            if n == 3:
                y = env[row[2]]
                if not (x > 0 < y or (x and y and row[1] < 0 < y) or (row[2] < 0 < x)):
                    return i
                key: Row = (op, y, x) if x > y and op in _COMMUTATIVE else (op, x, y)
            elif n == 2:
                if x <= 0:
                    return i
                key = (op, x)
            else:
                y, z = env[row[2]], env[row[3]]
                if x <= 0 or y == z or not (y and z) or types[i] is not F64:
                    return i
                key = (op, x, y, z)
            new = len(own)
            env[i] = number = find(key, new)
            if number == new:
                own.append(key)
                own_types.append(types[i])
                own_sources.append(sources[i])
        return ZERO

    def known(self, op: str, operands: Sequence[int], row: int = ZERO) -> int:
        """The row of an operation on these operands if it is there, else ZERO; or from now on `row`."""
        key = (op, *(sorted(operands) if op in ("add", "mul") else operands))
        return self._index.setdefault(key, row) if row else self._index.get(key, ZERO)

    def effect(self, key: Row, of: RowType = EFFECT) -> int:
        """A new row, never merged with one like it."""
        number = len(self.rows)
        self.rows.append(key)
        self.types.append(of)
        self.sources.append(self.source)
        return number

    def param(self, of: RowType) -> int:
        """The next parameter."""
        number = self.effect(("param", len(self.params)), of)
        self.params.append(number)
        return number

    def capture(self, row: int) -> int:
        """The parent's row or constant `row`, as this block sees it."""
        parent = self.parent
        assert parent is not None
        if row <= ZERO:
            return self._constant(parent.consts[~row], parent.const_types[~row]) if row else ZERO
        number = self._capture_index.get(row)
        if number is None:
            number = self._capture_index[row] = self.param(parent.types[row])
            self.captured.append(row)
        return number

    def release(self, number: int, row: int) -> None:
        """Take out the parameter `number`, which stood for the parent's row `row` and is not used."""
        self.rows[number] = ("zero",)
        del self._capture_index[row]

    def reorder_params(self, rows: Sequence[int]) -> None:
        """Put the parameters in the order of `rows`."""
        self.params[:] = rows
        for k, row in enumerate(rows):
            self.rows[row] = ("param", k)

    def type_of(self, row: int) -> RowType:
        """The type of a row or constant."""
        return self.types[row] if row >= 0 else self.const_types[~row]

    def interval(self, row: int) -> I32:
        """The bounds of an integer row or constant."""
        of: I32 = self.types[row] if row >= 0 else self.const_types[~row]
        return of

    # ---------------------------------------------------------------- constants

    def const(self, value: float) -> int:
        """A float64 constant."""
        number = self._const_index.get(value or f"{value!r}")
        return self._constant(value, F64) if number is None else number

    def int_const(self, value: int) -> int:
        """An integer constant."""
        return self._constant(value, I32(value, value))

    def bool_const(self, value: bool) -> int:
        """A truth value."""
        return self._constant(value, I1)

    def _constant(self, value: Any, of: RowType) -> int:
        key: Any
        if of is F64:
            value = float(value)
            key = value if value and value == value else f"{value!r}"
        else:
            key = (value, of)
        number = self._const_index.get(key)
        if number is None:
            number = self._const_index[key] = ~len(self.consts)
            self.consts.append(value)
            self.const_types.append(of)
        return number

    def constant(self, value: Any, of: RowType) -> int:
        """A constant of any scalar type."""
        return self._constant(value, of)

    @staticmethod
    def is_const(row: int) -> bool:
        """Whether a row number stands for a constant."""
        return row < 0

    def value(self, row: int) -> Any:
        """The value of a constant."""
        return self.consts[~row]

    # ---------------------------------------------------------------- scalar rows

    def add(self, a: int, b: int) -> int:
        """a + b."""
        if a <= 0 or b <= 0:
            if not a:
                return b
            if not b:
                return a
            if a < 0 and b < 0:
                return self._folded("add", a, b, self.consts[~a] + self.consts[~b])
            c, x = (a, b) if a < 0 else (b, a)
            if _is_minus_zero(self.consts[~c]):
                return x
        else:
            if self.rows[b][0] == "neg":
                return self.sub(a, self.rows[b][1])
            if self.rows[a][0] == "neg":
                return self.sub(b, self.rows[a][1])
        return self.row(("add", a, b) if a < b else ("add", b, a), F64)

    def sub(self, a: int, b: int) -> int:
        """a − b."""
        if a <= 0 or b <= 0:
            if not b:
                return a
            if not a:
                return self.neg(b)
            if b < 0:
                value = self.consts[~b]
                if a < 0:
                    return self._folded("sub", a, b, self.consts[~a] - value)
                if value == 0.0 and not _is_minus_zero(value):
                    return a
        if b > 0 and self.rows[b][0] == "neg":
            return self.add(a, self.rows[b][1])
        return self.row(("sub", a, b), F64)

    def mul(self, a: int, b: int) -> int:
        """a · b."""
        if a <= 0 or b <= 0:
            if not a or not b:
                return ZERO
            if a < 0 and b < 0:
                return self._folded("mul", a, b, self.consts[~a] * self.consts[~b])
            c, x = (a, b) if a < 0 else (b, a)
            value = self.consts[~c]
            if value == 1.0:
                return x
            if value == -1.0:
                return self.neg(x)
        return self.row(("mul", a, b) if a < b else ("mul", b, a), F64)

    def div(self, a: int, b: int) -> int:
        """a / b."""
        if a <= 0 or b < 0:
            if not a:
                return ZERO
            if b < 0:
                value = self.consts[~b]
                if a < 0:
                    return self._folded("div", a, b, numbers.div(self.consts[~a], value))
                if value == 1.0:
                    return a
                if value == -1.0:
                    return self.neg(a)
                if _has_exact_reciprocal(value):
                    return self.mul(a, self.const(1.0 / value))
        return self.row(("div", a, b), F64)

    def neg(self, a: int) -> int:
        """−a."""
        if a <= 0:
            return self.const(-self.consts[~a]) if a else ZERO
        row = self.rows[a]
        if row[0] == "neg":
            return row[1]  # type: ignore[no-any-return]
        if row[0] == "mul" and row[1] < 0:
            return self.mul(self.const(-self.consts[~row[1]]), row[2])
        return self.row(("neg", a), F64)

    def powi(self, a: int, n: int) -> int:
        """a to the whole power n."""
        if n == 1:
            return a
        if n == 0:
            return self.const(1.0)
        if a < 0:
            x = self.consts[~a]
            value = numbers.power(x, n)
            if self.rounds or (n > 0 and x.is_integer() and abs(value) < MAX_WHOLE):
                return self.const(value)
        return self.row(("powi", a, n), F64)

    def _folded(self, op: str, a: int, b: int, value: float) -> int:
        """The constant `value`, or where it is only near the result of two constants, the row."""
        if self.rounds or _is_exact(op, self.consts[~a], self.consts[~b], value):
            return self.const(value)
        return self.row((op, a, b), F64)

    def select(self, p: int, a: int, b: int) -> int:
        """a where p holds, else b."""
        if a == b:
            return a
        if p < 0:
            return a if self.consts[~p] else b
        if self.rows[p][0] == "not":
            p, a, b = self.rows[p][1], b, a
        x, y = a or b, b or a
        of = self.types[x] if x > 0 else self.const_types[~x]
        other = self.types[y] if y > 0 else self.const_types[~y]
        if of is not other:
            of = _either(of, other)
        a, b = a or self.zeros(of), b or self.zeros(of)
        return self.row(("select", p, a, b), of)

    def un(self, op: str, a: int) -> int:
        """The unary primitive `op` of a."""
        if op == "neg":
            return self.neg(a)
        primitive = PRIMITIVES[op]
        if a < 0:
            folded = self._fold(primitive, self.consts[~a])
            if folded is not None:
                return folded
        elif op == "not" and self.rows[a][0] == "not":
            return self.rows[a][1]  # type: ignore[no-any-return]
        of = primitive.result(self.type_of(a)) if callable(primitive.result) else primitive.result
        return self.row((op, a), of)

    def bi(self, op: str, a: int, b: int) -> int:
        """The binary primitive `op` of a and b."""
        special = ARITHMETIC.get(op)
        if special is not None:
            return special(self, a, b)
        primitive = PRIMITIVES[op]
        if a < 0 and b < 0 and (self.rounds or op not in ROUNDED):
            folded = self._fold(primitive, self.consts[~a], self.consts[~b])
            if folded is not None:
                return folded
        elif op in _IDENTITY and (a < 0 or b < 0):
            same = self._identity(op, a, b)
            if same is not None:
                return same
        if callable(primitive.result):
            of = primitive.result(self.interval(a), self.interval(b))
            if of.lo < -MAX_INDEX or of.hi > MAX_INDEX:
                raise LimitError(
                    f"This index may range from {of.lo} to {of.hi}; at most 32 bits are possible."
                )
            if of.lo == of.hi:
                return self.int_const(of.lo)
        else:
            of = primitive.result
        return self.row((op, a, b), of)

    def _fold(self, primitive: Any, *values: Any) -> int | None:
        if primitive.evaluate is None:
            return None
        result = primitive.evaluate(*values)
        if callable(primitive.result):
            return self.int_const(result)
        return self._constant(result, primitive.result)

    def _identity(self, op: str, a: int, b: int) -> int | None:
        """The operand that `op` returns unchanged, or its one possible result, if one operand is constant."""
        c, x = (a, b) if a < 0 else (b, a)
        value = self.consts[~c]
        match op:
            case "and":
                return x if value else c
            case "or":
                return c if value else x
            case "xor":
                return self.un("not", x) if value else x
            case "iadd":
                return x if value == 0 else None
            case "isub":
                return a if c == b and value == 0 else None
            case "imul":
                return x if value == 1 else None
        return None

    # ---------------------------------------------------------------- arrays

    def zeros(self, of: RowType) -> int:
        """A zero of type `of`: the constant 0.0, or an array of it."""
        if of is F64:
            return self.const(0.0)
        if isinstance(of, Array):
            return self.row(("zeros", of), of)
        return self._constant(False if of is I1 else 0, I32(0, 0) if isinstance(of, I32) else of)

    def index(self, array: int, i: int) -> int:
        """Element i of an array, or the view of all its elements whose first index is i."""
        key = self.rows[array]
        of = element_type(self.types[array])
        if key[0] == "zeros":
            return self.zeros(of)
        if key[0] == "update" and (key[2] == i or (i < 0 and key[2] < 0)):
            return key[3] if key[2] == i else self.index(key[1], i)
        if i < 0:
            if key[0] == "stack":
                return key[1][self.consts[~i]]  # type: ignore[no-any-return]
            if key[0] == "table":
                return self._constant(key[1][self.consts[~i]], of)
        return self.row(("index", array, i), of)

    def update(self, array: int, i: int, x: int, op: str = "update") -> int:
        """The array with x as element i, or for the operation "update_add" with x added to it."""
        of, key = self.types[array], self.rows[array]
        if op == key[0] == "update" and key[2] == i:
            return self.update(key[1], i, x)
        if op == "update_add":
            if not x:
                return array
        elif i < 0 and key[0] == "stack" and of.dims[0] <= SHORT:
            elements = list(key[1])
            elements[self.consts[~i]] = x
            return self.stack(elements, element_type(of))
        x = x or self.zeros(element_type(of))
        if isinstance(of.leaf, I32):
            of = Array(_either(of.leaf, getattr(self.type_of(x), "leaf", self.type_of(x))), of.dims)
        return self.row((op, array, i, x), of)

    def stack(self, elements: Sequence[int], of: RowType) -> int:
        """The array of `elements`, each of type `of` (or the symbolic zero)."""
        if not elements:
            return self.zeros(_with_length(of, 0))
        if not any(elements):
            return self.zeros(_with_length(of, len(elements)))
        whole = self._whole(elements)
        if whole is not None:
            return whole
        filled = tuple(row or self.zeros(of) for row in elements)
        if isinstance(of, I32):
            bounds = [self.interval(row) for row in filled]
            of = I32(min(b.lo for b in bounds), max(b.hi for b in bounds))
        return self.row(("stack", filled), _with_length(of, len(elements)))

    def _whole(self, elements: Sequence[int]) -> int | None:
        """The array of which `elements` are all the elements in order, if there is one."""
        first = self.rows[elements[0]] if elements[0] > 0 else ("zero",)
        if first[0] != "index" or self.types[first[1]].dims[0] != len(elements):
            return None
        array = first[1]
        for k, row in enumerate(elements):
            key = self.rows[row] if row > 0 else ("zero",)
            if key[0] != "index" or key[1] != array or key[2] >= 0 or self.consts[~key[2]] != k:
                return None
        return array  # type: ignore[no-any-return]

    def table(self, values: tuple[Any, ...], leaf: RowType) -> int:
        """A constant array. Equal numbers of another type are another one, and so are other zeros."""
        key = (leaf, pack(f"{len(values)}d", *values) if leaf is F64 else values)
        number = self._index.get(key)
        if number is None:
            number = self._index[key] = self.effect(("table", values), Array(leaf, (len(values),)))
        return number

    def acc(self, dims: tuple[int, ...], length: Sequence[int] = ()) -> int:
        """A new accumulator; `length` has the row of its length if only the run knows it."""
        return self.effect(("acc", tuple(length), len(self.rows)), Acc(dims))

    def acc_index(self, acc: int, i: int) -> int:
        """A view of part of an accumulator."""
        return self.row(("acc_index", acc, i), element_type(self.types[acc]))

    def add_to(self, acc: int, x: int) -> None:
        """acc += x; of a zero nothing comes, as sums that begin with +0.0 are never −0.0."""
        key = self.rows[max(x, ZERO)]
        if key[0] == "stack" and len(key[1]) <= SHORT:  # no array is made for this alone
            for k, element in enumerate(key[1]):
                self.add_to(self.acc_index(acc, self.int_const(k)), element)
        elif key[0] != "zeros" if x > 0 else x and self.consts[~x]:
            self.effect(("add_to", acc, x))

    def acc_read(self, acc: int) -> int:
        """The sums of an accumulator that is complete."""
        dims = self.types[acc].dims
        return self.effect(("acc_read", acc), Array(F64, dims) if dims else F64)

    def check(self, i: int, n: int) -> int:
        """i as an index below n, checked when the program runs unless its bounds say it all."""
        bounds = self.interval(i)
        if bounds.lo >= 0 and bounds.hi < n:
            return i
        return self.row(("check", i, n), I32(max(bounds.lo, 0), max(min(bounds.hi, n - 1), 0)))

    def require(self, p: int, text: str) -> int:
        """A trap that says the text, unless p holds."""
        return ZERO if p < 0 and self.consts[~p] else self.effect(("require", (p,), text))

    # ---------------------------------------------------------------- structure

    def call(self, function: Function, args: Sequence[int]) -> Results:
        """The results of calling `function`."""
        key = ("call", tuple(row or self.const(0.0) for row in args), function)
        number = self.row(key, MULTI) if function.pure else self.effect(key, MULTI)
        return self.results_of(number, function.leaf_results)

    def loop(self, loop: Loop, args: Sequence[int]) -> Results:
        """The results of a loop: its last carry, then what it stacked, and last a while loop's trips."""
        if loop.count is not None and loop.count > MAX_INDEX:
            raise LimitError(
                f"Found a loop of {loop.count:,} rounds, expected at most {MAX_INDEX:,}; nest two."
            )
        key = ("loop", tuple(args), loop)
        number = self.effect(key, MULTI)
        found = self.results_of(number, loop_results(loop))
        if loop.count is not None:
            self._pass_through(loop, args[-len(loop.body.params) + 1 :], found)
        if loop.test:
            found.append(self.row(("proj", number, TRIPS), TRIPS_TYPE))
        return found

    def _pass_through(self, loop: Loop, args: Sequence[int], found: Results) -> None:
        """Let results that stack an array's elements in order be that array."""
        body, params = loop.body, loop.body.params
        for k in range(loop.carried, len(body.results)):
            row = body.rows[body.results[k]] if body.results[k] > 0 else ("zero",)
            if row[0] == "index" and row[2] == params[0] and row[1] in params[1 + loop.carried :]:
                array = args[params.index(row[1]) - 1]
                if self.type_of(array) == self.types[found[k]]:
                    found[k] = array

    def cond(self, cond: Cond, args: Sequence[int]) -> Results:
        """The results of a branch; the condition is the first of `args`."""
        number = self.effect(("cond", tuple(args), cond), MULTI)
        types = zip(cond.then.result_types, cond.orelse.result_types, strict=True)
        return self.results_of(number, [_either(x, y) for x, y in types])

    def results_of(self, number: int, types: Sequence[RowType]) -> Results:
        """The rows that read the results of row `number`."""
        return Results(number, [self.row(("proj", number, k), of) for k, of in enumerate(types)])


def unify(bodies: Sequence[Builder], own: int = 0) -> list[int]:
    """Give all bodies the same captures after their `own` parameters: each row that any of them captures.

    Returns those rows.
    """
    shared = list(dict.fromkeys(row for b in bodies for row in b.captured))
    for b in bodies:
        b.reorder_params([*b.params[:own], *[b.capture(row) for row in shared]])
    return shared


def _is_minus_zero(value: Any) -> bool:
    return value == 0.0 and math.copysign(1.0, value) < 0.0


def _has_exact_reciprocal(value: float) -> bool:
    """Whether 1/value is exact, and so x/value equals x·(1/value): powers of two that are not extreme."""
    return math.frexp(value)[0] in (0.5, -0.5) and 2.0**-1000 < abs(value) < 2.0**1000


def _is_exact(op: str, x: float, y: float, z: float) -> bool:
    """Whether the float z is exactly x op y; of infinities and NaN there is nothing more exact."""
    if op != "div" and x.is_integer() and y.is_integer() and abs(z) < MAX_WHOLE:
        return True
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return True
    (a, b), (c, d), (n, m) = x.as_integer_ratio(), y.as_integer_ratio(), z.as_integer_ratio()
    match op:
        case "mul":
            return a * c * m == n * b * d
        case "div":
            return a * d * m == n * b * c
    return (a * d + (c if op == "add" else -c) * b) * m == n * b * d


ARITHMETIC = {"add": Builder.add, "sub": Builder.sub, "mul": Builder.mul, "div": Builder.div}
"""What makes the commonest rows."""

ROUNDED = frozenset({"mod", "floordiv"})
"""Operations of two constants that fold only just before emission, as their floats are rounded."""

_COMMUTATIVE = frozenset({"add", "mul"})

_PLAIN = {"select"} | {
    name
    for name, primitive in PRIMITIVES.items()
    if not (callable(primitive.result) or name == "not" or name in LOWERED)
}
"""Operations of which there is but to make another row, unless an operand has become a constant."""

_IDENTITY = frozenset({"and", "or", "xor", "iadd", "isub", "imul"})

"""Build the rows of a block, each with its type and source. Equal rows are merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from eglantine.errors import LimitError

from .primitives import LOWERED, PRIMITIVES
from .program import Block
from .row_types import EFFECT, F64, I1, I32, ZERO, Array, Row, RowType, ScalarType, element_type, interval

MAX_NESTING = 100
"""The greatest depth to which loops and branches may nest."""

_COMMUTATIVE = frozenset({"add", "mul"})

_PLAIN = {"select"} | {
    name
    for name, primitive in PRIMITIVES.items()
    if not (callable(primitive.result) or name == "not" or name in LOWERED)
}
"""Operations whose rows fold only if an operand is a constant, or if both choices of a `select` are equal."""


_OPAQUE = frozenset({"param", "proj", "index", "acc_read"})
"""Operations that may give an array with unknown elements. A read of such an element cannot fold."""


_PARTS = frozenset({"index", "acc_index"})
"""Operations that take an element or a part: `index` of an array, and `acc_index` of an accumulator."""

_ON_SUMS = frozenset({"add_to", "acc_read"})
"""Operations that add to accumulators or read them. Equal rows of these operations are not merged."""

_SPLIT = frozenset({"stack", "zeros", "zero"})
"""Operations whose results the builder adds to an accumulator without a single `add_to` row.

It adds a short `stack` element by element, and it adds no zeros.
"""


class Rows:
    """Builds the rows of a block.

    parent: the builder of the surrounding block, or None.
    conditional: true if the block is an arm of a `Cond`. Rows must not move out of an arm.
    source: the source of the next rows (see `Block`). The tracer and the transforms set it.
    order: how many times the function being traced will be differentiated.
    rounds: if true, operations on constants fold even if the result is rounded. If false, they fold only if
        the result is exact, so that the interpreter can still compute 1/3 in any kind of number. The flag
        becomes true just before emission.
    captured: the rows of the parent that this block captures. The block's last parameters stand for these
        rows, in the same order.
    stays_open: true if rows may be added although no function is being traced.
    """

    stays_open = False

    __slots__ = (
        "_capture_index", "_const_index", "_index", "captured", "conditional", "const_types", "consts",
        "depth", "order", "params", "parent", "rounds", "rows", "source", "sources", "types",
    )  # fmt: skip

    def __init__(self, parent: Self | None = None, conditional: bool = False) -> None:
        self.parent = parent
        self.conditional = conditional
        self.order: int = parent.order if parent else 0
        self.rounds: bool = parent is not None and parent.rounds
        self.depth: int = parent.depth + 1 if parent else 0
        if self.depth > MAX_NESTING:
            raise LimitError(
                f"Loops and branches can nest at most {MAX_NESTING} deep, but here they nest {self.depth} "
                "deep. Nest them less deeply."
            )
        self.rows: list[Row] = [("zero",)]
        self.types: list[RowType] = [F64]
        self.sources: list[Any] = [None]
        self.source: Any = parent.source if parent else None
        self.consts: list[Any] = []
        self.const_types: list[ScalarType] = []
        self.params: list[int] = []
        self.captured: list[int] = []
        self._index: dict[Row, int] = {}
        self._const_index: dict[Any, int] = {}
        self._capture_index: dict[int, int] = {}

    @classmethod
    def resume(cls, block: Block) -> Self:
        """Return a builder that begins with the rows of `block`. The rows keep their numbers."""
        b = cls()
        for value, of in zip(block.consts, block.const_types, strict=True):
            b._constant(value, of)
        b.params = list(block.params)
        b.extend(block)
        return b

    def extend(self, block: Block) -> None:
        """Replace the builder's rows by the rows of `block`, which begins with the builder's rows.

        Calls and loops in `block` may have more results than in the builder.
        """
        n = 0 if len(self.rows) == 1 else len(self.rows)
        self.rows = list(block.rows)
        self.types = list(block.types)
        self.sources = list(block.sources)
        self._index.update(zip(self.rows[n:], range(n, len(self.rows)), strict=True))

    def finish(self, results: Sequence[int]) -> Block:
        """Return the finished block. A result that is the symbolic zero becomes 0.0."""
        returned = tuple([row or self.const(0.0) for row in results])  # first, because it may add a constant
        return Block(
            tuple(self.rows),
            tuple(self.types),
            tuple(self.sources),
            tuple(self.consts),
            tuple(self.const_types),
            tuple(self.params),
            returned,
        )

    # ---------------------------------------------------------------- rows

    def row(self, key: Row, of: RowType) -> int:
        """Return the number of the row `key`. Add the row if the block does not have it."""
        new = len(self.rows)
        number = self._index.setdefault(key, new)
        if number == new:
            self.rows.append(key)
            self.types.append(of)
            self.sources.append(self.source)
        return number

    def copy_plain(  # noqa: C901, PLR0912 - a call for each row would be slow
        self, block: Block, env: Any, pending: Iterator[int]
    ) -> int:
        """Copy rows of another block, and replace their operands. Stop at the first row that is not plain.

        A row is not plain if it could fold, or if it is a special row such as a loop or a call.

        env: maps each row of the block to its copy, or to None if it has not been copied. The constants,
            whose row numbers are negative, are at the end.
        pending: the rows to copy.
        Returns the row that is not plain, or ZERO if all rows have been copied.
        """
        rows, types, sources = block.rows, block.types, block.sources
        key: Row
        own, own_types, own_sources, find = self.rows, self.types, self.sources, self._index.setdefault
        for i in pending:
            if env[i] is not None:
                continue
            row = rows[i]
            op = row[0]
            n, of = len(row), types[i]
            if op not in _PLAIN:
                if op == "proj":
                    env[i] = env[row[1]][row[2]]
                    continue
                if op in _ON_SUMS:
                    key = (op, *[env[a] for a in row[1:]])
                    if own[max(key[-1], ZERO)][0] in _SPLIT:
                        return i
                    env[i] = len(own)
                    own.append(key)
                    own_types.append(of)
                    own_sources.append(sources[i])
                    continue
                if op not in _PARTS:
                    return i
                x, y = env[row[1]], env[row[2]]
                if op == "index" and (y <= 0 or own[x][0] not in _OPAQUE):
                    return i
                key = (op, x, y)
                of = element_type(own_types[x])
            elif n == 3:
                x, y = env[row[1]], env[row[2]]
                if not (x > 0 < y or (x and y and row[1] < 0 < y) or (row[2] < 0 < x)):
                    return i
                key = (op, y, x) if x > y and op in _COMMUTATIVE else (op, x, y)
            elif n == 2:
                x = env[row[1]]
                if x <= 0:
                    return i
                key = (op, x)
            else:
                x, y, z = env[row[1]], env[row[2]], env[row[3]]
                if x <= 0 or y == z or not (y and z) or of is not F64:
                    return i
                key = (op, x, y, z)
            new = len(own)
            env[i] = number = find(key, new)
            if number == new:
                own.append(key)
                own_types.append(of)
                own_sources.append(sources[i])
        return ZERO

    def known(self, op: str, operands: Sequence[int], row: int = ZERO) -> int:
        """Return the row of an operation on these operands. If the block has no such row, return `row`.

        row: if it is not ZERO, the block remembers it as the row of this operation.
        """
        key = (op, *(sorted(operands) if op in ("add", "mul") else operands))
        return self._index.setdefault(key, row) if row else self._index.get(key, ZERO)

    def effect(self, key: Row, of: RowType = EFFECT) -> int:
        """Add a row, even if the block has an equal row already."""
        number = len(self.rows)
        self.rows.append(key)
        self.types.append(of)
        self.sources.append(self.source)
        return number

    def param(self, of: RowType) -> int:
        """Add a parameter."""
        number = len(self.rows)
        self.rows.append(("param", len(self.params)))
        self.types.append(of)
        self.sources.append(self.source)
        self.params.append(number)
        return number

    def capture(self, row: int) -> int:
        """Return this block's parameter for row `row` of the parent. Add the parameter if there is none.

        For a constant of the parent, return the same constant in this block.
        """
        parent = self.parent
        assert parent is not None
        if row <= ZERO:
            return self._constant(parent.consts[~row], parent.const_types[~row]) if row else ZERO
        number = self._capture_index.get(row)
        if number is None:
            number = self._capture_index[row] = len(self.rows)
            self.rows.append(("param", len(self.params)))
            self.types.append(parent.types[row])
            self.sources.append(self.source)
            self.params.append(number)
            self.captured.append(row)
        return number

    def release(self, number: int, row: int) -> None:
        """Remove the unused parameter `number`, which stood for the parent's row `row`."""
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
        """Return the bounds of an integer row or constant."""
        return interval(self.types[row] if row >= 0 else self.const_types[~row])

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

    def _constant(self, value: Any, of: ScalarType) -> int:
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

    def constant(self, value: Any, of: ScalarType) -> int:
        """A constant of any scalar type."""
        return self._constant(value, of)

    @staticmethod
    def is_const(row: int) -> bool:
        """True if a row number stands for a constant."""
        return row < 0

    def value(self, row: int) -> Any:
        """The value of a constant."""
        return self.consts[~row]

    def zeros(self, of: RowType) -> int:
        """Return a zero of the type `of`: the constant 0, or an array of zeros."""
        if of is F64:
            return self.const(0.0)
        if isinstance(of, Array):
            return self.row(("zeros", of), of)
        return self._constant(False if of is I1 else 0, I32(0, 0) if isinstance(of, I32) else of.leaf)

"""Count the rows of a mathlib function, and estimate the size of its Wasm code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

LOCAL_BYTES = 2
REAL_CONSTANT_BYTES = 9
BRANCH_BYTES = 5
TABLE_READ_BYTES = 7
BODY_BYTES = 12
"""The number of bytes for a function's type, its header and the declarations of its locals."""
BINARY = ("add", "sub", "mul", "truediv", "and", "or", "xor", "lshift", "rshift")
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
UNARY = ("neg", "invert")
RESULTS = {"remainder_huge": 3}
"""Function that returns several values → the number of these values."""


class Row:
    """A recorded operation. Python operators, such as + on two rows, record new rows."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    __hash__ = object.__hash__


def _operator(name: str, swapped: bool) -> Callable[..., Row]:
    def apply(self: Row, *other: Any) -> Row:
        return self.trace.row(name, *other, self) if swapped else self.trace.row(name, self, *other)

    return apply


for _name in (*BINARY, *COMPARISONS, *UNARY):
    setattr(Row, f"__{_name}__", _operator(_name, swapped=False))
for _name in BINARY:
    setattr(Row, f"__r{_name}__", _operator(_name, swapped=True))


class Trace:
    """The operations of mathlib functions. Each distinct operation is recorded as one row."""

    def __init__(self) -> None:
        self.consed: dict[tuple[Any, ...], Row] = {}
        self.uses: Counter[Row] = Counter()
        self.tables: dict[tuple[Any, ...], int] = {}
        self.code_bytes = BODY_BYTES

    @property
    def rows(self) -> int:
        """The number of distinct operations."""
        return len(self.consed)

    @property
    def table_bytes(self) -> int:
        """The bytes of the constant tables."""
        return sum(8 * len(entries) for entries in self.tables)

    def row(self, name: str, *operands: Any) -> Row:
        """Record an operation and return its row. Equal operations share one row."""
        key = (name, *(a if isinstance(a, Row) else (type(a), repr(a)) for a in operands))
        if key not in self.consed:
            self.consed[key] = Row(self)
            self.code_bytes += 1 + sum(map(self._operand_bytes, operands))
        return self.consed[key]

    def _operand_bytes(self, operand: Any) -> int:
        """Estimate how many bytes of code read an operand.

        The first use of a row needs no instruction, because the row is on the stack. The second use needs
        local.tee and local.get, and each later use needs local.get.
        """
        if isinstance(operand, Row):
            self.uses[operand] += 1
            return LOCAL_BYTES * (0, 2, 1)[min(self.uses[operand] - 1, 2)]
        return REAL_CONSTANT_BYTES if isinstance(operand, float) else 2 + int(operand).bit_length() // 7

    def __getattr__(self, name: str) -> Callable[..., Row]:
        return lambda *operands: self.row(name, *operands)

    def table(self, entries: tuple[Any, ...], n: Row) -> Row:
        number = self.tables.setdefault(entries, len(self.tables))
        self.code_bytes += TABLE_READ_BYTES
        return self.row("table", n, number)

    def call(self, name: str, *arguments: Any) -> Any:
        called = self.row(f"call {name}", *arguments)
        return (
            tuple(self.row(f"result {i}", called) for i in range(RESULTS[name]))
            if name in RESULTS
            else called
        )

    def repeat(self, test: Callable[[Any], Row], step: Callable[[Any], Any], start: Any) -> Any:
        """Record the rows of a loop. Its test and its body are each recorded once."""
        self.code_bytes += BRANCH_BYTES
        if not isinstance(start, tuple):
            carry = Row(self)
            return self.row("repeat", start, test(carry), step(carry))
        carries = tuple(Row(self) for _ in start)
        loop = self.row("repeat", *start, test(carries), *step(carries))
        return tuple(self.row(f"carry {k}", loop) for k in range(len(start)))

    def cond(self, p: Row, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        self.code_bytes += BRANCH_BYTES
        arms = then(), otherwise()
        if not isinstance(arms[0], tuple):
            return self.row("cond", p, *arms)
        return tuple(self.row(f"cond {i}", p, *pair) for i, pair in enumerate(zip(*arms, strict=True)))


def trace(functions: Mapping[str, Callable[..., Any]], name: str) -> Trace:
    """Trace the function `name`. Return the trace, which counts its rows and bytes."""
    function = functions[name]
    ops = Trace()
    function(ops, *(Row(ops) for _ in range(function.__code__.co_argcount - 1)))
    return ops

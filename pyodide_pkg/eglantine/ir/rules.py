"""What a row of the table of primitives says: its types, its rules, its instruction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from .row_types import I32, RowType

MAX_INDEX: Final = (1 << 31) - 1
"""The greatest index, and the least but for its sign."""


class _Rows(Protocol):  # noqa: PYI046 - signatures of other modules name it
    """What the rules use of the builder in which they make rows."""

    source: Any
    rows: list[Any]

    @staticmethod
    def is_const(row: int) -> bool: ...
    def interval(self, row: int) -> I32: ...
    def const(self, value: float) -> int: ...
    def int_const(self, value: int) -> int: ...
    def check(self, i: int, n: int) -> int: ...
    def add(self, a: int, b: int) -> int: ...
    def sub(self, a: int, b: int) -> int: ...
    def mul(self, a: int, b: int) -> int: ...
    def div(self, a: int, b: int) -> int: ...
    def neg(self, a: int) -> int: ...
    def un(self, op: str, a: int) -> int: ...
    def bi(self, op: str, a: int, b: int) -> int: ...
    def select(self, p: int, a: int, b: int) -> int: ...


class _NoTangent:
    """Nothing to differentiate: the operation leaves the reals, or is constant almost everywhere."""

    def __repr__(self) -> str:
        return "NO_TANGENT"


NO_TANGENT: Final = _NoTangent()


@dataclass(frozen=True, slots=True)
class Chooses:
    """The result is the first operand where `first(b, x, y)` holds, else the second."""

    first: Callable[..., int]


@dataclass(frozen=True, slots=True)
class Lowered:
    """Emitted as other rows, which `build(b, x, …)` makes just before emission."""

    build: Callable[..., int]


class _Library:
    """Emitted as a call of the library function of the same name."""

    def __repr__(self) -> str:
        return "LIBRARY"


LIBRARY: Final = _Library()

Interval = Callable[..., I32]


@dataclass(frozen=True, slots=True)
class Primitive:
    """One operation.

    operands: dtypes of its operands.
    result: its row type, or for integers a function from the operands' intervals to the result's.
    evaluate: its value from its operands' values; None where only the library's rows say it.
    derivative: partial derivatives, a `Chooses`, or NO_TANGENT.
    wasm: opcode bytes that come after the operands, LIBRARY, or a `Lowered`.
    """

    operands: tuple[str, ...]
    result: RowType | Interval
    evaluate: Callable[..., Any] | None
    derivative: Any
    wasm: Any

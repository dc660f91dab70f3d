"""Classes for the table of primitives. They describe the types, rules and notation of an operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from .row_types import I32, RowType

MAX_INDEX: Final = (1 << 31) - 1
"""The largest magnitude of an index: 2³¹ − 1."""


class _Rows(Protocol):  # noqa: PYI046 - signatures of other modules name it
    """The attributes and methods of the builder that the rules in the table of primitives use."""

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
    def powi(self, a: int, n: int) -> int: ...


class _NoTangent:
    """The rule of an operation without a derivative, because its operands or its result are not Reals."""

    def __repr__(self) -> str:
        return "NO_TANGENT"


NO_TANGENT: Final = _NoTangent()


@dataclass(frozen=True, slots=True)
class Chooses:
    """The rule of an operation that returns one of its last two operands, such as min.

    first: a function. `first(b, x, …)` adds a row that is true if the operation returns the first of the two.
    """

    first: Callable[..., int]


@dataclass(frozen=True, slots=True)
class Lowered:
    """Marks an operation without an instruction. Before emission, the rows of `build(b, x, …)` replace it."""

    build: Callable[..., int]


class _Library:
    """Marks an operation that becomes a call of the library function with the same name."""

    def __repr__(self) -> str:
        return "LIBRARY"


LIBRARY: Final = _Library()

Interval = Callable[..., I32]


@dataclass(frozen=True, slots=True)
class Domain:
    """The domain of an operation on one Real.

    contains: a function of x. It returns True if the operation is defined at x.
    outside: a phrase for error messages that describes an argument outside the domain.
    """

    contains: Callable[[float], bool]
    outside: str = "a number outside its domain, {x!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """How people write and read an operation. An empty `name` or `shown` means the operation's own name.

    doc: the docstring of the function in `eg.math`, or "" if `eg.math` does not have the function.
    name: the operation's name in `eg.math` and in formulas.
    aliases: the operation's other names in formulas.
    variadic: true if a formula may pass more arguments than the operation has operands, as in max(x, y, z).
    shown: the operation's name in simplified expressions.
    tex: the operation's name in TeX. If `tex` is empty, TeX shows the name `shown` in upright letters.
    bare: true if a simple argument needs no brackets, as in sin 2x.
    symmetry: "odd" if f(-x) is -f(x), "even" if f(-x) is f(x), else "".
    """

    doc: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()
    variadic: bool = False
    shown: str = ""
    tex: str = ""
    bare: bool = False
    symmetry: Literal["", "odd", "even"] = ""


@dataclass(frozen=True, slots=True)
class Primitive:
    """An entry in the table of primitives. It describes one operation.

    operands: the dtypes of its operands. "any" allows an operand of any type.
    result: the row type of its result. For an integer result, it is a function that computes the result's
        interval from the operands' intervals.
    evaluate: a function that computes the result from the operands' values. It is None if a function of
        `mathlib` computes the result.
    derivative: a function that adds rows for the partial derivatives, a `Chooses`, or NO_TANGENT.
    wasm: the bytes of the operation's Wasm instruction, LIBRARY, or a `Lowered`.
    data: the number of plain values after the operands in a row, such as the n of `powi`. The rules take
        these values after the operands.
    pole: a finite argument where the derivative is infinite, as text for messages. "" if there is none.
    domain: the arguments at which the operation is defined, or None if it is defined everywhere.
    notation: how people write the operation, or None if only the compiler uses it.
    """

    operands: tuple[str, ...]
    result: RowType | Callable[..., Any]
    evaluate: Callable[..., Any] | None
    derivative: Any
    wasm: Any
    data: int = 0
    pole: str = ""
    domain: Domain | None = None
    notation: Notation | None = None

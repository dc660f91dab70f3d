"""The form of the table of primitives: the types, rules, instruction and notation of an operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from .row_types import I32, RowType

MAX_INDEX: Final = (1 << 31) - 1
"""The largest magnitude of an index: 2³¹ − 1."""


class _Rows(Protocol):  # noqa: PYI046 - signatures of other modules name it
    """The part of the builder that the rules use."""

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
    """The rule of an operation that leaves the reals, so that no tangent passes through it."""

    def __repr__(self) -> str:
        return "NO_TANGENT"


NO_TANGENT: Final = _NoTangent()


@dataclass(frozen=True, slots=True)
class Chooses:
    """The result is one of the last two operands: where `first(b, x, …)` holds, the first of them."""

    first: Callable[..., int]


@dataclass(frozen=True, slots=True)
class Lowered:
    """The operation is emitted as other rows, which `build(b, x, …)` makes just before emission."""

    build: Callable[..., int]


class _Library:
    """The operation is emitted as a call of the library function of the same name."""

    def __repr__(self) -> str:
        return "LIBRARY"


LIBRARY: Final = _Library()

Interval = Callable[..., I32]


@dataclass(frozen=True, slots=True)
class Domain:
    """Where an operation of one Real is defined, and how a message names the other arguments.

    contains: whether the operation is defined at x.
    outside: a format for an argument x at which it is not.
    """

    contains: Callable[[float], bool]
    outside: str = "a number outside its domain, {x!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """How people write and read an operation. An empty name stands for the operation's own.

    doc: the docstring of the function in `eg.math`; empty if `eg.math` does not have it.
    name: its name in `eg.math` and in formulas.
    aliases: its other names in formulas.
    variadic: whether formulas may give it more arguments than it has operands.
    shown: its name in expressions that are simplified to be shown.
    tex: its name in TeX; empty for the shown name in upright letters.
    bare: whether it stands before a plain argument without brackets, as in sin 2x.
    symmetry: whether f(-x) is -f(x) or f(x).
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
    """One operation.

    operands: the dtypes of its operands; "any" where operands of all types will do.
    result: its row type. For integers, a function from the operands' intervals to the result's.
    evaluate: a function from the operands' values to the result's, or None if only the library's rows say it.
    derivative: the partial derivatives, a `Chooses`, or NO_TANGENT.
    wasm: the instruction that comes after the operands, LIBRARY, or a `Lowered`.
    data: how many entries that are no rows follow the operands in a row. The rules get them in that place.
    pole: a finite argument at which the derivative is infinite, as a message writes it; "" if there is none.
    domain: where it is defined, if that is not everywhere.
    notation: how people write it, if they do.
    """

    operands: tuple[str, ...]
    result: RowType | Interval
    evaluate: Callable[..., Any] | None
    derivative: Any
    wasm: Any
    data: int = 0
    pole: str = ""
    domain: Domain | None = None
    notation: Notation | None = None

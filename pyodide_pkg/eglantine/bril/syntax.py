"""Bril programs as data: functions, labels and instructions, each with its place in the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .mistakes import Place

Type: TypeAlias = "str | Pointer"
"""The name of a type ("int", "bool", "float" or "char"), or a pointer."""


NOWHERE = Place(0, 0)


@dataclass(frozen=True, slots=True)
class Pointer:
    """The type of pointers to values of the type `to`."""

    to: Type

    def __str__(self) -> str:
        return f"ptr<{self.to}>"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    name: str
    type: Type
    place: Place


@dataclass(frozen=True, slots=True)
class Label:
    """A label among the instructions of a function. Its name is stored without the dot."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    dest, type: the variable for the result, and the variable's type. Both are None if there is no result.
    args, funcs, labels: the names of the variables, functions and labels in the instruction, without the
        marks `@` and `.`.
    value: the value of a constant.
    place: the start of the instruction in the text. places: the start of each operand, by kind and position.
    """

    op: str
    dest: str | None = None
    type: Type | None = None
    args: tuple[str, ...] = ()
    funcs: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    value: Any = None
    place: Place = NOWHERE
    places: dict[tuple[str, int], Place] = field(default_factory=dict, compare=False)

    def at(self, kind: str, position: int = 0) -> Place:
        """Return the place of an operand in the text. If it is unknown, return the instruction's place."""
        return self.places.get((kind, position), self.place)


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function of a program's text. `type` is the type of its result, or None if it returns nothing."""

    name: str
    parameters: tuple[Parameter, ...]
    type: Type | None
    body: tuple[Label | Instruction, ...]
    place: Place

    @property
    def instructions(self) -> Iterable[Instruction]:
        """The instructions without the labels."""
        return (item for item in self.body if isinstance(item, Instruction))


FLOAT, INT, BOOL, CHAR = "float", "int", "bool", "char"

BINARY = {
    **dict.fromkeys(("add", "sub", "mul", "div"), (INT, INT)),
    **dict.fromkeys(("eq", "lt", "gt", "le", "ge"), (INT, BOOL)),
    **dict.fromkeys(("and", "or"), (BOOL, BOOL)),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv"), (FLOAT, FLOAT)),
    **dict.fromkeys(("feq", "flt", "fle", "fgt", "fge"), (FLOAT, BOOL)),
    **dict.fromkeys(("ceq", "clt", "cle", "cgt", "cge"), (CHAR, BOOL)),
}
"""For each operation on two operands of one type, the type of the operands and the type of the result."""

UNARY = {
    "not": (BOOL, BOOL),
    "char2int": (CHAR, INT),
    "int2char": (INT, CHAR),
    "float2bits": (FLOAT, INT),
    "bits2float": (INT, FLOAT),
}
"""For each operation on one operand, the type of the operand and the type of the result."""

ENDS = frozenset({"jmp", "br", "ret"})
"""The operations that end a basic block."""

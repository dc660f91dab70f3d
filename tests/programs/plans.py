"""A plan describes a well-typed program by nested tuples, which can be printed.

A body is a tuple of statements. Each statement computes a value, and later statements refer to the value by
its position. Bodies of loops and branches can use all values of the enclosing bodies. Some statements
differentiate a function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg
from tests.programs.choices import Choices

Kind = tuple[Any, ...]
"""The kind of a value: ("R",) a Real, ("B",) a Bool, ("I", n) an index below n, ("V", n, kind) a Vec,
("P", kind, …) a tuple, ("S", kind, kind) a struct with the fields a and b."""

Statement = tuple[Any, ...]

REAL: Kind = ("R",)
BOOL: Kind = ("B",)


def vec_of(n: int, kind: Kind = REAL) -> Kind:
    """The kind of a Vec."""
    return ("V", n, kind)


def is_reals(kind: Kind) -> bool:
    """True if all leaves of a kind are Reals."""
    match kind[0]:
        case "R":
            return True
        case "V":
            return is_reals(kind[2])
        case "P" | "S":
            return all(map(is_reals, kind[1:]))
    return False


def type_of(kind: Kind) -> Any:
    """Eglantine's type for this kind."""
    match kind[0]:
        case "R":
            return eg.Real
        case "B":
            return eg.Bool
        case "I":
            return eg.Fin(kind[1])
        case "V":
            return eg.Vec(kind[1], type_of(kind[2]))
        case "P":
            return tuple(map(type_of, kind[1:]))
    return {"a": type_of(kind[1]), "b": type_of(kind[2])}


def value(kind: Kind, c: Choices, *, wild: bool = False) -> Any:
    """Draw a plain value of the given kind. If `wild`, it may contain infinities, NaN and −0."""
    match kind[0]:
        case "R":
            return c.wild() if wild else c.tame()
        case "B":
            return c.flag()
        case "I":
            return c.below(kind[1])
        case "V":
            return [value(kind[2], c, wild=wild) for _ in range(kind[1])]
        case "P":
            return tuple(value(part, c, wild=wild) for part in kind[1:])
    return {"a": value(kind[1], c, wild=wild), "b": value(kind[2], c, wild=wild)}


def tangent(of: Any, c: Choices) -> Any:
    """Draw a plain value of a type that contains only Reals and Units."""
    match of:
        case eg.types.RealType():
            return c.tame()
        case eg.types.VecType(n, element):
            return [tangent(element, c) for _ in range(n)]
        case eg.types.TupleType(items):
            return tuple(tangent(item, c) for item in items)
        case eg.types.StructType(fields):
            return {name: tangent(item, c) for name, item in fields}
    return None


@dataclass(frozen=True)
class Plan:
    """The description of a function.

    params: the kinds of the parameters.
    results: the positions of the returned values among all values: the parameters, then the statements'
        values.
    callees: the plans of the functions that the body may call or differentiate.
    rule: true if the function has a custom derivative. Then it has one Real parameter and one Real result.
    """

    params: tuple[Kind, ...]
    body: tuple[Statement, ...]
    results: tuple[int, ...]
    callees: tuple[Plan, ...] = ()
    rule: bool = False

    def arguments(self, c: Choices, *, wild: bool = False) -> list[Any]:
        """Plain values for its parameters."""
        return [value(kind, c, wild=wild) for kind in self.params]

"""Choose operands of random statements from the values in scope."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.programs.choices import Choices
from tests.programs.plans import REAL, Kind, Plan, Statement

Drawn = tuple[Statement, Kind]
Seen = list[Kind]


@dataclass(frozen=True)
class Style:
    """The features that a program may have.

    smooth: if true, the program uses only smooth functions, and has no effects.
    total: if true, no index can be out of range.
    """

    smooth: bool = False
    total: bool = False


PLAIN = Style()


class Operands(ABC):
    """Draws a body of statements, and chooses their operands at random.

    callees: the functions that may be called.
    depth: the number of enclosing bodies.
    """

    def __init__(self, c: Choices, style: Style, callees: Sequence[Plan], depth: int) -> None:
        self.c, self.style, self.callees, self.depth = c, style, callees, depth
        self.smooth = style.smooth

    @abstractmethod
    def statement(self, seen: Seen) -> Drawn:
        """Draw the next statement. Return it and the kind of its value."""

    def body(self, kinds: Sequence[Kind], size: int) -> tuple[tuple[Statement, ...], Seen]:
        """Draw a body with at most `size` statements. `kinds` lists the kinds of its parameters.

        Return the statements, and the kinds of all values (the parameters and the statements' values).
        """
        seen = list(kinds)
        statements = []
        for _ in range(1 + max(self.c.below(size), self.c.below(size))):
            statement, kind = self.statement(seen)
            statements.append(statement)
            seen.append(kind)
        return tuple(statements), seen

    def inner(self, kinds: Sequence[Kind], size: int = 4) -> tuple[tuple[Statement, ...], Seen]:
        """A random body inside this one."""
        return type(self)(self.c, self.style, self.callees, self.depth + 1).body(kinds, size)

    def of(self, seen: Seen, kind: Kind) -> int:
        """Choose a value of the given kind, usually the newest. Return its position."""
        found = [k for k, other in enumerate(seen) if other == kind]
        return found[-1] if not self.c.flag() else self.c.one(found)

    def any(self, seen: Seen, letter: str) -> int:
        """Choose a value by its kind. If `letter` is "RV", the kind may be ("R",) or ("V", n, kind)."""
        return self.c.one([k for k, kind in enumerate(seen) if kind[0] in letter])

    def real(self, seen: Seen) -> int:
        return self.of(seen, REAL)

    def reals(self, seen: Seen) -> int:
        """The position of a Vec of Reals."""
        return self.c.one([k for k, kind in enumerate(seen) if kind[0] == "V" and kind[2] == REAL])

    def index_or(self, seen: Seen, n: int) -> Any:
        """Choose an index for a Vec of length n: a constant, or an index in scope.

        For an index in scope, return a pair. Its second item is the index's position. Its first item ("mod",
        "reversed" or "checked") says how to bring the index into the range of the Vec.
        """
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I"]
        if not indices or self.c.below(4) == 0:
            return self.c.between(-n, n - 1)
        how = ("mod", "reversed", "mod", "reversed", "mod", "mod" if self.style.total else "checked")
        return self.c.one(how), self.c.one(indices)

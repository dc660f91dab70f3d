"""Fold operations on scalars: replace an operation by a constant or an existing row with the same value.

Every rewrite here is exact in IEEE arithmetic, to the last bit. We fold x·1, x−0, −−x and constants, but
never x+0, 0·x or x−x. The symbolic zero (row 0) stands for a missing tangent. x plus the symbolic zero folds
to x, and x times the symbolic zero folds to the symbolic zero. The number 0.0 does not fold like this.
"""

from __future__ import annotations

import math
from typing import Any

from eglantine import ieee as numbers
from eglantine.errors import LimitError

from .primitives import PRIMITIVES
from .row_types import F64, ZERO, either
from .rows import Rows
from .rules import MAX_INDEX

MAX_WHOLE = 1 << 53
"""2⁵³. Every whole number with a smaller magnitude is exactly a float."""

ROUNDED = frozenset({"mod", "floordiv"})
"""Operations whose result may be rounded. They fold two constants only just before emission."""

_IDENTITY = frozenset({"and", "or", "xor", "iadd", "isub", "imul"})
"""Operations that may fold if only one operand is a constant. For example, x + 0 folds to x."""


class Folding(Rows):
    """Builds rows, and folds operations on scalars."""

    __slots__ = ()

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
        """Fold `op` on two constants to `value`. If this rounds but `rounds` is false, add a row instead."""
        if self.rounds or _is_exact(op, self.consts[~a], self.consts[~b], value):
            return self.const(value)
        return self.row((op, a, b), F64)

    def select(self, p: int, a: int, b: int) -> int:
        """The value a if p is true, else b."""
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
            of = either(of, other)
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
        if not callable(primitive.result):
            return self.row((op, a, b), primitive.result)
        of = primitive.result(self.interval(a), self.interval(b))
        if of.lo < -MAX_INDEX or of.hi > MAX_INDEX:
            raise LimitError(
                f"This index may range from {of.lo} to {of.hi}, but an index has at most 32 bits. "
                "Bound it with eg.Fin(n)(i)."
            )
        return self.int_const(of.lo) if of.lo == of.hi else self.row((op, a, b), of)

    def _fold(self, primitive: Any, *values: Any) -> int | None:
        if primitive.evaluate is None:
            return None
        result = primitive.evaluate(*values)
        if callable(primitive.result):
            return self.int_const(result)
        return self._constant(result, primitive.result)

    def _identity(self, op: str, a: int, b: int) -> int | None:
        """Try to fold an operation with one constant operand. Return a row with the same value, or None.

        For integers, x + 0 folds to x. For truth values, `p and false` folds to false.
        """
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


def _is_minus_zero(value: Any) -> bool:
    return value == 0.0 and math.copysign(1.0, value) < 0.0


def _has_exact_reciprocal(value: float) -> bool:
    """True if 1/value is exact, so that x/value equals x·(1/value).

    This is true for powers of two. We return False for very large and very small powers, because their
    reciprocals may be inexact.
    """
    return math.frexp(value)[0] in (0.5, -0.5) and 2.0**-1000 < abs(value) < 2.0**1000


def _is_exact(op: str, x: float, y: float, z: float) -> bool:
    """True if z, the rounded result of x op y, is exact. An infinite result and NaN count as exact."""
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


ARITHMETIC = {"add": Folding.add, "sub": Folding.sub, "mul": Folding.mul, "div": Folding.div}
"""Maps the four most frequent operations to the methods that add their rows."""

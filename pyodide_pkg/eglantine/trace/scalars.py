"""Traced scalars and their operators. A traced scalar stands for a number while a function is traced.

Each operand belongs to a block. An operator adds its rows to the innermost of these blocks. So a row that
does not depend on the round of a loop is added outside the loop. Rows never leave an arm of a branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.builder import Builder
from eglantine.plain.symbolic import current
from eglantine.types import FinType

from .traced import (
    Traced,
    _getframe,
    _is_foreign,
    _mismatch,
    builder_for,
    call_site,
    lift,
    out_of_range,
)

LONGEST_WHOLE_POWER = 1024
"""The largest |n| for which x ** n is computed by repeated multiplication."""


def real_row(b: Builder, value: Any, op: str = "arithmetic", other: Any = None) -> int:
    """Convert a Real, an index or a plain number to a Real. Return its row in `b`."""
    kind = type(value)
    if kind is RealValue:
        return value.row if value.scope is b else lift(b, value)
    if kind is IndexValue:
        return b.un("real_i32", lift(b, value))
    plain = kind is float or kind is int
    if not plain and (isinstance(value, Traced | bool) or not is_plain_number(value)):
        raise _mismatch(op, other if other is not None else value, value)
    try:
        return b.const(float(value))
    except OverflowError:
        raise TypeMismatchError(
            f"This integer of {value.bit_length()} bits is too large for a Real, because a Real is a float. "
            "Use a smaller number."
        ) from None


def is_plain_number(value: Any) -> bool:
    """True if a plain value may be used as a Real."""
    return (isinstance(value, float | int) and not isinstance(value, bool)) or (
        hasattr(value, "__float__") and not getattr(value, "shape", ()) and not isinstance(value, str)
    )


def _arithmetic(symbol: str, build: Callable[[Builder, int, int], int], reflected: bool = False) -> Any:
    def operator(self: RealValue, other: Any, depth: int = 1) -> Any:
        is_real = type(other) is RealValue
        if not is_real and _is_foreign(other):
            return NotImplemented
        b = current.get()
        if self.scope is not b or (is_real and other.scope is not b):
            b = builder_for(self, other)
        frame = _getframe(depth)
        b.source = (frame.f_code, frame.f_lasti)
        x = self.row if self.scope is b else lift(b, self)
        y = other.row if is_real and other.scope is b else real_row(b, other, symbol, self)
        return RealValue(b, build(b, y, x) if reflected else build(b, x, y))

    return operator


def _comparison(symbol: str, op: str) -> Any:
    def build(b: Builder, x: int, y: int) -> int:
        return b.bi(op, x, y)

    compute = _arithmetic(symbol, build)

    def operator(self: RealValue, other: Any) -> Any:
        result = compute(self, other, 2)
        return result if result is NotImplemented else BoolValue(result.scope, result.row)

    return operator


def floor_divide(b: Builder, x: int, y: int) -> int:
    """x // y, with the same result as in Python."""
    return b.bi("floordiv", x, y)


def modulo(b: Builder, x: int, y: int) -> int:
    """x % y, with the same result as in Python. x % 1 becomes x − floor(x), which has the same bits."""
    if y < 0 and b.value(y) == 1.0:
        return b.sub(x, b.un("floor", x))
    return b.bi("mod", x, y)


def _pow(b: Builder, x: int, y: int) -> int:
    return b.bi("pow", x, y)


class RealValue(Traced):
    """A traced Real."""

    __slots__ = ()
    __hash__ = object.__hash__
    _noun = "Real"

    __add__ = _arithmetic("+", Builder.add)
    __radd__ = _arithmetic("+", Builder.add, reflected=True)
    __sub__ = _arithmetic("-", Builder.sub)
    __rsub__ = _arithmetic("-", Builder.sub, reflected=True)
    __mul__ = _arithmetic("*", Builder.mul)
    __rmul__ = _arithmetic("*", Builder.mul, reflected=True)
    __truediv__ = _arithmetic("/", Builder.div)
    __rtruediv__ = _arithmetic("/", Builder.div, reflected=True)
    __floordiv__ = _arithmetic("//", floor_divide)
    __rfloordiv__ = _arithmetic("//", floor_divide, reflected=True)
    __mod__ = _arithmetic("%", modulo)
    __rmod__ = _arithmetic("%", modulo, reflected=True)
    _power = _arithmetic("**", _pow)
    __rpow__ = _arithmetic("**", _pow, reflected=True)
    __lt__ = _comparison("<", "lt")
    __le__ = _comparison("<=", "le")
    __gt__ = _comparison(">", "gt")
    __ge__ = _comparison(">=", "ge")
    __eq__ = _comparison("==", "eq")
    __ne__ = _comparison("!=", "ne")

    def __pow__(self, n: Any) -> Any:
        if (
            isinstance(n, int | float)
            and not isinstance(n, bool)
            and n == n // 1
            and abs(n) <= LONGEST_WHOLE_POWER
        ):
            b = builder_for(self)
            frame = _getframe(1)
            b.source = (frame.f_code, frame.f_lasti)
            return RealValue(b, b.powi(lift(b, self), int(n)))
        return self._power(n, 2)

    def __neg__(self) -> RealValue:
        return unary("neg", self)

    def __pos__(self) -> RealValue:
        return self

    def __abs__(self) -> RealValue:
        return unary("abs", self)


def unary(op: str, value: RealValue) -> RealValue:
    """Apply a unary primitive to a traced Real."""
    b = current.get()
    if value.scope is not b:
        b = builder_for(value)
    frame = _getframe(2)
    b.source = (frame.f_code, frame.f_lasti)
    return RealValue(b, b.un(op, value.row if value.scope is b else lift(b, value)))


def binary(op: str, x: Any, y: Any) -> RealValue:
    """Apply a binary primitive to two Reals or numbers. At least one of them is traced."""
    b = builder_for(*(value for value in (x, y) if isinstance(value, Traced)))
    frame = _getframe(2)
    b.source = (frame.f_code, frame.f_lasti)
    return RealValue(b, b.bi(op, real_row(b, x, op, y), real_row(b, y, op, x)))


def bool_row(b: Builder, value: Any, op: str = "logic", other: Any = None) -> int:
    """Return the row in `b` of a Bool or a plain truth value."""
    if isinstance(value, BoolValue):
        return lift(b, value)
    if is_plain_bool(value):
        return b.bool_const(bool(value))
    raise _mismatch(op, other if other is not None else value, value)


def is_plain_bool(value: Any) -> bool:
    """Return True for a bool of Python or NumPy. Before version 2, NumPy named its class `bool_`."""
    return type(value).__name__ in ("bool", "bool_")


def _logical(symbol: str, op: str) -> Any:
    def operator(self: BoolValue, other: Any) -> Any:
        if _is_foreign(other):
            return NotImplemented
        b = builder_for(self, other)
        b.source = call_site(1)
        return BoolValue(b, b.bi(op, bool_row(b, self), bool_row(b, other, symbol, self)))

    return operator


class BoolValue(Traced):
    """A traced Bool."""

    __slots__ = ()
    __hash__ = object.__hash__
    _noun = "Bool"

    __and__ = __rand__ = _logical("&", "and")
    __or__ = __ror__ = _logical("|", "or")
    __xor__ = __rxor__ = __ne__ = _logical("^", "xor")

    def __invert__(self) -> BoolValue:
        b = builder_for(self)
        return BoolValue(b, b.un("not", lift(b, self)))

    def __eq__(self, other: object) -> Any:
        return ~(self ^ other)


def index_row(b: Builder, value: Any, op: str = "index arithmetic", other: Any = None) -> int:
    """Return the row in `b` of an index or a plain integer."""
    if isinstance(value, IndexValue):
        return lift(b, value)
    if isinstance(value, int) and not isinstance(value, bool):
        return b.int_const(value)
    if not isinstance(value, Traced) and hasattr(value, "__index__") and not isinstance(value, bool):
        return b.int_const(value.__index__())
    raise _mismatch(op, other if other is not None else value, value)


def _is_real(value: Any) -> bool:
    """Return True for a Real and for a plain number that is not an integer."""
    if isinstance(value, RealValue | float):
        return True
    return not (isinstance(value, Traced | int) or hasattr(value, "__index__")) and is_plain_number(value)


def _integral(symbol: str, op: str, reflected: bool = False, result: type[Traced] | None = None) -> Any:
    def operator(self: IndexValue, other: Any) -> Any:
        if _is_foreign(other):
            return NotImplemented
        b = builder_for(self, other)
        b.source = call_site(1)
        if _is_real(other):
            return _of_reals(b, symbol, other, self) if reflected else _of_reals(b, symbol, self, other)
        x, y = index_row(b, self), index_row(b, other, symbol, self)
        if reflected:
            x, y = y, x
        if op in ("ifloordiv", "imod"):
            bounds = b.interval(y)
            if bounds.lo <= 0 <= bounds.hi:
                raise TypeMismatchError(
                    f"The divisor of `{symbol}` must never be 0, but this index ranges from {bounds.lo} to "
                    f"{bounds.hi}. Add 1 to it, or bound it."
                )
        return (result or IndexValue)(b, b.bi(op, x, y))

    return operator


def _promoting(symbol: str, reflected: bool = False) -> Any:
    """Make an operator for indices. It converts its operands to Reals."""

    def operator(self: IndexValue, other: Any) -> Any:
        if _is_foreign(other):
            return NotImplemented
        b = builder_for(self, other)
        b.source = call_site(1)
        return _of_reals(b, symbol, other, self) if reflected else _of_reals(b, symbol, self, other)

    return operator


def _of_reals(b: Builder, symbol: str, x: Any, y: Any) -> Any:
    """Convert both operands to Reals and apply the operator `symbol`. An operand may be an index."""
    if symbol == "**" and type(y) is int and abs(y) <= LONGEST_WHOLE_POWER:
        return RealValue(b, b.powi(real_row(b, x), y))
    build = _REAL_ROWS.get(symbol)
    rows = real_row(b, x, symbol, y), real_row(b, y, symbol, x)
    return RealValue(b, build(b, *rows)) if build else BoolValue(b, b.bi(_REAL_COMPARISONS[symbol], *rows))


_REAL_ROWS: dict[str, Callable[[Builder, int, int], int]] = {
    "+": Builder.add, "-": Builder.sub, "*": Builder.mul, "/": Builder.div, "//": floor_divide, "%": modulo,
    "**": _pow,
}  # fmt: skip
_REAL_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


class IndexValue(Traced):
    """A traced integer with known bounds. In an operation with a Real, the index becomes a Real."""

    __slots__ = ()
    __hash__ = object.__hash__
    _noun = "index"

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value that the index can have."""
        of = self.scope.interval(self.row)
        return of.lo, of.hi

    def __eglantine_fin__(self, of: FinType) -> IndexValue:
        """Return this index with the bound `of.n`. The program checks the bound if necessary."""
        b = current.get() or self.scope
        lo, hi = self.bounds
        if hi < 0 or lo >= of.n:
            raise out_of_range(f"an index from {lo} to {hi}", of.n, f"eg.Fin({of.n})")
        b.source = call_site(2)
        return IndexValue(b, b.check(lift(b, self), of.n))

    __add__ = _integral("+", "iadd")
    __radd__ = _integral("+", "iadd", reflected=True)
    __sub__ = _integral("-", "isub")
    __rsub__ = _integral("-", "isub", reflected=True)
    __mul__ = _integral("*", "imul")
    __rmul__ = _integral("*", "imul", reflected=True)
    __floordiv__ = _integral("//", "ifloordiv")
    __rfloordiv__ = _integral("//", "ifloordiv", reflected=True)
    __mod__ = _integral("%", "imod")
    __rmod__ = _integral("%", "imod", reflected=True)
    __truediv__ = _promoting("/")
    __rtruediv__ = _promoting("/", reflected=True)
    __pow__ = _promoting("**")
    __rpow__ = _promoting("**", reflected=True)
    __lt__ = _integral("<", "ilt", result=BoolValue)
    __le__ = _integral("<=", "ile", result=BoolValue)
    __gt__ = _integral(">", "igt", result=BoolValue)
    __ge__ = _integral(">=", "ige", result=BoolValue)
    __eq__ = _integral("==", "ieq", result=BoolValue)
    __ne__ = _integral("!=", "ine", result=BoolValue)

    def __neg__(self) -> IndexValue:
        negated: IndexValue = 0 - self
        return negated

    def __pos__(self) -> IndexValue:
        return self

    def __abs__(self) -> IndexValue:
        if self.bounds[0] >= 0:
            return self
        b = builder_for(self)
        b.source = call_site(1)
        i = lift(b, self)
        zero = b.int_const(0)
        return IndexValue(b, b.select(b.bi("ilt", i, zero), b.bi("isub", zero, i), i))

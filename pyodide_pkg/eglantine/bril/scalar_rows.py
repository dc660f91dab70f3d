"""Write the rows of Bril's operations on scalars. Ints, chars and pointers are 64-bit integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64, I1, I64, RowType

from .syntax import BOOL, FLOAT, Instruction, Type

_ROWS: Final = {
    "add": "ladd", "sub": "lsub", "mul": "lmul",
    "eq": "leq", "lt": "llt", "le": "lle", "gt": "lgt", "ge": "lge",
    "ceq": "leq", "clt": "llt", "cle": "lle", "cgt": "lgt", "cge": "lge",
    "fadd": "add", "fsub": "sub", "fmul": "mul", "fdiv": "div",
    "feq": "eq", "flt": "lt", "fle": "le", "fgt": "gt", "fge": "ge", "and": "and", "or": "or",
}  # fmt: skip
"""The primitive for each operation on two operands."""


def row_type(of: Type) -> RowType:
    """The row type of a variable's values."""
    if of == FLOAT:
        return F64
    return I1 if of == BOOL else I64


def constant_row(b: Builder, value: Any, of: Type) -> int:
    """The row of a constant."""
    if of == FLOAT:
        return b.const(float(value))
    if of == BOOL:
        return b.bool_const(bool(value))
    return b.constant(ord(value) if isinstance(value, str) else value, I64)


def operation_row(b: Builder, item: Instruction, rows: Sequence[int]) -> int:
    """The row of an operation on scalars."""
    match item.op:
        case "div":
            return _quotient_row(b, item, *rows)
        case "not":
            return b.un("not", rows[0])
        case "char2int":
            return rows[0]
        case "int2char":
            return _character_row(b, item, rows[0])
        case "float2bits":
            return b.un("bits", rows[0])
        case "bits2float":
            return b.un("from_bits", rows[0])
    return b.bi(_ROWS[item.op], rows[0], rows[1])


def _where(item: Instruction) -> str:
    return f"(Bril, line {item.place.line})"


def _quotient_row(b: Builder, item: Instruction, x: int, y: int) -> int:
    """Write the integer division x / y.

    It rounds toward zero, wraps around at 64 bits, and fails if y is 0.
    """
    zero, one, minus_one = (b.constant(n, I64) for n in (0, 1, -1))
    if y < 0 and b.value(y) not in (0, -1):
        return b.bi("lquotient", x, y)
    b.require(
        b.bi("lne", y, zero), f"This is a division by zero. Make sure the divisor is not 0. {_where(item)}"
    )
    is_special = b.bi("or", b.bi("leq", y, zero), b.bi("leq", y, minus_one))
    quotient = b.bi("lquotient", x, b.select(is_special, one, y))
    return b.select(b.bi("leq", y, minus_one), b.bi("lsub", zero, x), quotient)


def _character_row(b: Builder, item: Instruction, x: int) -> int:
    def within(lo: int, hi: int) -> int:
        return b.bi("and", b.bi("lge", x, b.constant(lo, I64)), b.bi("lle", x, b.constant(hi, I64)))

    is_character = b.bi("and", within(0, 0x10FFFF), b.un("not", within(0xD800, 0xDFFF)))
    b.require(is_character, f"No character has this number. Use a number from 0 to 1114111. {_where(item)}")
    return x

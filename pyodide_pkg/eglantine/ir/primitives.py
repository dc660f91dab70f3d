"""The table of primitives: one entry for each first-order operation on scalars.

Entries for functions that people call are in `functions`. All other entries are here.

Forward and reverse mode share the derivative in an entry. Usually it is a function. A call of this function
with (b, x, …, z) builds rows in the builder `b` for the partial derivatives of the result `z` by the operands
x, …. `NO_TANGENT` marks operations without a derivative. `Chooses` marks operations that return an operand.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeVar

from eglantine import ieee as numbers
from eglantine.errors import InternalError
from eglantine.wasm.opcodes import code

from .functions import FUNCTIONS, _binary, _unary
from .lowering import (
    _floordiv_interval,
    _hull,
    _lower_floordiv,
    _lower_mod,
    _lower_powi,
    _mod_interval,
    _quotient_interval,
    _remainder_interval,
)
from .partials import (
    _copysign_partials,
    _pow_by_x_partials,
    _pow_by_y_partials,
    _powi_partials,
    _reciprocal,
)
from .row_types import F64, I1, I32, I64, either
from .rules import NO_TANGENT, Chooses, Interval, Lowered, Primitive

T = TypeVar("T")


def _compare(evaluate: Any, wasm: bytes) -> Primitive:
    return Primitive(("f64", "f64"), I1, evaluate, NO_TANGENT, wasm)


def _logic(n: int, evaluate: Any, wasm: bytes) -> Primitive:
    return Primitive(("i1",) * n, I1, evaluate, NO_TANGENT, wasm)


def _integer(interval: Interval, evaluate: Any, wasm: bytes | Lowered) -> Primitive:
    return Primitive(("i32", "i32"), interval, evaluate, NO_TANGENT, wasm)


def _compare_i32(evaluate: Any, wasm: bytes) -> Primitive:
    return Primitive(("i32", "i32"), I1, evaluate, NO_TANGENT, wasm)


def _i64(evaluate: Any, wasm: bytes) -> Primitive:
    return Primitive(("i64", "i64"), I64, evaluate, NO_TANGENT, wasm)


def _compare_i64(evaluate: Any, wasm: bytes) -> Primitive:
    return Primitive(("i64", "i64"), I1, evaluate, NO_TANGENT, wasm)


PRIMITIVES: Final[dict[str, Primitive]] = {
    # arithmetic
    "add": _binary(numbers.add, lambda b, x, y, z: (b.const(1.0), b.const(1.0)), code("f64.add")),
    "sub": _binary(numbers.sub, lambda b, x, y, z: (b.const(1.0), b.const(-1.0)), code("f64.sub")),
    "mul": _binary(numbers.mul, lambda b, x, y, z: (y, x), code("f64.mul")),
    "div": _binary(numbers.div, lambda b, x, y, z: (_reciprocal(b, y), b.neg(b.div(z, y))), code("f64.div")),
    "neg": _unary(numbers.neg, lambda b, x, z: (b.const(-1.0),), code("f64.neg")),
    "raw_copysign": _binary(numbers.copysign, _copysign_partials, code("f64.copysign")),
    **FUNCTIONS,
    # operations for the derivatives of x^y: the base of the logarithm (1 if x = 0), the mixed derivative at
    # x = 0 (−∞ or 0), and the two products in `_pow_partials`
    "pow_base": _binary(numbers.add, lambda b, x, is_zero, z: (b.const(1.0), 0), code("f64.add")),
    "pow_pole": _binary(numbers.div, lambda b, power, least, z: (0, 0), code("f64.div")),
    "pow_by_x": _binary(numbers.mul, _pow_by_x_partials, code("f64.mul")),
    "pow_by_y": _binary(numbers.mul, _pow_by_y_partials, code("f64.mul")),
    # comparison and logic
    "lt": _compare(lambda a, b: a < b, code("f64.lt")),
    "le": _compare(lambda a, b: a <= b, code("f64.le")),
    "gt": _compare(lambda a, b: a > b, code("f64.gt")),
    "ge": _compare(lambda a, b: a >= b, code("f64.ge")),
    "eq": _compare(lambda a, b: a == b, code("f64.eq")),
    "ne": _compare(lambda a, b: a != b, code("f64.ne")),
    "and": _logic(2, lambda a, b: a and b, code("i32.and")),
    "or": _logic(2, lambda a, b: a or b, code("i32.or")),
    "xor": _logic(2, lambda a, b: a != b, code("i32.xor")),
    "not": _logic(1, lambda a: not a, code("i32.eqz")),
    "real_i1": Primitive(("i1",), F64, lambda a: 1.0 if a else 0.0, NO_TANGENT, code("f64.convert_i32_s")),
    "int_i1": Primitive(("i1",), lambda a: I32(0, 1), lambda a: 1 if a else 0, NO_TANGENT, b""),
    # indices
    "iadd": _integer(lambda a, b: I32(a.lo + b.lo, a.hi + b.hi), numbers.add, code("i32.add")),
    "isub": _integer(lambda a, b: I32(a.lo - b.hi, a.hi - b.lo), numbers.sub, code("i32.sub")),
    "imul": _integer(
        lambda a, b: _hull(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi), numbers.mul, code("i32.mul")
    ),
    "ifloordiv": _integer(_floordiv_interval, lambda a, b: a // b, Lowered(_lower_floordiv)),
    "imod": _integer(_mod_interval, lambda a, b: a % b, Lowered(_lower_mod)),
    "iquotient": _integer(_quotient_interval, lambda a, b: int(a / b), code("i32.div_s")),
    "iremainder": _integer(_remainder_interval, lambda a, b: int(math.fmod(a, b)), code("i32.rem_s")),
    "ilt": _compare_i32(lambda a, b: a < b, code("i32.lt_s")),
    "ile": _compare_i32(lambda a, b: a <= b, code("i32.le_s")),
    "igt": _compare_i32(lambda a, b: a > b, code("i32.gt_s")),
    "ige": _compare_i32(lambda a, b: a >= b, code("i32.ge_s")),
    "ieq": _compare_i32(lambda a, b: a == b, code("i32.eq")),
    "ine": _compare_i32(lambda a, b: a != b, code("i32.ne")),
    "real_i32": Primitive(("i32",), F64, float, NO_TANGENT, code("f64.convert_i32_s")),
    # operations on 64-bit integers and on the bits of a float64, which only the library uses
    "bits": Primitive(("f64",), I64, numbers.bits, NO_TANGENT, code("i64.reinterpret_f64")),
    "from_bits": Primitive(("i64",), F64, numbers.from_bits, NO_TANGENT, code("f64.reinterpret_i64")),
    "real_i64": Primitive(("i64",), F64, float, NO_TANGENT, code("f64.convert_i64_s")),
    "int_f64": Primitive(("f64",), I64, numbers.to_int64, NO_TANGENT, code("i64.trunc_sat_f64_s")),
    "wrap_i64": Primitive(
        ("i64",), lambda a: I32(0, (1 << 31) - 1), lambda a: a & 0x7FFFFFFF, NO_TANGENT, code("i32.wrap_i64")
    ),
    "ladd": _i64(lambda a, b: numbers.wrap(a + b), code("i64.add")),
    "lsub": _i64(lambda a, b: numbers.wrap(a - b), code("i64.sub")),
    "lmul": _i64(lambda a, b: numbers.wrap(a * b), code("i64.mul")),
    "lquotient": _i64(numbers.quotient, code("i64.div_s")),
    "land": _i64(lambda a, b: a & b, code("i64.and")),
    "lor": _i64(lambda a, b: a | b, code("i64.or")),
    "lxor": _i64(lambda a, b: a ^ b, code("i64.xor")),
    "lshl": _i64(numbers.shift_left, code("i64.shl")),
    "lshr": _i64(numbers.shift_right, code("i64.shr_s")),
    "lshr_u": _i64(numbers.shift_right_unsigned, code("i64.shr_u")),
    "llt": _compare_i64(lambda a, b: a < b, code("i64.lt_s")),
    "lle": _compare_i64(lambda a, b: a <= b, code("i64.le_s")),
    "lgt": _compare_i64(lambda a, b: a > b, code("i64.gt_s")),
    "lge": _compare_i64(lambda a, b: a >= b, code("i64.ge_s")),
    "leq": _compare_i64(lambda a, b: a == b, code("i64.eq")),
    "lne": _compare_i64(lambda a, b: a != b, code("i64.ne")),
}
"""The primitives with the simplest rows.

Their rows hold only the name of the operation and its operands. Each operand has a fixed type.
"""

SCALARS: Final[dict[str, Primitive]] = {
    **PRIMITIVES,
    "powi": Primitive(("f64",), F64, numbers.power, _powi_partials, Lowered(_lower_powi), data=1, pole="0"),
    "select": Primitive(
        ("i1", "any", "any"),
        lambda p, a, b: either(a, b),
        lambda p, a, b: a if p else b,
        Chooses(lambda b, p, x, y: p),
        code("select"),
    ),
}
"""All primitives: those in PRIMITIVES, `powi` and `select`.

The exponent of `powi` is a Python int. `select` chooses between two values of any type.
"""

STRAIGHT: Final = frozenset(SCALARS) | {"zero", "param"}
"""The operations of straight-line code on scalars.

If a block has only these operations and all its parameters are scalars, then all its values are scalars.
"""

VARIADIC: Final = frozenset({"stack", "acc", "call", "loop", "cond", "print", "require"})
"""The operations whose rows hold all operands in one tuple, which is entry 1 of the row."""

ARITY: Final[dict[str, int]] = {
    **{name: len(primitive.operands) for name, primitive in SCALARS.items()},
    **dict.fromkeys(VARIADIC, -1),
    "zero": 0, "param": 0, "zeros": 0, "table": 0,
    "proj": 1, "acc_read": 1, "check": 1,
    "index": 2, "acc_index": 2, "add_to": 2,
    "update": 3, "update_add": 3,
}  # fmt: skip
"""Maps each operation to its number of operands, or to -1 if the operation is in VARIADIC.

In a row, the operands come directly after the operation's name.
"""


OPERATIONS: Final = frozenset(ARITY)
"""The names of all operations. Every row begins with one of these names."""


def total_table(name: str, table: dict[str, T]) -> dict[str, T]:
    """Check that a table has exactly one entry for each operation, and return it.

    Modules check their tables in this way when they are imported.
    Raises: InternalError if an entry is missing or superfluous.
    """
    if wrong := sorted(table.keys() ^ OPERATIONS):
        raise InternalError(
            f"The table of {name} must have one entry for each operation. Add or remove {', '.join(wrong)}."
        )
    return table


def operands(row: tuple[Any, ...]) -> tuple[int, ...]:
    """The operand rows of a row."""
    n = ARITY[row[0]]
    return row[1] if n < 0 else row[1 : 1 + n]


LOWERED = {
    name: primitive.wasm.build
    for name, primitive in PRIMITIVES.items()
    if isinstance(primitive.wasm, Lowered)
}
"""Maps each operation without a Wasm instruction to a function.

Before emission, the function makes rows of other operations that replace a row of this operation.
"""

"""The table of primitives: all there is to know of each first-order scalar operation, on one line or few.

A derivative is given by partial derivatives, which serve forward and reverse mode alike:
`partials(b, x, …, z)` builds rows in builder `b` for the derivative of result row `z` by each operand row.
`NO_TANGENT` marks operations whose operands or result carry no tangent. `Chooses` marks those that return one
of their operands.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeVar

from eglantine import ieee as numbers
from eglantine.errors import InternalError
from eglantine.wasm.opcodes import code

from .lowering import (
    _floordiv_interval,
    _hull,
    _lower_copysign,
    _lower_floordiv,
    _lower_mod,
    _lower_sign,
    _mod_interval,
    _quotient_interval,
    _remainder_interval,
)
from .partials import (
    _acosh_slope,
    _arc_slope,
    _atan2_partials,
    _erf_slope,
    _flat,
    _no_slope_of_polygamma3,
    _pow_partials,
    _reciprocal,
    _square,
)
from .row_types import F64, I1, I32, I64
from .rules import LIBRARY, NO_TANGENT, Chooses, Interval, Lowered, Primitive, _Rows

T = TypeVar("T")


def _unary(evaluate: Any, derivative: Any, wasm: Any) -> Primitive:
    return Primitive(("f64",), F64, evaluate, derivative, wasm)


def _binary(evaluate: Any, derivative: Any, wasm: Any) -> Primitive:
    return Primitive(("f64", "f64"), F64, evaluate, derivative, wasm)


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


def _function(derivative: Any, arity: int = 1) -> Primitive:
    return Primitive(("f64",) * arity, F64, None, derivative, LIBRARY)


def _copysign_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """∂/∂x is 1 where the signs agree and −1 where they differ; ∂/∂y is 0."""
    one = b.const(1.0)
    return b.mul(b.bi("copysign", one, x), b.bi("copysign", one, y)), 0


def _pow_by_both(b: _Rows, x: int, power: int, otherwise: int) -> int:
    """Part of ∂²(x^y)/∂x∂y: at x = 0 all of it, −∞ for y ≤ 1 and 0 for y > 1; else `otherwise`.

    power: x^(y−1), which is 0 for y > 1, else at least 1.
    """
    return b.select(b.bi("eq", x, b.const(0.0)), b.bi("pow_pole", power, b.const(-LEAST)), otherwise)


def _power_at(b: _Rows, row: int) -> tuple[int, ...]:
    """The base and the exponent of a row, or nothing where it is no `pow`: its value may have been stored."""
    return b.rows[row][1:] if row > 0 and b.rows[row][0] == "pow" else ()


def _pow_by_x_partials(b: _Rows, y: int, power: int, _: int) -> tuple[int, int]:
    """The partial derivatives of the product y·x^(y−1), except that of x^y by both at x = 0."""
    at = _power_at(b, power)
    return (_pow_by_both(b, at[0], power, power) if at else power), y


def _pow_by_y_partials(b: _Rows, power: int, log: int, _: int) -> tuple[int, int]:
    """The partial derivatives of the product x^y·log x, except that of x^y by both at x = 0."""
    at = _power_at(b, power)
    if not at:
        return log, power
    x, y = at
    return log, _pow_by_both(b, x, b.bi("pow", x, b.sub(y, b.const(1.0))), power)


def _mod_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """∂(x % y)/∂x = 1; ∂/∂y = −(x // y)."""
    return b.const(1.0), b.neg(b.bi("floordiv", x, y))


def _hypot_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """x/z and y/z; 0 where z = 0, in all orders, as for `norm`."""
    at_zero = b.bi("eq", z, b.const(0.0))
    length = b.select(at_zero, b.const(1.0), z)
    zero = b.const(0.0)
    return b.select(at_zero, zero, b.div(x, length)), b.select(at_zero, zero, b.div(y, length))


LEAST: Final = 5e-324
"""The least positive double. Divided by it, a power of 0 that is at least 1 is infinite, and 0 stays 0."""

LN2, LN10 = math.log(2.0), math.log(10.0)

PRIMITIVES: Final[dict[str, Primitive]] = {
    # arithmetic
    "add": _binary(numbers.add, lambda b, x, y, z: (b.const(1.0), b.const(1.0)), code("f64.add")),
    "sub": _binary(numbers.sub, lambda b, x, y, z: (b.const(1.0), b.const(-1.0)), code("f64.sub")),
    "mul": _binary(numbers.mul, lambda b, x, y, z: (y, x), code("f64.mul")),
    "div": _binary(numbers.div, lambda b, x, y, z: (_reciprocal(b, y), b.neg(b.div(z, y))), code("f64.div")),
    "neg": _unary(numbers.neg, lambda b, x, z: (b.const(-1.0),), code("f64.neg")),
    "abs": _unary(numbers.absolute, lambda b, x, z: (b.bi("copysign", b.const(1.0), x),), code("f64.abs")),
    "sqrt": _unary(numbers.sqrt, lambda b, x, z: (b.div(b.const(0.5), z),), code("f64.sqrt")),
    "floor": _unary(numbers.floor, _flat, code("f64.floor")),
    "ceil": _unary(numbers.ceil, _flat, code("f64.ceil")),
    "trunc": _unary(numbers.trunc, _flat, code("f64.trunc")),
    "nearest": _unary(numbers.nearest, _flat, code("f64.nearest")),
    "sign": _unary(numbers.sign, _flat, Lowered(_lower_sign)),
    "copysign": _binary(numbers.copysign, _copysign_partials, Lowered(_lower_copysign)),
    "raw_copysign": _binary(numbers.copysign, _copysign_partials, code("f64.copysign")),
    "min": _binary(numbers.minimum, Chooses(lambda b, x, y: b.bi("lt", x, y)), code("f64.min")),
    "max": _binary(numbers.maximum, Chooses(lambda b, x, y: b.bi("gt", x, y)), code("f64.max")),
    # functions of the library
    "exp": _function(lambda b, x, z: (z,)),
    "exp2": _function(lambda b, x, z: (b.mul(z, b.const(LN2)),)),
    "expm1": _function(lambda b, x, z: (b.un("exp", x),)),
    "log": _function(lambda b, x, z: (_reciprocal(b, x),)),
    "log2": _function(lambda b, x, z: (b.div(b.const(1.0 / LN2), x),)),
    "log10": _function(lambda b, x, z: (b.div(b.const(1.0 / LN10), x),)),
    "log1p": _function(lambda b, x, z: (_reciprocal(b, b.add(b.const(1.0), x)),)),
    "sin": _function(lambda b, x, z: (b.un("cos", x),)),
    "cos": _function(lambda b, x, z: (b.neg(b.un("sin", x)),)),
    "tan": _function(lambda b, x, z: (b.add(b.const(1.0), _square(b, z)),)),
    "asin": _function(lambda b, x, z: (_arc_slope(b, x),)),
    "acos": _function(lambda b, x, z: (b.neg(_arc_slope(b, x)),)),
    "atan": _function(lambda b, x, z: (_reciprocal(b, b.add(b.const(1.0), _square(b, x))),)),
    "atan2": _function(_atan2_partials, 2),
    "pow": _function(_pow_partials, 2),
    # parts of the derivatives of x^y: two products, x or 1 for x = 0, and −∞ or 0
    "pow_base": _binary(numbers.add, lambda b, x, is_zero, z: (b.const(1.0), 0), code("f64.add")),
    "pow_pole": _binary(numbers.div, lambda b, power, least, z: (0, 0), code("f64.div")),
    "pow_by_x": _binary(numbers.mul, _pow_by_x_partials, code("f64.mul")),
    "pow_by_y": _binary(numbers.mul, _pow_by_y_partials, code("f64.mul")),
    "hypot": _function(_hypot_partials, 2),
    "mod": Primitive(("f64", "f64"), F64, numbers.mod, _mod_partials, LIBRARY),
    "floordiv": Primitive(("f64", "f64"), F64, numbers.floordiv, lambda b, x, y, z: (0, 0), LIBRARY),
    "cbrt": _function(lambda b, x, z: (b.div(b.const(1.0), b.mul(b.const(3.0), _square(b, z))),)),
    "sinh": _function(lambda b, x, z: (b.un("cosh", x),)),
    "cosh": _function(lambda b, x, z: (b.un("sinh", x),)),
    "tanh": _function(lambda b, x, z: (b.sub(b.const(1.0), _square(b, z)),)),
    "asinh": _function(lambda b, x, z: (_reciprocal(b, b.bi("hypot", x, b.const(1.0))),)),
    "acosh": _function(lambda b, x, z: (_acosh_slope(b, x),)),
    "atanh": _function(
        lambda b, x, z: (_reciprocal(b, b.mul(b.sub(b.const(1.0), x), b.add(b.const(1.0), x))),)
    ),
    "erf": _function(lambda b, x, z: (_erf_slope(b, x),)),
    "lgamma": _function(lambda b, x, z: (b.un("polygamma0", x),)),
    "polygamma0": _function(lambda b, x, z: (b.un("polygamma1", x),)),
    "polygamma1": _function(lambda b, x, z: (b.un("polygamma2", x),)),
    "polygamma2": _function(lambda b, x, z: (b.un("polygamma3", x),)),
    "polygamma3": _function(_no_slope_of_polygamma3),
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
    # the library's own: bits of a float64, and 64-bit integers
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
"""Every scalar primitive but `select` and `powi`, whose types or operands are their own."""

STRAIGHT: Final = frozenset(PRIMITIVES) | {"zero", "param", "powi", "select"}
"""All that straight-line code holds; it is of scalars where its parameters are."""

VARIADIC: Final = frozenset({"stack", "acc", "call", "loop", "cond", "print", "require"})
"""Operations whose operands are a tuple in place 1 of the row."""

ARITY: Final[dict[str, int]] = {
    **{name: len(primitive.operands) for name, primitive in PRIMITIVES.items()},
    **dict.fromkeys(VARIADIC, -1),
    "zero": 0, "param": 0, "zeros": 0, "table": 0,
    "powi": 1, "proj": 1, "acc_read": 1, "check": 1,
    "index": 2, "acc_index": 2, "add_to": 2,
    "select": 3, "update": 3, "update_add": 3,
}  # fmt: skip
"""How many of a row's entries after the first are operands; -1 where they are a tuple."""


OPERATIONS: Final = frozenset(ARITY)
"""The closed set of operations."""


def total_table(name: str, table: dict[str, T]) -> dict[str, T]:
    """Return a table with one entry for each operation; checked when its module is imported.

    Raises: InternalError if an entry is missing or superfluous.
    """
    if wrong := sorted(table.keys() ^ OPERATIONS):
        raise InternalError(
            f"Found a table of {name} that is not total, expected one entry for each operation; "
            f"add or remove {', '.join(wrong)}."
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
"""What makes the rows that stand for an operation when it is emitted."""

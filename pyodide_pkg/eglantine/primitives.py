"""The table of primitives: all there is to know of each first-order scalar operation, on one line or few.

A derivative is given by partial derivatives, which serve forward and reverse mode alike:
`partials(b, x, …, z)` builds rows in builder `b` for the derivative of result row `z` by each operand row.
`NO_TANGENT` marks operations whose operands or result carry no tangent. `Chooses` marks those that return one
of their operands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from . import numbers
from .errors import MissingDerivativeError, span_of
from .ir import F64, I1, I32, I64, RowType

MAX_INDEX: Final = (1 << 31) - 1
"""The greatest index, and the least but for its sign."""


class _Rows(Protocol):
    """What the rules use of the builder in which they make rows."""

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


class _NoTangent:
    """Nothing to differentiate: the operation leaves the reals, or is constant almost everywhere."""

    def __repr__(self) -> str:
        return "NO_TANGENT"


NO_TANGENT: Final = _NoTangent()


@dataclass(frozen=True, slots=True)
class Chooses:
    """The result is the first operand where `first(b, x, y)` holds, else the second."""

    first: Callable[..., int]


@dataclass(frozen=True, slots=True)
class Lowered:
    """Emitted as other rows, which `build(b, x, …)` makes just before emission."""

    build: Callable[..., int]


class _Library:
    """Emitted as a call of the library function of the same name."""

    def __repr__(self) -> str:
        return "LIBRARY"


LIBRARY: Final = _Library()

Interval = Callable[..., I32]


@dataclass(frozen=True, slots=True)
class Primitive:
    """One operation.

    operands: dtypes of its operands.
    result: its row type, or for integers a function from the operands' intervals to the result's.
    evaluate: its value from its operands' values; None where only the library's rows say it.
    derivative: partial derivatives, a `Chooses`, or NO_TANGENT.
    wasm: opcode bytes that come after the operands, LIBRARY, or a `Lowered`.
    """

    operands: tuple[str, ...]
    result: RowType | Interval
    evaluate: Callable[..., Any] | None
    derivative: Any
    wasm: Any


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


def _flat(*_: Any) -> tuple[int, ...]:
    """Derivative zero: floor and its like."""
    return (0,)


def _copysign_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """∂/∂x is 1 where the signs agree and −1 where they differ; ∂/∂y is 0."""
    one = b.const(1.0)
    return b.mul(b.bi("copysign", one, x), b.bi("copysign", one, y)), 0


def _reciprocal(b: _Rows, x: int) -> int:
    return b.div(b.const(1.0), x)


def _square(b: _Rows, x: int) -> int:
    return b.mul(x, x)


def _pow_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """∂(x^y)/∂x = y·x^(y−1); ∂/∂y = x^y·log x, where 0^y counts as constant in y.

    At x = 0 log x counts as 0, so the product rule does not give the mixed derivative x^(y−1)·(1 + y·log x).
    Both products are therefore operations of their own, and the logarithm's base passes x's tangent on.
    """
    base = b.bi("pow_base", x, b.un("real_i1", b.bi("eq", x, b.const(0.0))))
    return b.bi("pow_by_x", y, b.bi("pow", x, b.sub(y, b.const(1.0)))), b.bi("pow_by_y", z, b.un("log", base))


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


def _atan2_partials(b: _Rows, y: int, x: int, _: int) -> tuple[int, int]:
    """∂/∂y = x/(x²+y²), ∂/∂x = −y/(x²+y²)."""
    norm = b.add(_square(b, x), _square(b, y))
    return b.div(x, norm), b.neg(b.div(y, norm))


def _mod_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """∂(x % y)/∂x = 1; ∂/∂y = −(x // y)."""
    return b.const(1.0), b.neg(b.bi("floordiv", x, y))


def _hypot_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """x/z and y/z; 0 where z = 0, in all orders, as for `norm`."""
    at_zero = b.bi("eq", z, b.const(0.0))
    length = b.select(at_zero, b.const(1.0), z)
    zero = b.const(0.0)
    return b.select(at_zero, zero, b.div(x, length)), b.select(at_zero, zero, b.div(y, length))


def _arc_slope(b: _Rows, x: int) -> int:
    """1/√((1−x)(1+x))."""
    one = b.const(1.0)
    return _reciprocal(b, b.un("sqrt", b.mul(b.sub(one, x), b.add(one, x))))


def _acosh_slope(b: _Rows, x: int) -> int:
    """1/(√(x−1)·√(x+1))."""
    one = b.const(1.0)
    return _reciprocal(b, b.mul(b.un("sqrt", b.sub(x, one)), b.un("sqrt", b.add(x, one))))


def _erf_slope(b: _Rows, x: int) -> int:
    """2/√π·exp(−x²)."""
    return b.mul(b.const(2.0 / math.sqrt(math.pi)), b.un("exp", b.neg(_square(b, x))))


def _no_slope_of_polygamma3(b: _Rows, *_: int) -> tuple[int, ...]:
    raise MissingDerivativeError(
        "Found the derivative of polygamma(3, x), expected at most polygamma(3, x) itself, where the library "
        "ends; differentiate once less.",
        span_of(b.source),
    )


def _lower_sign(b: _Rows, x: int) -> int:
    """A zero or NaN as it is, else ±1."""
    kept = b.bi("or", b.bi("eq", x, b.const(0.0)), b.bi("ne", x, x))
    return b.select(kept, x, b.bi("raw_copysign", b.const(1.0), x))


def _lower_copysign(b: _Rows, x: int, y: int) -> int:
    """A NaN's sign is never looked at: it counts as positive."""
    if b.is_const(y):
        return b.bi("raw_copysign", x, y)
    return b.bi("raw_copysign", x, b.select(b.bi("eq", y, y), y, b.const(1.0)))


def _hull(*corners: int) -> I32:
    return I32(min(corners), max(corners))


def _floordiv_interval(a: I32, b: I32) -> I32:
    divisors = [d for d in (b.lo, b.hi, -1, 1) if d and b.lo <= d <= b.hi]
    return _hull(*(n // d for n in (a.lo, a.hi) for d in divisors)) if divisors else I32(0, 0)


def _mod_interval(a: I32, b: I32) -> I32:
    if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
        return a
    return I32(min(b.lo + 1, 0), max(b.hi - 1, 0))


def _quotient_interval(a: I32, b: I32) -> I32:
    divisors = [d for d in (b.lo, b.hi, -1, 1) if d and b.lo <= d <= b.hi]
    return _hull(*(int(n / d) for n in (a.lo, a.hi) for d in divisors)) if divisors else I32(0, 0)


def _remainder_interval(a: I32, b: I32) -> I32:
    if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
        return a
    bound = max(abs(b.lo), abs(b.hi), 1) - 1
    return I32(max(min(a.lo, 0), -bound), min(max(a.hi, 0), bound))


def _signs_differ(b: _Rows, x: int, y: int) -> int:
    zero = b.int_const(0)
    return b.bi("xor", b.bi("ilt", x, zero), b.bi("ilt", y, zero))


def _periods(b: _Rows, x: int, y: int) -> int | None:
    """The least k for which x + k·y is never negative, as 32 bits allow it; None if there is none."""
    a, d = b.interval(x), b.interval(y)
    k = max(-(a.lo // d.lo), 0) if d.lo > 0 else -1
    return k if k >= 0 and a.hi + k * d.hi <= MAX_INDEX else None


def _narrowed(b: _Rows, row: int, of: I32) -> int:
    """An integer that is known to lie within `of`, though its own bounds may not say so."""
    found = b.interval(row)
    if (found.lo >= of.lo and found.hi <= of.hi) or found.hi - of.lo > MAX_INDEX:
        return row
    lo = b.int_const(of.lo)
    return b.bi("iadd", b.check(b.bi("isub", row, lo), of.hi - of.lo + 1), lo)


def _lower_floordiv(b: _Rows, x: int, y: int) -> int:
    """Of x + k·y ≥ 0 the quotient less k; else the truncated one, one less if not whole and of two signs."""
    of = _floordiv_interval(b.interval(x), b.interval(y))
    k = _periods(b, x, y)
    if k is not None and (not k or b.is_const(y)):
        shift = b.int_const(k)
        return b.bi("isub", b.bi("iquotient", b.bi("iadd", x, b.bi("imul", shift, y)), y), shift)
    inexact = b.bi("ine", b.bi("iremainder", x, y), b.int_const(0))
    below = b.bi("and", inexact, _signs_differ(b, x, y))
    return _narrowed(b, b.bi("isub", b.bi("iquotient", x, y), b.un("int_i1", below)), of)


def _lower_mod(b: _Rows, x: int, y: int) -> int:
    """Of x + k·y ≥ 0 the remainder; else that of x, plus the divisor if it is not 0 and the signs differ."""
    k = _periods(b, x, y)
    if k is not None:
        return b.bi("iremainder", b.bi("iadd", x, b.bi("imul", b.int_const(k), y)), y)
    of, remainder = _mod_interval(b.interval(x), b.interval(y)), b.bi("iremainder", x, y)
    inexact = b.bi("ine", remainder, b.int_const(0))
    differs = b.bi("and", inexact, _signs_differ(b, x, y))
    return _narrowed(b, b.select(differs, b.bi("iadd", remainder, y), remainder), of)


LEAST: Final = 5e-324
"""The least positive double. Divided by it, a power of 0 that is at least 1 is infinite, and 0 stays 0."""

LN2, LN10 = math.log(2.0), math.log(10.0)

PRIMITIVES: Final[dict[str, Primitive]] = {
    # arithmetic
    "add": _binary(numbers.add, lambda b, x, y, z: (b.const(1.0), b.const(1.0)), b"\xa0"),
    "sub": _binary(numbers.sub, lambda b, x, y, z: (b.const(1.0), b.const(-1.0)), b"\xa1"),
    "mul": _binary(numbers.mul, lambda b, x, y, z: (y, x), b"\xa2"),
    "div": _binary(numbers.div, lambda b, x, y, z: (_reciprocal(b, y), b.neg(b.div(z, y))), b"\xa3"),
    "neg": _unary(numbers.neg, lambda b, x, z: (b.const(-1.0),), b"\x9a"),
    "abs": _unary(numbers.absolute, lambda b, x, z: (b.bi("copysign", b.const(1.0), x),), b"\x99"),
    "sqrt": _unary(numbers.sqrt, lambda b, x, z: (b.div(b.const(0.5), z),), b"\x9f"),
    "floor": _unary(numbers.floor, _flat, b"\x9c"),
    "ceil": _unary(numbers.ceil, _flat, b"\x9b"),
    "trunc": _unary(numbers.trunc, _flat, b"\x9d"),
    "nearest": _unary(numbers.nearest, _flat, b"\x9e"),
    "sign": _unary(numbers.sign, _flat, Lowered(_lower_sign)),
    "copysign": _binary(numbers.copysign, _copysign_partials, Lowered(_lower_copysign)),
    "raw_copysign": _binary(numbers.copysign, _copysign_partials, b"\xa6"),
    "min": _binary(numbers.minimum, Chooses(lambda b, x, y: b.bi("lt", x, y)), b"\xa4"),
    "max": _binary(numbers.maximum, Chooses(lambda b, x, y: b.bi("gt", x, y)), b"\xa5"),
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
    "pow_base": _binary(numbers.add, lambda b, x, is_zero, z: (b.const(1.0), 0), b"\xa0"),
    "pow_pole": _binary(numbers.div, lambda b, power, least, z: (0, 0), b"\xa3"),
    "pow_by_x": _binary(numbers.mul, _pow_by_x_partials, b"\xa2"),
    "pow_by_y": _binary(numbers.mul, _pow_by_y_partials, b"\xa2"),
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
    "lt": _compare(lambda a, b: a < b, b"\x63"),
    "le": _compare(lambda a, b: a <= b, b"\x65"),
    "gt": _compare(lambda a, b: a > b, b"\x64"),
    "ge": _compare(lambda a, b: a >= b, b"\x66"),
    "eq": _compare(lambda a, b: a == b, b"\x61"),
    "ne": _compare(lambda a, b: a != b, b"\x62"),
    "and": _logic(2, lambda a, b: a and b, b"\x71"),
    "or": _logic(2, lambda a, b: a or b, b"\x72"),
    "xor": _logic(2, lambda a, b: a != b, b"\x73"),
    "not": _logic(1, lambda a: not a, b"\x45"),
    "real_i1": Primitive(("i1",), F64, lambda a: 1.0 if a else 0.0, NO_TANGENT, b"\xb7"),
    "int_i1": Primitive(("i1",), lambda a: I32(0, 1), lambda a: 1 if a else 0, NO_TANGENT, b""),
    # indices
    "iadd": _integer(lambda a, b: I32(a.lo + b.lo, a.hi + b.hi), numbers.add, b"\x6a"),
    "isub": _integer(lambda a, b: I32(a.lo - b.hi, a.hi - b.lo), numbers.sub, b"\x6b"),
    "imul": _integer(
        lambda a, b: _hull(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi), numbers.mul, b"\x6c"
    ),
    "ifloordiv": _integer(_floordiv_interval, lambda a, b: a // b, Lowered(_lower_floordiv)),
    "imod": _integer(_mod_interval, lambda a, b: a % b, Lowered(_lower_mod)),
    "iquotient": _integer(_quotient_interval, lambda a, b: int(a / b), b"\x6d"),
    "iremainder": _integer(_remainder_interval, lambda a, b: int(math.fmod(a, b)), b"\x6f"),
    "ilt": _compare_i32(lambda a, b: a < b, b"\x48"),
    "ile": _compare_i32(lambda a, b: a <= b, b"\x4c"),
    "igt": _compare_i32(lambda a, b: a > b, b"\x4a"),
    "ige": _compare_i32(lambda a, b: a >= b, b"\x4e"),
    "ieq": _compare_i32(lambda a, b: a == b, b"\x46"),
    "ine": _compare_i32(lambda a, b: a != b, b"\x47"),
    "real_i32": Primitive(("i32",), F64, float, NO_TANGENT, b"\xb7"),
    # the library's own: bits of a float64, and 64-bit integers
    "bits": Primitive(("f64",), I64, numbers.bits, NO_TANGENT, b"\xbd"),
    "from_bits": Primitive(("i64",), F64, numbers.from_bits, NO_TANGENT, b"\xbf"),
    "real_i64": Primitive(("i64",), F64, float, NO_TANGENT, b"\xb9"),
    "int_f64": Primitive(("f64",), I64, numbers.to_int64, NO_TANGENT, b"\xfc\x06"),
    "wrap_i64": Primitive(
        ("i64",), lambda a: I32(0, (1 << 31) - 1), lambda a: a & 0x7FFFFFFF, NO_TANGENT, b"\xa7"
    ),
    "ladd": _i64(lambda a, b: numbers.wrap(a + b), b"\x7c"),
    "lsub": _i64(lambda a, b: numbers.wrap(a - b), b"\x7d"),
    "lmul": _i64(lambda a, b: numbers.wrap(a * b), b"\x7e"),
    "land": _i64(lambda a, b: a & b, b"\x83"),
    "lor": _i64(lambda a, b: a | b, b"\x84"),
    "lxor": _i64(lambda a, b: a ^ b, b"\x85"),
    "lshl": _i64(numbers.shift_left, b"\x86"),
    "lshr": _i64(numbers.shift_right, b"\x87"),
    "lshr_u": _i64(numbers.shift_right_unsigned, b"\x88"),
    "llt": _compare_i64(lambda a, b: a < b, b"\x53"),
    "lle": _compare_i64(lambda a, b: a <= b, b"\x57"),
    "lgt": _compare_i64(lambda a, b: a > b, b"\x55"),
    "lge": _compare_i64(lambda a, b: a >= b, b"\x59"),
    "leq": _compare_i64(lambda a, b: a == b, b"\x51"),
    "lne": _compare_i64(lambda a, b: a != b, b"\x52"),
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


def operands(row: tuple[Any, ...]) -> tuple[int, ...]:
    """The operand rows of a row."""
    n = ARITY[row[0]]
    return row[1] if n < 0 else row[1 : 1 + n]

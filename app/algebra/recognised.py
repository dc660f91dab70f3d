"""Turn straight-line IR into expressions that are shown to people and never compiled."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

from eglantine.errors import LimitError
from eglantine.inside import SCALARS

from .expressions import (
    FALSE,
    HALF,
    MINUS_ONE,
    ONE,
    PI,
    TRUE,
    UNDEFINED,
    ZERO,
    E,
    Expr,
    infinity,
    number,
    symbol,
)
from .functions import call
from .notations import SHOWN_NAMES
from .terms import add, multiply, negate, power

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROWS_PER_PART = 8
"""The largest number of live rows of a block with shown formulas, divided by the budget of `from_rows`."""
ROUNDING = (
    4.5e-16  # two units in the last place: a float this close to a short number is shown as that number
)
NICE_DENOMINATOR = 64
NICE_MULTIPLE = 16
NICE_DIGITS = 12
LARGEST_INTEGER = 10**15
"""The smallest absolute value of a float that we do not compare with fractions of small denominators."""


def from_rows(
    rows: Sequence[tuple[Any, ...]],
    consts: Sequence[Any],
    params: Mapping[int, str],
    results: Sequence[int],
    budget: int,
) -> list[Expr | None]:
    """Convert the results of a straight-line block to expressions.

    An expression is None if it would be too large, nest too deep, or contain an operation without a notation.
    Infinite constants become `infinity`, and NaN becomes `UNDEFINED`.

    rows: the block's rows, such as `(op, a, b, ...)`. An operand ≥ 0 is a row number. A negative operand is
        the constant `consts[~operand]`.
    params: maps the row number of each parameter to the parameter's name.
    budget: the largest number of parts in an expression.
    """
    live = _live_rows(rows, params, results)
    if len(live) > ROWS_PER_PART * budget:
        return [None] * len(results)
    expressions: dict[int, Expr | None] = {row: symbol(name) for row, name in params.items()}
    uses = count()

    def operand(place: int) -> Expr | None:
        if place >= 0:
            return expressions[place]
        return _shown_or_none(lambda: constant(consts[~place], next(uses)), budget)

    for place in live:
        name, *arguments = rows[place]
        immediates = IMMEDIATES.get(name, 0)
        operands = [operand(a) for a in arguments[: len(arguments) - immediates]]
        expressions[place] = _shown_or_none(
            lambda: _operation(name, operands, arguments[len(operands) :]),  # noqa: B023  called at once
            budget,
        )
    return [operand(result) for result in results]


def constant(value: float, use: int = 0) -> Expr:
    """Convert a constant of the program to an expression. The constant may be infinite or NaN.

    use: the number of the constant's place in the formula (see `infinity`).
    """
    if math.isfinite(value):
        return recognise(value)
    if math.isnan(value):
        return UNDEFINED
    return infinity(use) if value > 0 else negate(infinity(use))


def _live_rows(
    rows: Sequence[tuple[Any, ...]], params: Mapping[int, str], results: Sequence[int]
) -> list[int]:
    """List the rows that affect the results, in order and without parameters."""
    needed = {row for row in results if row >= 0}
    live: list[int] = []
    for place in range(max(needed, default=-1), -1, -1):
        if place in needed and place not in params:
            live.append(place)
            name, *arguments = rows[place]
            count = len(arguments) - IMMEDIATES.get(name, 0)
            needed.update(a for a in arguments[:count] if isinstance(a, int) and a >= 0)
    return live[::-1]


def _shown_or_none(build: Callable[[], Expr | None], budget: int) -> Expr | None:
    try:
        expr = build()
    except LimitError:
        return None
    return expr if expr is not None and expr.size <= budget else None


def _operation(name: str, operands: Sequence[Expr | None], immediates: Sequence[int]) -> Expr | None:
    """Convert one row. Return None if its operation is unknown or an operand has no expression."""
    arguments = [x for x in operands if x is not None]
    build = OPERATIONS.get(name)
    if build is None or len(arguments) < len(operands):
        return None
    return build(*arguments, *(number(n) for n in immediates))


IMMEDIATES: Mapping[str, int] = {
    **{name: primitive.data for name, primitive in SCALARS.items() if primitive.data},
    "polygamma": 1,
    "pow_pole": 1,
}
"""For each operation, how many entries at the end of its row are plain numbers or are left out of formulas.
"""
LOGICAL = ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "xor", "not", "real", "select")
"""The operations for comparisons, logic and choices. Formulas show them under their names in the IR."""


def _named(name: str) -> Callable[..., Expr]:
    return lambda *args: call(name, *args)


def _psi(n: int) -> Callable[..., Expr]:
    return lambda x: call("polygamma", number(n), x)


def _subtract(x: Expr, y: Expr) -> Expr:
    return add((x, negate(y)))


def _divide(x: Expr, y: Expr) -> Expr:
    return multiply((x, power(y, MINUS_ONE)))


def _copysign(x: Expr, y: Expr) -> Expr:
    return multiply((call("abs", x), call("sgn", y)))


def _hypotenuse(x: Expr, y: Expr) -> Expr:
    two = number(2)
    return power(add((power(x, two), power(y, two))), HALF)


OPERATIONS: Mapping[str, Callable[..., Expr]] = {
    **{op: _named(name) for op, name in SHOWN_NAMES.items()},
    **{name: _named(name) for name in LOGICAL},
    "mod": _named("mod"),
    **{f"polygamma{n}": _psi(n) for n in range(4)},
    "polygamma": lambda x, n: call("polygamma", n, x),
    "polygamma_n": lambda n, x: call("polygamma", n, x),
    "zero": lambda: ZERO,
    "add": lambda x, y: add((x, y)),
    "sub": _subtract,
    "mul": lambda x, y: multiply((x, y)),
    "pow_base": lambda x, is_zero: x,
    "pow_pole": lambda power, _: call("pole", power),
    "pow_by_x": lambda x, y: multiply((x, y)),
    "pow_by_y": lambda x, y: multiply((x, y)),
    "div": _divide,
    "neg": negate,
    "pow": power,
    "powi": power,
    "sqrt": lambda x: power(x, HALF),
    "exp": lambda x: power(E, x),
    "exp2": lambda x: power(number(2), x),
    "expm1": lambda x: add((power(E, x), MINUS_ONE)),
    "log1p": lambda x: call("ln", add((ONE, x))),
    "hypot": _hypotenuse,
    "copysign": _copysign,
    "raw_copysign": _copysign,
    "real_i1": _named("real"),
}


def recognise(value: float) -> Expr:
    """Guess the exact number that a float stands for, such as a short fraction or a multiple of π or ln 2.

    Raises: LimitError for infinities and NaN, which are not real numbers.
    """
    if isinstance(value, bool):
        return TRUE if value else FALSE
    value = float(value)
    if not math.isfinite(value):
        return number(value)
    exact = _nice_fraction(value, NICE_DENOMINATOR)
    if exact is None and len(repr(abs(value)).replace(".", "").strip("0")) <= NICE_DIGITS:
        exact = Fraction(repr(value))
    if exact is not None:
        return number(exact)
    for unit, expr in _units():
        multiple = _nice_fraction(value / unit, NICE_MULTIPLE)
        if multiple is not None and abs(multiple.numerator) <= NICE_DENOMINATOR:
            return multiply((number(multiple), expr))
    return number(value)


def _nice_fraction(value: float, largest_denominator: int) -> Fraction | None:
    """Return a fraction with a small denominator if it equals the value up to rounding, else None."""
    if abs(value) >= LARGEST_INTEGER:
        return None
    nearest = Fraction(value).limit_denominator(largest_denominator)
    return nearest if abs(float(nearest) - value) <= ROUNDING * abs(value) else None


def _units() -> list[tuple[float, Expr]]:
    """List irrational numbers that occur in derivatives, such as π and ln 2, as pairs (float, expression)."""
    ln2, ln10 = call("ln", number(2)), call("ln", number(10))
    return [
        (math.pi, PI),
        (1 / math.pi, power(PI, MINUS_ONE)),
        (math.log(2), ln2),
        (1 / math.log(2), power(ln2, MINUS_ONE)),
        (math.log(10), ln10),
        (1 / math.log(10), power(ln10, MINUS_ONE)),
        (1 / math.sqrt(math.pi), power(PI, number(Fraction(-1, 2)))),
        (math.e, E),
        (math.sqrt(2), power(number(2), HALF)),
    ]

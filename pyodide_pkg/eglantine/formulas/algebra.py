"""Evaluate a formula. `apply` takes numbers. `evaluate` takes an algebra, which defines the operations.

See `parser` for the grammar of formulas.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from eglantine.ieee import div, mod

from .grammar import DERIVED
from .parts import Formula

if TYPE_CHECKING:
    from collections.abc import Sequence

BIGGEST_REPEATED_POWER = 1024  # the largest exponent for repeated multiplication. Above it, pow is more exact

V = TypeVar("V")


class Algebra(Protocol[V]):
    """The methods that compute the values of a formula's nodes. Each kind of node has its own method."""

    def number(self, value: float) -> V:
        """A number: an int such as 2, or a float such as 2.5."""

    def constant(self, name: str) -> V:
        """`pi` or `e`."""

    def negate(self, x: V) -> V:
        """-x."""

    def add(self, x: V, y: V) -> V:
        """The sum x + y."""

    def sub(self, x: V, y: V) -> V:
        """The difference x - y."""

    def mul(self, x: V, y: V) -> V:
        """The product x·y."""

    def div(self, x: V, y: V) -> V:
        """The quotient x / y."""

    def power(self, base: V, exponent: V) -> V:
        """The base raised to the exponent."""

    def remainder(self, x: V, y: V) -> V:
        """The remainder x % y, with the sign of y."""

    def compare(self, operator: str, x: V, y: V) -> V:
        """A condition: < <= > >= == or !=."""

    def both(self, c: V, d: V) -> V:
        """The condition that c and d hold."""

    def either(self, c: V, d: V) -> V:
        """The condition that c or d holds."""

    def invert(self, c: V) -> V:
        """The condition that c does not hold."""

    def select(self, c: V, x: V, y: V) -> V:
        """x where the condition c holds, else y."""

    def real(self, c: V) -> V:
        """1 where the condition c holds, else 0."""

    def call(self, function: str, arguments: Sequence[V]) -> V:
        """Compute a function: `abs`, or a function of `eg.math` or `grammar.DERIVED`.

        `minimum` and `maximum` may have more than two arguments.
        """


def evaluate(formula: Formula, algebra: Algebra[V], values: Sequence[V]) -> V:
    """Evaluate a formula in an algebra.

    `values` are the values of the variables, in the order of `formula.names`.
    """
    variables = dict(zip(formula.names, values, strict=True))
    meanings: dict[str, Any] = {
        "+": algebra.add, "-": algebra.sub, "*": algebra.mul, "/": algebra.div, "^": algebra.power,
        "%": algebra.remainder, "negate": algebra.negate, "select": algebra.select, "and": algebra.both,
        "or": algebra.either, "not": algebra.invert, "real": algebra.real,
    }  # fmt: skip
    results: list[V] = []
    for kind, name, number, operands, _, _ in formula.nodes:
        if kind == "number":
            results.append(algebra.number(number))
        elif kind == "variable":
            results.append(variables[name])
        elif kind == "constant":
            results.append(algebra.constant(name))
        elif kind == "call":
            results.append(algebra.call(name, [results[i] for i in operands]))
        elif kind in meanings:
            results.append(meanings[kind](*[results[i] for i in operands]))
        else:
            results.append(algebra.compare(kind, results[operands[0]], results[operands[1]]))
    return results[-1]


def apply(formula: Formula, maths: Any, *values: Any) -> Any:
    """Evaluate a formula on numbers or traced values.

    maths: an object that has the functions of `eg.math`. The functions must also take plain numbers.
    values: the values of the variables `formula.names`.

    If x is traced and the exponent is written as a whole number n of size at most 1024, we compute x ** n.
    Otherwise we call maths.pow. Operations on plain numbers follow IEEE 754 and never raise an error. For
    example, 1/0 is infinite.
    """
    result = evaluate(formula, _Arithmetic(maths), values)
    return float(result) if isinstance(result, int) else result


class _Arithmetic:
    """The algebra that uses Python's operators and the functions of a namespace."""

    def __init__(self, maths: Any) -> None:
        self._maths = maths

    def number(self, value: float) -> Any:
        return value

    def constant(self, name: str) -> Any:
        return {"pi": math.pi, "e": math.e}[name]

    def negate(self, x: Any) -> Any:
        return -x

    def add(self, x: Any, y: Any) -> Any:
        return float(x) + float(y) if _are_plain(x, y) else x + y

    def sub(self, x: Any, y: Any) -> Any:
        return float(x) - float(y) if _are_plain(x, y) else x - y

    def mul(self, x: Any, y: Any) -> Any:
        return float(x) * float(y) if _are_plain(x, y) else x * y

    def div(self, x: Any, y: Any) -> Any:
        return div(float(x), float(y)) if _are_plain(x, y) else x / y

    def power(self, base: Any, exponent: Any) -> Any:
        if _are_plain(base, exponent):
            return self._maths.pow(float(base), float(exponent))
        if isinstance(exponent, int):
            if exponent == 0:
                return 1.0  # a plain number, so that conditions on it are decided while tracing
            is_small = abs(exponent) <= BIGGEST_REPEATED_POWER
            return base**exponent if is_small else self._maths.pow(base, float(exponent))
        return self._maths.pow(base, exponent)

    def remainder(self, x: Any, y: Any) -> Any:
        return mod(float(x), float(y)) if _are_plain(x, y) else x % y

    def compare(self, operator: str, x: Any, y: Any) -> Any:
        return _COMPARISONS[operator](x, y)

    def both(self, c: Any, d: Any) -> Any:
        return c & d

    def either(self, c: Any, d: Any) -> Any:
        return c | d

    def invert(self, c: Any) -> Any:
        return c ^ True

    def select(self, c: Any, x: Any, y: Any) -> Any:
        return self._maths.where(c, x, y)

    def real(self, c: Any) -> Any:
        return self._maths.where(c, 1.0, 0.0)

    def call(self, function: str, arguments: Sequence[Any]) -> Any:
        if function in DERIVED or function[0] == "_":
            from .definitions import definition

            return evaluate(definition(function), self, arguments)
        if function == "abs":
            return abs(arguments[0])
        if function == "polygamma":
            return self._maths.polygamma(int(arguments[0]), arguments[1])
        apply_function = getattr(self._maths, function)
        if function not in ("minimum", "maximum"):
            return apply_function(*arguments)
        result = arguments[0]
        for argument in arguments[1:]:
            result = apply_function(result, argument)
        return result


_COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip


def _are_plain(x: Any, y: Any) -> bool:
    return isinstance(x, (int, float)) and isinstance(y, (int, float))

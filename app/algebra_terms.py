"""Real-algebra expressions in a readable normal form, for formulas that are shown and never compiled.

Each constructor (`add`, `multiply`, `power`, `call`) takes expressions in normal form and gives one in normal
form, so an expression is simplified while it is built. What it gives has the same value wherever what it was
given has one as a real number (`x/x` is 1 although it has none at 0), save at the points that `_select`
skips.

The normal form: sums and products are flat, like terms and powers of one base are collected, numbers are
exact where a short fraction or decimal says the same, signs stand in front, and everything has one order.
A polynomial is multiplied out only where it meets other terms of a sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from eglantine.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Number = Fraction | float
Kind = Literal["number", "constant", "symbol", "sum", "product", "power", "call"]

MAX_SIZE = 4_000
MAX_DEPTH = 64  # passes over expressions recurse, so depth is capped
MAX_BITS = 1_000  # of a number's numerator and denominator: what a float can hold
MAX_FOLDED_EXPONENT = 64


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """An expression in normal form; equal expressions have equal keys.

    name: of a constant ("pi", "e", "true", "false"), a symbol or a called function, else "".
    number: the value of a number, the coefficient of a product, the number that a sum adds; else 0.
    args: a sum's terms, a product's factors, a power's base and exponent, a call's arguments.
    size, depth: of the tree.
    """

    kind: Kind
    name: str
    number: Number
    args: tuple[Expr, ...]
    key: str
    size: int
    depth: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def _make(kind: Kind, name: str = "", number: Number = Fraction(0), args: tuple[Expr, ...] = ()) -> Expr:
    size = 1 + sum(arg.size for arg in args)
    depth = 1 + max((arg.depth for arg in args), default=0)
    if size > MAX_SIZE or depth > MAX_DEPTH:
        raise LimitError(
            f"An expression has {size:,} parts, {depth} deep, and may have {MAX_SIZE:,}, {MAX_DEPTH} deep;"
            " show its value instead."
        )
    inner = " ".join(arg.key for arg in args)
    return Expr(kind, name, number, args, f"{kind[0]}{kind[-1]}{name}:{number}({inner})", size, depth)


def number(value: Number | int) -> Expr:
    """An exact or floating number.

    Raises: LimitError if it is not finite or too large for a float.
    """
    if isinstance(value, int):
        value = Fraction(value)
    if isinstance(value, float):
        is_shown = math.isfinite(value)
    else:
        is_shown = max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
    if not is_shown:
        raise LimitError("A number is too large to be shown; show the expression's value instead.")
    return _make("number", number=value)


def symbol(name: str) -> Expr:
    """A variable."""
    return _make("symbol", name)


ZERO, ONE, MINUS_ONE, HALF = number(0), number(1), number(-1), number(Fraction(1, 2))
PI, E = _make("constant", "pi"), _make("constant", "e")
TRUE, FALSE = _make("constant", "true"), _make("constant", "false")


def is_whole(expr: Expr) -> bool:
    """Whether the expression is an integer."""
    return expr.kind == "number" and isinstance(expr.number, Fraction) and expr.number.denominator == 1


def is_negative(expr: Expr) -> bool:
    """Whether the expression shows a minus sign in front that can be taken out."""
    if expr.kind in ("number", "product"):
        return expr.number < 0
    return expr.kind == "sum" and expr.number <= 0 and all(is_negative(term) for term in expr.args)


def negate(x: Expr) -> Expr:
    """The expression with the other sign."""
    return multiply((MINUS_ONE, x))


# sums


def add(terms: Iterable[Expr]) -> Expr:
    """The sum, with like terms collected."""
    pending = [term for term in terms if term != ZERO]
    if len(pending) == 1:
        return pending[0]
    constant: Number = Fraction(0)
    collected: dict[str, tuple[Number, Expr]] = {}
    for term in _expanded(pending):
        if term.kind == "number":
            constant = constant + term.number
            continue
        coefficient, factors = _canonical_factors(term)
        rest = _product(Fraction(1), factors)
        before, _ = collected.get(rest.key, (Fraction(0), rest))
        collected[rest.key] = (before + coefficient, rest)
    kept = [_present(c, _factors(rest)) for c, rest in collected.values() if c != 0]
    return _sum(constant, sorted(kept, key=_sum_order))


def _sum(constant: Number, terms: Sequence[Expr]) -> Expr:
    if not terms:
        return number(constant)
    if len(terms) == 1 and constant == 0:
        return terms[0]
    number(constant)  # refuses an infinite one
    return _make("sum", number=constant, args=tuple(terms))


def _expanded(terms: Iterable[Expr]) -> list[Expr]:
    """The terms without sums among them, polynomials multiplied out."""
    pending, flat = [*terms][::-1], []
    while pending:
        term = pending.pop()
        if term.kind == "sum":
            pending.extend(term.args[::-1])
            flat.append(number(term.number))
        elif _is_expandable(term):
            inner = next(factor for factor in term.args if factor.kind == "sum")
            others = [number(term.number), *(factor for factor in term.args if factor.kind != "sum")]
            pending.extend(multiply((*others, part)) for part in (*inner.args, number(inner.number)))
        else:
            flat.append(term)
    return flat


def _is_expandable(term: Expr) -> bool:
    """Whether the term is a number times a sum, or a monomial times a polynomial."""
    if term.kind != "product":
        return False
    sums = [factor for factor in term.args if factor.kind == "sum"]
    if len(sums) != 1:
        return False
    others = [factor for factor in term.args if factor.kind != "sum"]
    return not others or (all(map(_is_monomial, others)) and all(map(_is_monomial, sums[0].args)))


def _is_monomial(expr: Expr) -> bool:
    if expr.kind == "product":
        return all(map(_is_monomial, expr.args))
    if expr.kind == "power":
        base, exponent = expr.args
        return base.kind == "symbol" and is_whole(exponent) and exponent.number > 0
    return expr.kind in ("symbol", "number", "constant")


def _sum_order(term: Expr) -> tuple[float, tuple[tuple[str, float], ...], str]:
    """Highest degree first, then x² before xy before y²."""
    symbols: list[tuple[str, float]] = []
    for factor in _factors(term):
        base, exponent = base_and_exponent(factor)
        if base.kind == "symbol" and exponent.kind == "number":
            symbols.append((base.name, -float(exponent.number)))
    return (
        -_degree(term),
        tuple(sorted(symbols)) or (("\uffff", math.inf),),
        _product(Fraction(1), _factors(term)).key,
    )


def _degree(expr: Expr) -> float:
    if expr.kind == "symbol":
        return 1
    if expr.kind == "power":
        base, exponent = expr.args
        return _degree(base) * float(exponent.number) if exponent.kind == "number" else 0
    if expr.kind == "product":
        return sum(map(_degree, expr.args))
    return max(map(_degree, expr.args)) if expr.kind == "sum" else 0


# products


def multiply(factors: Iterable[Expr]) -> Expr:
    """The product, with powers of one base collected."""
    coefficient: Number = Fraction(1)
    exponents: dict[str, tuple[Expr, list[Expr]]] = {}
    for factor in factors:
        own, parts = _canonical_factors(factor)
        coefficient = coefficient * own
        for part in parts:
            base, exponent = base_and_exponent(part)
            exponents.setdefault(base.key, (base, []))[1].append(exponent)
    if coefficient == 0:
        return ZERO
    changed, parts = False, []
    for base, collected in exponents.values():
        part = base if collected == [ONE] else power(base, add(collected))
        changed = changed or part.kind in ("product", "number") or base_and_exponent(part)[0] != base
        parts.append(part)
    if changed:  # what was collected may meet the other factors anew: √(xy)·√(xy)·x
        return multiply((number(coefficient), *parts))
    return _present(coefficient, parts)


def base_and_exponent(factor: Expr) -> tuple[Expr, Expr]:
    """A factor as a power."""
    return (factor.args[0], factor.args[1]) if factor.kind == "power" else (factor, ONE)


def _factors(term: Expr) -> tuple[Expr, ...]:
    return term.args if term.kind == "product" else (term,)


def coefficient_of(term: Expr) -> Number:
    """The number in front of a term."""
    return term.number if term.kind in ("number", "product") else Fraction(1)


def _canonical_factors(term: Expr) -> tuple[Number, list[Expr]]:
    """The coefficient and the factors, sums turned so that their first term is positive."""
    if term.kind == "number":
        return term.number, []
    coefficient, factors = coefficient_of(term), []
    for factor in _factors(term):
        base = _odd_sum(factor)
        if base is not None and coefficient_of(base.args[0]) < 0:
            coefficient, factor = -coefficient, _flipped(factor)
        factors.append(factor)
    return coefficient, factors


def _odd_sum(factor: Expr) -> Expr | None:
    """The sum of which the factor is an odd power, or None."""
    base, exponent = base_and_exponent(factor)
    return base if base.kind == "sum" and is_whole(exponent) and exponent.number % 2 == 1 else None


def _flipped(factor: Expr) -> Expr:
    """The odd power of a sum, as the power of the sum with the other sign."""
    base, exponent = base_and_exponent(factor)
    flipped = _scaled(base, Fraction(-1))
    return flipped if exponent == ONE else _make("power", args=(flipped, exponent))


def _scaled(total: Expr, by: Number) -> Expr:
    """A sum with each term multiplied."""
    return _sum(total.number * by, [_present(coefficient_of(t) * by, _factors(t)) for t in total.args])


def _present(coefficient: Number, factors: Sequence[Expr]) -> Expr:
    """The product of canonical factors; a minus in front moves into a sum of both signs, as in 2(1 - x)."""
    factors = sorted(factors, key=_product_order)
    if coefficient < 0:
        for i, factor in enumerate(factors):
            base = _odd_sum(factor)
            is_alone = len(factors) == 1 and base is factor and coefficient == -1
            if base is not None and (is_alone or _has_both_signs(base)):
                factors[i] = _flipped(factor)
                coefficient = -coefficient
                break
    return _product(coefficient, factors)


def _has_both_signs(total: Expr) -> bool:
    numbers = [total.number, *map(coefficient_of, total.args)]
    return min(numbers) < 0 < max(numbers)


def _product(coefficient: Number, factors: Sequence[Expr]) -> Expr:
    if coefficient == 0 or not factors:
        return number(coefficient)
    if coefficient == 1 and len(factors) == 1:
        return factors[0]
    number(coefficient)  # refuses an infinite one
    return _make("product", number=coefficient, args=tuple(sorted(factors, key=_product_order)))


def _product_order(factor: Expr) -> tuple[int, str, str]:
    """Constants, then symbols, sums, roots and symbolic powers, exponentials, functions, cases."""
    base, exponent = base_and_exponent(factor)
    if base.kind == "call":
        rank = 7 if base.name == "select" else 6
    elif base == E:
        rank = 5
    elif base.kind in ("number", "constant"):
        rank = 0 if exponent.kind == "number" else 4
    elif exponent.kind != "number":
        rank = 4
    elif base.kind == "symbol":
        rank = 1 if is_whole(exponent) else 3
    else:
        rank = 2 if is_whole(exponent) else 3
    return rank, base.name, factor.key


# powers


def power(base: Expr, exponent: Expr) -> Expr:
    """The base to its exponent."""
    if exponent == ZERO or base == ONE:
        return ONE
    if exponent == ONE:
        return base
    if base.kind == "number" and exponent.kind == "number":
        folded = _folded_power(base.number, exponent.number)
        if folded is not None:
            return number(folded)
    if is_whole(exponent):
        return _whole_power(base, exponent)
    if base.kind == "power":
        inner, inner_exponent = base.args
        if inner == E or (inner.kind == "number" and inner.number > 0):
            return power(inner, multiply((inner_exponent, exponent)))
        if is_whole(inner_exponent) and inner_exponent.number % 2 == 0:
            return power(call("abs", inner), multiply((inner_exponent, exponent)))
    if base.kind == "product" and base.number > 0 and base.number != 1 and exponent.kind == "number":
        folded = _folded_power(base.number, exponent.number)
        if folded is not None:
            return multiply((number(folded), power(_product(Fraction(1), base.args), exponent)))
    if base == E and exponent.kind == "call" and exponent.name == "ln":
        return exponent.args[0]
    return _make("power", args=(base, exponent))


def _whole_power(base: Expr, exponent: Expr) -> Expr:
    """The power with a whole exponent other than 0 and 1, which goes into products and powers."""
    is_even = exponent.number % 2 == 0
    if base.kind == "power":
        return power(base.args[0], multiply((base.args[1], exponent)))
    if base.kind == "product":
        return multiply((power(number(base.number), exponent), *(power(f, exponent) for f in base.args)))
    if base.kind == "call" and base.name == "abs" and is_even:
        return power(base.args[0], exponent)
    if base.kind == "sum":
        if is_even:
            _, [base] = _canonical_factors(base)
        else:
            sign, factors = _canonical_factors(_make("power", args=(base, exponent)))
            return _present(sign, factors)
    return _make("power", args=(base, exponent))


def _folded_power(base: Number, exponent: Number) -> Number | None:
    """The power of two numbers, or None where it is better left as it is."""
    if base == 0:
        return Fraction(0) if exponent > 0 else None
    if isinstance(base, float) or isinstance(exponent, float):
        return _float_power(float(base), float(exponent))
    if exponent.denominator == 2 and base > 0:
        root = Fraction(math.isqrt(base.numerator), math.isqrt(base.denominator))
        return _folded_power(root, exponent * 2) if root * root == base else None
    if exponent.denominator != 1 or abs(exponent) > MAX_FOLDED_EXPONENT:
        return None
    longest = max(base.numerator.bit_length(), base.denominator.bit_length())
    return Fraction(base**exponent.numerator) if abs(exponent) * longest < MAX_BITS else None


def _float_power(base: float, exponent: float) -> float | None:
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        return None


# calls

ODD = {"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt", "trunc", "round", "sgn"}
EVEN = {"cos", "cosh", "abs"}
ZERO_AT_ZERO = ODD - {"sgn"}
NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


def call(name: str, *args: Expr) -> Expr:
    """A function, comparison, logical operation or `select(p, a, b)` of the arguments.

    Functions go by the names of `eg.math`, except `ln`, `sgn`, `abs`, `min`, `max`, and `polygamma(n, x)`.
    """
    if name in ("ln", "log2", "log10"):
        return _logarithm(name, args[0])
    if name in ODD or name in EVEN or name in ("floor", "ceil"):
        return _unary(name, args[0])
    if name in ("min", "max"):
        return _extreme(name, args)
    if name in NEGATED:
        return _comparison(name, args[0], args[1])
    if name == "select":
        return _select(*args)
    if name in ("not", "and", "or", "real"):
        return _logic(name, args)
    return _make("call", name, args=args)


def _unary(name: str, x: Expr) -> Expr:
    """An odd, an even or a rounding function."""
    if name in EVEN and is_negative(x):
        return call(name, negate(x))
    if name in ODD and is_negative(x):
        return negate(call(name, negate(x)))
    if x == ZERO and name in ZERO_AT_ZERO:
        return ZERO
    if x == ZERO and name in ("cos", "cosh"):
        return ONE
    if x.kind == "number":
        folded = _folded_rounding(name, x.number)
        if folded is not None:
            return number(folded)
    base, exponent = base_and_exponent(x)
    is_never_negative = base == E or (is_whole(exponent) and exponent.number % 2 == 0)
    if name == "abs" and (is_never_negative or (x.kind == "call" and x.name == "abs")):
        return x
    return _make("call", name, args=(x,))


def _folded_rounding(name: str, value: Number) -> Number | None:
    """What the function gives for a number, positive if the function is odd or even."""
    if name == "abs":
        return value  # its sign was taken out
    if name == "sgn":
        return Fraction(1) if value > 0 else None
    whole = Fraction(value)
    if name in ("floor", "trunc"):
        return Fraction(whole.numerator // whole.denominator)
    if name == "ceil":
        return Fraction(-(-whole.numerator // whole.denominator))
    return Fraction(round(whole)) if name == "round" else None


def _logarithm(name: str, x: Expr) -> Expr:
    """A logarithm, which undoes an exponential."""
    if x == ONE:
        return ZERO
    if name == "ln" and base_and_exponent(x)[0] == E:
        return base_and_exponent(x)[1]
    return _make("call", name, args=(x,))


def _extreme(name: str, args: Sequence[Expr]) -> Expr:
    """The least or greatest, flat and without repetitions."""
    flat = [
        inner for arg in args for inner in (arg.args if arg.kind == "call" and arg.name == name else (arg,))
    ]
    distinct = tuple(dict.fromkeys(flat))
    if all(arg.kind == "number" for arg in distinct):
        return number((min if name == "min" else max)(arg.number for arg in distinct))
    return distinct[0] if len(distinct) == 1 else _make("call", name, args=distinct)


def _comparison(name: str, x: Expr, y: Expr) -> Expr:
    if x.kind == y.kind == "number" or x == y:
        difference = x.number - y.number if x != y else 0
        holds = {"lt": difference < 0, "gt": difference > 0, "eq": difference == 0}
        positive = name if name in holds else NEGATED[name]
        return TRUE if holds[positive] == (positive == name) else FALSE
    if name in ("eq", "ne") and x.kind == "number":
        x, y = y, x
    return _make("call", name, args=(x, y))


def _logic(name: str, args: tuple[Expr, ...]) -> Expr:
    if name == "real" and args[0] in (TRUE, FALSE):
        return ONE if args[0] == TRUE else ZERO
    if name == "not":
        inner = args[0]
        if inner in (TRUE, FALSE):
            return FALSE if inner == TRUE else TRUE
        if inner.name in NEGATED:
            return call(NEGATED[inner.name], *inner.args)
        return inner.args[0] if inner.name == "not" else _make("call", "not", args=args)
    if name in ("and", "or"):
        neutral, absorbing = (TRUE, FALSE) if name == "and" else (FALSE, TRUE)
        if absorbing in args:
            return absorbing
        kept = tuple(dict.fromkeys(arg for arg in args if arg != neutral))
        return kept[0] if len(kept) == 1 else _make("call", name, args=kept) if kept else neutral
    return _make("call", name, args=args)


def _select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """One of two expressions.

    Derivatives guard themselves against a single point: x^y by y multiplies by ln(x, or 1 where x = 0), whose
    own derivative counts as 0 there. Such an exception is not shown.
    """
    if condition == TRUE or then == otherwise:
        return then
    if condition == FALSE:
        return otherwise
    if condition.name in ("eq", "ne") and condition.args[1] == ZERO:
        at_zero, elsewhere = (then, otherwise) if condition.name == "eq" else (otherwise, then)
        if at_zero == ZERO or (at_zero == ONE and elsewhere == condition.args[0]):
            return elsewhere
    return _make("call", "select", args=(condition, then, otherwise))


def simplify(expr: Expr) -> Expr:
    """The expression built anew from its parts."""
    args = [simplify(arg) for arg in expr.args]
    if expr.kind == "sum":
        return add((*args, number(expr.number)))
    if expr.kind == "product":
        return multiply((number(expr.number), *args))
    if expr.kind == "power":
        return power(*args)
    return call(expr.name, *args) if expr.kind == "call" else expr

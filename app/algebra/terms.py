"""Real-algebra expressions in a readable normal form, for formulas that are shown and never compiled.

Each constructor (`add`, `multiply`, `power`, and `call` of `functions`) takes expressions in normal form and
returns an expression in normal form, so we simplify an expression while we build it. If the unsimplified
expression has a real value at a point, the simplified expression has the same value there, except at single
points that `functions.call("select", …)` ignores. The simplified expression may have values at more points:
`x/x` becomes 1, although `x/x` has no value at 0.

In the normal form, sums and products are flat. Like terms are combined, and so are powers of the same base. A
number is exact if a short fraction or decimal represents it. Signs are in front, and terms and factors are in
a fixed order. A product with a polynomial, such as 2x(x + 1), is multiplied out only if it is a term of a
sum.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from .expressions import (
    MINUS_ONE,
    ONE,
    ZERO,
    E,
    Expr,
    Number,
    base_and_exponent,
    coefficient_of,
    factors_of,
    folded_power,
    folded_rounding,
    is_negative,
    is_whole,
    make,
    number,
)
from .notations import EVEN, ODD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def negate(x: Expr) -> Expr:
    """The negated expression."""
    return multiply((MINUS_ONE, x))


def add(terms: Iterable[Expr]) -> Expr:
    """Add expressions, and combine like terms."""
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
    terms_left = [_present(c, factors_of(rest)) for c, rest in collected.values() if c != 0]
    return _sum(constant, sorted(terms_left, key=_sum_order))


def _sum(constant: Number, terms: Sequence[Expr]) -> Expr:
    if not terms:
        return number(constant)
    if len(terms) == 1 and constant == 0:
        return terms[0]
    number(constant)  # refuses an infinite constant
    return make("sum", number=constant, args=tuple(terms))


def _expanded(terms: Iterable[Expr]) -> list[Expr]:
    """Return the terms of a sum, after nested sums are flattened and polynomials are multiplied out."""
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
    """True if the term is a number times a sum, or a monomial times a polynomial."""
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
    """Return a term's sort key. Higher degrees come first. Terms of degree 2 have the order x², xy, y²."""
    symbols: list[tuple[str, float]] = []
    for factor in factors_of(term):
        base, exponent = base_and_exponent(factor)
        if base.kind == "symbol" and exponent.kind == "number":
            symbols.append((base.name, -float(exponent.number)))
    return (
        -_degree(term),
        tuple(sorted(symbols)) or (("\uffff", math.inf),),
        _product(Fraction(1), factors_of(term)).key,
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


def multiply(factors: Iterable[Expr]) -> Expr:
    """Multiply expressions, and combine powers of the same base."""
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
    if changed:  # combine again: √(xy)·√(xy)·x first becomes xy·x, and then x²y
        return multiply((number(coefficient), *parts))
    return _present(coefficient, parts)


def _canonical_factors(term: Expr) -> tuple[Number, list[Expr]]:
    """Split a term into its coefficient and its factors, with signs moved into the coefficient.

    A factor such as (−x + y)³ begins with a minus, so it becomes (x − y)³, and the coefficient changes sign.
    """
    if term.kind == "number":
        return term.number, []
    coefficient, factors = coefficient_of(term), []
    for factor in factors_of(term):
        base = _odd_sum(factor)
        if base is not None and coefficient_of(base.args[0]) < 0:
            coefficient, factor = -coefficient, _flipped(factor)
        factors.append(factor)
    return coefficient, factors


def _odd_sum(factor: Expr) -> Expr | None:
    """Return the sum inside a factor that is an odd power of a sum. Return None for other factors."""
    base, exponent = base_and_exponent(factor)
    return base if base.kind == "sum" and is_whole(exponent) and exponent.number % 2 == 1 else None


def _flipped(factor: Expr) -> Expr:
    """The odd power of the negated sum."""
    base, exponent = base_and_exponent(factor)
    flipped = _scaled(base, Fraction(-1))
    return flipped if exponent == ONE else make("power", args=(flipped, exponent))


def _scaled(total: Expr, by: Number) -> Expr:
    """Multiply each term of a sum by a number."""
    return _sum(total.number * by, [_present(coefficient_of(t) * by, factors_of(t)) for t in total.args])


def _present(coefficient: Number, factors: Sequence[Expr]) -> Expr:
    """Multiply a coefficient and factors in normal form.

    Move a minus sign into a sum if the sum has a positive and a negative term: -2(x - 1) → 2(1 - x).
    """
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
    number(coefficient)  # refuses an infinite coefficient
    return make("product", number=coefficient, args=tuple(sorted(factors, key=_product_order)))


def _product_order(factor: Expr) -> tuple[int, str, str]:
    """Return the sort key of a factor.

    Constants come first, then symbols, sums, roots and symbolic powers, exponentials, calls and cases.
    """
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


def power(base: Expr, exponent: Expr) -> Expr:
    """The power of a base and an exponent."""
    if exponent == ZERO or base == ONE:
        return ONE
    if exponent == ONE:
        return base
    if base.kind == "number" and exponent.kind == "number":
        folded = folded_power(base.number, exponent.number)
        if folded is not None:
            return number(folded)
    if is_whole(exponent):
        return _whole_power(base, exponent)
    if base.kind == "power":
        inner, inner_exponent = base.args
        if inner == E or (inner.kind == "number" and inner.number > 0):
            return power(inner, multiply((inner_exponent, exponent)))
        if is_whole(inner_exponent) and inner_exponent.number % 2 == 0:
            return power(unary("abs", inner), multiply((inner_exponent, exponent)))
    if base.kind == "product" and base.number > 0 and base.number != 1 and exponent.kind == "number":
        folded = folded_power(base.number, exponent.number)
        if folded is not None:
            return multiply((number(folded), power(_product(Fraction(1), base.args), exponent)))
    if base == E and exponent.kind == "call" and exponent.name == "ln":
        return exponent.args[0]
    return make("power", args=(base, exponent))


def _whole_power(base: Expr, exponent: Expr) -> Expr:
    """Raise to an integer exponent other than 0 and 1. In a product, raise each factor: (xy)² → x²y²."""
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
            sign, factors = _canonical_factors(make("power", args=(base, exponent)))
            return _present(sign, factors)
    return make("power", args=(base, exponent))


ZERO_AT_ZERO = ODD - {"sgn"}


def unary(name: str, x: Expr) -> Expr:
    """An odd, an even or a rounding function."""
    if name in EVEN and is_negative(x):
        return unary(name, negate(x))
    if name in ODD and is_negative(x):
        return negate(unary(name, negate(x)))
    if x == ZERO and name in ZERO_AT_ZERO:
        return ZERO
    if x == ZERO and name in ("cos", "cosh"):
        return ONE
    if x.kind == "number":
        folded = folded_rounding(name, x.number)
        if folded is not None:
            return number(folded)
    base, exponent = base_and_exponent(x)
    is_never_negative = base == E or (is_whole(exponent) and exponent.number % 2 == 0)
    if name == "abs" and (is_never_negative or (x.kind == "call" and x.name == "abs")):
        return x
    return make("call", name, args=(x,))

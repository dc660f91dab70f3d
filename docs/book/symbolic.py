"""A symbolic differentiator with the rules that schools teach for sums and products. It simplifies nothing.

An expression is the variable "x", a number, or a tuple (sign, expression, expression) with the sign "+" or
"*". The terms of an expression are its variables, numbers and signs.
"""

from __future__ import annotations

from typing import Any

Expression = Any
X = "x"


def add(one: Expression, other: Expression) -> Expression:
    """The sum of two expressions."""
    return ("+", one, other)


def times(one: Expression, other: Expression) -> Expression:
    """The product of two expressions."""
    return ("*", one, other)


def derivative(of: Expression) -> Expression:
    """Return the derivative of an expression with respect to x."""
    if of == X:
        return 1
    if not isinstance(of, tuple):
        return 0
    sign, one, other = of
    if sign == "+":
        return add(derivative(one), derivative(other))
    return add(times(derivative(one), other), times(one, derivative(other)))


def terms(of: Expression) -> int:
    """Count the variables, numbers and signs in an expression."""
    return 1 + terms(of[1]) + terms(of[2]) if isinstance(of, tuple) else 1


def text(of: Expression) -> str:
    """Return an expression as text, with brackets around each part."""
    if not isinstance(of, tuple):
        return str(of)
    sign, one, other = of
    return " ".join((inner(one), "·" if sign == "*" else "+", inner(other)))


def inner(of: Expression) -> str:
    """A part of an expression as text."""
    return f"({text(of)})" if isinstance(of, tuple) else text(of)


def value(of: Expression, x: Any) -> Any:
    """The value of an expression at x. x may be a traced number."""
    if of == X:
        return x
    if not isinstance(of, tuple):
        return of
    sign, one, other = of
    return value(one, x) + value(other, x) if sign == "+" else value(one, x) * value(other, x)


def chain(k: int) -> Expression:
    """x·(x·(x…)) with k products."""
    made: Expression = X
    for _ in range(k):
        made = times(X, made)
    return made


def squared(k: int) -> Expression:
    """X, squared k times over."""
    made: Expression = X
    for _ in range(k):
        made = times(made, made)
    return made


SMALL = add(times(X, X), add(X, X))
"""The example x² + (x + x)."""


def orders(of: Expression, most: int) -> list[int]:
    """Return how many terms the expression and each of its derivatives up to order `most` have."""
    counts = [terms(of)]
    for _ in range(most):
        of = derivative(of)
        counts.append(terms(of))
    return counts

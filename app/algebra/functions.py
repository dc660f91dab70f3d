"""Build function calls, comparisons and choices between expressions, in the normal form of `terms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .expressions import FALSE, ONE, TRUE, ZERO, E, Expr, base_and_exponent, make, number
from .notations import EVEN, ODD
from .terms import add, multiply, power, unary

if TYPE_CHECKING:
    from collections.abc import Sequence

NEGATED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


def call(name: str, *args: Expr) -> Expr:
    """Apply a function, a comparison, a logical operation or `select(p, a, b)` to arguments.

    name: a name such as "ln", "lt" or "select". Functions have the names that shown formulas use. The first
        argument of `polygamma` is its order.
    """
    if name in ("ln", "log2", "log10"):
        return _logarithm(name, args[0])
    if name in ODD or name in EVEN or name in ("floor", "ceil"):
        return unary(name, args[0])
    if name in ("min", "max"):
        return _extreme(name, args)
    if name in NEGATED:
        return _comparison(name, args[0], args[1])
    if name == "select":
        return _select(*args)
    if name in ("not", "and", "or", "real"):
        return _logic(name, args)
    return make("call", name, args=args)


def _logarithm(name: str, x: Expr) -> Expr:
    """Build a logarithm. Simplify the logarithm of 1 to 0, and ln(e^x) to x."""
    if x == ONE:
        return ZERO
    if name == "ln" and base_and_exponent(x)[0] == E:
        return base_and_exponent(x)[1]
    return make("call", name, args=(x,))


def _extreme(name: str, args: Sequence[Expr]) -> Expr:
    """Build a minimum or maximum. Flatten nested calls, and remove repeated arguments."""
    flat = [
        inner for arg in args for inner in (arg.args if arg.kind == "call" and arg.name == name else (arg,))
    ]
    distinct = tuple(dict.fromkeys(flat))
    if all(arg.kind == "number" for arg in distinct):
        return number((min if name == "min" else max)(arg.number for arg in distinct))
    return distinct[0] if len(distinct) == 1 else make("call", name, args=distinct)


def _comparison(name: str, x: Expr, y: Expr) -> Expr:
    if x.kind == y.kind == "number" or x == y:
        difference = x.number - y.number if x != y else 0
        holds = {"lt": difference < 0, "gt": difference > 0, "eq": difference == 0}
        positive = name if name in holds else NEGATED[name]
        return TRUE if holds[positive] == (positive == name) else FALSE
    if name in ("eq", "ne") and x.kind == "number":
        x, y = y, x
    return make("call", name, args=(x, y))


def _logic(name: str, args: tuple[Expr, ...]) -> Expr:
    if name == "real" and args[0] in (TRUE, FALSE):
        return ONE if args[0] == TRUE else ZERO
    if name == "not":
        inner = args[0]
        if inner in (TRUE, FALSE):
            return FALSE if inner == TRUE else TRUE
        if inner.name in NEGATED:
            return call(NEGATED[inner.name], *inner.args)
        return inner.args[0] if inner.name == "not" else make("call", "not", args=args)
    if name in ("and", "or"):
        neutral, absorbing = (TRUE, FALSE) if name == "and" else (FALSE, TRUE)
        if absorbing in args:
            return absorbing
        sides = tuple(dict.fromkeys(arg for arg in args if arg != neutral))
        return sides[0] if len(sides) == 1 else make("call", name, args=sides) if sides else neutral
    return make("call", name, args=args)


def _select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Build a choice between two expressions: `then` if the condition holds, `otherwise` if it does not.

    Some derivative rules choose between two expressions only because of a single point. For example, the rule
    for the derivative of x^y with respect to y uses ln x, but ln 1 at the point x = 0. We ignore such a
    point, and return the expression that holds at all other points.
    """
    if condition == TRUE or then == otherwise:
        return then
    if condition == FALSE:
        return otherwise
    if condition.name in ("eq", "ne") and condition.args[1] == ZERO:
        at_zero, elsewhere = (then, otherwise) if condition.name == "eq" else (otherwise, then)
        if at_zero == ZERO or at_zero.name == "pole" or (at_zero == ONE and elsewhere == condition.args[0]):
            return elsewhere
    return make("call", "select", args=(condition, then, otherwise))


def simplify(expr: Expr) -> Expr:
    """Simplify an expression: build it again by calls of `add`, `multiply`, `power` and `call`."""
    args = [simplify(arg) for arg in expr.args]
    if expr.kind == "sum":
        return add((*args, number(expr.number)))
    if expr.kind == "product":
        return multiply((number(expr.number), *args))
    if expr.kind == "power":
        return power(*args)
    return call(expr.name, *args) if expr.kind == "call" else expr

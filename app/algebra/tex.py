"""Expressions as TeX for KaTeX."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from .expressions import ONE, Expr, base_and_exponent, is_negative, number
from .notations import BARE, TEX
from .terms import negate, power

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SUM, SIGN, PRODUCT, FUNCTION, POWER, ATOM = range(6)  # how strongly an operation binds
SIGNIFICANT_DIGITS = 6
# A number is written as an exact decimal only if its denominator divides LONGEST_DECIMAL, and as a fraction
# only if its numerator and its denominator are smaller than LONGEST_DECIMAL.
LONGEST_DECIMAL = 10**6
LONGEST_INTEGER = 10**15


class Piece(NamedTuple):
    """A piece of TeX.

    strength: the precedence of the piece's outermost operation, from SUM to ATOM.
    is_plain: true if the piece can be a function's argument without brackets, as 2x can in sin 2x.
    opens_with_name: true if the piece begins with a function's name, as sin y does. Then the piece needs no
        brackets after a factor such as ln x, as in the product ln x sin y.
    around_exponent: for a call such as sin x, the TeX before and after an exponent. In sin² x these are
        "sin" and "x".
    """

    tex: str
    strength: int
    is_plain: bool = False
    opens_with_name: bool = False
    around_exponent: tuple[str, str] | None = None


GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
))  # fmt: skip
NAMED = re.compile(r"([^\W\d_]+)_?(\w*)")
TRIGONOMETRIC = frozenset(("sin", "cos", "tan"))
FENCES: Mapping[str, tuple[str, str]] = {
    "abs": (r"\left|", r"\right|"),
    "floor": (r"\left\lfloor ", r"\right\rfloor "),
    "ceil": (r"\left\lceil ", r"\right\rceil "),
    "real": (r"\left[", r"\right]"),
    "exp2": ("2^{", "}"),
}
RELATIONS: Mapping[str, str] = {
    "lt": "<", "gt": ">", "le": r"\le ", "ge": r"\ge ", "eq": "=", "ne": r"\ne ",
    "and": r"\land ", "or": r"\lor ", "xor": r"\oplus ",
}  # fmt: skip
CONSTANTS: Mapping[str, str] = {
    "pi": r"\pi", "e": "e", "true": r"\top", "false": r"\bot", "infinity": r"\infty",
}  # fmt: skip


def tex(expr: Expr) -> str:
    """Return the TeX of an expression.

    >>> from .expressions import symbol
    >>> from .terms import power
    >>> tex(power(symbol("x"), symbol("y")))
    'x^{y}'
    """
    return _piece(expr).tex


def _bracketed(piece: Piece) -> str:
    return rf"\left({piece.tex}\right)"


def _within(piece: Piece, strength: int) -> str:
    """Return the piece's TeX, in brackets if its precedence is lower than `strength`."""
    return piece.tex if piece.strength >= strength else _bracketed(piece)


def _name(name: str) -> Piece:
    """Typeset a variable: a word, or a letter (Latin or Greek) with an optional index."""
    match = NAMED.fullmatch(name)
    stem, index = match.groups() if match else (name, "")
    if stem in GREEK:
        shown = rf"\{stem}"
    elif len(stem) == 1:
        shown = stem
    else:
        shown, index = rf"\mathit{{{_escaped(name)}}}", ""
    if index:
        shown += f"_{{{_escaped(index)}}}"
    return Piece(shown, ATOM, is_plain=True)


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")


def _digits(value: Fraction | float) -> str:
    """Typeset a nonnegative number: an integer, a short decimal, or a decimal with six significant digits."""
    if isinstance(value, Fraction) and value.denominator == 1 and value < LONGEST_INTEGER:
        return str(value.numerator)
    if isinstance(value, Fraction) and LONGEST_DECIMAL % value.denominator == 0:
        shown = repr(float(value))
    else:
        shown = f"{float(value):.{SIGNIFICANT_DIGITS}g}"
    mantissa, _, exponent = shown.removesuffix(".0").partition("e")
    if not exponent:
        return mantissa
    ten = f"10^{{{int(exponent)}}}"
    return ten if float(mantissa) == 1 else rf"{mantissa.removesuffix('.0')} \cdot {ten}"


def _is_fraction(value: Fraction | float) -> bool:
    """True if the number is shown as a fraction of integers. False if it is shown as a decimal."""
    if not isinstance(value, Fraction) or value.denominator == 1:
        return False
    is_decimal = value.denominator % 5 == 0 and LONGEST_DECIMAL % value.denominator == 0
    return not is_decimal and max(value.numerator, value.denominator) < LONGEST_DECIMAL


def _number(value: Fraction | float) -> Piece:
    if value < 0:
        return Piece(f"-{_number(-value).tex}", SIGN)
    if _is_fraction(value):
        exact = Fraction(value)
        return Piece(rf"\frac{{{exact.numerator}}}{{{exact.denominator}}}", PRODUCT, is_plain=True)
    return _decimal(_digits(value))


def _decimal(shown: str) -> Piece:
    """Make a piece from a typeset number. The number may contain a power of ten."""
    return Piece(shown, PRODUCT if "cdot" in shown else POWER if "^" in shown else ATOM, is_plain=True)


def _juxtaposed(pieces: Sequence[Piece]) -> str:
    """Write factors side by side. Put a dot between two numbers, and brackets where they are needed."""
    shown = ""
    for i, piece in enumerate(pieces):
        is_safe_end = i == len(pieces) - 1 or pieces[i + 1].opens_with_name
        is_whole = piece.tex.startswith(r"\frac") or i == 0
        weakest = PRODUCT if is_whole else FUNCTION
        part = _within(piece, weakest if is_safe_end or piece.strength != FUNCTION else POWER)
        needs_dot = shown and (part[0].isdigit() or (part.startswith(r"\frac") and shown[-1].isdigit()))
        shown += (r" \cdot " if needs_dot else " " if shown else "") + part
    return shown


def _call(name: str, arguments: Sequence[Piece]) -> Piece:
    """Typeset the call of a function, a comparison, a logical operation or a choice between two cases."""
    if name in RELATIONS:
        sides = [_within(argument, SUM if name in _COMPARISONS else PRODUCT) for argument in arguments]
        return Piece(RELATIONS[name].join(sides), SUM)
    if name == "not":
        return Piece(rf"\lnot {_bracketed(arguments[0])}", PRODUCT)
    if name == "select":
        condition, then, otherwise = (argument.tex for argument in arguments)
        cases = rf"\begin{{cases}}{then} & {condition} \\ {otherwise} & \text{{otherwise}}\end{{cases}}"
        return Piece(cases, SUM)
    if name in FENCES:
        before, after = FENCES[name]
        return Piece(
            f"{before}{arguments[0].tex}{after}".rstrip(), POWER if name == "exp2" else ATOM, is_plain=True
        )
    if name == "sqrt":
        return Piece(rf"\sqrt{{{arguments[0].tex}}}", ATOM)
    if name == "cbrt":
        return Piece(rf"\sqrt[3]{{{arguments[0].tex}}}", ATOM)
    if name == "polygamma":
        order, argument = arguments
        arguments = [argument]
        shown = r"\psi" if order.tex == "0" else rf"\psi^{{({order.tex})}}"
        return Piece(_applied(shown, "", arguments).tex, ATOM if order.tex == "0" else POWER)
    shown = TEX.get(name, rf"\operatorname{{{name}}}")
    return _applied(shown, name, arguments)


_COMPARISONS = frozenset(("lt", "gt", "le", "ge", "eq", "ne"))


def _applied(shown: str, name: str, arguments: Sequence[Piece]) -> Piece:
    """Typeset a call as the function's name and its arguments. A plain argument needs no brackets: sin 2x."""
    inner = ", ".join(argument.tex for argument in arguments)
    if len(arguments) != 1 or not _goes_bare(name, arguments[0]):
        argument = rf"\left({inner}\right)"
        return Piece(f"{shown}{argument}", ATOM, False, True, (shown, argument))
    separator = "" if inner.startswith("\\") else " "
    return Piece(f"{shown}{separator}{inner}", FUNCTION, False, True, (shown, f" {inner}"))


def _goes_bare(name: str, argument: Piece) -> bool:
    """True if the function's argument needs no brackets, as in ln x and sin 2x.

    The argument needs brackets in Γ(x), and in ln(2x), because ln 2x could mean (ln 2)x.
    """
    is_product = argument.strength == PRODUCT and not argument.tex.startswith(r"\frac")
    return argument.is_plain and name in BARE and (not is_product or name in TRIGONOMETRIC)


def _raised(base: Piece, exponent: str) -> Piece:
    """Typeset a power. A positive integer exponent of a call comes after the function's name: sin² x."""
    if base.around_exponent is not None and exponent.isdigit():
        before, behind = base.around_exponent
        return Piece(f"{before}^{{{exponent}}}{behind}", base.strength, opens_with_name=True)
    return Piece(f"{_within(base, ATOM)}^{{{exponent}}}", POWER)


def _piece(expr: Expr) -> Piece:
    if expr.kind == "number":
        return _number(expr.number)
    if expr.kind == "symbol":
        return _name(expr.name)
    if expr.kind == "constant":
        return Piece(CONSTANTS[expr.name], ATOM, is_plain=True)
    if expr.kind == "sum":
        return _sum_piece(expr)
    if expr.kind == "call":
        return _call(expr.name, [_piece(arg) for arg in expr.args])
    return _product_piece(expr)


def _sum_piece(expr: Expr) -> Piece:
    """Typeset a sum. Write a positive term first if there is one: 1 - x, not -x + 1."""
    terms = [*expr.args, *([number(expr.number)] if expr.number != 0 else [])]
    if is_negative(terms[0]):
        first = next((i for i, term in enumerate(terms) if not is_negative(term)), 0)
        terms.insert(0, terms.pop(first))
    shown = ""
    for term in terms:
        minus = is_negative(term)
        sign = "-" if minus else "+" if shown else ""
        shown += sign + _within(_piece(negate(term) if minus else term), PRODUCT)
    return Piece(shown, SUM)


def _product_piece(expr: Expr) -> Piece:
    """Typeset a product or power. It becomes a fraction if a factor has a negative exponent."""
    if expr.kind == "product" and expr.number < 0:
        return Piece(f"-{_within(_product_piece_of(negate(expr)), PRODUCT)}", SIGN)
    return _product_piece_of(expr)


def _product_piece_of(expr: Expr) -> Piece:
    coefficient = expr.number if expr.kind == "product" else Fraction(1)
    factors = expr.args if expr.kind == "product" else (expr,) if expr.kind == "power" else ()
    if not factors:
        return _piece(expr)
    above: list[Expr] = []
    below: list[Expr] = []
    for factor in factors:
        base, exponent = base_and_exponent(factor)
        is_divisor = exponent.kind == "number" and is_negative(exponent)
        (below if is_divisor else above).append(power(base, negate(exponent)) if is_divisor else factor)
    over: Fraction | float = coefficient
    under = Fraction(1)
    if isinstance(coefficient, Fraction) and _is_fraction(coefficient):
        over, under = Fraction(coefficient.numerator), Fraction(coefficient.denominator)
    if not below and under == 1:
        return _side(over, above)
    return Piece(rf"\frac{{{_side(over, above).tex}}}{{{_side(under, below).tex}}}", PRODUCT, _is_short(expr))


def _is_short(expr: Expr) -> bool:
    """True if a fraction is short. A short fraction needs no brackets as a function's argument."""
    return expr.size <= 5 and all(factor.kind in ("symbol", "constant") for factor in expr.args)


def _side(coefficient: Fraction | float, factors: Sequence[Expr]) -> Piece:
    """Typeset a numerator or denominator: a coefficient and factors without negative exponents."""
    pieces = [_power_piece(factor) for factor in factors]
    if coefficient != 1 or not pieces:
        pieces.insert(0, _number(coefficient))
    if len(pieces) == 1:
        return pieces[0]
    is_plain = (
        len(factors) <= 2 and all(f.kind == "constant" for f in factors[:-1]) and factors[-1].kind == "symbol"
    )
    return Piece(_juxtaposed(pieces), PRODUCT, is_plain)


def _power_piece(factor: Expr) -> Piece:
    base, exponent = base_and_exponent(factor)
    if exponent == ONE:
        return _piece(factor)
    if exponent.kind == "number" and exponent.number == Fraction(1, 2):
        return _call("sqrt", [_piece(base)])
    return _raised(_piece(base), _exponent(exponent))


def _exponent(exponent: Expr) -> str:
    """Typeset an exponent. A fraction is written in one line, as in x^{2/3}."""
    if exponent.kind == "number" and _is_fraction(exponent.number):
        exact = Fraction(exponent.number)
        return f"{exact.numerator}/{exact.denominator}"
    return _piece(exponent).tex

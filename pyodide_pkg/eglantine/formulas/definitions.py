"""Define functions such as sec and sinc by formulas. The module is loaded when a formula calls one of them.

Each formula is accurate for all arguments, and can be differentiated wherever the function has a derivative.
A `where` computes both of its values. If one of them divided by zero or overflowed, derivatives would be NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .parts import Formula

DEFINITIONS: Mapping[str, tuple[str, str]] = {
    "sec": ("x", "1/cos(x)"),
    "csc": ("x", "1/sin(x)"),
    "cot": ("x", "1/tan(x)"),
    "sech": ("x", "1/cosh(x)"),
    "csch": ("x", "1/sinh(x)"),
    "coth": ("x", "1/tanh(x)"),
    # For |x| < 0.1 we use the Taylor series, so that derivatives are accurate near 0. The first term that we
    # leave out is below 3e-18.
    "sinc": (
        "x",
        "where(abs(x) < 0.1, 1 - x^2/6*(1 - x^2/20*(1 - x^2/42*(1 - x^2/72))), sin(x)/where(x == 0, 1, x))",
    ),
    "sigmoid": ("x", "where(x >= 0, 1, _small(x))/(1 + _small(x))"),
    "_small": ("x", "exp(where(x >= 0, -x, x))"),
    "relu": ("x", "max(x, 0)"),
    "softplus": ("x", "where(x >= 0, x, 0) + log1p(_small(x))"),
    "heaviside": ("x", "(1 + sign(x))/2"),
    "fmod": ("x y", "x - y*trunc(x/y)"),
    "root": (
        "n x",
        (
            "where(n == 2, sqrt(x), where(n == 3, cbrt(x),"
            " where(mod(n, 2) == 1, where(x < 0, -1, 1), 1)*pow(where(mod(n, 2) == 1, abs(x), x), 1/n)))"
        ),
    ),
    "nthroot": ("x n", "root(n, x)"),
    # We compute log |Γ(x)| and the sign of Γ(x). At whole numbers up to 23, a correction makes Γ(x) exact.
    "gamma": (
        "x",
        (
            "where(x < 0 and x == floor(x), 0/0, _gamma(x)"
            " + where(x == floor(x) and x > 0 and x <= 23, _whole_gamma(x) - _gamma(floor(x)), 0))"
        ),
    ),
    "_gamma": ("x", "_sign(x)*exp(lgamma(x))"),
    "_whole_gamma": ("x", "prod(k=1..22, where(k < floor(x), k, 1))"),
    "_sign": ("x", "where(x > 0, 1, 1 - 2*mod(floor(x), 2))"),
    "factorial": ("x", "gamma(x + 1)"),
    # For a negative whole n, we use C(n, k) = (−1)^k C(k − n − 1, k).
    "binomial": (
        "n k",
        "where(n < 0 and n == floor(n), (1 - 2*mod(k, 2))*_whole(k - n - 1, k), _whole(n, k))",
    ),
    "_whole": (
        "n k",
        (
            "_binomial(n, k) + where(n == floor(n) and k == floor(k)"
            " and abs(_binomial(floor(n), floor(k))) < 1e15,"
            " round(_binomial(floor(n), floor(k))) - _binomial(floor(n), floor(k)), 0)"
        ),
    ),
    "_binomial": (
        "n k",
        "_sign(n + 1)*_sign(k + 1)*_sign(n - k + 1)*exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1))",
    ),
    # Rational approximations of W. J. Cody, Math. Comp. 23 (1969), pp. 631-637. 1 - erf(x) would lose digits.
    "erfc": (
        "x",
        (
            "where(x < 0.5, 1 - erf(x), exp(-x^2)*where(x < 4, _middle(where(x < 0.5, 0.5, x)),"
            " _far(where(x < 4, 4, x))))"
        ),
    ),
    "_middle": ("x", "_above(x)/_below(x)"),
    "_above": (
        "x",
        (
            "(((((((2.15311535474403846e-8 x + 0.564188496988670089) x + 8.88314979438837594) x"
            " + 66.1191906371416295) x + 298.635138197400131) x + 881.95222124176909) x"
            " + 1712.04761263407058) x + 2051.07837782607147) x + 1230.33935479799725"
        ),
    ),
    "_below": (
        "x",
        (
            "(((((((x + 15.7449261107098347) x + 117.693950891312499) x + 537.181101862009858) x"
            " + 1621.38957456669019) x + 3290.79923573345963) x + 4362.61909014324716) x"
            " + 3439.36767414372164) x + 1230.33935480374942"
        ),
    ),
    "_far": ("x", "(1/sqrt(pi) - _tail(1/x^2)/x^2)/x"),
    "_tail": (
        "t",
        (
            "(((((0.0163153871373020978 t + 0.305326634961232344) t + 0.360344899949804439) t"
            " + 0.125781726111229246) t + 0.0160837851487422766) t + 6.58749161529837803e-4)/(((((t"
            " + 2.56852019228982242) t + 1.87295284992346725) t + 0.527905102951428412) t"
            " + 0.0605183413124413191) t + 0.00233520497626869185)"
        ),
    ),
}
"""For each function, the names of its parameters, and its formula. Only these formulas use names with `_`."""


@lru_cache(maxsize=64)
def definition(name: str) -> Formula:
    """Return the formula that defines a function of `grammar.DERIVED`, or one of its helper functions."""
    from .alphabet import extended
    from .grammar import Function
    from .lexer import lex, vocabulary
    from .parser import read_tokens
    from .parts import Formula

    names, text = DEFINITIONS[name]
    parameters = tuple(names.split())
    inner = {other: Function(other, n, n) for other, (of, _) in DEFINITIONS.items() if (n := len(of.split()))}
    words = extended(vocabulary(parameters), functions=inner, bound=("k",) if "k" not in parameters else ())
    return Formula(text, parameters, read_tokens(lex(text, words), words))

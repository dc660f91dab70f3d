"""Words that people write in formulas by mistake, such as acot, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

HABITS: Mapping[str, str] = {
    "sen": "sin", "sinus": "sin", "sine": "sin", "cosinus": "cos", "cosine": "cos", "tg": "tan",
    "tangens": "tan", "tangent": "tan", "arctg": "atan", "arcsen": "asin",
    "squareroot": "sqrt",
    "cuberoot": "cbrt", "ch": "cosh", "sh": "sinh", "th": "tanh", "lg": "log10", "lb": "log2",
    "logarithm": "log", "modulus": "abs", "magnitude": "abs", "gammaln": "lgamma", "loggamma": "lgamma",
    "rint": "round",
    "truncate": "trunc", "fix": "trunc",
}  # fmt: skip
"""A dict from other names of functions to the names that formulas use.

The spellings of the two names differ so much that the search for a near word (`nearest`) does not find it."""

COMMANDS = frozenset(("plot", "graph", "draw", "solve", "simplify", "evaluate", "calculate"))
"""Words that other programs accept before a formula, as commands that say what to do with it."""

NO_NUMBERS: Mapping[str, str] = {
    "i": "The imaginary unit has no meaning in a formula of real numbers. Use cos and sin instead.",
    "inf": "Infinity is no number that can be drawn. Write a large number, such as 1e9.",
    "infinity": "Infinity is no number that can be drawn. Write a large number, such as 1e9.",
    "oo": "Infinity is no number that can be drawn. Write a large number, such as 1e9.",
    "∞": "Infinity is no number that can be drawn. Write a large number, such as 1e9.",
    "nan": "Formulas have nothing that computes it. It is no number that can be drawn, so leave it out.",
}
"""A dict from names of values that are not real numbers to sentences that tell users what to do instead."""

CHARACTERS: Mapping[str, str] = {
    "°": "Angles are in radians. Write 30*pi/180 for 30 degrees.",
    "∛": "Write cbrt(x).",
    "∜": "Write root(4, x).",
    "½": "Write 1/2.", "⅓": "Write 1/3.", "⅔": "Write 2/3.", "¼": "Write 1/4.", "¾": "Write 3/4.",
    "∞": NO_NUMBERS["∞"],
    "$": "Leave out the dollar signs around the formula.",
    "'": "Derivatives are computed by themselves. Write only the function.",
    "′": "Derivatives are computed by themselves. Write only the function.",
    "∂": "Derivatives are computed by themselves. Write only the function.",
    "∑": "Write a sum as sum(k=1..10, x^k).",
    "∏": "Write a product as prod(k=1..10, x + k).",
}  # fmt: skip
"""A dict from characters that formulas do not know to sentences that tell users what to write instead."""

IDENTITIES: Mapping[str, str] = {
    "acot": "atan(1/x)", "arccot": "atan(1/x)", "asec": "acos(1/x)", "arcsec": "acos(1/x)",
    "acsc": "asin(1/x)", "arccsc": "asin(1/x)", "acoth": "atanh(1/x)", "asech": "acosh(1/x)",
    "acsch": "asinh(1/x)", "cosc": "(1 - cos(x))/x", "versin": "1 - cos(x)",
    "haversin": "sin(x/2)^2", "cis": "", "sind": "sin(x*pi/180)", "cosd": "cos(x*pi/180)",
    "tand": "tan(x*pi/180)", "logit": "log(x/(1 - x))", "swish": "x/(1 + exp(-x))", "silu": "x/(1 + exp(-x))",
    "gelu": "x*(1 + erf(x/sqrt(2)))/2", "gaussian": "exp(-x^2/2)", "gauss": "exp(-x^2/2)",
    "fact": "factorial(x)", "digamma": "polygamma(0, x)", "psi": "polygamma(0, x)",
    "trigamma": "polygamma(1, x)", "erfi": "", "erfinv": "", "zeta": "", "beta": "",
    "exp10": "10^x", "square": "x^2", "sqr": "x^2", "sq": "x^2", "cube": "x^3", "inverse": "1/x",
    "inv": "1/x",
    "reciprocal": "1/x", "step": "heaviside(x)", "int": "trunc(x)",
    "frac": "x - floor(x)", "fract": "x - floor(x)", "degrees": "x*180/pi", "radians": "x*pi/180",
    "deg": "x*180/pi", "rad": "x*pi/180", "neg": "-x",
}  # fmt: skip
"""A dict from functions of x that formulas do not have to formulas that compute them.

The entry is "" if no formula computes the function."""

OF_TWO: Mapping[str, str] = {
    "rem": "x - y*trunc(x/y)", "logb": "log(x)/log(y)",
    "mean": "(x + y)/2", "avg": "(x + y)/2", "average": "(x + y)/2", "norm": "hypot(x, y)",
    "dist": "hypot(x, y)", "nroot": "root(y, x)", "plus": "x + y", "add": "x + y",
}  # fmt: skip
"""A dict from functions of x and y that formulas do not have to formulas that compute them."""

FORMULAS: Mapping[str, str] = {name: it for name, it in {**IDENTITIES, **OF_TWO}.items() if it}
"""All entries of IDENTITIES and OF_TWO that have a formula."""

NUMBERS: Mapping[str, str] = {
    "tau": "2*pi", "phi": "(1 + sqrt(5))/2", "golden": "(1 + sqrt(5))/2", "euler": "e", "degree": "pi/180",
}  # fmt: skip
"""A dict from names of numbers that formulas do not have to formulas that compute the numbers."""


def identity(word: str, called: bool) -> str | None:
    """Write a phrase for an error message that says which formula to use instead of an unknown word.

    Return "" if no formula can replace the word. Return None if the word is not in this module's tables.
    called: true if a bracket follows the word.

    >>> identity("acot", True)
    'acot(x) is atan(1/x), so write that'
    """
    if called and (word in IDENTITIES or word in OF_TWO):
        arguments, meaning = ("x", IDENTITIES[word]) if word in IDENTITIES else ("x, y", OF_TWO[word])
        return meaning and f"{word}({arguments}) is {meaning}, so write that"
    if word in NUMBERS:
        return NUMBERS[word] and f"{word} is {NUMBERS[word]}, so write that"
    return identity(word, True) if not called and (word in IDENTITIES or word in OF_TWO) else None

"""Random texts for the parser: formulas, damaged formulas, arbitrary characters, and very large texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

from .pieces import ARGUMENTS

NAMES = ("x", "y", "a", "speed")

FUNCTIONS = [name for name, (_, least, most) in ARGUMENTS.items() if least == most == 1 and name != "√"]
CONDITIONS = ["{0} > {1}", "{0}<{1}", "{0} <= {1}", "{0} ≥ {1}", "{0} == {1}", "{0} != {1}", "{0} < {1} < 2"]
CHOICES = ["{{{2}: {0}, {1}}}", "{{{2}: {0}}}", "{{{2}}}", "if({2}, {0}, {1})", "where({2},{0},{1})", "({2})",
           "({0} if {2} else {1})", "{0} if {2} else {1}", "({2} ? {0} : {1})", "{2}",
           "piecewise({2}, {0})"]  # fmt: skip
SERIES = ["sum(k=1..3, {0})", "prod(k = 0..2, k x + {0})", "sum({0} k, k=-1..1)", "sum(k=1..3, k) + k"]
WORDS = ["X", "Y", "XY", "Sin(x)", "PI", "log_2(x)", "log_3 x", "log_a(x)", "x!", "mod(x, 2)", "y%3", "Exp x",
         "gamma(x)", "Gamma(y)", "gamma x", "np.sin(x)", "x # y", "z = x", "f(x, y) = y",
         "y = x", "x² = y", "3!"]  # fmt: skip
OTHERS = ["atan2", "hypot", "pow", "copysign", "min", "max", "clip", "minimum", "arctan2", "polygamma"]
NUMBERS = ["0", "1", "2", "10", "0.5", ".5", "3.", "1e3", "2e-3"]
OPERANDS = [*NUMBERS, *NAMES, "x", "y", "pi", "e", "π", "xy", "2x"]
OPERATORS = ["+", "-", "*", "/", "^", "**", " ", "", "·", "×", "÷", "−", "–"]
RAISED = ["²", "³", "⁻¹", "⁰", "¹²"]
LOGIC = [
    "<",
    ">",
    "<=",
    "==",
    "!=",
    " and ",
    " or ",
    " not ",
    "&&",
    "?",
    ":",
    " if ",
    " else ",
    "!",
    "%",
    "{",
    "}",
    "=",
    "..",
]
SYMBOLS = [*LOGIC, *OPERATORS, "(", ")", "[", "]", "|", ",", "√", *RAISED]
LARGE = ["(", "[", "|", "-", "sin ", "sin(", "x^", "√", "min(x,", "2^-", "x+(", "exp(-", "x y ", "9", "1+"]
HOSTILE = [
    ".__class__", "__import__('os')", "eval(", "lambda x:", ":=", "=", "==", ";", "#", "'", '"', "`",
    "\\", "{", "}", "${", "{{", "<script>", "</", "&lt;", "%", "@", "!", "~", "<", ">", "?", "$", "_",
    "\0", "\n", "\u2028", "\u202e", "\u200b", "\ufeff", "\u0301", "\ud800", "😀", "１", "ｘ", "х", "ѕin", "½",
    "1e999", "1e-999", "0x10", "1_0", "constructor", "__proto__", "toString", "NaN", "Infinity", "..",
    "1.2.3", "//", "/*", "*/", "%00", "9" * 400,
]  # fmt: skip


def fuzzed(random_: random.Random, corpus: Sequence[str]) -> str:
    """Make a random text. About a third of these texts are formulas."""
    return random_.choices(MAKERS, WEIGHTS)[0](random_, corpus)


def _formula(rng: random.Random, _: Sequence[str] = (), depth: int = 4) -> str:
    """Join random parts of formulas. The resulting text is often a formula, but not always."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(OPERANDS)
    inner = partial(_formula, rng, (), depth - 1)
    match rng.randrange(13):
        case 0 | 1 | 2:
            return f"{inner()}{rng.choice(OPERATORS)}{inner()}"
        case 3:
            return f"{rng.choice(['', '-', '+'])}({inner()}){rng.choice(['', *RAISED])}"
        case 4:
            power = rng.choice(["", "", "²", "^2", "^-2", "^x", "⁻¹", "^(-1)"])
            return f"{rng.choice(FUNCTIONS)}{power}({inner()})"
        case 5:
            return f"{rng.choice([*FUNCTIONS, '√'])}{rng.choice(['', ' ', '-', '^2 '])}{inner()}"
        case 6:
            arguments = ",".join(inner() for _ in range(rng.choice([1, 2, 2, 2, 3, 4])))
            return f"{rng.choice(OTHERS)}({arguments})"
        case 7:
            return f"|{inner()}|"
        case 8:
            return rng.choice(CHOICES).format(inner(), inner(), _condition(rng, depth - 1))
        case 9:
            return rng.choice(SERIES).format(inner()) if rng.random() < 0.4 else f"({inner()})!"
        case 10:
            return rng.choice(WORDS)
        case 11:
            return f"{inner()}%{inner()}"
        case _:
            return f"[{inner()}]^{inner()}"


def _condition(rng: random.Random, depth: int) -> str:
    """Make a random condition, such as `x > 1 and not y == 2`."""
    if depth <= 0 or rng.random() < 0.5:
        return rng.choice(CONDITIONS).format(rng.choice(OPERANDS), _formula(rng, (), max(depth, 0)))
    inner = partial(_condition, rng, depth - 1)
    return rng.choice(["{} and {}", "{} or {}", "not {}", "({})", "{} && ({})", "¬{}"]).format(
        inner(), inner()
    )


def _soup(rng: random.Random, _: Sequence[str]) -> str:
    words = [*OPERANDS, *SYMBOLS, *SYMBOLS, *FUNCTIONS[:8], "min(", "clip(", "polygamma(1,"]
    return rng.choice(["", "", " "]).join(rng.choice(words) for _ in range(rng.randint(1, 12)))


def _mutated(rng: random.Random, corpus: Sequence[str]) -> str:
    """Make 1 to 3 random changes to a formula or to a text from `corpus`."""
    text = _formula(rng) if rng.random() < 0.7 else rng.choice(corpus)[:200]
    for _ in range(rng.randint(1, 3)):
        at, width = rng.randint(0, len(text)), rng.choice([0, 0, 1, 2])
        word = rng.choice(rng.choice([SYMBOLS, HOSTILE, OPERANDS]))
        put = rng.choice([word, word, word, "", text[at : at + 3]])
        text = text[:at] + put + text[at + width :]
    return text


def _spliced(rng: random.Random, corpus: Sequence[str]) -> str:
    one, two = rng.choice(corpus)[:200], rng.choice(corpus)[:200]
    return one[: rng.randint(0, len(one))] + rng.choice(SYMBOLS) + two[rng.randint(0, len(two)) :]


def _characters(rng: random.Random, _: Sequence[str]) -> str:
    """Make a text of up to 20 random Unicode characters."""
    below = rng.choice([0x80, 0x80, 0x250, 0x2300, 0x10000, 0x110000])
    return "".join(chr(rng.randrange(below)) for _ in range(rng.randint(0, 20)))


def _large(rng: random.Random, _: Sequence[str]) -> str:
    """Repeat an opening text such as `sin(` up to 2001 times. Add an operand and closing brackets."""
    k = rng.choice([1, 2, 30, 61, 62, 63, 64, 65, 66, 100, 399, 400, 401, 700, 1999, 2000, 2001])
    opening = rng.choice(LARGE)
    closing = rng.choice(["", ")", "]", "|", ")" * 2, "²"])
    return opening * k + rng.choice(OPERANDS) + closing * rng.choice([k, k, k - 1, k + 1, 0])


def _chopped(rng: random.Random, _: Sequence[str]) -> str:
    text = _formula(rng, depth=5)
    return text[rng.randint(0, 3) : rng.randint(0, len(text))]


MAKERS: list[Callable[[random.Random, Sequence[str]], str]] = [
    _formula, _soup, _mutated, _spliced, _characters, _large, _chopped,
]  # fmt: skip
WEIGHTS = [30, 15, 25, 8, 8, 2, 12]

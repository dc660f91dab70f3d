"""Tables of the operators, functions and constants that formulas may use.

All code that reads formulas uses these tables. `table.table` converts them to JSON for code outside Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from eglantine.ir.primitives import PRIMITIVES
from eglantine.trace.maths import LARGEST_ORDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_CHARACTERS = 2_000
MAX_TERMS = 400
MAX_DEPTH = 64
MAX_NODES = 4_000
BIGGEST_POLYGAMMA = LARGEST_ORDER
"""The largest order of `polygamma` in a formula. It is also the largest order in `eg.math`."""
ANY_NUMBER = 100

CHOICE, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER = range(1, 10)
STRENGTH: Mapping[str, int] = {
    "if": CHOICE, "?": CHOICE, "or": OR, "and": AND,
    "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE, "==": COMPARE, "!=": COMPARE,
    "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "^": POWER,
}  # fmt: skip
"""The precedence of each infix operator. `^` and choices group from the right, all others from the left."""
SPELLINGS: Mapping[str, str] = {
    "**": "^", "·": "*", "×": "*", "∙": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "&&": "and", "∧": "and",
    "∨": "or", "¬": "not", "≤": "<=", "≥": ">=", "≠": "!=", "…": "..", "...": "..",
}  # fmt: skip
"""A dict from other spellings of operators and marks to their normal spelling."""
WORDS = ("and", "or", "not", "if", "else")
"""The operators and marks that are written as words."""
CLOSING: Mapping[str, str] = {"(": ")", "[": "]", "|": "|", "{": "}"}
CONSTANTS: Mapping[str, str] = {"pi": "pi", "π": "pi", "e": "e"}


class Function(NamedTuple):
    """A function that formulas may call.

    maths: the function's name in `eg.math`, in the table DERIVED or in the table SHAPES.
    least, most: the smallest and the largest number of arguments.
    """

    maths: str
    least: int = 1
    most: int = 1


DERIVED: Mapping[str, tuple[int, str]] = {
    "sec": (1, ""), "csc": (1, "cosec"), "cot": (1, "ctg cotan"), "sech": (1, ""), "csch": (1, ""),
    "coth": (1, ""), "sinc": (1, ""), "sigmoid": (1, "logistic expit"), "relu": (1, ""), "softplus": (1, ""),
    "gamma": (1, "Γ"), "factorial": (1, ""), "binomial": (2, "binom comb choose nCr"), "erfc": (1, ""),
    "heaviside": (1, "unitstep"), "root": (2, ""), "nthroot": (2, ""), "fmod": (2, ""),
}  # fmt: skip
"""The functions that the module `definitions` defines by formulas.

Each entry has the number of arguments, and a text with other names of the function."""
SHAPES: Mapping[str, tuple[int, int, str]] = {
    "select": (2, ANY_NUMBER, "where piecewise ifelse"), "%": (2, 2, "mod"), "sum": (2, 2, ""),
    "prod": (2, 2, "product"),
}  # fmt: skip
"""The functions that become other nodes than calls.

Each entry has the smallest and the largest number of arguments, and a text with other names."""
ALIASES: Mapping[str, str] = {
    "clamp": "clip", "power": "pow", "absolute": "abs", "fabs": "abs", "ceiling": "ceil", "signum": "sign",
}  # fmt: skip
"""More names of functions."""
WITH_BRACKET = frozenset(("gamma", "Γ", "sum", "prod", "product"))
"""Names that are functions only before a bracket. Elsewhere they are ordinary letters or words."""


def _functions() -> Iterator[tuple[str, Function]]:
    """Yield pairs (name, function). A function with several names is yielded once for each name."""
    for op, primitive in PRIMITIVES.items():
        notation = primitive.notation
        if notation is not None:
            arity = len(primitive.operands)
            function = Function(notation.name or op, arity, ANY_NUMBER if notation.variadic else arity)
            for name in (function.maths, *notation.aliases):
                yield name, function
    yield "polygamma", Function("polygamma", 2, 2)
    yield "clip", Function("clip", 3, 3)
    for maths, (arity, names) in DERIVED.items():
        for name in (maths, *names.split()):
            yield name, Function(maths, arity, arity)
    for maths, (least, most, names) in SHAPES.items():
        for name in (*names.split(), *([maths] if maths.isalpha() else [])):
            yield name, Function(maths, least, most)


FUNCTIONS: Mapping[str, Function] = dict(_functions())
FUNCTIONS = {**FUNCTIONS, **{name: FUNCTIONS[of] for name, of in ALIASES.items()}}

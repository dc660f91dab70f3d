"""Split a formula into pieces, for the second parser (grammar.py): numbers, names and signs."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_CHARACTERS, MAX_TERMS, MAX_DEPTH = 2_000, 400, 64

ONE_ARGUMENT = """
    sqrt cbrt exp exp2 expm1 log log2 log10 log1p erf lgamma sin cos tan asin acos atan sinh cosh tanh asinh
    acosh atanh floor ceil trunc round sign abs
""".split()  # noqa: SIM905  easier to read than a list
ARGUMENTS: dict[str, tuple[str, int, int]] = {
    **{name: (name, 1, 1) for name in ONE_ARGUMENT},
    **{f"arc{name}": (f"a{name}", 1, 1) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"ar{name}": (f"a{name}", 1, 1) for name in ("sinh", "cosh", "tanh")},
    **{name: (name, 2, 2) for name in ("atan2", "hypot", "pow", "copysign", "polygamma")},
    "ln": ("log", 1, 1),
    "sgn": ("sign", 1, 1),
    "√": ("sqrt", 1, 1),
    "arctan2": ("atan2", 2, 2),
    **dict.fromkeys(("min", "minimum"), ("minimum", 2, 100)),
    **dict.fromkeys(("max", "maximum"), ("maximum", 2, 100)),
    **dict.fromkeys(("clip", "clamp"), ("clip", 3, 3)),
    **{
        name: (name, 1, 1)
        for name in ("sec", "csc", "cot", "sech", "csch", "coth", "sinc", "relu", "softplus")
    },
    **{name: (name, 1, 1) for name in ("gamma", "factorial", "erfc", "heaviside", "sigmoid")},
    **{name: (name, 2, 2) for name in ("binomial", "root", "nthroot", "fmod")},
    **dict.fromkeys(("cosec",), ("csc", 1, 1)),
    **dict.fromkeys(("ctg", "cotan"), ("cot", 1, 1)),
    **dict.fromkeys(("logistic", "expit"), ("sigmoid", 1, 1)),
    **dict.fromkeys(("binom", "comb", "choose", "nCr"), ("binomial", 2, 2)),
    "Γ": ("gamma", 1, 1),
    "unitstep": ("heaviside", 1, 1),
    "power": ("pow", 2, 2),
    **dict.fromkeys(("absolute", "fabs"), ("abs", 1, 1)),
    "ceiling": ("ceil", 1, 1),
    "signum": ("sign", 1, 1),
    "mod": ("%", 2, 2),
    **dict.fromkeys(("where", "piecewise", "ifelse"), ("if", 2, 1000)),
    "sum": ("sum", 2, 2),
    **dict.fromkeys(("prod", "product"), ("prod", 2, 2)),
}
"""Name of a function in a text → the function, and the smallest and the largest number of its arguments."""
CONSTANTS = {"pi": "pi", "π": "pi", "e": "e"}
MEANINGS = str.maketrans("·×∙⋅÷−–", "****/--")
ONLY_CALLED = ("gamma", "Γ", "sum", "prod", "product")
LOGIC = ("and", "or", "not", "if", "else")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
SYMBOLS = re.compile(r"\*\*|[<>=!]=|&&|\.\.\.?|[-+*/%^<>=?:!()\[\]{}|,√·×∙⋅÷−–≤≥≠∧∨¬…]")
SPELLED = {"**": "^", "&&": "and", "∧": "and", "∨": "or", "¬": "not", "≤": "<=", "≥": ">=", "≠": "!=",
           "…": "..", "...": ".."}  # fmt: skip
CLOSING = {"(": ")", "[": "]", "|": "|", "{": "}"}
HUGE = 3_000
"""The number of nodes above which a formula may be too large. The nodes are counted after its sums are
written out."""
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
PLAIN_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789-")

NUMBER = re.compile(r"(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
NAME = r"[^\W\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻][^\W⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*"
RAISED = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


class Outside(Exception):  # noqa: N818
    """The text is outside the grammar."""


class TooLarge(Exception):  # noqa: N818
    """Raised if a text has more characters, terms or levels than a formula may have."""


class Piece(NamedTuple):
    """A token.

    kind: number, raised (a superscript number), variable, constant, function, or the symbol itself.
    text: the token's text. A number has Python's spelling, or "" if it is too large or too small for a Real.
    """

    kind: str
    text: str


# ---------------------------------------------------------------- lines


def _uncommented(text: str) -> str:
    text = re.sub("#[^\n]*", "", text)
    parts = text.split("||")
    for k in range(len(parts) - 1, 0, -1):
        compared = re.search(r"[<>=≤≥≠]([^|,:?{};\n<>=≤≥≠]*[A-Za-z0-9_)\]] *)$", parts[k - 1])
        parts[k - 1 :] = [parts[k - 1] + ("∨ " if compared else "||") + parts[k]]
    text = re.sub(r"(?<![A-Za-z0-9_])Math\.E(?![A-Za-z0-9_])", "Math.e", parts[0])
    text = re.sub(r"\b(np|numpy|jnp|math|Math|torch|cmath)\.(?=[A-Za-z])", "", text)
    return re.sub(
        r"(?<=[^\W\d_])[₀₁₂₃₄₅₆₇₈₉]+", lambda m: "".join(str("₀₁₂₃₄₅₆₇₈₉".index(c)) for c in m[0]), text
    )


def _head(line: str) -> re.Match[str] | None:
    return re.match(rf"\s*({NAME})\s*(?:[(\[]([^()\[\]=]*)[)\]])?\s*:?=(?!=)", line)


def _plain(text: str, names: tuple[str, ...]) -> str:
    """Remove comments, module names such as `np.`, and a beginning such as `z =` or `f(x) =` from a text."""
    text = _uncommented(text)
    head = next(filter(None, map(_head, re.split("[\n;]", text))), None)
    if head is None:
        return text
    body = text[text.index(head[0]) + len(head[0]) :].replace(";", " ")
    name, parameters = head[1], head[2]
    if parameters is not None and (name in ARGUMENTS or name in names):
        raise Outside
    if parameters is not None:
        if any(p.strip() not in names and p.strip() not in ("X", "Y") for p in parameters.split(",")):
            raise Outside
        return body
    if name in names:
        is_used = name in re.findall(NAME, body)
        if name != "y" or is_used:
            raise Outside
    else:
        try:
            _split(name, names)
        except Outside:
            pass
        else:
            raise Outside
    return body


# ---------------------------------------------------------------- words


def _pieces(text: str, names: tuple[str, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character.isspace():
            at += 1
        elif match := NUMBER.match(text, at):
            pieces.append(_number(match.group()))
            at = match.end()
        elif match := RAISED.match(text, at):
            pieces.append(Piece("raised", _number(match.group().translate(PLAIN_DIGITS)).text))
            at = match.end()
        elif character.isalpha() or character == "_" or character in names:
            end = at
            while end < len(text) and _continues_word(text[end]):
                end += 1
            pieces += _word(text[at:end], names, text[end:].lstrip()[:1] in ("(", "["))
            at = end
        else:
            match = SYMBOLS.match(text, at)
            if not match:
                raise Outside
            symbol = SPELLED.get(match[0], match[0]).translate(MEANINGS)
            pieces.append(Piece("function" if symbol == "√" else symbol, symbol))
            at = match.end()
    return pieces


def _continues_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and character not in SUPERSCRIPTS)


def _number(text: str) -> Piece:
    """Make the token of a number. Integers up to 2⁵³ remain integers, and other numbers become floats."""
    value = float(text)
    is_zero_as_written = not re.search("[1-9]", re.split("[eE]", text)[0])
    if abs(value) == float("inf") or (value == 0) != is_zero_as_written:
        return Piece("number", "")
    whole = re.fullmatch("-?[0-9]+", text) and abs(value) <= 2**53
    return Piece("number", repr(int(value)) if whole else repr(value))


def _word(word: str, names: tuple[str, ...], called: bool) -> list[Piece]:
    """Make the tokens of a word: an operator, a name, or several names such as `xy` for x·y."""
    if word in LOGIC and word not in names:
        return [Piece(word, word)]
    if word in ONLY_CALLED and word not in names:
        if called:
            return [Piece("function", word)]
        raise Outside
    try:
        return _split(word, names)
    except Outside:
        pass
    base = re.fullmatch("(?:log|ln)_([0-9]+|[A-Za-z])", word, re.IGNORECASE)
    if base:
        direct = {"2": "log2", "10": "log10", "e": "log"}.get(base[1])
        if direct:
            return [Piece("function", direct)]
        inner = [_number(base[1])] if base[1].isdecimal() else _word(base[1], names, called)
        return [Piece("function", "log_"), *inner]
    lower = word.lower()
    if len(word) > 1 and lower != word and lower not in names:
        is_greek = word in (
            "Gamma",
            "Delta",
            "Theta",
            "Lambda",
            "Xi",
            "Sigma",
            "Upsilon",
            "Phi",
            "Psi",
            "Omega",
        )
        if lower in LOGIC:
            return [Piece(lower, lower)]
        if lower in CONSTANTS:
            return [Piece("constant", lower)]
        if lower in ARGUMENTS and (called or not (is_greek or lower in ONLY_CALLED)):
            return [Piece("function", lower)]
    swapped = "".join(c.lower() if c in "XY" and c not in names and c.lower() in names else c for c in word)
    return _split(swapped, names)


def _split(word: str, names: tuple[str, ...]) -> list[Piece]:
    """Split a word into names. Prefer longer names. Digits may follow a function's name (`sin2`)."""
    known = dict.fromkeys(CONSTANTS, "constant") | dict.fromkeys(ARGUMENTS, "function")
    known |= dict.fromkeys(names, "variable")
    if word in known and word not in ONLY_CALLED:
        return [Piece(known[word], word)]
    known = {name: kind for name, kind in known.items() if name in names or name not in ONLY_CALLED}
    longest_first = sorted(known, key=len, reverse=True)
    dead: set[int] = set()
    way: list[tuple[int, list[Piece]]] = [(0, [])]
    while way:
        at, pieces = way.pop()
        if at == len(word):
            return pieces
        if at in dead:
            continue
        dead.add(at)
        further = []
        for name in longest_first:
            if not word.startswith(name, at):
                continue
            end = at + len(name)
            further.append((end, [*pieces, Piece(known[name], name)]))
            digits = re.compile("[0-9]+").match(word, end)
            if digits and known[name] == "function":
                number = _number(digits.group())
                further.append((digits.end(), [*pieces, Piece("function", name), number]))
        way += reversed(further)
    raise Outside


def _is_condition(formula: str) -> bool:
    return formula.partition(" ")[0][1:] in (*COMPARISONS, "and", "or", "not") and formula[0] == "("


def _condition_of(formula: str) -> str:
    if not _is_condition(formula):
        raise Outside
    return formula


def _number_of(formula: str) -> str:
    return f"(real {formula})" if _is_condition(formula) else formula


def _literal(formula: str) -> float | None:
    """Return the value of a number with signs, such as `--2`. Return None for any other formula."""
    signs = formula.count("(- ")
    try:
        return float(formula.replace("(- ", "").rstrip(")")) * (-1) ** signs
    except ValueError:
        return None

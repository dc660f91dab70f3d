"""A second, independent parser of formulas, written only from the documented grammar.

It has no code in common with the compiler's parser and works differently. It splits words by a search, and
each level of the grammar is a function that calls the next level. `judged` returns the formula with all its
brackets, as in `(+ x (* 2 y))`.
"""

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
"""For each name of a function: the function, and the least and greatest number of its arguments."""
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
"""With more nodes than this, a formula may be too large once its sums are written out."""
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
PLAIN_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789-")

NUMBER = re.compile(r"(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
NAME = r"[^\W\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻][^\W⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*"
RAISED = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


class Outside(Exception):  # noqa: N818
    """The text is outside the grammar."""


class TooLarge(Exception):  # noqa: N818
    """The text has more characters, terms or depth than a formula may have."""


class Piece(NamedTuple):
    """A token.

    kind: number, raised (a superscript number), variable, constant, function, or the symbol itself.
    text: a number as Python prints it, or "" if no Real has its value; for other kinds, the token's text.
    """

    kind: str
    text: str


class Verdict(NamedTuple):
    """The verdict on a text.

    formula: the formula with all its brackets, or None if the text is outside the grammar or too large.
    depth, terms: the depth of nesting and the number of terms in the part that was read.
    is_huge: whether its sums may be too large when they are written out.
    """

    formula: str | None
    depth: int
    terms: int
    is_huge: bool = False


def judged(text: str, names: tuple[str, ...]) -> Verdict:
    """The documented grammar's verdict on a text whose variables are `names`."""
    reading: _Reading | None = None
    try:
        plain = _plain(text, names)
        bound = tuple(re.findall(rf"[(\[,]\s*({NAME})\s*=(?!=)", plain))
        reading = _Reading(list(_pieces(plain, (*names, *bound))), bound)
        formula = reading.whole()
        is_outside = any(f"\0{name}\0" in formula for name in bound if name not in names)
        found = None if is_outside else re.sub("\0(.*?)\0", r"\1", formula)
        return Verdict(found, reading.deepest, reading.terms, reading.is_huge)
    except Outside:
        if reading is None:
            return Verdict(None, 0, 0)
        return Verdict(None, reading.deepest, reading.terms, reading.is_huge)
    except TooLarge:
        assert reading is not None
        return Verdict(None, reading.deepest, reading.terms, reading.is_huge)


def is_judged(text: str) -> bool:
    """Whether `judged` can judge a text: it has no LaTeX, and only one line if that defines a name."""
    if "\\" in text or "^{" in text or "_{" in text:
        return False
    lines = [line for line in re.split("[\n;]", _uncommented(text)) if line.strip()]
    return len(lines) < 2 or not any(_head(line) for line in lines)


# ---------------------------------------------------------------- lines


def _uncommented(text: str) -> str:
    text = re.sub("#[^\n]*", "", text)
    text = re.sub(r"\b(np|numpy|jnp|math|Math|torch|cmath)\.(?=[A-Za-z])", "", text)
    return re.sub(
        r"(?<=[^\W\d_])[₀₁₂₃₄₅₆₇₈₉]+", lambda m: "".join(str("₀₁₂₃₄₅₆₇₈₉".index(c)) for c in m[0]), text
    )


def _head(line: str) -> re.Match[str] | None:
    return re.match(rf"\s*({NAME})\s*(?:[(\[]([^()\[\]=]*)[)\]])?\s*:?=(?!=)", line)


def _plain(text: str, names: tuple[str, ...]) -> str:
    """The text without comments, names of modules, and `z =`. Equations are outside the grammar."""
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
    """A number's token. Its text is an int if the number is written as one and exact as a Real."""
    value = float(text)
    is_zero_as_written = not re.search("[1-9]", re.split("[eE]", text)[0])
    if abs(value) == float("inf") or (value == 0) != is_zero_as_written:
        return Piece("number", "")
    whole = re.fullmatch("-?[0-9]+", text) and abs(value) <= 2**53
    return Piece("number", repr(int(value)) if whole else repr(value))


def _word(word: str, names: tuple[str, ...], called: bool) -> list[Piece]:
    """A whole word: an operator, a known name, another spelling of one, or a product of known names."""
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
    """Split a word into known names, trying longer names first. Digits may only follow a function's name."""
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
        dead.add(at)  # all ways to go on from here are on the stack
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


# ---------------------------------------------------------------- sentences


class _Reading:
    """A recursive-descent parser.

    Its levels, weakest first, are choice, either, both, invert, comparison, sum, product, signed, power and
    operand.
    """

    def __init__(self, pieces: list[Piece], bound: tuple[str, ...] = ()) -> None:
        self.pieces = [*pieces, Piece("end", "")]
        self.bound = bound
        self.is_huge = False
        self.at = 0
        self.inside: list[str] = []  # the enclosing brackets, innermost last
        self.depth = self.deepest = self.terms = 0

    def whole(self) -> str:
        formula = _number_of(self.choice())
        if self.next.kind != "end":
            raise Outside
        return formula

    @property
    def next(self) -> Piece:
        return self.pieces[self.at]

    def take(self) -> Piece:
        self.at += 1
        return self.pieces[self.at - 1]

    def deeper(self, level: int = 1) -> None:
        self.depth += level
        self.deepest = max(self.deepest, self.depth)
        if self.depth > MAX_DEPTH + 1:
            raise TooLarge

    def term(self, text: str) -> str:
        if not text:
            raise Outside
        self.terms += 1
        return text

    def want(self, kind: str) -> None:
        if self.take().kind != kind:
            raise Outside

    def choice(self) -> str:
        left = self.either()
        if self.next.kind == "if":
            self.take()
            self.deeper()
            condition = _condition_of(self.either())
            self.deeper(-1)
            self.want("else")
            self.deeper()
            other = self.choice()
            self.deeper(-1)
            return f"(if {condition} {_number_of(left)} {_number_of(other)})"
        if self.next.kind == "?":
            self.take()
            condition = _condition_of(left)
            self.deeper()
            first = self.choice()
            self.deeper(-1)
            self.want(":")
            self.deeper()
            other = self.choice()
            self.deeper(-1)
            return f"(if {condition} {_number_of(first)} {_number_of(other)})"
        return left

    def either(self) -> str:
        left = self.both()
        while self.next.kind == "or":
            self.take()
            right = _condition_of(self.both())
            left = f"(or {_condition_of(left)} {right})"
        return left

    def both(self) -> str:
        left = self.invert()
        while self.next.kind == "and":
            self.take()
            right = _condition_of(self.invert())
            left = f"(and {_condition_of(left)} {right})"
        return left

    def invert(self) -> str:
        if self.next.kind != "not":
            return self.comparison()
        self.take()
        self.deeper()
        inner = _condition_of(self.invert())
        self.deeper(-1)
        return f"(not {inner})"

    def comparison(self) -> str:
        left, compared = self.sum(), ""
        while self.next.kind in COMPARISONS:
            sign = self.take().kind
            left = _number_of(left)
            right = _number_of(self.sum())
            one = f"({sign} {left} {right})"
            compared, left = f"(and {compared} {one})" if compared else one, right
        return compared or left

    def sum(self) -> str:
        left = self.product()
        while self.next.kind in ("+", "-"):
            sign = self.take().kind
            left = f"({sign} {_number_of(left)} {_number_of(self.product())})"
        return left

    def product(self) -> str:
        left = self.signed()
        while True:
            if self.next.kind in ("*", "/", "%"):
                sign = self.take().kind
                left = f"({sign} {_number_of(left)} {_number_of(self.signed())})"
            elif self.begins_operand():
                left = f"(* {_number_of(left)} {_number_of(self.factor())})"
            else:
                return left

    def factor(self) -> str:
        """The next factor of a product that is written without `*`. `2 3` is not such a product."""
        if self.next.kind == "number" and self.pieces[self.at - 1].kind in ("number", "raised"):
            raise Outside
        return self.power()

    def begins_operand(self) -> bool:
        opens_bar = self.next.kind == "|" and self.inside[-1:] != ["|"]
        return opens_bar or self.next.kind in ("number", "variable", "constant", "function", "(", "[", "{")

    def signed(self) -> str:
        if self.next.kind not in ("+", "-"):
            return self.power()
        sign = self.take().kind
        self.deeper()
        inner = self.signed()
        self.deeper(-1)
        return f"(- {_number_of(inner)})" if sign == "-" else inner

    def power(self) -> str:
        """A power. Superscripts bind to the left, `^` to the right. The exponent of `^` may have signs."""
        base = self.operand()
        while True:
            if self.next.kind == "raised":
                base = f"(^ {_number_of(base)} {self.term(self.take().text)})"
            elif self.next.kind == "!":
                self.take()
                base = f"(factorial {_number_of(base)})"
            elif self.next.kind == "^":
                self.take()
                base = f"(^ {_number_of(base)} {_number_of(self.exponent())})"
            else:
                return base

    def exponent(self) -> str:
        self.deeper()
        exponent = self.signed()
        self.deeper(-1)
        return exponent

    def operand(self) -> str:
        piece = self.take()
        if piece.kind == "variable" and piece.text in self.bound:
            return self.term(f"\0{piece.text}\0")
        if piece.kind in ("number", "variable"):
            return self.term(piece.text)
        if piece.kind == "constant":
            return self.term(CONSTANTS[piece.text])
        if piece.kind == "function":
            return self.function(piece.text)
        if piece.kind == "if" and self.next.kind in ("(", "["):
            return self.chosen(self.bracketed(self.take().kind))
        if piece.kind == "{":
            return self.braces()
        if piece.kind in CLOSING:
            parts = self.bracketed(piece.kind)
            if len(parts) > 1:
                raise Outside
            return f"(abs {_number_of(parts[0])})" if piece.kind == "|" else parts[0]
        raise Outside

    def inside_of(self, opening: str) -> str:
        self.inside.append(opening)
        self.deeper()
        part = self.choice()
        self.deeper(-1)
        self.inside.pop()
        return part

    def braces(self) -> str:
        parts = [self.inside_of("{")]
        if self.next.kind != ":":
            self.want("}")
            return self.chosen([_condition_of(parts[0]), "1"])
        while True:
            self.want(":")
            _condition_of(parts[-1])
            parts.append(self.inside_of("{"))
            following = self.take().kind
            if following == "}":
                return self.chosen(parts)
            if following != ",":
                raise Outside
            parts.append(self.inside_of("{"))
            if self.next.kind != ":":
                self.want("}")
                return self.chosen(parts)

    def chosen(self, parts: list[str]) -> str:
        """The choice that the arguments of `if` make: conditions and numbers by turns, and the rest."""
        if len(parts) < 2:
            raise Outside
        rest = _number_of(parts[-1]) if len(parts) % 2 else "nan"
        for condition, number in [*zip(parts[::2], parts[1::2], strict=False)][::-1]:
            rest = f"(if {_condition_of(condition)} {_number_of(number)} {rest})"
        return rest

    def series(self, sign: str) -> str:
        """`(k=1..3, a)` or `(a, k=1..3)`, written out."""
        opening = self.take().kind
        if [piece.kind for piece in self.pieces[self.at : self.at + 2]] == ["variable", "="]:
            letter, low, high = self.range(opening)
            self.want(",")
            body = self.inside_of(opening)
        else:
            body = self.inside_of(opening)
            self.want(",")
            letter, low, high = self.range(opening)
        self.want(CLOSING[opening])
        body = _number_of(body)
        count = max(high - low + 1, 0)
        if count * len(body) > 200_000:
            self.is_huge = True
            raise TooLarge
        total = ""
        for k in range(low, high + 1):
            one = body.replace(f"\0{letter}\0", str(k))
            total = f"({sign} {total} {one})" if total else one
        self.is_huge |= total.count(" ") > HUGE
        return total or ("0" if sign == "+" else "1")

    def range(self, opening: str) -> tuple[str, int, int]:
        letter = self.take()
        if letter.kind != "variable":
            raise Outside
        self.want("=")
        low = _literal(self.inside_of(opening))
        self.want("..")
        high = _literal(self.inside_of(opening))
        for bound in (low, high):
            if bound is None or bound != bound // 1 or abs(bound) > 10_000:
                raise Outside
        assert low is not None
        assert high is not None
        return letter.text, int(low), int(high)

    def bracketed(self, opening: str) -> list[str]:
        """The comma-separated sums up to the closing bracket. The opening bracket has already been read."""
        parts = []
        while True:
            self.inside.append(opening)
            self.deeper()
            parts.append(self.choice())
            self.deeper(-1)
            self.inside.pop()
            following = self.take().kind
            if following == CLOSING[opening]:
                return parts
            if following != ",":
                raise Outside

    def function(self, name: str) -> str:
        base = _number_of(self.operand()) if name == "log_" else None
        meaning, least, most = ARGUMENTS["log" if base else name]
        exponent = None
        if self.next.kind == "raised":
            exponent = self.term(self.take().text)
        elif self.next.kind == "^":
            self.take()
            exponent = self.exponent()
        if exponent is not None and _literal(exponent) == -1:
            raise Outside
        if self.next.kind in ("(", "[") and meaning in ("sum", "prod"):
            call = self.series("+" if meaning == "sum" else "*")
            return call if exponent is None else f"(^ {call} {_number_of(exponent)})"
        if self.next.kind in ("(", "["):
            arguments = self.bracketed(self.take().kind)
        elif most == 1 and (self.next.kind in ("+", "-") or self.begins_operand()):
            arguments = [self.bare_argument()]
        else:
            raise Outside
        if not least <= len(arguments) <= most:
            raise Outside
        if meaning == "polygamma" and _literal(arguments[0]) not in (0, 1, 2, 3):
            raise Outside
        if meaning == "if":
            call = self.chosen(arguments)
        else:
            call = f"({meaning} {' '.join(map(_number_of, arguments))})"
        if base is not None:
            call = f"(/ {call} (log {base}))"
        return call if exponent is None else f"(^ {call} {_number_of(exponent)})"

    def bare_argument(self) -> str:
        """A function's argument without brackets: a product without `*`, up to the next function.

        Its first factor may have a sign.
        """
        self.deeper()
        left = self.signed()
        while self.next.kind != "function" and self.begins_operand():
            left = f"(* {_number_of(left)} {_number_of(self.factor())})"
        self.deeper(-1)
        return left


def _is_condition(formula: str) -> bool:
    return formula.partition(" ")[0][1:] in (*COMPARISONS, "and", "or", "not") and formula[0] == "("


def _condition_of(formula: str) -> str:
    if not _is_condition(formula):
        raise Outside
    return formula


def _number_of(formula: str) -> str:
    return f"(real {formula})" if _is_condition(formula) else formula


def _literal(formula: str) -> float | None:
    """The value of a formula that is only a number with signs, or None for any other formula."""
    signs = formula.count("(- ")
    try:
        return float(formula.replace("(- ", "").rstrip(")")) * (-1) ** signs
    except ValueError:
        return None

r"""Convert LaTeX formulas, for example from Desmos, WolframAlpha or papers, to plain formulas.

For example, `\\frac{x}{2}` becomes `((x)/(2))`. For each character of the plain formula, we store
its position in the LaTeX text. So error messages can mark a mistake in the LaTeX text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from eglantine.errors import FormulaError

from .parts import formula_span, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIGNS: Mapping[str, str] = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=",
    "geq": ">=", "geqslant": ">=", "ne": "!=", "neq": "!=", "lt": "<", "gt": ">", "land": " and ",
    "wedge": " and ", "lor": " or ", "vee": " or ", "neg": " not ", "lnot": " not ", "bmod": "%", "mod": "%",
    "%": "%", "lvert": "|", "rvert": "|", "vert": "|", "|": "|", "{": "{", "}": "}", "lbrace": "{",
    "rbrace": "}", "lbrack": "[", "rbrack": "]", "lfloor": "floor(", "rfloor": ")", "lceil": "ceil(",
    "rceil": ")", "ldots": "..", "dots": "..", "infty": "∞", "int": "∫", "varepsilon": " epsilon ",
    "vartheta": " theta ", "varphi": " phi ", "left": "", "right": "", "middle": "", "bigl": "", "bigr": "",
    "Bigl": "", "Bigr": "", "big": "", "Big": "",
    "displaystyle": "", "limits": "", ",": " ", ";": " ", ":": " ",
    "!": " ", " ": " ", "quad": " ", "qquad": " ", "\\": " ",
}  # fmt: skip
"""A dict from LaTeX commands without arguments to the texts that replace them.

Most commands for functions and letters are not in it. They become names without the backslash."""
REPLACEMENTS: Mapping[str, str] = {
    "begin": "Write {x > 0: x^2, -x} for a formula by cases.",
    "(": "Leave out the \\( and \\) around the formula.",
    "[": "Leave out the \\[ and \\] around the formula.",
    "partial": "Derivatives are computed by themselves. Write only the function.",
    "lim": "Formulas have no limits. Write the function, or its value near the point.",
}
"""A dict from commands that formulas do not know to sentences that tell users what to write instead."""
STYLES = frozenset(("operatorname", "mathrm", "text", "mathit", "operatorname*", "mathbf"))
"""Commands whose argument is a name."""
LEXEME = re.compile(r"\\([A-Za-z]+\*?|.)|(_\{\s*(\w+)\s*\})|([_^]\{)|([\s\S])")
SERIES = re.compile(r"\s*_\{\s*(\w+)\s*=\s*(-?\w+)\s*\}\s*\^\s*(?:\{\s*(-?\w+)\s*\}|(\w))\s*")


class Plain(NamedTuple):
    """A plain text. `places[i]` is the position of its i-th character in the original text."""

    text: str
    places: Sequence[int]


class _Writer:
    """Collects the plain text."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.places: list[int] = []

    def write(self, text: str, places: Sequence[int]) -> None:
        """Append `text`. `places` are the positions of its characters in the original text.

        If there are fewer places than characters, the last place is repeated.
        """
        self.text.append(text)
        self.places += [places[min(i, len(places) - 1)] for i in range(len(text))]


def plain_of(source: Plain) -> Plain:
    """Turn LaTeX into a plain formula. If the text has no commands, only `_{…}` and `^{…}` are replaced.

    Raises: FormulaError for an unknown command or an unclosed group, with columns of the original text.
    """
    text, out = source.text, _Writer()
    has_commands = "\\" in text
    closers: list[tuple[str, str, int]] = []  # open groups: (closing text, next group's closing text, place)
    series_ends: list[int] = []  # for each open sum, the number of open groups around it
    at = 0
    while at < len(text):
        match = LEXEME.match(text, at)
        assert match is not None
        command, index, name, script, other = match[1], match[2], match[3], match[4], match[5]
        places = source.places[at : match.end()]
        at = match.end()
        if command:
            at = _command(command, source, at, places, out, closers, series_ends)
        elif index:
            out.write(f"_{name}", places)
        elif script:
            if script[0] == "_":
                _refuse(script, places, "Write an index of letters and digits, such as x_{12}.")
            closers.append((")", "", places[0]))
            out.write("^(", places)
        elif other == "{" and has_commands:
            closers.append((")", "", places[0]))
            out.write("(", places)
        elif other == "}" and closers:
            _end_series(series_ends, len(closers), out, places)
            end, following, _ = closers.pop()
            out.write(end, places)
            if following:
                at = _group(source, at, "(", (following, ""), out, closers)
        else:
            if other in "+-)]},=<>" and not (other in "+-" and _is_sign(out)):
                _end_series(series_ends, len(closers), out, places)
            out.write(other or "", places)
    if closers:
        place = closers[-1][2]
        raise FormulaError(
            "The `{` here is never closed. Add `}` where it should end.", formula_span(place, place + 1)
        )
    _end_series(series_ends, 0, out, source.places[-1:] or [0])
    return Plain("".join(out.text), out.places)


def _command(
    command: str,
    source: Plain,
    at: int,
    places: Sequence[int],
    out: _Writer,
    closers: list[tuple[str, str, int]],
    series_ends: list[int],
) -> int:
    """Write the plain text for a command. Return the place where the text continues after the command."""
    text = source.text
    if command in ("frac", "dfrac", "tfrac", "cfrac"):
        out.write("(", places)
        return _group(source, at, "(", (")/", "))"), out, closers)
    if command in ("binom", "dbinom", "tbinom"):
        out.write("binomial(", places)
        return _group(source, at, "(", ("),", "))"), out, closers)
    if command == "sqrt":
        degree = re.compile(r"\s*\[([^\]\\{}]*)\]").match(text, at)
        if degree:
            out.write(f"root({degree[1]},", places)
            return _group(source, degree.end(), "(", ("))", ""), out, closers)
        out.write("sqrt", places)
        return _group(source, at, "(", (")", ""), out, closers)
    if command in ("sum", "prod"):
        bounds = SERIES.match(text, at)
        if not bounds:
            _refuse(f"\\{command}", places, f"Write \\{command}_{{k=1}}^{{10}}, for example.")
        low, high = bounds[2], bounds[3] or bounds[4]
        out.write(f"{command}({bounds[1]}={low}..{high},", [*places, *source.places[at : bounds.end()]])
        series_ends.append(len(closers))
        return bounds.end()
    if command in STYLES:
        name = re.compile(r"\s*\{\s*(\w*)\s*\}").match(text, at)
        if name:
            out.write(f" {name[1]} ", [places[0], *source.places[name.start(1) : name.end(1)], places[-1]])
            return name.end()
    if command in SIGNS:
        if SIGNS[command] in ("}", ")") or command == "right":
            _end_series(series_ends, len(closers), out, places)
        out.write(SIGNS[command], places)
        return at + (1 if command in ("left", "right") and text[at : at + 1] == "." else 0)
    from .alphabet import GREEK
    from .grammar import FUNCTIONS

    if command in FUNCTIONS or command in GREEK or command == "pi":
        # No space follows the name of a function if an index follows, as in \log_{2}.
        out.write(f" {command}" + ("" if text[at : at + 1] == "_" else " "), [places[0], *places])
        return at
    return _refuse(f"\\{command}", places, REPLACEMENTS.get(command, "Write it as a plain formula."))


def _group(
    source: Plain,
    at: int,
    opening: str,
    ends: tuple[str, str],
    out: _Writer,
    closers: list[tuple[str, str, int]],
) -> int:
    r"""Begin to write a command's argument. It is in braces, or is one character, as in `\\frac12`."""
    text = source.text
    while at < len(text) and text[at].isspace():
        at += 1
    if at >= len(text):
        place = source.places[-1]
        raise FormulaError("The formula ends where a group in braces was expected. Complete it.",
                           formula_span(place, place + 1))  # fmt: skip
    place = source.places[at]
    out.write(opening, [place])
    if text[at] == "{":
        closers.append((*ends, place))
        return at + 1
    if not text[at].isalnum():
        _refuse(text[at], [place], "A group in braces was expected here, as in \\frac{x}{2}.")
    out.write(text[at] + ends[0], [place])
    return _group(source, at + 1, "(", (ends[1], ""), out, closers) if ends[1] else at + 1


def _end_series(series_ends: list[int], depth: int, out: _Writer, places: Sequence[int]) -> None:
    """Write a closing bracket for each sum that ends here."""
    while series_ends and series_ends[-1] >= depth:
        series_ends.pop()
        out.write(")", places)


def _is_sign(out: _Writer) -> bool:
    """True if a plus or minus here would be a sign, as in `-x`, and not an operator between operands."""
    before = "".join(out.text[-4:]).rstrip()[-1:]
    return before in ("", *"(,*/^+-=<>%{:")


def _refuse(written: str, places: Sequence[int], told: str) -> NoReturn:
    raise FormulaError(
        f"{quoted(written)} has no meaning here. {told}", formula_span(places[0], places[-1] + 1)
    )

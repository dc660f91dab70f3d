"""Read formulas as people paste them: LaTeX, module names, comments, `z =`, definitions on several lines.

The module is loaded only for such texts. It converts a text to plain lines. For each character of a line, it
stores the position in the original text, because error messages show this position.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from eglantine.errors import FormulaError, LimitError, Span

from .advice import NO_CONDITION, refuse_equation
from .alphabet import extended
from .grammar import Function
from .latex import Plain, plain_of
from .lexer import WORD, Vocabulary, check_length, lex
from .parts import Columns, Definition, Node, Token, formula_span, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    Read: TypeAlias = Callable[[Sequence[Token], Vocabulary, Mapping[str, Definition]], tuple[Node, ...]]

NOTHING = Plain("", ())
MODULES = re.compile(r"\b(?:np|numpy|jnp|math|Math|torch|cmath)\.(?=[A-Za-z])")
MOST_LINES = 40
SUBSCRIPTS = re.compile("(?<=[^\\W\\d_])[₀₁₂₃₄₅₆₇₈₉]+")
PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LINE_END = re.compile("[\n;]")
COMMENT = re.compile(r"#[^\n]*")
DERIVATIVE = re.compile(r"\bd(?:\^?[0-9²³])?\s*[a-z]?\s*\)?\s*/\s*\(?\s*d\s*[a-zθ](?![A-Za-z])")
HEAD = re.compile(rf"\s*({WORD.pattern})\s*(?:[(\[]([^()\[\]=]*)[)\]])?\s*:?=(?!=)")
LETTER_OF_SERIES = re.compile(rf"[(\[,]\s*({WORD.pattern})\s*=(?!=)")
EITHER = re.compile(r"([<>=≤≥≠][^|,:?{};\n<>=≤≥≠]*[A-Za-z0-9_)\]][ ]*)\|\|")
"""A pattern for a comparison with `||` after it. This `||` means `or`. All other bars are the bars of |x|."""
EULER = re.compile(r"((?<![A-Za-z0-9_])Math\.)E(?![A-Za-z0-9_])")
POLAR = re.compile(r"#[ ]*polar[ ]*(?=\n|(?![\s\S]))")
"""A pattern for the comment `# polar`. In a text with this comment, r and theta are polar coordinates."""
POLAR_NAMES: Mapping[str, str] = {"r": "hypot(x, y)", "theta": "atan2(y, x)"}
UNKNOWN = (Node("number", "", 0, (), 0, 0),)
"""The nodes that we give to a name if the line that defines the name has a mistake."""
NO_DERIVATIVES = (
    "Formulas have no d/dx, because the derivatives are computed by themselves. Write only the function."
)


class Line(NamedTuple):
    """A line of a text, such as `g(s) = s^2`.

    name: the name that the line defines, or "" if it defines no name.
    parameters: the parameters of the name if it is a function, otherwise None.
    left: the text before the equals sign, or "" if the line defines no name.
    body: the formula after the equals sign, or the whole line if it defines no name.
    head: the positions where the name starts and ends, in characters of the whole text.
    """

    name: str
    parameters: tuple[str, ...] | None
    left: Plain
    body: Plain
    head: tuple[int, int]


def parse_pasted(text: str, words: Vocabulary, read: Read, equations: bool = False) -> tuple[Node, ...]:
    """Parse a pasted text. Return its nodes.

    read: the function `parser.read_tokens`.
    equations: if true, an equation f = g is read as f - g.

    Raises: FormulaError or LimitError. The error's span has the line and the columns of the mistake. The
        error's attribute `others` has the errors of other lines.
    """
    columns = Columns(text)
    check_length(text, columns)
    try:
        nodes = _nodes(text, words, read, equations)
    except (FormulaError, LimitError) as mistake:
        for error in (mistake, *getattr(mistake, "others", ())):
            span = error.span or formula_span(0, 0)
            error.span = _in_lines(text, span.column, span.end_column)
            error.args = (error.args[0], error.span, error.suggestion)
        raise
    return tuple(node._replace(start=columns(node.start), end=columns(node.end)) for node in nodes)


def _in_lines(text: str, start: int, end: int) -> Span:
    """Convert positions in a text to a span with lines and columns."""
    begins = [0, *(i + 1 for i, character in enumerate(text) if character == "\n")]

    def place(index: int) -> tuple[int, int]:
        line = bisect_right(begins, index)
        begin = begins[line - 1]
        return line, Columns(text[begin:index])(index - begin)

    first, column = place(start)
    last, end_column = place(end)
    return Span("", first, column, last, end_column)


def _nodes(text: str, words: Vocabulary, read: Read, equations: bool) -> tuple[Node, ...]:
    """Parse a pasted text. The positions of nodes and errors count characters of the whole text."""
    derivative = DERIVATIVE.search(text)
    if derivative:
        raise FormulaError(NO_DERIVATIVES, formula_span(*derivative.span()))
    definitions = _polar(words, read) if POLAR.search(text) else {}
    source = _without(Plain(text, range(len(text))), COMMENT)
    source = Plain(EULER.sub(r"\1e", EITHER.sub(r"\1∨ ", source.text)), source.places)
    if "\\" in source.text or "^{" in source.text or "_{" in source.text:
        source = plain_of(source)
        derivative = DERIVATIVE.search(source.text)
        if derivative:
            raise FormulaError(NO_DERIVATIVES, _located(source, *derivative.span()))
    source = _without(source, MODULES)
    source = Plain(SUBSCRIPTS.sub(lambda match: match[0].translate(PLAIN_DIGITS), source.text), source.places)
    words = _with(words, definitions)
    lines = _lines(source)
    result = _result(lines)
    if result is None:
        return _read(source, words, definitions, read)
    return _each_line(lines, result, words, definitions, read, equations)


def _each_line(
    lines: Sequence[Line],
    result: Line,
    words: Vocabulary,
    definitions: dict[str, Definition],
    read: Read,
    equations: bool,
) -> tuple[Node, ...]:
    """Parse each line. Return the nodes of the line `result`.

    If there are mistakes, raise the error of the first one. Its attribute `others` has the other errors.
    """
    body = _body(result, words, equations)
    errors: list[FormulaError | LimitError] = []
    for line in _ordered([line for line in lines if line is not result]):
        try:
            _define(line, words, definitions, read)
        except (FormulaError, LimitError) as error:
            errors.append(error)
            definitions[line.name] = Definition(line.parameters or (), UNKNOWN)
    try:
        nodes = _read(body, _with(words, definitions), definitions, read)
        if not errors:
            return nodes
    except (FormulaError, LimitError) as error:
        if not errors or error.message != NO_CONDITION:  # a definition with a mistake may be a condition
            errors.append(error)
    first, *others = sorted(errors, key=lambda error: error.span.column if error.span else 0)
    first.others = tuple(others)
    raise first


def _polar(words: Vocabulary, read: Read) -> dict[str, Definition]:
    """The definitions of r and theta."""
    if not {"x", "y"} <= {*words.variables}:
        return {}
    return {name: Definition((), read(lex(text, words), words, {})) for name, text in POLAR_NAMES.items()}


def _without(source: Plain, pattern: re.Pattern[str]) -> Plain:
    """Remove the parts of a text that match a pattern."""
    kept = [
        i
        for start, end in _between(source.text, pattern)
        for i in range(start, end)
    ]  # fmt: skip
    if len(kept) == len(source.text):
        return source
    return Plain("".join(source.text[i] for i in kept), [source.places[i] for i in kept])


def _between(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for match in pattern.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def _cut(source: Plain, start: int, end: int) -> Plain:
    return Plain(source.text[start:end], source.places[start:end])


def _stripped(source: Plain) -> Plain:
    text = source.text
    return _cut(source, len(text) - len(text.lstrip()), len(text.rstrip()))


def _located(source: Plain, start: int, end: int) -> Span:
    """Convert the positions `start` and `end` in a plain text to a span in the original text."""
    places = source.places
    if not places:
        return formula_span(0, 0)
    first = places[start] if start < len(places) else places[-1] + 1
    last = places[end - 1] + 1 if 0 < end <= len(places) and end > start else first
    return formula_span(min(first, last), max(first, last))


def _lines(source: Plain) -> list[Line]:
    """Split a text into lines, and leave out empty lines.

    If no line defines a name, the whole text counts as one line.
    """
    lines: list[Line] = []
    for start, end in _between(source.text, LINE_END):
        part = Plain(source.text[start:end], source.places[start:end])
        if not part.text.strip():
            continue
        head = HEAD.match(part.text)
        if head is None:
            lines.append(Line("", None, NOTHING, part, (start, end)))
            continue
        left = _cut(part, 0, len(head[0].rstrip("=").rstrip(":")))
        body = Plain(part.text[head.end() :], part.places[head.end() :])
        names = None if head[2] is None else tuple(name.strip() for name in head[2].split(","))
        span = _located(part, *head.span(1))
        lines.append(Line(head[1], names, left, body, (span.column, span.end_column)))
    if len(lines) > MOST_LINES:
        raise LimitError(
            f"The text has {len(lines)} lines, but it may have at most {MOST_LINES}. Join some of them.",
            _located(lines[MOST_LINES].body, 0, 1),
        )
    if all(not line.name for line in lines):
        return [Line("", None, NOTHING, source, (0, 0))] if lines else []
    return lines


def _result(lines: Sequence[Line]) -> Line | None:
    """Find the line that gives the formula's value. Return None if there are no lines.

    We take the line that defines no name. If every line defines a name, we take the line that defines z. If
    no line defines z, we take the last line.
    """
    if not lines:
        return None
    bare = [line for line in lines if not line.name]
    if len(bare) > 1:
        raise FormulaError(
            "Only one line may have no name. Write `a =` before the others, for example.",
            _located(bare[1].body, 0, len(bare[1].body.text)),
        )
    named_z = [line for line in lines if line.name == "z"]
    return bare[0] if bare else named_z[0] if named_z else lines[-1]


def _body(line: Line, words: Vocabulary, equations: bool) -> Plain:
    """Return the text of a line's value.

    An equation f = g becomes (f)-(g) if `equations` is true. Otherwise an equation raises an error.
    """
    equation = _equation(line, words)
    if equation is None:
        if line.parameters is not None:
            _check_parameters(line, words)
        return line.body
    left, right = (_stripped(side) for side in equation)
    if not equations or not left.text or not right.text:
        whole = _stripped(line.body) if line.name == "" else line.body
        start, end = line.head[0] if line.name else whole.places[0], line.head[1]
        end = whole.places[-1] + 1 if whole.places else end
        refuse_equation(left.text, right.text, formula_span(start, end))
    # The new brackets and the new minus sign get the positions of the characters next to them.
    text = f"({left.text})-({right.text})"
    places = [left.places[0], *left.places, *[left.places[-1]] * 2, right.places[0], *right.places]
    return Plain(text, [*places, right.places[-1]])


def _check_parameters(line: Line, words: Vocabulary) -> None:
    """Check that the parameters in `f(x) = …` are variables of the formula. Raise an error otherwise."""
    others = [
        name for name in line.parameters or () if name not in words.variables and name not in ("X", "Y")
    ]
    variables = ", ".join(words.variables)
    if others:
        raise FormulaError(
            f"The variables are {variables}, but {quoted(line.name)} takes {quoted(others[0])}. "
            f"Write {line.name}({variables}) = …, or use {quoted(line.name)} on another line.",
            formula_span(*line.head),
        )


def _equation(line: Line, words: Vocabulary) -> tuple[Plain, Plain] | None:
    """Return both sides of an equation. None if the line is no equation or the equation defines a name."""
    text = line.body.text
    if line.name == "":
        at = _equals(text)
        return None if at is None else (_cut(line.body, 0, at), _cut(line.body, at + 1, len(text)))
    is_variable = line.name in words.variables
    if line.parameters is not None:
        return (line.left, line.body) if is_variable or line.name in words.functions else None
    is_used = any(match[0] == line.name for match in WORD.finditer(text))
    is_product = not is_variable and words.split(line.name) is not None
    own = is_product or (is_variable and (line.name != "y" or is_used))
    return (line.left, line.body) if own else None


def _equals(text: str) -> int | None:
    """Find the first equals sign outside all brackets. Return its position, or None."""
    depth = 0
    for i, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif (
            character == "="
            and depth == 0
            and text[i - 1 : i] not in (*"<>!=",)
            and text[i + 1 : i + 2] != "="
        ):
            return i
    return None


def _ordered(lines: Sequence[Line]) -> Iterator[Line]:
    """Sort the definitions. Each definition comes after the definitions that it uses."""
    names: dict[str, Line] = {}
    for line in lines:
        if line.name in names:
            raise FormulaError(f"Two lines define {quoted(line.name)}. Rename one.", formula_span(*line.head))
        names[line.name] = line
    waiting = list(lines)
    while waiting:
        left = {line.name for line in waiting}
        ready = [line for line in waiting if not _used(line) & left]
        if not ready:
            line = waiting[0]
            raise FormulaError(
                f"The value of {quoted(line.name)} depends on itself. Write it without this name.",
                formula_span(*line.head),
            )
        yield from ready
        waiting = [line for line in waiting if line not in ready]


def _used(line: Line) -> set[str]:
    return {match[0] for match in WORD.finditer(line.body.text)} - {*(line.parameters or ())}


def _define(line: Line, words: Vocabulary, definitions: dict[str, Definition], read: Read) -> None:
    """Parse a line that defines a name. Add the definition to `definitions`."""
    if line.name in words.variables:
        raise FormulaError(
            f"{quoted(line.name)} is a variable of the picture. Use another name.", formula_span(*line.head)
        )
    parameters = line.parameters or ()
    for i, name in enumerate(parameters):
        if not WORD.fullmatch(name) or name in parameters[:i]:
            raise FormulaError(
                f"{quoted(line.name)} needs different names for its parameters, as in g(s, t) = s + t.",
                formula_span(*line.head),
            )
    inner = extended(_with(words, definitions), parameters)
    nodes = _read(
        line.body, inner, {name: it for name, it in definitions.items() if name not in parameters}, read
    )
    definitions[line.name] = Definition(parameters, nodes)


def _with(words: Vocabulary, definitions: dict[str, Definition]) -> Vocabulary:
    """Return a copy of the vocabulary `words` that also has the names in `definitions`."""
    functions = {
        name: Function("", len(it.parameters), len(it.parameters))
        for name, it in definitions.items()
        if it.parameters
    }
    constants = [name for name, it in definitions.items() if not it.parameters]
    return extended(words, constants, functions)


def _read(
    source: Plain, words: Vocabulary, definitions: dict[str, Definition], read: Read
) -> tuple[Node, ...]:
    """Parse a plain text. The positions of its nodes and errors count characters of the original text."""
    bound = [match[1] for match in LETTER_OF_SERIES.finditer(source.text)]
    if bound:
        words = extended(words, bound=bound)
    try:
        nodes = read(lex(source.text, words, _AS_THEY_ARE), words, definitions)
    except (FormulaError, LimitError) as error:
        span = error.span or formula_span(0, 0)
        error.span = _located(source, span.column, span.end_column)
        raise
    return tuple(
        node._replace(start=span.column, end=span.end_column)
        for node in nodes
        for span in (_located(source, node.start, node.end),)
    )


_AS_THEY_ARE = Columns("")
"""Positions in code points."""

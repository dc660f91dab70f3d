"""Find the text and the line of each argument of a call in the user's program."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from eglantine.errors import Span, text_at

Place = tuple[int, int]
IGNORED: Final = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
)


def stated(span: Span | None, number: int) -> list[tuple[str, Span | None]]:
    """Return the text and the place of each positional argument of the user's call at `span`.

    number: the number of the call's positional arguments. If the program's text has another number of them,
        because it unpacks a list with a star, each argument gets the text of all arguments.
    """
    text = text_at(span)
    found = _arguments(text)
    if span is None or len(found) != number:
        return [(text[text.find("(") + 1 : text.rfind(")")] or "an expression", span)] * number
    return [(words, _moved(span, first, last)) for words, first, last in found]


def _moved(span: Span, first: Place, last: Place) -> Span:
    """Convert places in the text at a span to the place in the program."""
    columns = [column + (span.column if row == 1 else 0) for row, column in (first, last)]
    return Span(span.source, span.line + first[0] - 1, columns[0], span.line + last[0] - 1, columns[1])


@lru_cache(maxsize=64)
def _arguments(text: str) -> Sequence[tuple[str, Place, Place]]:
    """Return the text, the beginning and the end of each positional argument of a call.

    The ends are pairs (line from 1, column from 0 in bytes). Return nothing if an argument has a star, or if
    we cannot read the text.
    """
    lines = text.splitlines(keepends=True)
    try:
        parts = _last_bracket(text)
    except (tokenize.TokenError, SyntaxError):
        return ()
    found = []
    for part in parts:
        if not part:  # after the last comma
            continue
        if part[0].string in ("*", "**"):
            return ()
        if len(part) > 1 and part[1].string == "=":
            continue
        (row, column), (last_row, end) = part[0].start, part[-1].end
        whole = lines[row - 1 : last_row]
        whole[-1] = whole[-1][:end]
        whole[0] = whole[0][column:]
        places = [
            (line, len(lines[line - 1][:place].encode())) for line, place in ((row, column), (last_row, end))
        ]
        found.append((" ".join("".join(whole).split()), places[0], places[1]))
    return found


def _last_bracket(text: str) -> list[list[tokenize.TokenInfo]]:
    """Return the tokens between the commas of the last bracket that is not inside another one."""
    parts: list[list[tokenize.TokenInfo]] = [[]]
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        sign = token.string if token.type == tokenize.OP else " "
        depth -= sign in ")]}"
        if depth == 1 and sign == ",":
            parts.append([])
        elif depth > 0 and token.type not in IGNORED:
            parts[-1].append(token)
        if sign in "([{":
            parts = parts if depth else [[]]
            depth += 1
    return parts

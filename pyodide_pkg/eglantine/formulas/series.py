"""Parse choices such as `{x > 0: x, -x}`, sums and products over a letter, and calls of definitions.

The module is loaded when a formula first uses one of these constructs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from eglantine.errors import FormulaError

from .advice import refuse_choice, refuse_limit
from .grammar import MAX_NODES
from .parts import CONDITIONS, Kind, Node, Token, formula_span, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .parser import _Parser

BIGGEST_BOUND = 10_000


def pieces(parser: _Parser, opening: Token) -> int:
    """Parse the rest of `{c: a, d: b, z}` after the opening bracket.

    If no condition holds, the value is z, or NaN if z is missing. `{c}` means `{c: 1}`.
    """
    pairs: list[tuple[int, int]] = []
    rest: int | None = None
    while True:
        part = parser.bracketed(opening)
        token = parser.next
        if token.kind is Kind.MARK and token.name == ":":
            parser.condition(part)
            parser.take()
            pairs.append((part, parser.bracketed(opening)))
            if parser.next.kind is Kind.COMMA:
                parser.take()
                continue
        elif not pairs and parser.nodes[part].kind in CONDITIONS:
            one = parser.add(Node("number", "", 1, (), opening.start, opening.end))
            pairs.append((part, one))
        elif not pairs:
            raise FormulaError(
                "Braces need a condition, as in {x > 0: x, -x}. Group with round or square brackets.",
                parser.span(opening),
                "(",
            )
        else:
            rest = part
        return choice(parser, pairs, rest, opening.start, parser.close(opening).end)


def select_call(parser: _Parser, token: Token, arguments: Sequence[int], end: int) -> int:
    """Add the nodes of `if(c, a, d, b, z)`: a if c holds, else b if d holds, else z (or NaN without z)."""
    if len(arguments) < 2:
        refuse_choice(token, end)
    pairs = [*zip(arguments[::2], arguments[1::2], strict=False)]
    rest = arguments[-1] if len(arguments) % 2 else None
    return choice(parser, pairs, rest, token.start, end)


def choice(parser: _Parser, pairs: Sequence[tuple[int, int]], rest: int | None, start: int, end: int) -> int:
    """Add the nodes of a choice between `pairs`, which are tuples (condition, number).

    The value is the number with the first true condition. If no condition is true, the value is `rest`, or
    NaN if `rest` is None.
    """
    result = (
        parser.add(Node("number", "", float("nan"), (), start, end)) if rest is None else parser.real(rest)
    )
    for condition, value in reversed(pairs):
        result = parser.select(parser.condition(condition), value, result)
    return parser.respanned(result, start, end)


def inlined(parser: _Parser, token: Token, arguments: Sequence[int], end: int) -> int:
    """Replace a name by its definition: add the definition's nodes, with arguments instead of parameters."""
    parameters, nodes = parser.definitions[token.name]
    _check_room(parser, len(nodes), token)
    places: list[int] = []
    for node in nodes:
        if node.kind == "variable" and node.name in parameters:
            places.append(arguments[parameters.index(node.name)])
        else:
            operands = tuple(places[operand] for operand in node.operands)
            places.append(parser.add(node._replace(operands=operands, start=token.start, end=end)))
    return places[-1]


def _check_room(parser: _Parser, count: int, token: Token) -> None:
    """Raise a LimitError if `count` more nodes would be too many for a formula."""
    if len(parser.nodes) + count > MAX_NODES:
        refuse_limit("nodes", parser.span(token))


def series(parser: _Parser, token: Token) -> int:
    """Parse the brackets of `sum(k=1..10, a)` or `sum(a, k=1..10)`. Add the nodes of all terms."""
    is_sum = parser.words.functions[token.name].maths == "sum"
    opening = parser.take()
    first = len(parser.nodes)
    letter = _letter(parser)
    if letter is not None:
        low, high = _bounds(parser, opening)
        del parser.nodes[first:]
        _comma(parser, token)
        body = parser.real(parser.bracketed(opening))
    else:
        body = parser.real(parser.bracketed(opening))
        _comma(parser, token)
        letter = _letter(parser)
        if letter is None:
            _refuse(token, parser.next.end)
        after = len(parser.nodes)
        low, high = _bounds(parser, opening)
        del parser.nodes[after:]
    end = parser.close(opening).end
    template = parser.nodes[first : body + 1]
    del parser.nodes[first:]
    if body < first:  # the body is a node that existed before, such as an argument of a definition
        template = []
    _check_room(parser, (high - low + 1) * (len(template) + 1), token)
    total: int | None = None
    for k in range(low, high + 1):
        term = _instance(parser, template, first, letter, k) if template else body
        total = term if total is None else parser.binary("+" if is_sum else "*", total, term)
    if total is None:
        return parser.add(Node("number", "", 0 if is_sum else 1, (), token.start, end))
    node = parser.nodes[total]
    parser.nodes[total] = node._replace(start=token.start, end=end)
    return total


def _instance(parser: _Parser, template: Sequence[Node], first: int, letter: str, k: int) -> int:
    """Add the nodes of a sum's body with k in place of the letter. Return the last node's position."""
    shift = len(parser.nodes) - first
    place = -1
    for node in template:
        if node.kind == "variable" and node.name == letter:
            place = parser.add(node._replace(kind="number", name="", number=k))
        else:
            operands = tuple(operand + shift if operand >= first else operand for operand in node.operands)
            place = parser.add(node._replace(operands=operands))
    return place


def _letter(parser: _Parser) -> str | None:
    """Read the tokens `k =` (or another letter) and return the letter. Return None for other tokens."""
    token = parser.next
    if token.kind is not Kind.VARIABLE:
        return None
    following = parser.tokens[parser.at + 1]
    if following.kind is not Kind.MARK or following.name != "=":
        return None
    parser.at += 2
    return token.name


def _bounds(parser: _Parser, opening: Token) -> tuple[int, int]:
    low = _bound(parser, opening)
    parser.expect("..", parser.tokens[parser.at - 1])
    return low, _bound(parser, opening)


def _bound(parser: _Parser, opening: Token) -> int:
    node = parser.bracketed(opening)
    value = parser.literal(node)
    if value is None or value != value // 1 or abs(value) > BIGGEST_BOUND:
        raise FormulaError(
            f"A bound of a sum or product must be a whole number up to {BIGGEST_BOUND:,}, but this "
            "is not one. Write sum(k=1..10, x^k), for example.",
            parser.nodes[node].span,
        )
    return int(value)


def _comma(parser: _Parser, token: Token) -> None:
    if parser.next.kind is not Kind.COMMA:
        _refuse(token, token.end)
    parser.take()


def _refuse(token: Token, end: int) -> NoReturn:
    raise FormulaError(
        f"`{token.text}` needs a letter with its range, and what to add or multiply. Write "
        f"{token.text}(k=1..10, x^k), for example.",
        formula_span(token.start, end),
    )


def check_letters(parser: _Parser) -> None:
    """Raise an error if the letter of a sum is used outside the sum."""
    names = {*parser.words.bound} - {*parser.words.variables}
    for node in parser.nodes:
        if node.kind == "variable" and node.name in names:
            raise FormulaError(
                f"{quoted(node.name)} has a value only inside of its sum or product. Use another name here.",
                node.span,
            )

"""Collect the nodes of a formula while its tokens are being read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from eglantine.errors import Span

from .grammar import MAX_TERMS
from .lexer import number_value
from .parts import CONDITIONS, Kind, Node, Token, formula_span

if TYPE_CHECKING:
    from collections.abc import Sequence


class Nodes:
    """The nodes that have been made so far from a formula's tokens.

    tokens: all tokens of the formula.
    at: the number of tokens that have been read.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.nodes: list[Node] = []
        self._terms = 0

    def add(self, node: Node) -> int:
        """Add a node. Return its position."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def term(self, kind: str, token: Token, number: float = 0) -> int:
        """Add the node of a number, variable or constant."""
        self._terms += 1
        if self._terms > MAX_TERMS:
            self.refuse_limit("terms", token)
        name = "" if kind == "number" else token.name
        return self.add(Node(kind, name, number, (), token.start, token.end))

    def number(self, token: Token) -> int:
        """Add the number that a token writes."""
        return self.term("number", token, number_value(token))

    def negate(self, sign: Token, inner: int) -> int:
        """Add the negative of a number."""
        inner = self.real(inner)
        return self.add(Node("negate", "", 0, (inner,), sign.start, self.nodes[inner].end))

    def call(self, name: str, arguments: Sequence[int], start: int, end: int) -> int:
        """Add a call of a function with numbers."""
        operands = tuple(map(self.real, arguments))
        return self.add(Node("call", name, 0, operands, start, end))

    def binary(self, operator: str, left: int, right: int) -> int:
        """Add an operator on two numbers."""
        return self.add_binary(operator, self.real(left), self.real(right))

    def add_binary(self, kind: str, left: int, right: int) -> int:
        """Add an operator on two operands, which are already of the right kind (numbers or conditions)."""
        start = min(self.nodes[left].start, self.nodes[right].start)
        end = max(self.nodes[left].end, self.nodes[right].end)
        return self.add(Node(kind, "", 0, (left, right), start, end))

    def select(self, condition: int, first: int, other: int) -> int:
        """Add a choice between two numbers."""
        operands = (condition, self.real(first), self.real(other))
        start = min(self.nodes[place].start for place in operands)
        end = max(self.nodes[place].end for place in operands)
        return self.add(Node("select", "", 0, operands, start, end))

    def respanned(self, place: int, start: int, end: int) -> int:
        """Set the start and the end of the node at `place`. Return `place`."""
        self.nodes[place] = self.nodes[place]._replace(start=start, end=end)
        return place

    def real(self, place: int) -> int:
        """Return `place` if its node is a number.

        If it is a condition, add a node that converts the condition to 1 or 0. Return the new node's place.
        """
        node = self.nodes[place]
        return self.add(Node("real", "", 0, (place,), *node[-2:])) if node.kind in CONDITIONS else place

    def condition(self, place: int) -> int:
        """Return `place` if its node is a condition. Otherwise raise an error."""
        if self.nodes[place].kind not in CONDITIONS:
            from .advice import refuse_number

            refuse_number(self.nodes[place].span)
        return place

    def literal(self, place: int) -> float | None:
        """Return the value of a number, which may have minus signs. Return None for any other node."""
        node = self.nodes[place]
        sign = 1
        while node.kind == "negate":
            sign, node = -sign, self.nodes[node.operands[0]]
        return sign * node.number if node.kind == "number" else None

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """Read a token."""
        token = self.tokens[self.at]
        if token.kind is not Kind.END:
            self.at += 1
        return token

    def span(self, token: Token) -> Span:
        """The span of a token in the text."""
        return formula_span(token.start, token.end)

    def expect(self, name: str, after: Token) -> Token:
        """Read the next token. Raise an error unless it is the mark `name`."""
        if self.next.kind is not Kind.MARK or self.next.name != name:
            from .advice import refuse_missing

            refuse_missing(self, name, after)
        return self.take()

    def refuse_limit(self, limit: str, token: Token) -> NoReturn:
        """Raise the error for a formula that exceeds a limit."""
        from .advice import refuse_limit

        refuse_limit(limit, self.span(token))

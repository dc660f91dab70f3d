"""The parser of formulas. It turns a text into a list of nodes.

The grammar, from the weakest to the strongest operators:

* `a + b`, `a - b`
* `a * b`, `a / b`, and products without a sign (`2x`, `3(x+1)`, `x y`, `xy`). All three bind equally
  strongly, from left to right: `1/2x` is `(1/2)*x`
* `-a`, `+a`
* `a ^ b`, `a ** b`, `a²`, from right to left: `-x^2` is `-(x^2)`, `2^3^2` is 512 and `2^-1` is a half
* numbers, names, `(a)`, `[a]`, `|a|`, `sin(a)`, `sin^2(a)` for `sin(a)^2`, `√a`

If no bracket follows a function, its argument is the next product without operator signs, up to the next
function: `sin 2x y` is `sin(2*x*y)`, `2 sin x cos y` is `2*sin(x)*cos(y)`, `sin -x` is `sin(-x)`, `sin x / 2`
is `sin(x)/2`. If a bracket follows, the argument ends with it: `sin(x) y` is `sin(x)*y`. An unknown word is
split into known names, the longest first: `xy` is `x*y`, `2xsin3y` is `2*x*sin(3*y)`.

A formula may have MAX_TERMS terms, which are numbers, variables and constants. It may nest MAX_DEPTH
brackets, signs, powers and functions, and may have MAX_CHARACTERS characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from eglantine.errors import FormulaError, LimitError, Span

from .lexer import FUNCTIONS, Kind, Token, formula_span, lex, number_value, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TERMS = 400
MAX_DEPTH = 64
BIGGEST_POLYGAMMA = 3  # the largest order of `eg.math.polygamma`

NodeKind = Literal["number", "variable", "constant", "call", "negate", "+", "-", "*", "/", "^"]


class Node(NamedTuple):
    """One operation of a formula.

    name: the name of a variable, a constant or a function (as in `eg.math`, or `abs`). Other nodes have none.
    number: the value of a "number" node. It is an int if the formula writes it as one. Other nodes have 0.
    operands: positions in `Formula.nodes`, which are all before the node itself.
    start, end: columns in UTF-16 code units.
    """

    kind: NodeKind
    name: str
    number: float
    operands: tuple[int, ...]
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The position of the node in the formula."""
        return formula_span(self.start, self.end)


class Formula(NamedTuple):
    """A parsed formula: its text, the names of its variables, and its nodes in order of evaluation.

    The last node is the root. The nodes are a list and not a tree, so passes over them need no recursion.
    """

    text: str
    names: tuple[str, ...]
    nodes: tuple[Node, ...]


def parse(text: str, names: Sequence[str] = ("x", "y")) -> Formula:
    """Parse a formula in the variables `names`.

    Raises: FormulaError with the columns of the mistake, LimitError if the formula is too large.

    >>> [node.name or node.number or node.kind for node in parse("2x^y").nodes]
    [2, 'x', 'y', '^', '*']
    """
    return Formula(text, tuple(names), _Parser(lex(text, names)).formula())


SUM, PRODUCT, SIGN, POWER = 1, 2, 3, 4
STRENGTH = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}
CLOSING = {"(": ")", "[": "]", "|": "|"}
STARTS_OPERAND = (Kind.NUMBER, Kind.VARIABLE, Kind.CONSTANT, Kind.FUNCTION, Kind.OPEN)


class _Parser:
    """A precedence-climbing parser. It recurses only into brackets, signs, powers and functions.

    It counts how deep the recursion is, so that it can refuse formulas that nest too deeply.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._nodes: list[Node] = []
        self._terms = 0
        self._depth = -1
        self._open: list[Token] = []  # the brackets that are open, innermost last

    def formula(self) -> tuple[Node, ...]:
        """Parse the whole text. Return its nodes."""
        first = self._next
        if first.kind is Kind.END:
            raise FormulaError("The formula is empty. Type one, like x^2 + y.", self._span(first))
        self._expression(SUM)
        rest = self._next
        if rest.kind is not Kind.END:
            self._refuse_stray(rest)
        return tuple(self._nodes)

    def _expression(self, weakest: int, level: int = 1) -> int:
        """Parse an operand and all operators after it that bind at least as strongly as `weakest`.

        level: how much deeper the expression nests: 1, or 0 for the right side of a sum or product.
        """
        self._depth += level
        if self._depth > MAX_DEPTH:
            raise LimitError(
                f"The formula nests deeper than {MAX_DEPTH} brackets, signs, powers and functions. "
                "Give the inner part a simpler form.",
                self._span(self._next),
            )
        left = self._operand()
        while True:
            token = self._next
            kind, operator = token.kind, token.name
            if kind is Kind.OPERATOR and (strength := STRENGTH[operator]) >= weakest:
                self._at += 1
                is_power = strength == POWER
                right = self._expression(POWER) if is_power else self._expression(strength + 1, 0)
            elif kind is Kind.SUPERSCRIPT:
                operator, right = "^", self._number(self._take())
            elif weakest <= PRODUCT and self._starts_operand(token):
                self._refuse_two_numbers(token)
                operator, right = "*", self._expression(SIGN, 0)
            else:
                self._depth -= level
                return left
            left = self._binary(operator, left, right)

    def _operand(self) -> int:
        """Parse one operand with the signs before it."""
        token = self._take()
        if token.kind is Kind.NUMBER:
            return self._number(token)
        if token.kind is Kind.VARIABLE:
            return self._term("variable", token)
        if token.kind is Kind.CONSTANT:
            return self._term("constant", token)
        if token.kind is Kind.FUNCTION:
            return self._function(token)
        if token.kind is Kind.OPEN:
            inner = self._bracketed(token)
            self._close(token)
            return inner
        if token.kind is Kind.BAR:
            inner = self._bracketed(token)
            return self._add(Node("call", "abs", 0, (inner,), token.start, self._close(token).end))
        if token.kind is Kind.OPERATOR and token.name in "+-":
            inner = self._expression(SIGN)
            return self._negate(token, inner) if token.name == "-" else inner
        return self._refuse_operand(token)

    def _function(self, token: Token) -> int:
        """Parse a function and its arguments. An exponent may stand between them, as in `sin^2 x`."""
        exponent = self._function_exponent(token)
        if self._next.kind is Kind.OPEN:
            arguments, end = self._arguments()
        else:
            arguments = [self._bare_argument(token)]
            end = self._nodes[arguments[0]].end
        self._check_arguments(token, arguments, end)
        call = self._add(Node("call", FUNCTIONS[token.name].maths, 0, tuple(arguments), token.start, end))
        return call if exponent is None else self._binary("^", call, exponent)

    def _function_exponent(self, token: Token) -> int | None:
        """Parse the exponent in `sin^2 x` if there is one. Refuse `sin^-1 x`, which has two meanings."""
        power = self._next
        if power.kind is Kind.SUPERSCRIPT:
            exponent = self._number(self._take())
        elif power.kind is Kind.OPERATOR and power.name == "^":
            self._at += 1
            exponent = self._expression(POWER)
        else:
            return None
        if self._literal(exponent) == -1:
            self._refuse_inverse(token)
        return exponent

    def _arguments(self) -> tuple[list[int], int]:
        """Parse the arguments in brackets. Return their nodes and the column where the brackets end."""
        opening = self._take()
        arguments: list[int] = []
        if self._next.kind is not Kind.CLOSE:
            arguments.append(self._bracketed(opening))
            while self._next.kind is Kind.COMMA:
                self._at += 1
                arguments.append(self._bracketed(opening))
        return arguments, self._close(opening).end

    def _bare_argument(self, token: Token) -> int:
        """Parse the argument of a function that no bracket follows. It ends before the next function."""
        function = FUNCTIONS[token.name]
        is_sign = self._next.kind is Kind.OPERATOR and self._next.name in "+-"
        if function.most > 1 or not (is_sign or self._starts_operand(self._next)):
            arguments = ", ".join("abc"[: function.least]) if function.most > 1 else "x"
            raise FormulaError(
                f"The function `{token.text}` has no argument. Write {token.text}({arguments}).",
                self._span(token),
            )
        left = self._expression(SIGN)
        while self._next.kind is not Kind.FUNCTION and self._starts_operand(self._next):
            self._refuse_two_numbers(self._next)
            left = self._binary("*", left, self._expression(SIGN))
        return left

    def _bracketed(self, opening: Token) -> int:
        self._open.append(opening)
        inner = self._expression(SUM)
        self._open.pop()
        return inner

    def _close(self, opening: Token) -> Token:
        """Read the bracket that closes `opening`."""
        token, wanted = self._next, CLOSING[opening.name]
        if token.name == wanted and token.kind in (Kind.CLOSE, Kind.BAR):
            return self._take()
        if token.kind is Kind.CLOSE:
            raise FormulaError(
                f"{quoted(token.text)} does not close the `{opening.text}` before it. That needs `{wanted}`.",
                self._span(token),
                wanted,
            )
        if token.kind is Kind.COMMA:
            self._refuse_stray(token)
        raise FormulaError(
            f"The `{opening.text}` here is never closed. Add `{wanted}` where it should end.",
            self._span(opening),
        )

    # nodes

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _term(self, kind: Literal["number", "variable", "constant"], token: Token, number: float = 0) -> int:
        self._terms += 1
        if self._terms > MAX_TERMS:
            raise LimitError(
                f"The formula has more than {MAX_TERMS} terms (numbers and names). Shorten it, or "
                "write it as a Python function.",
                self._span(token),
            )
        name = "" if kind == "number" else token.name
        return self._add(Node(kind, name, number, (), token.start, token.end))

    def _number(self, token: Token) -> int:
        return self._term("number", token, number_value(token))

    def _negate(self, sign: Token, inner: int) -> int:
        return self._add(Node("negate", "", 0, (inner,), sign.start, self._nodes[inner].end))

    def _binary(self, operator: str, left: int, right: int) -> int:
        kind = _BINARY[operator]
        start = min(self._nodes[left].start, self._nodes[right].start)
        end = max(self._nodes[left].end, self._nodes[right].end)
        return self._add(Node(kind, "", 0, (left, right), start, end))

    def _literal(self, place: int) -> float | None:
        """The signed number that a node stands for, or None if the node is not a number."""
        node = self._nodes[place]
        sign = 1
        while node.kind == "negate":
            sign, node = -sign, self._nodes[node.operands[0]]
        return sign * node.number if node.kind == "number" else None

    # tokens

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        if token.kind is not Kind.END:
            self._at += 1
        return token

    def _span(self, token: Token) -> Span:
        return formula_span(token.start, token.end)

    def _starts_operand(self, token: Token) -> bool:
        if token.kind is Kind.BAR:
            return not (self._open and self._open[-1].kind is Kind.BAR)
        return token.kind in STARTS_OPERAND

    # mistakes

    def _check_arguments(self, token: Token, arguments: Sequence[int], end: int) -> None:
        function, count = FUNCTIONS[token.name], len(arguments)
        if not function.least <= count <= function.most:
            wanted = str(function.least) if function.least == function.most else f"at least {function.least}"
            plural = "" if wanted == "1" else "s"
            too = "Add what is missing" if count < function.least else "Remove the rest"
            raise FormulaError(
                f"The function `{token.text}` takes {wanted} argument{plural}, but it has "
                f"{count or 'none'}. {too}.",
                formula_span(token.start, end),
            )
        if function.maths == "polygamma":
            order = self._literal(arguments[0])
            if order not in range(BIGGEST_POLYGAMMA + 1):
                raise FormulaError(
                    f"The order of `polygamma` must be a whole number from 0 to {BIGGEST_POLYGAMMA}. "
                    "Write polygamma(0, x), for example.",
                    self._nodes[arguments[0]].span,
                )

    def _refuse_inverse(self, token: Token) -> NoReturn:
        name, inverse = token.text, f"a{FUNCTIONS[token.name].maths}"
        has_inverse = inverse in FUNCTIONS
        inverse_or = f"{inverse}(x) for the inverse or " if has_inverse else ""
        raise FormulaError(
            f"`{name}^-1` has two meanings. Write {inverse_or}1/{name}(x) for the reciprocal.",
            formula_span(token.start, self._tokens[self._at - 1].end),
            inverse if has_inverse else None,
        )

    def _refuse_two_numbers(self, token: Token) -> None:
        before = self._tokens[self._at - 1]
        if token.kind is Kind.NUMBER and before.kind in (Kind.NUMBER, Kind.SUPERSCRIPT):
            raise FormulaError(
                f"The number {quoted(token.text)} stands right after {quoted(before.text)}. Put an "
                "operator between them.",
                self._span(token),
            )

    def _refuse_operand(self, token: Token) -> NoReturn:
        """Refuse a token where an operand (a number, a name or a bracket) should begin."""
        wanted = "a number, a name or `(` was expected"
        before = self._tokens[self._at - 2] if token.kind is not Kind.END and self._at > 1 else None
        if token.kind is Kind.END:
            last = self._tokens[-2]
            message = f"The formula ends after {quoted(last.text)}, where {wanted}. Complete it."
        elif token.kind is Kind.CLOSE and before is not None and before.kind is Kind.OPEN:
            message = f"There is nothing between the brackets, where {wanted}. Fill or delete them."
        elif token.kind is Kind.CLOSE and not self._open:
            self._refuse_stray(token)
        elif token.kind is Kind.SUPERSCRIPT:
            message = f"The exponent {quoted(token.text)} has no base, where {wanted}. Write what it raises."
        else:
            message = f"{quoted(token.text)} stands where {wanted}. Write one before it or delete it."
        raise FormulaError(message, self._span(token))

    def _refuse_stray(self, token: Token) -> NoReturn:
        """Refuse a token that cannot follow a complete expression."""
        if token.kind is Kind.COMMA:
            raise FormulaError(
                "A comma only separates the arguments of a function. Write decimals with a point, like 1.5.",
                self._span(token),
            )
        raise FormulaError(
            f"The {quoted(token.text)} closes no bracket. Delete it, or open one before.", self._span(token)
        )


_BINARY: dict[str, NodeKind] = {"+": "+", "-": "-", "*": "*", "/": "/", "^": "^"}

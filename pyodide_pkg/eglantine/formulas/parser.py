"""The parser of formulas. It turns a text into a list of nodes.

The grammar, from the weakest to the strongest operators:

* `a if c else b`, `c ? a : b`, from right to left. c is a condition, a and b are numbers
* `c or d`, `c and d`, `not c`. After a comparison, `||` is `or`
* `a < b`, `a <= b`, `a > b`, `a >= b`, `a == b`, `a != b`. `a < b < c` is `a < b and b < c`
* `a + b`, `a - b`
* `a * b`, `a / b`, `a % b` and products without a sign (`2x`, `3(x+1)`, `x y`, `xy`). All bind equally
  strongly, from left to right: `1/2x` is `(1/2)*x`
* `-a`, `+a`
* `a ^ b`, `a ** b`, `a²`, from right to left: `-x^2` is `-(x^2)`, `2^3^2` is 512 and `2^-1` is a half
* `a!`
* numbers, names, `(a)`, `[a]`, `|a|`, `sin(a)`, `sin^2(a)` for `sin(a)^2`, `√a`, `if(c, a, b)`,
  `{c: a, d: b, z}`, `sum(k=1..10, a)` and `prod(k=1..10, a)`

If a condition stands where a number is needed, it becomes 1 or 0. A number where a condition is needed is a
mistake.

If no bracket follows a function, its argument is the product after it. An operator sign or another function
ends this product: `sin 2x y` is `sin(2*x*y)`, `2 sin x cos y` is `2*sin(x)*cos(y)`, `sin -x` is `sin(-x)`,
`sin x / 2` is `sin(x)/2`. If a bracket follows, the argument ends with it: `sin(x) y` is `sin(x)*y`. An
unknown word is split into known names, the longest first: `xy` is `x*y`, `2xsin3y` is `2*x*sin(3*y)`.

A formula has at most MAX_TERMS terms (numbers, variables and constants), MAX_CHARACTERS characters and
MAX_NODES nodes. Its brackets, signs, powers and functions may be nested at most MAX_DEPTH deep.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eglantine.errors import FormulaError

from .grammar import (
    CHOICE,
    CLOSING,
    COMPARE,
    MAX_DEPTH,
    NOT,
    OR,
    POWER,
    PRODUCT,
    SIGN,
    STRENGTH,
    SUM,
)
from .lexer import Vocabulary, lex, vocabulary
from .nodes import Nodes
from .parts import CONDITIONS, Definition, Formula, Kind, Node, Token

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .grammar import Function

PASTED = re.compile(r"[=\\#\n∫₀-₉]|[_^]\{|[A-Za-z]\.[A-Za-z]|/\s*d|\|\|")
"""A pattern for signs that occur only in texts that `pasted` must parse.

Such texts have definitions, LaTeX, comments, names of modules, or conditions with `||`."""


def parse(
    text: str, names: Sequence[str] = ("x", "y"), free: list[str] | None = None, equations: bool = False
) -> Formula:
    """Parse a formula in the variables `names`.

    free: a list to which we add the formula's free letters. Then free letters are also variables. If `free`
        is None, a free letter is a mistake.
    equations: if true, an equation f = g is read as the formula f - g. Otherwise an equation is a mistake.
    Raises: FormulaError with the columns of the mistake, LimitError if the formula is too large.

    >>> [node.name or node.number or node.kind for node in parse("2x^y").nodes]
    [2, 'x', 'y', '^', '*']
    """
    words = vocabulary(tuple(names))
    if free is not None:
        from .alphabet import extended

        words = extended(words, free=free)
    if PASTED.search(text):
        from .pasted import parse_pasted

        nodes = parse_pasted(text, words, read_tokens, equations)
    else:
        nodes = read_tokens(lex(text, words), words)
    if nodes[-1].kind in CONDITIONS:
        nodes = (*nodes, Node("real", "", 0, (len(nodes) - 1,), *nodes[-1][-2:]))
    return Formula(text, (*names, *(free or ())), nodes)


def read_tokens(
    tokens: Sequence[Token], words: Vocabulary, definitions: Mapping[str, Definition] | None = None
) -> tuple[Node, ...]:
    """Parse the tokens of a formula. Return its nodes."""
    return _Parser(tokens, words, definitions or {}).formula()


STARTS_OPERAND = (Kind.NUMBER, Kind.VARIABLE, Kind.CONSTANT, Kind.FUNCTION, Kind.OPEN, Kind.BRACE)


class _Parser(Nodes):
    """A precedence-climbing parser. It recurses only into brackets, signs, powers, choices and functions.

    It counts the depth of the recursion, and raises an error if a formula nests too deeply.
    """

    def __init__(
        self, tokens: Sequence[Token], words: Vocabulary, definitions: Mapping[str, Definition]
    ) -> None:
        super().__init__(tokens)
        self.words, self.definitions = words, definitions
        self._depth = -1
        self.open: list[Token] = []  # the tokens of the open brackets, the innermost last

    def formula(self) -> tuple[Node, ...]:
        """Parse the whole text. Return its nodes."""
        first = self.next
        if first.kind is Kind.END:
            raise FormulaError("The formula is empty. Type one, like x^2 + y.", self.span(first))
        root = self.expression(CHOICE)
        rest = self.next
        if rest.kind is not Kind.END:
            from .advice import refuse_stray

            refuse_stray(self, rest)
        if self.words.bound:
            from .series import check_letters

            check_letters(self)
        return tuple(self.nodes[: root + 1])

    def expression(self, weakest: int, level: int = 1) -> int:
        """Parse an operand and all operators after it that bind at least as strongly as `weakest`.

        level: the number that the expression adds to the nesting depth. It is 0 for the right operand of an
            operator such as `+`, and 1 for other expressions.
        """
        self._depth += level
        if self._depth > MAX_DEPTH:
            self.refuse_limit("depth", self.next)
        left = self._operand(weakest)
        while True:
            token = self.next
            kind, operator = token.kind, token.name
            if kind is Kind.OPERATOR and (strength := STRENGTH[operator]) >= weakest:
                self.at += 1
                if strength <= COMPARE:
                    left = self._logic(left, token, strength)
                    continue
                is_power = strength == POWER
                right = self.expression(POWER) if is_power else self.expression(strength + 1, 0)
            elif kind is Kind.SUPERSCRIPT:
                operator, right = "^", self.number(self.take())
            elif kind is Kind.FACTORIAL:
                left = self.call("factorial", [left], self.nodes[left].start, self.take().end)
                continue
            elif weakest <= PRODUCT and self._starts_operand(token):
                self._refuse_two_numbers(token)
                operator, right = "*", self.expression(SIGN, 0)
            else:
                self._depth -= level
                return left
            left = self.binary(operator, left, right)

    def _logic(self, left: int, token: Token, strength: int) -> int:
        """Parse the rest of a choice, comparison, `and` or `or`, after the operand `left` and the `token`."""
        if strength == COMPARE:
            right = self.expression(SUM, 0)
            compared = self.binary(token.name, left, right)
            while self.next.kind is Kind.OPERATOR and STRENGTH[self.next.name] == COMPARE:
                operator, left = self.take().name, right
                right = self.expression(SUM, 0)
                compared = self.add_binary("and", compared, self.binary(operator, left, right))
            return compared
        if strength > CHOICE:
            right = self.condition(self.expression(strength + 1, 0))
            return self.add_binary(token.name, self.condition(left), right)
        if token.name == "?":
            condition, first = self.condition(left), self.expression(CHOICE)
            self.expect(":", token)
        else:
            first, condition = left, self.condition(self.expression(OR))
            self.expect("else", token)
        return self.select(condition, first, self.expression(CHOICE))

    def _operand(self, weakest: int) -> int:
        """Parse one operand with the signs before it."""
        token = self.take()
        if token.kind is Kind.NUMBER:
            return self.number(token)
        if token.kind is Kind.VARIABLE:
            if token.name in self.definitions and token.name not in self.words.functions:
                from .series import inlined

                return inlined(self, token, (), token.end)
            return self.term("variable", token)
        if token.kind is Kind.CONSTANT:
            return self.term("constant", token)
        if token.kind is Kind.FUNCTION:
            return self._function(token)
        if token.kind is Kind.OPEN:
            inner = self.bracketed(token)
            self.close(token)
            return inner
        if token.kind is Kind.BAR:
            inner = self.bracketed(token)
            return self.call("abs", [inner], token.start, self.close(token).end)
        if token.kind is Kind.BRACE:
            from .series import pieces

            return pieces(self, token)
        if token.kind is Kind.OPERATOR and token.name in "+-":
            inner = self.expression(SIGN)
            return self.negate(token, inner) if token.name == "-" else inner
        if token.kind is Kind.NOT and weakest <= NOT:
            inner = self.condition(self.expression(NOT))
            return self.add(Node("not", "", 0, (inner,), token.start, self.nodes[inner].end))
        if token.name == "if" and token.kind is Kind.OPERATOR and self.next.kind is Kind.OPEN:
            arguments, end = self._arguments()
            from .series import select_call

            return select_call(self, token, arguments, end)
        from .advice import refuse_operand

        return refuse_operand(self, token)

    def _function(self, token: Token) -> int:
        """Parse a function and its arguments. There may be an exponent between them, as in `sin^2 x`."""
        base = self._operand(POWER) if token.name == "log_" else None
        exponent = self._function_exponent(token)
        function = self.words.functions["log" if base is not None else token.name]
        call = self._called(token, function)
        if base is not None:
            call = self.binary("/", call, self.call("log", [base], *self.nodes[base][-2:]))
        return call if exponent is None else self.binary("^", call, exponent)

    def _called(self, token: Token, function: Function) -> int:
        """Parse the arguments of a function. Return the node of the call."""
        if self.next.kind is not Kind.OPEN:
            arguments = [self._bare_argument(token)]
            end = self.nodes[arguments[0]].end
        elif function.maths in ("sum", "prod"):
            from .series import series

            return series(self, token)
        else:
            arguments, end = self._arguments()
        if function.maths == "select":
            from .series import select_call

            return select_call(self, token, arguments, end)
        if not function.least <= len(arguments) <= function.most or function.maths == "polygamma":
            from .advice import check_arguments

            check_arguments(self, token, arguments, end)
        if function.maths == "%":
            return self.respanned(self.binary("%", *arguments), token.start, end)
        if token.name in self.definitions:
            from .series import inlined

            return inlined(self, token, [*map(self.real, arguments)], end)
        return self.call(function.maths, arguments, token.start, end)

    def _function_exponent(self, token: Token) -> int | None:
        """Parse the exponent of a function, as in `sin^2 x`. Return None if there is no exponent.

        Raise an error for `sin^-1 x`, which is ambiguous.
        """
        power = self.next
        if power.kind is Kind.SUPERSCRIPT:
            exponent = self.number(self.take())
        elif power.kind is Kind.OPERATOR and power.name == "^":
            self.at += 1
            exponent = self.expression(POWER)
        else:
            return None
        if self.literal(exponent) == -1:
            from .advice import refuse_inverse

            refuse_inverse(self, token)
        return exponent

    def _arguments(self) -> tuple[list[int], int]:
        """Parse the arguments in brackets. Return their nodes and the column where the brackets end."""
        opening = self.take()
        arguments: list[int] = []
        if self.next.kind is not Kind.CLOSE:
            arguments.append(self.bracketed(opening))
            while self.next.kind is Kind.COMMA:
                self.at += 1
                arguments.append(self.bracketed(opening))
        return arguments, self.close(opening).end

    def _bare_argument(self, token: Token) -> int:
        """Parse an argument that is written without brackets, as in `sin 2x`.

        The argument ends before the next function.
        """
        function = self.words.functions["log" if token.name == "log_" else token.name]
        is_sign = self.next.kind is Kind.OPERATOR and self.next.name in "+-"
        if function.most > 1 or not (is_sign or self._starts_operand(self.next)):
            from .advice import refuse_bare

            refuse_bare(self, token, function)
        left = self.expression(SIGN)
        while self.next.kind is not Kind.FUNCTION and self._starts_operand(self.next):
            self._refuse_two_numbers(self.next)
            left = self.binary("*", left, self.expression(SIGN))
        return left

    def bracketed(self, opening: Token) -> int:
        """Parse an expression inside brackets."""
        self.open.append(opening)
        inner = self.expression(CHOICE)
        self.open.pop()
        return inner

    def close(self, opening: Token) -> Token:
        """Read the bracket that closes `opening`."""
        token, wanted = self.next, CLOSING[opening.name]
        if token.name == wanted and token.kind in (Kind.CLOSE, Kind.BAR):
            return self.take()
        from .advice import refuse_open

        return refuse_open(self, opening)

    def _starts_operand(self, token: Token) -> bool:
        if token.kind is Kind.BAR:
            return not (self.open and self.open[-1].kind is Kind.BAR)
        return token.kind in STARTS_OPERAND

    def _refuse_two_numbers(self, token: Token) -> None:
        before = self.tokens[self.at - 1]
        if token.kind is Kind.NUMBER and before.kind in (Kind.NUMBER, Kind.SUPERSCRIPT):
            from .advice import refuse_two_numbers

            refuse_two_numbers(before, token)

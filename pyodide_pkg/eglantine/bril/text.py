"""Read the text form of Bril."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .mistakes import BrilError, Place
from .syntax import FunctionText, Instruction, Label, Parameter, Pointer, Type
from .writer import ESCAPES

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
      | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.%]))
      | (?P<char>'(?:\\[0abtnvfr]|[^\n])')
      | (?P<function>@(?:[^\W\d]|%)[\w.%]*)
      | (?P<label>\.(?:[^\W\d]|%)[\w.%]*)
      | (?P<name>(?:[^\W\d]|%)[\w.%]*)
      | (?P<mark>[(){}<>:;,=])""",
    re.VERBOSE,
)
_CONTROLS = {letter: chr(code) for code, letter in ESCAPES.items()}


class Token(NamedTuple):
    """A token of the text.

    kind: the name of the group that matched in the regular expression, or "end" at the end of the text.
    """

    kind: str
    text: str
    place: Place


def _tokens(text: str) -> Iterator[Token]:
    line, begin, position = 1, 0, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        place = Place(line, position - begin)
        if match is None and text[position] == "'":
            raise BrilError(
                "A constant of type char is one character between quotation marks, such as 'a' or '\\n'. "
                "Write one character.",
                place,
            )
        if match is None:
            raise BrilError(
                f"No word of Bril begins with {text[position]!r}. Remove this character, or write a name, a "
                "number, an @function or a .label.",
                place,
            )
        kind = str(match.lastgroup)
        if kind == "space":
            for newline in re.finditer("\n", match[0]):
                line, begin = line + 1, position + newline.end()
        else:
            yield Token(kind, match[0], place)
        position = match.end()
    yield Token("end", "the end of the text", Place(line, len(text) - begin))


class _Reader:
    """Reads tokens one by one. `dialect` is "2019" for the older form, where labels have no dot."""

    def __init__(self, text: str, dialect: str | None) -> None:
        self.tokens = _tokens(text)
        self.token = next(self.tokens)
        self.older = dialect is not None

    def fail(self, expected: str) -> BrilError:
        """Make the error for an unexpected token."""
        return BrilError(
            f"Here stands {self.token.text!r}, but {expected} is expected."
            if self.token.kind != "end"
            else f"The text ends where {expected} is expected. Add it.",
            self.token.place,
        )

    def take(self, kind: str, expected: str) -> Token:
        """Read the next token. Raise an error unless it has this kind."""
        token = self.token
        if token.kind != kind:
            raise self.fail(expected)
        self.token = next(self.tokens, token)
        return token

    def mark(self, text: str, expected: str = "") -> Token:
        """Read the next token. Raise an error unless it is the mark `text`, such as a brace."""
        if not self.sees(text):
            raise self.fail(expected or f"{text!r}")
        return self.take("mark", text)

    def sees(self, text: str) -> bool:
        """True if the next token is this mark."""
        return self.token.kind == "mark" and self.token.text == text

    # ------------------------------------------------------------ functions

    def functions(self) -> Iterator[FunctionText]:
        while self.token.kind != "end":
            yield self._function()

    def _function(self) -> FunctionText:
        if self.older and self.token.kind == "name":
            token = self.take("name", "the name of a function")
        else:
            token = self.take("function", "a function such as @main")
        parameters: list[Parameter] = []
        if self.sees("("):
            self.mark("(")
            while not self.sees(")"):
                parameters.append(self._parameter())
                if not self.sees(")"):
                    self.mark(",", "',' or ')'")
            self.mark(")")
        of = self._type_after_colon()
        self.mark("{", "the '{' that begins the body of the function")
        body: list[Label | Instruction] = []
        while not self.sees("}"):
            body.append(self._item())
        self.mark("}")
        return FunctionText(token.text.lstrip("@"), tuple(parameters), of, tuple(body), token.place)

    def _parameter(self) -> Parameter:
        name = self.take("name", "the name of a parameter")
        of = self._type_after_colon()
        if of is None:
            if not self.older:
                raise self.fail("':' and the type of the parameter")
            of = "float"
        return Parameter(name.text, of, name.place)

    def _type_after_colon(self) -> Type | None:
        if not self.sees(":"):
            return None
        self.mark(":")
        return self._type()

    def _type(self) -> Type:
        depth = 0
        name = self.take("name", "a type")
        while self.sees("<"):
            if name.text != "ptr":
                raise BrilError(f"Only ptr takes <…>, not {name.text}. Write ptr<{name.text}>.", name.place)
            self.mark("<")
            depth += 1
            name = self.take("name", "a type")
        for _ in range(depth):
            self.mark(">")
        of: Type = name.text
        for _ in range(depth):
            of = Pointer(of)
        return of

    # ------------------------------------------------------------ instructions

    def _item(self) -> Label | Instruction:
        if self.token.kind == "label":
            label = self.take("label", "a label")
            self.mark(":", "the ':' after a label")
            return Label(label.text[1:], label.place)
        first = self.take("name", "an instruction, a label or '}'")
        places = {("op", 0): first.place}
        dest, of = None, None
        if self.sees(":"):
            self.mark(":")
            if self.older and self._begins_next():
                return Label(first.text, first.place)
            of = self._type()
            if self.older and self.sees(";"):
                raise self.fail("'='")
        if of is not None or self.sees("="):
            dest = first.text
            self.mark("=")
            places["dest", 0] = first.place
            op = self.take("name", "an operation")
            places["op", 0] = op.place
        else:
            op = first
        operands, value = self._operands(op.text, places)
        self.mark(";", "an operand or ';'")
        return Instruction(
            op.text,
            dest,
            of,
            operands["args"],
            operands["funcs"],
            operands["labels"],
            value,
            first.place,
            places,
        )

    def _begins_next(self) -> bool:
        """True if the next token does not name a type. Then the `name:` before it is a label.

        Before a type, `name:` is a variable.
        """
        return self.token.kind != "name" or self.token.text not in _OLD_TYPES

    def _operands(
        self, op: str, places: dict[tuple[str, int], Place]
    ) -> tuple[dict[str, tuple[str, ...]], Any]:
        operands: dict[str, tuple[str, ...]] = {"args": (), "funcs": (), "labels": ()}
        if op == "const":
            places["value", 0] = self.token.place
            return operands, self._literal()
        while (kind := _OPERAND.get(self.token.kind)) is not None:
            token = self.take(self.token.kind, "an operand")
            places[kind, len(operands[kind])] = token.place
            operands[kind] += (token.text if kind == "args" else token.text[1:],)
        return operands, None

    def _literal(self) -> Any:
        token = self.token
        match token.kind:
            case "number":
                self.take("number", "a number")
                return float(token.text) if re.search("[.eE]", token.text) else int(token.text)
            case "char":
                self.take("char", "a character")
                inner = token.text[1:-1]
                return _CONTROLS[inner[1]] if len(inner) == 2 else inner
            case "name" if token.text in ("true", "false"):
                self.take("name", "a truth value")
                return token.text == "true"
        raise self.fail("a literal, such as 3, -1.5, true or 'c',")


_OPERAND = {"name": "args", "function": "funcs", "label": "labels"}
_OLD_TYPES = frozenset({"int", "bool", "float"})


def read_text(text: str, dialect: str | None = None) -> tuple[FunctionText, ...]:
    """Read the text form. Raises: BrilError with the place of the first mistake."""
    return tuple(_Reader(text, dialect).functions())

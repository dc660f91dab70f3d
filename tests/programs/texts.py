"""Write the Python text of small random functions that contain nested control flow."""

from __future__ import annotations

import linecache
import zlib
from collections.abc import Callable
from typing import Any

import eglantine as eg
from tests.programs.choices import Choices

VARIABLES = ("a", "b", "c")
DEPTH = 3


def function_of_text(text: str) -> Callable[..., Any]:
    """Execute a text that defines the function `f`. Return `f`.

    Add the text to `linecache`, where `inspect` looks for the source of `f`.
    """
    name = f"<a program of {zlib.crc32(text.encode())}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"eg": eg}
    exec(compile(text, name, "exec", dont_inherit=True), scope)  # noqa: S102 - the text is ours
    f: Callable[..., Any] = scope["f"]
    return f


def text_of(choices: Choices) -> str:
    """Write a random function f(a, b, c) that uses only +, -, * and comparisons. Its loops are finite."""
    lines = _Writer(choices).block(DEPTH, False)
    return "\n".join(["def f(a, b, c):", *lines, "    return a + 2.0 * b + 4.0 * c"]) + "\n"


class _Writer:
    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.counters = 0

    # ---- expressions

    def number(self, depth: int = 2) -> str:
        one, kind = self.choices.one, self.choices.below(10)
        if depth == 0 or kind < 3:
            return one((*VARIABLES, "0.5", "-1.0", "2.0", "3.0"))
        if kind < 8:
            return f"({self.number(depth - 1)} {one('+-*')} {self.number(depth - 1)})"
        if kind < 9:
            return f"-{self.number(depth - 1)}"
        return f"({self.number(depth - 1)} if {self.truth(1)} else {self.number(depth - 1)})"

    def truth(self, depth: int = 2) -> str:
        kind = self.choices.below(10)
        if depth == 0 or kind < 4:
            return f"{self.number(1)} {self.choices.one(('<', '>', '<=', '>=', '!=', '=='))} {self.number(1)}"
        if kind < 7:
            return f"({self.truth(depth - 1)} {self.choices.one(('and', 'or'))} {self.truth(depth - 1)})"
        if kind < 8:
            return f"(not {self.truth(depth - 1)})"
        if kind < 9:
            return f"{self.number(1)} < {self.number(1)} <= {self.number(1)}"
        return self.choices.one(("True", "False"))

    # ---- statements

    def block(self, depth: int, in_loop: bool) -> list[str]:
        """Write one to three random statements, with an indentation of four spaces."""
        statements = [self.statement(depth, in_loop) for _ in range(self.choices.between(1, 3))]
        return ["    " + line for lines in statements for line in lines]

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        kind = self.choices.below(20 if depth else 7)
        if kind < 4:
            return [f"{self.choices.one(VARIABLES)} {self.choices.one(('', *'+-*'))}= {self.number()}"]
        if kind < 5:
            return [f"a, b = b, {self.number(1)}"]
        if kind < 6:
            return [f"return {self.number(1)}"]
        if kind < 7:
            return [self.choices.one(("break", "continue") if in_loop else ("pass",))]
        if kind < 14:
            return self.branch(depth, in_loop)
        lines = self.loop(depth - 1)
        if self.choices.below(4) == 3:
            lines += ["else:", *self.block(depth - 1, in_loop)]
        return lines

    def branch(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self.truth()}:", *self.block(depth - 1, in_loop)]
        if self.choices.below(4) == 3:
            lines += [f"elif {self.truth()}:", *self.block(depth - 1, in_loop)]
        if self.choices.flag():
            lines += ["else:", *self.block(depth - 1, in_loop)]
        return lines

    def loop(self, depth: int) -> list[str]:
        self.counters += 1
        n, kind = f"n{self.counters}", self.choices.below(8)
        if kind < 3:
            numbers = self.choices.one(("3", "1", "0", "1, 3", "5, 0, -2"))
            return [f"for {n} in range({numbers}):", f"    c = c + eg.real({n})", *self.block(depth, True)]
        if kind < 4:
            return [f"for {n} in [a, b, 2.0]:", f"    c = c - {n}", *self.block(depth, True)]
        if kind < 6:
            test, count = f"{n} < 3.0 and {self.truth()}", [f"    {n} += 1.0"]
        else:
            test, count = "True", [f"    {n} += 1.0", f"    if {n} > 4.0 or {self.truth()}:", "        break"]
        return [f"{n} = 0.0", f"while {test}:", *count, *self.block(depth, True)]

"""Read printed IR back. This is the inverse of `printer.pretty`.

We read the text line by line. The indentation of a line says which body it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from eglantine.errors import CompileError, Span
from eglantine.types import TupleType, Type, Unit

from .builder import Builder
from .checker import check
from .lines import _Line, _Typed
from .primitives import ARITY, VARIADIC
from .program import Block, Cond, Function, Loop
from .row_types import DYNAMIC, EFFECT, MULTI, TRIPS, RowType, user_type
from .rows import MAX_NESTING

_POLICIES = frozenset({"checkpoint", "forward"})


def parse(text: str, hosts: Mapping[str, Callable[..., Any]] | None = None) -> Function:
    """Read a printed program. Return its first function, which calls the other functions.

    hosts: maps the names of opaque functions to their Python callables.

    The user types of the functions are derived from the types of their rows. They are Vecs, Reals, Bools and
    indices, but never structs.
    Raises: CompileError for a malformed program, or for a syntax error (with its line and column).
    """
    lines = [
        _Line(number, raw) for number, raw in enumerate(text.split("\n"), start=1) if raw.strip(" ")
    ]  # fmt: skip
    if not lines:
        raise CompileError(
            "The text is empty, but it must be a printed function. Pass the text of a printed function.",
            Span("", 1, 0, 1, 0),
        )
    program = _Program(lines, dict(hosts or {}))
    program.declare()
    for k, line in enumerate(lines):
        if line.indent == 0 and not line.text.startswith("opaque "):
            program.define(k)
    first = program.functions[program.order[0]]
    check(first)
    return first


class _Program:
    """All functions of a text."""

    def __init__(self, lines: Sequence[_Line], hosts: dict[str, Callable[..., Any]]) -> None:
        self.lines = lines
        self.hosts = hosts
        self.functions: dict[str, Function] = {}
        self.order: list[str] = []

    def declare(self) -> None:
        """Read all headers."""
        if self.lines[0].indent:
            self.lines[0].fail("a function's header, which is not indented")
        for line in self.lines:
            if line.indent:
                continue
            opaque = line.text.startswith("opaque ") and line.accept("opaque")
            at = line.at
            name = line.name()
            if name in self.functions:
                line.at = at
                line.fail("a name that no other function has")
            self.functions[name] = self._opaque(line, name) if opaque else self._header(line, name)
            self.order.append(name)
            line.rewind()

    def _opaque(self, line: _Line, name: str) -> Function:
        params = _listed(line, line.type)
        results = _result_types(line)
        pure = line.accept("pure")
        line.end()
        host = self.hosts.get(name)
        if host is None:
            line.rewind()
            line.fail(f"a program with its host functions, as in parse(text, hosts={{{name!r}: …}})")
        return Function(
            name, tuple(map(user_type, params)), _user_result(results), None, host=host, pure=pure,
            leaf_params=tuple(params), leaf_results=tuple(results),
        )  # fmt: skip

    def _header(self, line: _Line, name: str) -> Function:
        params = [of for _, of in _listed(line, lambda: _typed(line))]
        results = _result_types(line)
        policy = line.take("word", "a policy") if line.peek() in _POLICIES else "plain"
        line.mark(":")
        line.end()
        return Function(
            name, tuple(map(user_type, params)), _user_result(results), None, policy=policy,
            leaf_params=tuple(params), leaf_results=tuple(results),
        )  # fmt: skip

    def define(self, k: int) -> None:
        """Read the function whose first line is line k."""
        line = self.lines[k]
        name = line.name()
        body = _Body(self, 0)
        body.params(_listed(line, lambda: _typed(line)))
        block, _ = body.read(k + 1, line.indent, "return")
        self.functions[name].block = block


def _listed(line: _Line, item: Callable[[], Any]) -> list[Any]:
    """Read items in parentheses, with commas between them."""
    line.mark("(")
    items: list[Any] = []
    while not line.accept(")"):
        if items:
            line.mark(",")
        items.append(item())
    return items


def _typed(line: _Line) -> tuple[str, RowType]:
    row = line.take("row", "a row, as in %1")
    line.mark(":")
    return row, line.type()


def _result_types(line: _Line) -> list[RowType]:
    line.mark("->")
    if line.accept("("):
        line.mark(")")
        return []
    types = [line.type()]
    while line.accept(","):
        types.append(line.type())
    return types


def _user_result(types: Sequence[RowType]) -> Type:
    users = tuple(map(user_type, types))
    return users[0] if len(users) == 1 else TupleType(users) if users else Unit


class _Body:
    """Reads a block.

    rows: maps each name that the text has defined, such as %3, to its row.
    """

    def __init__(self, program: _Program, depth: int) -> None:
        self.program = program
        self.depth = depth
        self.b = Builder()
        self.rows: dict[str, int] = {}

    def params(self, typed: Sequence[tuple[str, RowType]]) -> None:
        """Make the parameters."""
        for name, of in typed:
            self.rows[name] = self.b.param(of)

    def read(self, k: int, outer: int, last: str) -> tuple[Block, int]:
        """Read the block that begins on line k and ends with `last`. Return the block and the next line."""
        lines = self.program.lines
        indent = lines[k].indent if k < len(lines) else 0
        if indent <= outer:
            header = lines[k - 1]
            header.at = len(header.tokens)
            header.fail(f"indented lines below it, the last of which begins with `{last}`")
        while k < len(lines) and lines[k].indent == indent:
            line = lines[k]
            if line.accept(last):
                return self.b.finish(self._operands(line, -1)), k + 1
            k = self._row(line, k)
        at = lines[min(k, len(lines) - 1)]
        return at.fail(f"a line indented by {indent}, or `{last}`")

    def _operand(self, line: _Line) -> int:
        if line.kind() == "row":
            row = self.rows.get(line.peek())
            if row is None:
                line.fail("a row that this body has defined above")
            line.at += 1
            return row
        return self.b.constant(*line.constant())

    def _operands(self, line: _Line, n: int) -> tuple[int, ...]:
        """Read n operands. If n < 0, read all operands up to the end of the line."""
        operands: list[int] = []
        while len(operands) != n and (line.peek() or n >= 0):
            operands.append(self._operand(line))
        return tuple(operands)

    def _row(self, line: _Line, k: int) -> int:
        """Read the row that begins on line k. Return the line after it."""
        results, rounds = self._left(line)
        if line.kind() != "word" or (line.peek() not in ARITY or line.peek() in ("zero", "param", "proj")):
            line.fail("an operation")
        op = line.take("word", "an operation")
        if op == "loop":
            k, row = self._loop(line, k)
        elif op == "cond":
            k, row = self._cond(line, k)
        else:
            row = self._simple(op, line, results)
            line.end()
            k += 1
        if op in ("call", "loop", "cond"):
            number = self.b.effect(row, MULTI)
            for n, typed in enumerate(results):
                if typed is not None:
                    self.rows[typed[0]] = self.b.effect(("proj", number, n), typed[1])
            if rounds:
                self.rows[rounds[0]] = self.b.effect(("proj", number, TRIPS), rounds[1])
            return k
        if len(results) > 1 or (results and results[0] is None) or rounds:
            line.rewind()
            line.fail("one result")
        number = self.b.effect(row, results[0][1] if results and results[0] else EFFECT)
        if results and results[0]:
            self.rows[results[0][0]] = number
        return k

    def _left(self, line: _Line) -> tuple[list[_Typed | None], _Typed | None]:
        """Read the left side of a line. Return the results' names, and the name of the number of rounds.

        A result that no row reads is `_` in the line, and None in the list. Only a while loop can name its
        number of rounds. This name is None if the line does not have it.
        """
        results: list[_Typed | None] = []
        rounds = None
        if line.kind() == "row" or line.peek() == "_":
            while not results or line.accept(","):
                results.append(None if line.accept("_") else self._new(line))
        if line.accept("trips"):
            rounds = self._new(line)
        if results or rounds:
            line.mark("=")
        return results, rounds

    def _new(self, line: _Line) -> _Typed:
        if line.peek() in self.rows:
            line.fail("a row that is not there yet")
        return _typed(line)

    def _simple(self, op: str, line: _Line, results: Sequence[_Typed | None]) -> tuple[Any, ...]:
        match op:
            case "powi" | "check":
                return (op, self._operand(line), line.whole("a whole number"))
            case "call":
                at = line.at
                function = self.program.functions.get(line.name())
                if function is None:
                    line.at = at
                    line.fail("a function of this text")
                return (op, self._operands(line, -1), function)
            case "print" | "require":
                text = line.string()
                return (op, self._operands(line, -1), text)
            case "table":
                values = []
                while line.peek():
                    values.append(line.value())
                return (op, tuple(values))
            case "zeros":
                return (op, results[0][1] if results and results[0] else None)
            case "acc":
                return (op, self._operands(line, -1), len(self.b.rows))
        if op in VARIADIC:
            return (op, self._operands(line, -1))
        return (op, *self._operands(line, ARITY[op]))

    # ------------------------------------------------------------ structure

    def _inner(self, line: _Line) -> _Body:
        if self.depth >= MAX_NESTING:
            line.rewind()
            line.fail(f"bodies at most {MAX_NESTING} deep")
        return _Body(self.program, self.depth + 1)

    def _bound(self, line: _Line) -> tuple[tuple[str, RowType], int]:
        typed = _typed(line)
        line.mark("=")
        return typed, self._operand(line)

    def _loop(self, line: _Line, k: int) -> tuple[int, tuple[Any, ...]]:
        index = _typed(line)
        tested = line.accept("while")
        count, extent, uses = (None, DYNAMIC, []) if tested else self._count(line)
        backward = line.accept("backward")
        carry = _listed(line, lambda: self._bound(line)) if line.accept("carry") else []
        captures = _listed(line, lambda: self._bound(line)) if line.accept("with") else []
        line.mark(":")
        line.end()
        inner = self._inner(line)
        inner.params([index, *(typed for typed, _ in (*carry, *captures))])
        test = None
        if tested:
            test, k = self._test(line, k)
            line = self.program.lines[min(k, len(self.program.lines) - 1)]
            line.mark("do")
            line.mark(":")
            line.end()
        body, k = inner.read(k + 1, line.indent, "yield")
        loop = Loop(body, count, extent, backward, len(carry), test)
        return k, ("loop", (*uses, *(row for _, row in (*carry, *captures))), loop)

    def _count(self, line: _Line) -> tuple[int | None, int, list[int]]:
        """Read a loop's number of rounds. Return (number, largest possible number, [row of the number]).

        If a row computes the number, the first entry is None. Otherwise the list is empty.
        """
        line.mark("<")
        count, uses = (None, [self._operand(line)]) if line.kind() == "row" else (line.whole("a count"), [])
        if count is not None and line.peek() != "of":
            return count, count, uses
        line.mark("of")
        return count, line.whole("the greatest count"), uses

    def _test(self, line: _Line, k: int) -> tuple[Block, int]:
        """Read the test of the while loop that begins on line k. Return the test and the next line."""
        if k + 1 >= len(self.program.lines) or self.program.lines[k + 1].indent <= line.indent:
            line.fail("`test`, indented, below")
        header = self.program.lines[k + 1]
        header.mark("test")
        test = self._inner(header)
        test.params(_listed(header, partial(_typed, header)))
        header.mark(":")
        header.end()
        return test.read(k + 2, header.indent, "yield")

    def _cond(self, line: _Line, k: int) -> tuple[int, tuple[Any, ...]]:
        condition = self._operand(line)
        line.mark(":")
        line.end()
        indent, k = line.indent, k + 1
        arms: list[Block] = []
        uses: list[list[int]] = []
        for word in ("then", "else"):
            if k >= len(self.program.lines) or self.program.lines[k].indent <= indent:
                line.fail(f"an arm `{word}`, indented, below")
            arm = self.program.lines[k]
            arm.mark(word)
            bound = _listed(arm, partial(self._bound, arm)) if arm.peek() == "(" else []
            arm.mark(":")
            arm.end()
            inner = self._inner(arm)
            inner.params([typed for typed, _ in bound])
            block, k = inner.read(k + 1, arm.indent, "yield")
            arms.append(block)
            uses.append([row for _, row in bound])
            if uses[0] != uses[-1]:
                arm.rewind()
                arm.fail("arms that are bound to the same rows")
        return k, ("cond", (condition, *uses[0]), Cond(arms[0], arms[1]))


__all__ = ["parse"]

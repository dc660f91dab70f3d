"""Print the IR: each row on its own line, bodies indented, and each function after its first caller.

    f(%1: f64, %2: f64[3]) -> f64:
      %3: f64 = loop %4: i32[0..2] < 3 carry (%5: f64 = %1) with (%6: f64[3] = %2):
        %7: f64 = index %6 %4
        %8: f64 = add %5 %7
        yield %8
      return %3

Rows are numbered from 1 in the order in which they are printed, across all bodies of a function. Constants
are printed where they are used, with all their digits. A result that no row reads is `_`. `reader.parse`
reads everything back except sources, custom rules and the user's types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from eglantine.types import Unit

from .primitives import operands
from .program import Block, Function
from .row_types import F64, I1, I32, TRIPS, ZERO, Row, RowType

INDENT = "  "
PLAIN_NAME = re.compile(r"(?!(?:inf|nan)$)[A-Za-z_][A-Za-z0-9_.]*")
"""A pattern. Names that match it are printed without quotes."""


def pretty(program: Block | Function) -> str:
    """Print a function as text. A block is printed as the body of a function named `block`."""
    if isinstance(program, Block):
        program = Function(
            "block", (), Unit, program,
            leaf_params=program.param_types, leaf_results=program.result_types,
        )  # fmt: skip
    names = _names(program)
    return "\n".join(line for function in names for line in [*_function(function, names), ""])


def called_functions(block: Block) -> list[Function]:
    """List the function of each call in a block and its bodies. A function may appear more than once."""
    called: list[Function] = []
    pending = [iter(block.rows)]
    while pending:
        for row in pending[-1]:
            if row[0] == "call":
                called.append(row[2])
            elif row[0] in ("loop", "cond"):
                pending.extend(iter(body.rows) for body in reversed(row[2].blocks))
                break
        else:
            pending.pop()
    return called


def reachable(program: Function) -> list[Function]:
    """List `program`, then all functions that it calls directly or indirectly. Each appears once."""
    seen = {program}
    pending = [program]
    for function in pending:
        for callee in called_functions(function.block) if function.block else ():
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return pending


def _names(program: Function) -> dict[Function, str]:
    """Choose a unique printed name for each function of a program. The program itself comes first."""
    names: dict[Function, str] = {}
    taken = set()
    for function in reachable(program):
        name, k = function.name, 1
        while name in taken:
            k += 1
            name = f"{function.name}.{k}"
        taken.add(name)
        names[function] = name if PLAIN_NAME.fullmatch(name) else json.dumps(name)
    return names


def _function(function: Function, names: dict[Function, str]) -> list[str]:
    results = ", ".join(map(type_text, function.leaf_results)) or "()"
    if function.block is None:
        params = ", ".join(map(type_text, function.leaf_params))
        return [f"opaque {names[function]}({params}) -> {results}{' pure' if function.pure else ''}"]
    printer = _Printer(names)
    place = printer.bind(function.block)
    policy = "" if function.policy == "plain" else f" {function.policy}"
    params = printer.typed(function.block, place, function.block.params)
    header = f"{names[function]}({params}) -> {results}{policy}:"
    return [header, *printer.body(function.block, place, INDENT, "return")]


def type_text(of: RowType) -> str:
    """A row type as it is printed."""
    return repr(of)


def constant_text(value: Any, of: RowType) -> str:
    """Print a constant. Two constants have the same text only if their types and bits are equal."""
    if of == F64:
        return repr(value)
    if of == I1:
        return "true" if value else "false"
    return str(value) if of == I32(value, value) else f"{value}:{type_text(of)}"


class _Printer:
    """Prints one function, and numbers its rows as it prints them."""

    def __init__(self, names: dict[Function, str]) -> None:
        self.names = names
        self.count = 0

    def _next(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def bind(self, block: Block) -> list[str]:
        """Number the parameters of a block. Return a list of the printed names of its rows and constants.

        The list has an entry for each row, and then the constants in reverse order. A row that is not a
        parameter gets its name when it is printed.
        """
        place = [""] * len(block.rows)
        place[ZERO] = "zero"
        place.extend(
            constant_text(value, of)
            for value, of in zip(reversed(block.consts), reversed(block.const_types), strict=True)
        )
        for param in block.params:
            place[param] = self._next()
        return place

    @staticmethod
    def typed(block: Block, place: Sequence[str], rows: Iterable[int]) -> str:
        """The text of rows with their types."""
        return ", ".join(f"{place[row]}: {type_text(block.types[row])}" for row in rows)

    def body(self, block: Block, place: list[str], indent: str, last: str) -> list[str]:
        """Return the printed lines of a block.

        last: the word before the results, which is "return" or "yield".
        """
        lines: list[str] = []
        read = _projections(block)
        for i, row in enumerate(block.rows):
            op = row[0]
            if op in ("zero", "param", "proj"):
                continue
            result = self._results(block, place, i, read)
            if op == "loop":
                lines += self._loop(place, row, indent, result)
            elif op == "cond":
                lines += self._cond(place, row, indent, result)
            else:
                lines.append(f"{indent}{result}{self._row(place, row)}")
        lines.append(f"{indent}{last}" + "".join(f" {place[row]}" for row in block.results))
        return lines

    def _results(
        self, block: Block, place: list[str], i: int, read: dict[int, dict[int, list[int]]]
    ) -> str:  # fmt: skip
        """Number the results of row i. Return the part of its line up to and including the `=`."""
        of = block.types[i].dtype
        if of == "effect":
            return ""
        if of != "multi":
            place[i] = self._next()
            return f"{place[i]}: {type_text(block.types[i])} = "
        readers = read.get(i, {})

        def named(k: int) -> str:
            if k not in readers:
                return "_"
            name = self._next()
            for row in readers[k]:
                place[row] = name
            return f"{name}: {type_text(block.types[readers[k][0]])}"

        texts = ", ".join(named(k) for k in range(max(readers, default=-1) + 1))
        if TRIPS in readers:
            texts += f"{' ' if texts else ''}trips {named(TRIPS)}"
        return f"{texts} = " if texts else ""

    def _row(self, place: Sequence[str], row: Row) -> str:
        uses = "".join(f" {place[a]}" for a in operands(row))
        match row:
            case ("powi" | "check", _, n):
                return f"{row[0]}{uses} {n}"
            case ("table", values):
                return f"table {' '.join(_entry(value) for value in values)}"
            case ("call", _, function):
                return f"call {self.names[function]}{uses}"
            case ("print" | "require", _, text):
                return f"{row[0]} {json.dumps(text)}{uses}"
        return f"{row[0]}{uses}"

    @staticmethod
    def _bound(
        outer: Sequence[str], rows: Iterable[int], block: Block, place: Sequence[str], params: Iterable[int]
    ) -> str:
        """Print each parameter of a body, with its type and the outer row that gives its value."""
        pairs = zip(params, rows, strict=True)
        return ", ".join(f"{place[p]}: {type_text(block.types[p])} = {outer[row]}" for p, row in pairs)

    def _loop(self, place: list[str], row: Row, indent: str, result: str) -> list[str]:
        _, uses, loop = row
        body = loop.body
        inner = self.bind(body)
        header = f"{indent}{result}loop {self.typed(body, inner, body.params[:1])}"
        if loop.test:
            header += " while"
        else:
            header += f" < {place[uses[0]] if loop.count is None else loop.count}"
            if loop.count != loop.extent:
                header += f" of {loop.extent}"
        if loop.reverse:
            header += " backward"
        _, inits, captures = loop.parts(uses)
        if loop.carried:
            header += f" carry ({self._bound(place, inits, body, inner, loop.params.carries)})"
        if captures:
            header += f" with ({self._bound(place, captures, body, inner, loop.params.captures)})"
        if loop.test is None:
            return [f"{header}:", *self.body(body, inner, indent + INDENT, "yield")]
        lines, tested = [f"{header}:"], self.bind(loop.test)
        lines.append(f"{indent}{INDENT}test ({self.typed(loop.test, tested, loop.test.params)}):")
        lines += self.body(loop.test, tested, indent + 2 * INDENT, "yield")
        lines.append(f"{indent}{INDENT}do:")
        return [*lines, *self.body(body, inner, indent + 2 * INDENT, "yield")]

    def _cond(self, place: list[str], row: Row, indent: str, result: str) -> list[str]:
        _, uses, cond = row
        lines = [f"{indent}{result}cond {place[uses[0]]}:"]
        for word, arm in (("then", cond.then), ("else", cond.orelse)):
            inner = self.bind(arm)
            bound = self._bound(place, uses[1:], arm, inner, arm.params)
            lines.append(f"{indent}{INDENT}{word}{f' ({bound})' if bound else ''}:")
            lines += self.body(arm, inner, indent + 2 * INDENT, "yield")
        return lines


def _entry(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _projections(block: Block) -> dict[int, dict[int, list[int]]]:
    """For each row with several results, map the position of a result to the rows that read the result."""
    readers: dict[int, dict[int, list[int]]] = {}
    for i, row in enumerate(block.rows):
        if row[0] == "proj":
            readers.setdefault(row[1], {}).setdefault(row[2], []).append(i)
    return readers


__all__ = ["called_functions", "constant_text", "pretty", "reachable", "type_text"]

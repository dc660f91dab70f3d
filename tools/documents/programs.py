"""Find the Python blocks of a document, and the earlier blocks that each block needs.

As in a notebook, a block may use names from earlier blocks. When a visitor runs a block, the page first runs
the earlier blocks that define or change these names.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

FENCED = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
RAISED = re.compile(r"\w*(?:Error|Exception|Interrupt): ")
"""The pattern of the beginning of an error's text. A block whose shown output begins like this is meant to
fail."""
OURS = frozenset({"eglantine", "__future__"})
"""The modules outside the standard library that a program in a page can import."""

NOT_IN_A_PAGE = frozenset({"asyncio", "subprocess", "threading", "tkinter"})
"""Modules of the standard library that programs in a page cannot use. A page lacks some of them, and it needs
others for its own event loop."""


class Cell(NamedTuple):
    """A Python block. `line` is its first line in the document. `shown` is its expected output or None."""

    line: int
    code: str
    shown: str | None


class Names(NamedTuple):
    """The global names that a block reads, defines and changes.

    needed: names that the block reads but does not define.
    defined: names that the block defines.
    changed: names that are defined before the block, and whose objects the block may change. For example,
        `@f.defjvp` changes f.
    """

    needed: frozenset[str]
    defined: frozenset[str]
    changed: frozenset[str]


def cells(text: str) -> list[Cell]:
    """Find the Python blocks of a document. A block without a language is the output of a Python block."""
    found: list[Cell] = []
    end = -1
    for block in FENCED.finditer(text):
        language, body = block.groups()
        if language == "python":
            found.append(Cell(text[: block.start(2)].count("\n") + 1, body, None))
            end = block.end()
        elif not language and found and not text[end : block.start()].strip():
            found[-1] = found[-1]._replace(shown=body)
    return found


def prerequisites(blocks: Sequence[Cell]) -> list[tuple[int, ...]]:
    """Return a tuple for each block: the numbers of the earlier blocks that must run first, in order."""
    names = [names_of(block.code) for block in blocks]
    return [tuple(reversed([*_needed_by(k, names, blocks)])) for k in range(len(blocks))]


def _needed_by(k: int, names: Sequence[Names], blocks: Sequence[Cell]) -> Iterator[int]:
    wanted = names[k].needed
    for j in range(k - 1, -1, -1):
        if is_failing(blocks[j]) or not wanted & (names[j].defined | names[j].changed):
            continue
        yield j
        wanted = (wanted - names[j].defined) | names[j].needed


def is_failing(block: Cell) -> bool:
    """True if a block raises an error on purpose. The block's expected output shows the error."""
    return RAISED.match(block.shown or "") is not None


def program(k: int, blocks: Sequence[Cell]) -> str:
    """Make a program from block k and the earlier blocks that it needs."""
    numbers = (*prerequisites(blocks)[k], k)
    return "\n".join(blocks[j].code for j in numbers)


def runs_in_a_page(text: str) -> bool:
    """True if a program imports only modules that work in a page."""
    imported = {name.split(".")[0] for name in _imports(ast.parse(text))}
    known = (sys.stdlib_module_names | OURS) - NOT_IN_A_PAGE
    return imported <= known


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@cache
def names_of(code: str) -> Names:
    """Find the names that a block reads, defines and changes."""
    needed: set[str] = set()
    later: set[str] = set()
    defined: set[str] = set()
    changed: set[str] = set()
    modules: set[str] = {"eg", "enp"}
    for statement in ast.parse(code).body:
        inner = set(_bound_inside(statement))
        loaded = {
            node.id
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        is_deferred = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        (later if is_deferred else needed).update(loaded - inner - defined)
        changed.update(_changed(statement))
        if isinstance(statement, ast.Import | ast.ImportFrom):
            modules.update(_bound(statement))
        defined.update(_bound(statement))
    needed |= later - defined
    return Names(
        frozenset(needed - set(dir(builtins))), frozenset(defined), frozenset(changed - defined - modules)
    )


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the global names that a statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)


def _bound_inside(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that are local in a statement: parameters, local variables, comprehension variables."""
    for node in ast.walk(statement):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.comprehension):
            yield from (name.id for name in ast.walk(node.target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.FunctionDef):
            yield from (name for inner in node.body for name in _bound(inner))


def _changed(statement: ast.stmt) -> Iterator[str]:
    """Yield the names of objects that a statement may change. For example, `x[0] = 1` changes x."""
    if isinstance(statement, ast.FunctionDef):
        changing: list[ast.expr] = list(statement.decorator_list)
    elif isinstance(statement, ast.Assign):
        changing = statement.targets
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        changing = [statement.value.func]
    else:
        return
    for expression in changing:
        if isinstance(expression, ast.Attribute | ast.Subscript):
            yield from (node.id for node in ast.walk(expression.value) if isinstance(node, ast.Name))

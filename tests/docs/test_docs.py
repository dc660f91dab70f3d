"""The Python blocks of a document run in order, as in a notebook, and print the output shown below them."""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from tools.documents.programs import Cell, cells

ROOT = Path(__file__).resolve().parents[2]


def run(cell: Cell, source: str, scope: dict[str, Any]) -> str:
    """Run a code block. Return what it prints, then the last expression's value or the error's message."""
    code = "\n" * (cell.line - 1) + cell.code
    linecache.cache[source] = (len(code), None, code.splitlines(keepends=True), source)
    tree = ast.parse(code, source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(tree, source, "exec", dont_inherit=True), scope)  # noqa: S102 - the document is ours
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), source, "eval", dont_inherit=True), scope)  # noqa: S307
                if value is not None:
                    print(repr(value))
        except eg.EglantineError as error:
            place = error.span.source if error.span else "nowhere"
            print(f"{type(error).__name__}: {error.message}" + ("" if place == source else f" ({place})"))
    return out.getvalue()


@pytest.mark.parametrize("name", ["README.md", "docs/tutorial.md"])
def test_every_code_block_prints_the_output_shown_below_it(name: str) -> None:
    pytest.importorskip("wasmtime")
    found = cells((ROOT / name).read_text(encoding="utf-8"))
    assert found
    scope: dict[str, Any] = {"__name__": "__main__"}
    for cell in found:
        shown, expected = run(cell, name, scope), cell.shown or ""
        assert shown.split() == expected.split(), f"{name}, line {cell.line}: shows {shown}"

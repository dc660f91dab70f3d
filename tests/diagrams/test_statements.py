"""Each relation of a call of `ensure` has its own text and line in the list of violated relations."""

from __future__ import annotations

import linecache
from typing import Any

from eglantine import diagrams as dg


def violated(program: str) -> list[tuple[str, int]]:
    """Run a program in which each relation is violated. Return the texts and the lines of its relations."""
    source = "<statements>"
    text = f"d = dg.Diagram(200, 100)\na, b = d.circle(9, 0, 1, name='A'), d.circle(r=1, name='B')\n{program}"
    linecache.cache[source] = (len(text), None, text.splitlines(keepends=True), source)
    room: dict[str, Any] = {"dg": dg}
    exec(compile(text, source, "exec"), room)  # noqa: S102
    terms = room["d"].terms[1:]  # the first term is that B stays in the canvas
    assert all(term.span.source == source for term in terms)
    return [(term.words, term.span.line) for term in terms]


def test_comparisons_in_one_call_have_their_own_texts_and_lines() -> None:
    program = """d.ensure(
    b.x > a.x + 300,  # a remark, with a comma
    (b.y <
     -300) & (b.x > 3),
    b.x > a.x + 300,
    dg.touching(a, b), dg.less_than(
        b.x, -900),
)"""
    assert violated(program) == [
        ("b.x > a.x + 300", 4), ("(b.y < -300) & (b.x > 3)", 5), ("b.x > a.x + 300", 7),
        ("touching(A, B)", 8), ("less_than(a value, -900)", 8),
    ]  # fmt: skip


def test_texts_may_contain_brackets_and_commas() -> None:
    program = "(d).ensure(max([b.x, b.x][0], b.x) - 900 if ')' else 0, b.y == {'a,b': 3}['a,b']); b.x"
    assert violated(program.replace("max([b.x, b.x][0], b.x)", "(b.x, [1, 2])[0]")) == [
        ("(b.x, [1, 2])[0] - 900 if ')' else 0", 3), ("b.y == {'a,b': 3}['a,b']", 3)
    ]  # fmt: skip


def test_encouraged_relations_have_their_own_lines() -> None:
    program = "d.encourage(\n    dg.near(a, b),\n    b.x > 3,\n    weight=2,\n)"
    assert violated(program) == [("near(A, B)", 4), ("b.x > 3", 5)]


def test_arguments_from_a_list_have_the_text_of_the_whole_call() -> None:
    assert violated("d.ensure(*[b.x > 900, b.y > 900])") == [("*[b.x > 900, b.y > 900]", 3)] * 2
    assert violated("d.ensure(\n    *[b.x > 900],\n)")[0][1] == 3


def test_columns_count_bytes() -> None:
    source = "<statements>"
    text = "d.ensure('é' and b.x > 9, b.y > 9)"
    linecache.cache[source] = (len(text), None, [text], source)
    d = dg.Diagram(200, 100)
    b = d.circle(r=1)
    exec(compile(text, source, "exec"), {"d": d, "b": b})  # noqa: S102
    [*_, second] = d.terms
    span = second.span
    assert span is not None
    assert text.encode()[span.column : span.end_column].decode() == second.words == "b.y > 9"

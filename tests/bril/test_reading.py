"""Bril programs are read and printed, and mistakes are found before a program runs."""

from __future__ import annotations

import json

import pytest

import eglantine as eg
from eglantine import bril

from .corpus import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_printed_program_is_read_back_and_printed_the_same(name):
    program = bril.parse(PROGRAMS[name]["text"])
    text = program.text()
    assert bril.parse(text).text() == text
    again = bril.parse(program.json())
    assert again.text() == text
    assert again.json() == program.json()
    assert bril.parse(text).json() == program.json()


def test_a_program_as_json_has_brils_form():
    text = """@main(n: int, p: ptr<ptr<float>>): bool {
    .start:
      x: float = const -1.5;  # a comment
      y: int = call @f n;
      br b .start .end;
    .end: b: bool = const true; c: char = const 'c'; ret b;
    }
    @f(n: int): int { ret n; }"""
    assert json.loads(bril.parse(text).json()) == {
        "functions": [
            {
                "name": "main",
                "args": [{"name": "n", "type": "int"}, {"name": "p", "type": {"ptr": {"ptr": "float"}}}],
                "type": "bool",
                "instrs": [
                    {"label": "start"},
                    {"op": "const", "dest": "x", "type": "float", "value": -1.5},
                    {"op": "call", "dest": "y", "type": "int", "funcs": ["f"], "args": ["n"]},
                    {"op": "br", "args": ["b"], "labels": ["start", "end"]},
                    {"label": "end"},
                    {"op": "const", "dest": "b", "type": "bool", "value": True},
                    {"op": "const", "dest": "c", "type": "char", "value": "c"},
                    {"op": "ret", "args": ["b"]},
                ],
            },
            {
                "name": "f",
                "args": [{"name": "n", "type": "int"}],
                "type": "int",
                "instrs": [{"op": "ret", "args": ["n"]}],
            },
        ]
    }


@pytest.mark.parametrize(
    "layout", [{}, {"indent": 2, "sort_keys": True}, {"indent": 4}, {"separators": (",", ":")}]
)
def test_json_that_was_read_is_written_with_the_same_bytes(layout):
    tree = json.loads(bril.parse(PROGRAMS["float/pow"]["text"]).json())
    tree["extra"] = {"kept": [1.50, "é"]}
    text = json.dumps(tree, **layout) + "\n"
    program = bril.parse(text)
    assert program.json() == text
    assert program.run() == PROGRAMS["float/pow"]["output"]


@pytest.mark.parametrize(
    ("written", "code"), [("'\\n'", 10), ("'\\0'", 0), ("'''", 39), ("'\\'", 92), ("' '", 32)]
)
def test_characters_are_printed_as_they_are_read(written, code):
    program = bril.parse(f"@main {{ c: char = const {written}; i: int = char2int c; print i; }}")
    assert program.run() == f"{code}\n"
    assert bril.parse(program.text()).run() == f"{code}\n"


def test_types_may_be_omitted():
    program = bril.parse("@main { x = const 4; y = add x x; z = id y; p = lt z x; print z p; }")
    assert program.run() == "8 false\n"
    assert "z: int = id y;" in program.text()


MISTAKES = [
    ("@main {\n  c: char = const 'ab';\n}", 2, 18, "one character"),
    ("@main {\n  x: int = const true;\n}", 2, 17, "the constant is true"),
    ("main {}", 1, 0, "a function such as @main is expected"),
    ("@main {\n  jmp .nowhere;\n}", 2, 6, "no label .nowhere"),
    ("@main {\n  p: bool = const true;\n  br p .on .off;\n.on:\n}", 3, 11, "no label .off"),
    ("@main {\n  print x;\n}", 2, 8, "never sets the variable x"),
    ("@main {\n  x: int = call @f;\n}", 2, 16, "no function @f"),
    ("@main {\n  x: int = const 1;\n  y: float = fadd x x;\n}", 3, 18, "needs a float here, but x is an int"),
    ("@main {\n  x: int = const 1;\n  y: bool = add x x;\n}", 3, 2, "is an int, but y is declared as bool"),
    ("@main {\n  x: int = const 1;\n  y: int = add x;\n}", 3, 11, "takes 2 variables"),
    ("@main {\n  x: int = const 1;\n  y: int = add x x x;\n}", 3, 19, "takes 2 variables"),
    ("@main {\n  x: int = const 1.5;\n}", 2, 17, "the constant is 1.5"),
    ("@main {\n  x: int = const 9223372036854775808;\n}", 2, 17, "64 bits"),
    ("@main {\n  x: bool = const 1;\n  br x .a .a;\n.a:\n}", 2, 18, "the constant is 1"),
    ("@main {\n  x: int = const 1;\n  br x .a .a;\n.a:\n}", 3, 5, "needs a bool"),
    ("@main {\n  x: int = const 1;\n  x: float = const 1;\n}", 3, 2, "has the type int elsewhere"),
    ("@main {\n  x: number = const 1;\n}", 2, 2, "no type 'number'"),
    ("@main {\n  x: int = plus x x;\n}", 2, 11, "no operation 'plus'"),
    ("@main {\n.a:\n.a:\n}", 3, 0, "defined twice"),
    ("@main {\n}\n@main {\n}", 3, 0, "defined twice"),
    ("@main {\n  call @f;\n}\n@f: int {\n  x: int = const 1;\n  ret x;\n}", 2, 2, "ignores the result"),
    ("@main {\n  x: int = call @f;\n}\n@f {\n}", 2, 16, "returns nothing"),
    ("@main {\n  x: int = call @f;\n}\n@f(n: int): int {\n  ret n;\n}", 2, 16, "takes 1 argument"),
    ("@main {\n  x: bool = const true;\n  call @f x;\n}\n@f(n: int) {\n}", 3, 10, "but x is a bool"),
    ("@main {\n  x: int = const 1;\n  ret x;\n}", 3, 6, "has no result type"),
    ("@main: int {\n  ret;\n}", 2, 2, "must return an int"),
    ("@main {\n  x: int = const 1;\n  y: int = load x;\n}", 3, 16, "needs a pointer"),
    ("@main {\n  x: int = const 1;\n  y: int = alloc x;\n}", 3, 2, "alloc makes a pointer"),
    ("@main(p: ptr<int>) {\n  print p;\n}", 2, 8, "a pointer, which cannot be printed"),
    ("@main {\n  x: int = const 1\n}", 3, 0, "';' is expected"),
    ("@main {\n  x: int = const;\n}", 2, 16, "a literal"),
    ("@main {\n  ?\n}", 2, 2, "No word of Bril begins"),
    ("@main {\n  nop;\n", 3, 0, "The text ends"),
    ("@main {\n  x: int = print;\n}", 2, 2, "print has no result"),
    ("@main {\n  add x x;\n}", 2, 2, "add has a result"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "told"), MISTAKES)
def test_a_mistake_is_found_with_its_line_and_column(text, line, column, told):
    with pytest.raises(bril.BrilError) as caught:
        bril.parse(text)
    assert told in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.output == ""
    assert isinstance(caught.value, eg.EglantineError)


def test_a_mistake_in_json_has_its_line_in_the_printed_text():
    tree = json.loads(bril.parse("@main { x: int = const 1; y: int = add x x; print y; }").json())
    tree["functions"][0]["instrs"][1]["args"][1] = "z"
    with pytest.raises(bril.BrilError) as caught:
        bril.parse(json.dumps(tree))
    assert (caught.value.line, caught.value.column) == (3, 17)
    tree["functions"][0]["instrs"][1]["pos"] = {"row": 7, "col": 3}
    with pytest.raises(bril.BrilError) as caught:
        bril.parse(json.dumps(tree))
    assert (caught.value.line, caught.value.column) == (7, 2)


@pytest.mark.parametrize(
    "text",
    [
        "{", "{}", '{"functions": 1}', '{"functions": [1]}', '{"functions": [{"name": "main"}]}',
        '{"functions": [{"name": "main", "instrs": [{}]}]}',
        '{"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "x", "type": "int"}]}]}',
        '{"functions": [{"name": "main", "instrs": [{"op": "print", "args": [1]}]}]}',
        '{"functions": [{"name": "main", "instrs": [{"op": "print", "args": "x"}]}]}',
        '{"functions": [{"name": "main", "args": [{"name": "x"}], "instrs": []}]}',
        "[" * 100_000, "{" + '"a":[' * 50_000, None, 3,
    ],
)  # fmt: skip
def test_a_text_that_is_not_a_program_is_an_error(text):
    with pytest.raises(bril.BrilError):
        bril.parse(text)


def test_an_empty_program_has_no_functions():
    assert bril.parse("").functions == ()
    assert bril.parse("# nothing\n").text() == ""


def test_an_unknown_dialect_is_an_error():
    with pytest.raises(bril.BrilError, match="no dialect"):
        bril.parse("@main { nop; }", dialect="2020")

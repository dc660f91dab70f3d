"""Tests of the page "Bril". It shows graphs, steps with derivatives, values and gradients."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.bril.adjoints import pullback
from app.bril.analysing import analyse
from app.bril.examples import COMMUNITY, EXAMPLES, Example
from app.bril.tracing import MOST_STEPS, is_plain, trace
from app.service import Service
from eglantine import bril
from tools import brils

DOUBLING = """@main(x: float) {
  big: float = const 1e300;
.l:
  x: float = fadd x x;
  more: bool = flt x big;
  br more .l .e;
.e:
  print x;
}
"""
BITS = "@main(x: float) {\n  b: int = float2bits x;\n  y: float = bits2float b;\n  print y;\n}"
PLAIN = [example for example in EXAMPLES if is_plain(bril.parse(example.text).main)]


@pytest.mark.parametrize("example", PLAIN, ids=lambda example: example.id)
def test_the_derivatives_of_the_steps_equal_the_compilers_gradient(example: Example) -> None:
    program = bril.parse(example.text)
    traced = trace(program.main, program.arguments(example.args))
    assert traced.is_whole
    assert list(traced.slopes.values()) == pytest.approx(program.gradient(*example.args), rel=1e-12)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_every_example_has_a_value_a_gradient_and_a_module(example: Example) -> None:
    reply, wasm = analyse(example.text, example.args)
    assert reply["failure"] is None
    assert reply["output"] == bril.parse(example.text).run(*example.args)
    assert wasm[:4] == b"\0asm"
    assert [p["value"] for p in reply["parameters"]] == list(example.args)
    json.dumps(reply, allow_nan=False)


def test_the_programs_of_the_post_have_the_published_derivatives() -> None:
    found = {example.id: analyse(example.text, example.args)[0]["gradient"] for example in EXAMPLES}
    assert found["quotient"] == pytest.approx({"x": -1.5, "y": 0.75})
    assert found["square"] == pytest.approx({"x": -1.2})
    assert found["size"] == {"x": -1.0}
    assert found["gate"] == {"x": 1.0, "y": 0.0}
    assert found["choice"] == {"m": 0.0, "x": 1.0}


def test_benchmark_programs_are_shown_with_their_outputs() -> None:
    programs = list(brils.community())
    assert [program.id for program in programs] == list(COMMUNITY)
    for program in programs:
        reply, _ = analyse(program.text, program.args)
        assert reply["failure"] is None
        assert reply["functions"][-1]["blocks"]


def test_blocks_are_shown_with_their_labels_lines_and_jumps() -> None:
    (size,) = [example for example in EXAMPLES if example.id == "size"]
    (main,) = analyse(size.text, size.args)[0]["functions"]
    blocks = {block["label"]: block for block in main["blocks"]}
    assert list(blocks) == ["", "minus", "plus", "end"]
    assert {main["blocks"][k]["label"] for k in blocks[""]["after"]} == {"minus", "plus"}
    lines = size.text.split("\n")
    for block in main["blocks"]:
        for item in block["items"]:
            assert item["text"].split()[0] in lines[item["line"] - 1]


def test_each_instruction_shows_the_rule_of_its_derivative() -> None:
    program = bril.parse("@main(a: float, b: float) { z: float = fdiv a b; m: bool = flt a b; print z; }")
    divide, compare, _ = program.main.instructions
    assert pullback(divide) == "∂a += ∂z/b, ∂b += −∂z·z/b"
    assert pullback(compare) == ""


def test_too_many_steps_are_cut_and_shown_without_derivatives() -> None:
    reply, _ = analyse(DOUBLING, [1.0])
    assert len(reply["steps"]) == MOST_STEPS
    assert not reply["isWhole"]
    assert all(step[3] is None for step in reply["steps"])


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("@main(x: float) {\n  print y;\n}", "y", 2),
        ("@main(x: float) {\n  jmp .there;\n}", "there", 2),
        ("@f { ret; }", "@main", 0),
        ("@main { print " + "x " * 20_000, "20000", 0),
    ],
)
def test_a_mistake_in_a_bril_program_is_reported_with_its_line(text: str, words: str, line: int) -> None:
    reply = json.loads(Service().ask("bril", [text, []])[0])
    assert not reply["ok"]
    assert words in reply["error"]["message"]
    assert reply["error"]["line"] == line


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        ("@main(x: float) {\n.l:\n  jmp .l;\n}", [1.0], "fuel"),
        ("@main(n: int) {\n  zero: int = const 0;\n  q: int = div n zero;\n  print q;\n}", [1], "zero"),
        (
            "@main(x: float) {\n  b: int = float2bits x;\n  y: float = bits2float b;\n  print y;\n}",
            [1.0],
            "float2bits",
        ),
        ("@main(x: float) {\n  n: int = const 1;\n  print n;\n}", [1.0], "float"),
    ],
)
def test_a_program_that_fails_has_an_error_and_still_a_graph(text: str, given: list[Any], words: str) -> None:
    reply, wasm = analyse(text, given)
    assert words in reply["failure"]
    assert wasm == b""
    assert reply["functions"]


def test_arguments_of_the_wrong_type_are_replaced_by_defaults() -> None:
    text = "@main(x: float, n: int, b: bool) {\n  print x n b;\n}"
    reply, _ = analyse(text, ["text", 2.5])
    assert [p["value"] for p in reply["parameters"]] == [1.0, 2, False]

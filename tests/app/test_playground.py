"""Tests of the playground's service without a browser: programs, error positions and the panes' contents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app.playing import POWER, Asked, marked


def test_a_run_returns_functions_printed_text_and_the_last_value(ask: Asked) -> None:
    reply = ask("run", POWER)
    assert ask.printed == "π 8.0\n"
    assert reply["ok"]
    assert reply["value"] == "9.0"
    (f,) = reply["functions"]
    assert (f["name"], f["result"]) == ("f", "Real")
    assert [(p["name"], p["type"], p["sample"]) for p in f["params"]] == [
        ("x", "Real", "0.5"),
        ("y", "Real", "1.5"),
    ]
    assert f["kinds"] == ["value", "gradient", "value_and_grad", "hessian"]


@pytest.mark.parametrize(
    ("program", "kind", "line", "what", "message"),
    [
        ("x = 1\ny = x +* 2\n", "SyntaxError", 2, "*", "invalid syntax"),
        ("x = 1\nprint(x + undefined)\n", "NameError", 2, "undefined", "not defined"),
        ("def g():\n    return 1 / 0\n\ng()\n", "ZeroDivisionError", 2, "1 / 0", "division by zero"),
        (
            "import eglantine as eg\n@eg.fn\ndef f(x: eg.Real):\n    if x > 0: return x\n    return -x\n",
            "TracerBoolError", 4, "x > 0", "select",
        ),
        ("# 𝒜𝒜\nimport eglantine as eg\ns = '𝒜'; eg.fn([eg.Vec(2, eg.Real)])(lambda v: v[5])\n",
         "ShapeError", 3, "v[5]", "5"),
        ("raise SystemExit(3)", "SystemExit", 1, "raise SystemExit(3)", "3"),
        ("def f(:\n", "SyntaxError", 1, ":", ""),
        ("x = input('how many? ')", "NoInputError", 1, "input('how many? ')", "nobody can answer"),
        ("import nosuch", "ModuleNotFoundError", 1, "import nosuch", "Install them with micropip"),
    ],
)  # fmt: skip
def test_an_error_has_the_place_of_the_mistake(
    ask: Asked, program: str, kind: str, line: int, what: str, message: str
) -> None:
    reply = ask("run", program)
    assert not reply["ok"]
    error = reply["error"]
    assert (error["kind"], error["line"]) == (kind, line)
    assert marked(program, error) == what
    assert message in error["message"]


def test_an_error_inside_functions_lists_the_calls_that_led_to_it(ask: Asked) -> None:
    error = ask("run", "def g():\n    return 1 / 0\n\ndef h():\n    return g()\n\nh()\n")["error"]
    assert error["trace"] == [[7, "<module>"], [5, "h"], [2, "g"]]


def test_a_long_chain_of_calls_to_an_error_is_shortened_in_the_middle(ask: Asked) -> None:
    error = ask("run", "def f(n):\n    return f(n + 1)\n\nf(0)\n")["error"]
    assert error["kind"] == "RecursionError"
    assert error["trace"][0] == [4, "<module>"]
    assert error["trace"][-1] == [2, "f"]
    assert len(error["trace"]) == 8


def test_jacobians_too_large_to_read_are_not_offered(ask: Asked) -> None:
    program = (
        "import eglantine as eg\n"
        "small = eg.fn([eg.Vec(30, eg.Real)])(lambda v: v * 2.0)\n"
        "large = eg.fn([eg.Vec(3000, eg.Real)])(lambda v: v * 2.0)\n"
        "norm = eg.fn([eg.Vec(3000, eg.Real)])(lambda v: eg.norm(v))\n"
    )
    offered = {f["name"]: f["kinds"] for f in ask("run", program)["functions"]}
    assert offered["small"] == ["value", "jacobian"]
    assert offered["large"] == ["value"]
    assert offered["norm"] == ["value", "gradient", "value_and_grad"]


def test_a_program_may_await_at_its_top_level(ask: Asked) -> None:
    reply = ask("run", "import asyncio\nawait asyncio.sleep(0)\nx = 3\nx")
    assert reply["value"] == "3"


def test_endless_printing_is_an_error_and_the_earlier_output_is_shown(ask: Asked) -> None:
    reply = ask("run", "while True:\n    print('x' * 1000)\n")
    assert reply["error"]["kind"] == "TooMuchOutputError"
    assert 150_000 < len(ask.printed) <= 200_000


def test_printed_text_is_sent_before_the_next_statement_runs(ask: Asked) -> None:
    ask("run", "print('first')\nprint('second')\n")
    assert [json.loads(note)["printed"] for note in ask.notes] == ["first\n", "second\n"]


def test_a_new_run_does_not_see_names_of_the_last_run(ask: Asked) -> None:
    ask("run", POWER)
    assert "not defined" in ask("run", "f(1.0, 2.0)")["error"]["message"]
    assert not ask("show", "f", "value")["ok"]


@pytest.mark.parametrize("kind", ["value", "gradient", "value_and_grad", "hessian"])
def test_each_row_of_a_power_has_the_place_of_the_power(ask: Asked, kind: str) -> None:
    ask("run", POWER)
    reply = ask("show", "f", kind)
    places = [POWER[start:end] for start, end in reply["places"]]
    assert set(places) == {"x ** y", "x", "y", "return x ** y"}
    traced, *rest = reply["stages"]
    assert [(line, places[place], order) for line, place, order in traced["rows"]] == [
        (0, "x", 0), (0, "y", 0), (1, "return x ** y", 0), (1, "x ** y", 0), (2, "return x ** y", 0),
    ]  # fmt: skip
    assert traced["lines"][1].endswith("pow %1 %2")
    assert bool(rest) == (kind != "value")
    for stage in rest:
        assert all(order <= (2 if kind == "hessian" else 1) for _, _, order in stage["rows"])
        assert any(order for _, _, order in stage["rows"])


def test_rows_of_a_derivative_have_the_place_of_the_differentiated_row(ask: Asked) -> None:
    program = POWER.replace("x ** y", "x ** y + eg.math.sin(x)")
    ask("run", program)
    reply = ask("show", "f", "gradient")
    spans = [program[start:end] for start, end in reply["places"]]
    derivative = next(stage for stage in reply["stages"] if stage["name"] == "derivative")
    cosine = next(k for k, line in enumerate(derivative["lines"]) if " cos " in line)
    ((place, order),) = [(place, order) for line, place, order in derivative["rows"] if line == cosine]
    assert (spans[place], order) == ("eg.math.sin(x)", 1)
    calls = [
        (spans[place], order) for line, place, order, *_ in reply["wat"]["rows"]
        if reply["wat"]["lines"][line].strip() == "call $cos"
    ]  # fmt: skip
    assert calls == [("eg.math.sin(x)", 1)]


def test_the_bytes_of_a_line_are_the_bytes_of_its_instruction(ask: Asked) -> None:
    ask("run", POWER)
    reply = ask("show", "f", "gradient")
    assert ask.bytes[:4] == b"\0asm"
    assert len(ask.bytes) == reply["cost"]["bytes"]
    opcodes = {"f64.mul": b"\xa2", "f64.sub": b"\xa1", "f64.const 1.0": b"\x44\0\0\0\0\0\0\xf0\x3f"}
    seen = 0
    for line, _, _, start, end in reply["wat"]["rows"]:
        text = reply["wat"]["lines"][line].strip()
        if text in opcodes:
            seen += 1
            assert ask.bytes[start:end] == opcodes[text]
    assert seen >= 3


SCALED = """import eglantine as eg

@eg.fn
def f(v: eg.Vec(4, eg.Real), k: eg.Real, n: eg.Fin(3)) -> eg.Real:
    total = eg.sum(4, lambda i: v[i] * v[i] * k)
    return total
"""


def meant(program: str, reply: dict[str, Any], stage: str, word: str, order: int) -> list[str]:
    """Return a stage's lines that come from the word `word` and compute derivatives of order `order`."""
    spans = [program[start:end] for start, end in reply["places"]]
    shown = next(one for one in reply["stages"] if one["name"] == stage)
    rows = [line for line, place, of in shown["rows"] if (spans[place], of) == (word, order)]
    return [shown["lines"][line].strip() for line in rows]


def test_the_place_of_a_parameter_belongs_to_the_rows_of_its_cotangent(ask: Asked) -> None:
    ask("run", SCALED)
    reply = ask("show", "f", "gradient")
    header = '"grad of f"(%1: f64[4], %2: f64, %3: i32[0..2]) -> f64[4], f64:'
    assert meant(SCALED, reply, "derivative", "k", 0) == [header]
    assert meant(SCALED, reply, "derivative", "k", 1) == [
        "%14: acc[] = acc", "add_to %19 %21", "%26: f64 = acc_read %14", "return %27 %26",
    ]  # fmt: skip
    assert meant(SCALED, reply, "derivative", "v", 1) == [
        "%13: acc[4] = acc", "%25: acc[] = acc_index %18 %15", "add_to %25 %24",
        "%27: f64[4] = acc_read %13", "return %27 %26",
    ]  # fmt: skip
    assert meant(SCALED, reply, "derivative", "n", 1) == []
    assert "add_to %25 %24" in meant(SCALED, reply, "derivative", "v[i]", 1)
    assert "add_to %19 %21" not in meant(SCALED, reply, "derivative", "v[i]", 1)
    spans = [SCALED[start:end] for start, end in reply["places"]]
    uses = {
        SCALED[start:end] for start, end, places in reply["tokens"] if SCALED[start:end] == spans[places[0]]
    }
    assert uses == {"v", "k"}
    found = [
        (reply["wat"]["lines"][line].strip(), spans[place]) for line, place, order, *_ in reply["wat"]["rows"]
        if order == 1 and "f64.add" in reply["wat"]["lines"][line]
    ]  # fmt: skip
    assert ("f64.add", "k") in found


def test_the_word_return_has_the_places_of_the_whole_result(ask: Asked) -> None:
    ask("run", SCALED)
    reply = ask("show", "f", "value")
    assert meant(SCALED, reply, "traced", "return total", 0) == ["%12: f64 = acc_read %4", "return %12"]
    (places,) = [places for start, end, places in reply["tokens"] if SCALED[start:end] == "return"]
    assert [SCALED[slice(*reply["places"][place])] for place in places] == ["return total"]
    program = POWER.replace("x ** y", "(x ** y) * 2.0")
    ask("run", program)
    reply = ask("show", "f", "gradient")
    (places,) = [places for start, end, places in reply["tokens"] if program[start:end] == "return"]
    whole = {program[slice(*reply["places"][place])] for place in places}
    assert whole == {"return (x ** y) * 2.0", "(x ** y) * 2.0", "x ** y"}


def test_a_constant_result_has_the_place_of_the_return_statement(ask: Asked) -> None:
    program = POWER.replace("x ** y", "x")
    ask("run", program)
    reply = ask("show", "f", "gradient")
    assert meant(program, reply, "derivative", "x", 1) == ["return 1.0 0.0"]
    spans = [program[start:end] for start, end in reply["places"]]
    stored = [
        reply["wat"]["lines"][line].strip()
        for line, place, *_ in reply["wat"]["rows"]
        if spans[place] == "return x"
    ]
    assert stored[1:3] == ["f64.const 1.0", "f64.store offset=80"]


@pytest.mark.parametrize(
    ("kind", "word", "results"),
    [("value_and_grad", "y", [2]), ("hessian", "x", [0, 1, 2]), ("hessian", "y", [1, 2, 3])],
)
def test_each_derivative_has_the_places_of_its_parameters(
    ask: Asked, kind: str, word: str, results: list[int]
) -> None:
    program = POWER.replace("x ** y", "eg.math.sin(x) * eg.math.exp(y)")
    ask("run", program)
    reply = ask("show", "f", kind)
    lines = meant(program, reply, "derivative", word, 2 if kind == "hessian" else 1)
    returned = lines[-1].removeprefix("return ").split()
    assert {line.split(":")[0] for line in lines[:-1]} == {returned[k] for k in results}


def test_a_variable_with_the_name_of_a_parameter_is_distinguished(ask: Asked) -> None:
    program = """import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    y = y * 2.0
    return eg.sum(3, lambda x: eg.real(x)) + (lambda u: u * x)(y)

g = eg.fn([eg.Real], eg.Real)(lambda t: 2.0 * t)
"""
    ask("run", program)
    tokens = ask("show", "f", "value")["tokens"]
    assert [start for start, end, _ in tokens if program[start:end] == "x"] == [program.index("u * x") + 4]
    assert not [start for start, end, _ in tokens if program[start:end] == "y"]
    reply = ask("show", "g", "gradient")
    words = {
        program[start:end]: {program[slice(*reply["places"][k])] for k in places}
        for start, end, places in reply["tokens"]
    }
    assert words == {"t": {"t"}, "lambda": {"t", "2.0 * t", "lambda t: 2.0 * t"}}


def test_a_program_of_the_greatest_length_is_shown(ask: Asked) -> None:
    ask("run", POWER.replace("x ** y", "x + " * 900 + "x"))
    reply = ask("show", "f", "gradient")
    assert sum(len(places) for *_, places in reply["tokens"]) > 900


LANES = """import eglantine as eg

@eg.fn
def f(v: eg.Vec(100, eg.Real), w: eg.Vec(100, eg.Real)) -> eg.Real:
    u = eg.vec(100, lambda i: v[i] * w[i] + eg.math.sqrt(v[i]))
    return eg.dot(u, v)
"""


def test_instructions_of_paired_rounds_have_the_right_places(ask: Asked) -> None:
    ask("run", LANES)
    reply = ask("show", "f", "value")
    spans = [LANES[start:end] for start, end in reply["places"]]
    found: dict[str, set[str]] = {}
    for line, place, *_ in reply["wat"]["rows"]:
        found.setdefault(reply["wat"]["lines"][line].strip(), set()).add(spans[place])
    assert found["f64x2.mul"] == {"v[i] * w[i]", "eg.dot(u, v)"}
    assert found["f64x2.sqrt"] == {"eg.math.sqrt(v[i])"}
    assert found["v128.load offset=864 align=8"] == {"w[i]"}


def test_rows_made_inside_the_package_have_the_place_of_the_users_call(ask: Asked) -> None:
    ask("run", LANES)
    reply = ask("show", "f", "value")
    spans = [LANES[start:end] for start, end in reply["places"]]
    traced = reply["stages"][0]
    products = [spans[place] for line, place, _ in traced["rows"] if " mul " in traced["lines"][line]]
    assert products == ["v[i] * w[i]", "eg.dot(u, v)"]


def test_only_library_functions_can_be_folded(ask: Asked) -> None:
    ask("run", POWER)
    wat = ask("show", "f", "gradient")["wat"]
    folded = [wat["lines"][first].split()[1] for first, _ in wat["folds"]]
    assert "$pow" in folded
    assert "$grad_of_f" not in folded
    assert all(wat["lines"][last] == "  )" for _, last in wat["folds"])


def test_the_load_of_a_parameter_has_the_place_of_its_definition(ask: Asked) -> None:
    ask("run", POWER)
    reply = ask("show", "f", "gradient")
    spans = [POWER[start:end] for start, end in reply["places"]]
    loads = [
        (reply["wat"]["lines"][line].strip(), spans[place]) for line, place, *_ in reply["wat"]["rows"]
        if "load" in reply["wat"]["lines"][line]
    ]  # fmt: skip
    assert sorted(loads) == [("f64.load offset=64", "x"), ("f64.load offset=72", "y")]
    assert min(start for start, _ in reply["places"]) == POWER.index("x: eg.Real")

"""The numbers of a tape have the same bits as the numbers that compiled code computes."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import eglantine as eg
from app.service import Service
from app.tape.tape import MOST_ROWS, NAMES, PRESETS, Tape, compile_tape, tape_of
from eglantine import formulas
from tests.engines import bits, run

FORMULAS = [
    *(preset.text for preset in PRESETS),
    "x", "x x", "x^3 y^-2", "x/3 + 1/3", "clip(x, -1, y)", "min(x, y, x y)", "abs(x) - floor(y)",
    "tanh(x) + atan2(y, x)", "copysign(x, y) sign(x)", "cbrt(x) + log1p(x^2) + expm1(y)",
    "1/sqrt(1 + x^2)/sqrt(x^2 + y^2 + 1)", "polygamma(1, x^2 + 1) + erf(y)", "hypot(x, y)^y", "x^y^x",
]  # fmt: skip
POINTS = [(2.0, 5.0), (-0.75, 0.3), (0.0, 0.0), (1e-300, -3.0), (7.0, -1e8)]
DIRECTION = (0.7, -1.3)


def numbers(
    tape: Tape, point: tuple[float, float], direction: tuple[float, float] = DIRECTION
) -> list[float]:
    """Compute all numbers of a tape at a point. All engines must give the same bits."""
    found: list[float] = run(tape.numbers, *point, *direction)
    return found


def shown(found: list[float], place: int | None) -> float:
    """Return the tape's number at an index, or 0 if the index is None."""
    return 0.0 if place is None else found[place]


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("point", POINTS)
def test_the_cotangents_of_the_inputs_equal_the_compiled_gradient(
    text: str, point: tuple[float, float]
) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, point)
    gradient = run(eg.grad(formulas.to_fn(text, NAMES), (0, 1)), *point)
    assert bits([shown(found, node["cotangent"]) for node in tape.nodes[:2]]) == bits(list(gradient))


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("point", POINTS)
def test_value_and_tangent_equal_the_compiled_jvp_to_the_last_bit(
    text: str, point: tuple[float, float]
) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, point)
    f = formulas.to_fn(text, NAMES)
    pushed = eg.fn([eg.Real] * 4, (eg.Real, eg.Real))(lambda x, y, dx, dy: eg.jvp(f, (x, y), (dx, dy)))
    y, dy = run(pushed, *point, *DIRECTION)
    result = tape.nodes[tape.result]
    assert bits([shown(found, result["value"]), shown(found, result["tangent"])]) == bits([y, dy])


@pytest.mark.parametrize("text", FORMULAS)
def test_a_cotangent_is_the_last_of_its_running_sums(text: str) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, (2.0, 5.0))
    for place, node in enumerate(tape.nodes):
        totals = [one["total"] for one in node["contributions"]]
        seed = 1.0 if place == tape.result else 0.0
        assert shown(found, node["cotangent"]) == (shown(found, totals[-1]) if totals else seed)


@pytest.mark.parametrize("text", FORMULAS)
def test_each_running_sum_adds_one_contribution_to_the_one_before(text: str) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, (2.0, 5.0))
    for node in tape.nodes:
        total = 0.0
        for one in node["contributions"]:
            total += shown(found, one["term"])
            assert shown(found, one["total"]) == total


@pytest.mark.parametrize("text", FORMULAS)
def test_a_contribution_is_a_cotangent_times_a_partial_derivative(text: str) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, (2.0, 5.0))
    for node in tape.nodes:
        for one in node["contributions"]:
            user = tape.nodes[one["user"]]
            slope = user["operands"][one["operand"]]["slope"]
            product = shown(found, user["cotangent"]) * shown(found, slope)
            assert shown(found, one["term"]) == pytest.approx(product, rel=1e-15)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_tangent_is_the_sum_of_the_shares_of_its_operands(text: str) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, (2.0, 5.0))
    for node in tape.nodes[2:]:
        shares = [shown(found, one["share"]) for one in node["operands"] if "node" in one]
        assert shown(found, node["tangent"]) == pytest.approx(sum(shares), rel=1e-15)


@given(
    st.sampled_from(FORMULAS),
    st.floats(-50, 50), st.floats(-50, 50),
)  # fmt: skip
def test_the_gradient_equals_the_compilers_at_any_point(text: str, x: float, y: float) -> None:
    tape = tape_of(text, NAMES)
    found = tape.numbers(x, y, 0.0, 0.0)
    gradient = eg.grad(formulas.to_fn(text, NAMES), (0, 1))(x, y)
    assert bits([shown(found, node["cotangent"]) for node in tape.nodes[:2]]) == bits(list(gradient))


def test_a_power_is_one_operation_with_its_two_partial_derivatives() -> None:
    tape = tape_of("x^y", NAMES)
    assert [node["name"] for node in tape.nodes] == ["x", "y", "v1"]
    power = tape.nodes[2]
    assert (power["op"], power["tex"]) == ("pow", "x^{y}")
    assert [one["slopeTex"] for one in power["operands"]] == ["y x^{y-1}", r"v_{1} \ln x"]


def test_constants_are_operands_without_a_derivative() -> None:
    tape = tape_of("3x", NAMES)
    three, x = tape.nodes[2]["operands"]
    assert three == {"number": 3.0, "tex": "3"}
    assert (x["node"], x["slopeTex"]) == (0, "3")


def test_both_operands_of_a_square_contribute() -> None:
    tape = tape_of("x x", NAMES)
    assert [(one["user"], one["operand"]) for one in tape.nodes[0]["contributions"]] == [(2, 0), (2, 1)]


def test_a_formula_may_be_a_single_variable() -> None:
    tape = tape_of("y", NAMES)
    assert (len(tape.nodes), tape.result) == (2, 1)


def answer(text: str) -> tuple[dict[str, Any], bytes]:
    """The worker's answer for a formula."""
    reply, module = Service().ask("tape", [text])
    return json.loads(reply), module


def test_the_worker_gets_nodes_and_a_module_that_computes_their_numbers() -> None:
    reply, module = answer("x^y")
    assert reply["ok"]
    assert module[:4] == b"\0asm"
    assert [parameter["name"] for parameter in reply["abi"]["params"]] == ["x", "y", "dx", "dy"]
    (leaf,) = reply["abi"]["result"]["leaves"]
    assert leaf["dims"] == [len(tape_of("x^y", NAMES).numbers(1, 2, 3, 4))]
    assert reply["cost"]["bytes"] == len(module)


@pytest.mark.parametrize(
    ("text", "number", "tex"),
    [("x+1/0", "Infinity", r"\infty"), ("x-9^9^9^9", "Infinity", r"\infty"), ("x+0/0", "NaN", "")],
)
def test_an_operand_may_be_an_infinite_constant(text: str, number: str, tex: str) -> None:
    reply, _ = answer(text)
    assert reply["ok"], reply
    assert [operand for operand in reply["nodes"][-1]["operands"] if "number" in operand] == [
        {"number": number, "tex": tex}
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sen(x)", "Did you mean"),
        ("2^3", "The formula is a constant"),
        ("+".join(f"sin({k} x)" for k in range(2, 30)), f"at most {MOST_ROWS} fit in this picture"),
    ],
)
def test_a_formula_without_a_tape_is_an_error_with_a_message(text: str, sentence: str) -> None:
    reply, module = answer(text)
    assert not reply["ok"]
    assert sentence in reply["error"]["message"]
    assert module == b""


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_preset_formulas_have_small_tapes_and_modules(preset: Any) -> None:
    made = compile_tape(preset.text)
    assert len(made["nodes"]) <= 12
    assert made["cost"]["bytes"] <= 3000


def test_a_formula_with_a_condition_is_an_error_with_a_message() -> None:
    with pytest.raises(
        eg.FormulaError, match="has a condition, but this picture shows only operations on numbers"
    ):
        compile_tape("{x > 0: x, y}")


def test_the_slides_example_has_the_slides_numbers() -> None:
    preset = next(one for one in PRESETS if one.id == "slides")
    tape = tape_of(preset.text, NAMES)
    found = numbers(tape, preset.point)
    nodes = {node["op"]: node for node in tape.nodes}
    values = [shown(found, nodes[op]["value"]) for op in ("sin", "cos", "mul")]
    assert [round(value, 4) for value in values] == [0.8415, 0.5403, 0.4546]
    x1, x2 = tape.nodes[:2]
    backwards = [shown(found, node["cotangent"]) for node in (nodes["sin"], nodes["cos"], x2, x1)]
    assert [round(value, 4) for value in backwards] == [0.5403, 0.8415, -0.7081, 0.2919]
    assert [round(shown(found, place), 4) for place in nodes["mul"]["chunk"]] == [0.2919, -0.7081]


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("point", POINTS)
def test_a_chunk_has_the_tangents_of_both_inputs(text: str, point: tuple[float, float]) -> None:
    tape = tape_of(text, NAMES)
    found = numbers(tape, point)
    for k, direction in enumerate(((1.0, 0.0), (0.0, 1.0))):
        alone = numbers(tape, point, direction)
        for node in tape.nodes:
            # A symbolic zero stays 0. A product of numbers would be 0·∞ here, which is NaN.
            expected = shown(alone, node["tangent"])
            assert math.isnan(expected) or shown(found, node["chunk"][k]) == pytest.approx(
                expected, rel=1e-14
            )

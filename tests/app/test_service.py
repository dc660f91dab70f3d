"""Tests of the worker's services, without a browser."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import eglantine as eg
from app.formulas.examples import EXAMPLES, Example
from app.service import METHODS, Service, compile_formula, jet
from eglantine import formulas
from eglantine.ir.builder import Builder
from eglantine.trace import scalars as values


def kernel_of(text: str, names: list[str]) -> eg.Kernel:
    """Compile a kernel that computes a formula's value, gradient and Hessian."""
    return eg.compile(jet(formulas.to_fn(text, names)))


def flat(result: dict[str, Any]) -> list[float]:
    """f, f_x, f_y, f_xx, f_xy, f_yy."""
    return [result["f"], *result["g"], *result["h"]]


def test_the_module_of_a_power_has_its_value_gradient_and_hessian() -> None:
    kernel = kernel_of("x^y", ["x", "y"])
    log = math.log(2)
    expected = [8, 12, 8 * log, 12, 4 * (1 + 3 * log), 8 * log**2]
    assert flat(kernel(2.0, 3.0)) == pytest.approx(expected, rel=1e-14)


def test_derivatives_treat_parameters_as_constants() -> None:
    kernel = kernel_of("a x^2 + b y", ["x", "y", "a", "b"])
    assert flat(kernel(3.0, 5.0, 2.0, 7.0)) == [53, 12, 7, 4, 0, 0]


def test_a_reply_contains_the_module_and_its_abi() -> None:
    reply = compile_formula("sin(x) y^2", ["x", "y"])
    assert reply["ok"]
    assert reply["wasm"][:4] == b"\0asm"
    assert [parameter["type"] for parameter in reply["abi"]["params"]] == ["real", "real"]
    assert list(reply["abi"]["result"]["type"]["struct"]) == ["f", "g", "h"]
    assert set(reply["tex"]) == {"f", "fx", "fy", "fxx", "fxy", "fyy"}
    assert reply["cost"]["bytes"] == len(reply["wasm"])


def test_derivatives_are_typeset_as_a_textbook_writes_them() -> None:
    tex = compile_formula("sin(x) y^2", ["x", "y"])["tex"]
    assert tex["f"] == r"y^{2} \sin x"
    assert tex["fxy"] == r"2 y \cos x"


def test_the_worker_gets_the_module_first_and_the_derivatives_in_a_note() -> None:
    notes: list[str] = []
    service = Service(notes.append)
    text, module = service.ask("formula", ["x + y", ["x", "y"]])
    assert json.loads(text)["ok"]
    assert module[:4] == b"\0asm"
    assert notes == []
    service.warm_up(1)
    service.afterwards()
    service.afterwards()
    assert [json.loads(note)["tex"]["fx"] for note in notes] == ["1"]


def test_a_pending_note_is_dropped_when_the_next_request_comes() -> None:
    notes: list[str] = []
    service = Service(notes.append)
    service.ask("formula", ["x + y", ["x", "y"]])
    service.ask("formula", ["x +", ["x", "y"]])
    service.afterwards()
    assert notes == []


@pytest.mark.parametrize("method", ["", "formulas", "__init__", "afterwards", "ask", "_note", "__class__"])
def test_only_the_named_methods_can_be_called(method: str) -> None:
    with pytest.raises(ValueError, match="Ask for one of formula, "):
        Service().ask(method, [])


def test_a_mistake_has_utf16_columns_and_a_suggestion() -> None:
    text, module = Service().ask("formula", ["x + sen(y)", ["x", "y"]])
    error = json.loads(text)["error"]
    assert (error["column"], error["end_column"]) == (4, 7)
    assert error["suggestion"] == "sin"
    assert error["kind"] == "FormulaError"
    assert module == b""


ANY_TEXTS = ["", "x +", "(" * 100 + "x", "x" * 5000, "1/0", "\ud800", "x\u0000y", "\U0001d465 + 1"]


@pytest.mark.parametrize("text", ANY_TEXTS)
def test_any_text_gives_a_module_or_an_error_message(text: str) -> None:
    reply = compile_formula(text, ["x", "y"])
    assert reply["ok"] or reply["error"]["message"].endswith((".", "?", "!"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_an_example_is_finite_at_its_start_and_agrees_with_differences(example: Example) -> None:
    arguments = [*example.point, *(parameter.value for parameter in example.parameters)]
    kernel = kernel_of(example.text, example.names)
    _, fx, fy, fxx, fxy, fyy = flat(kernel(*arguments))
    step = 1e-5

    def moved(dx: float, dy: float) -> list[float]:
        return flat(kernel(arguments[0] + dx, arguments[1] + dy, *arguments[2:]))

    east, west, north, south = moved(step, 0), moved(-step, 0), moved(0, step), moved(0, -step)
    slopes = [(a - b) / (2 * step) for a, b in zip(east[:3], west[:3], strict=True)]
    slopes += [(a - b) / (2 * step) for a, b in zip(north[:3], south[:3], strict=True)]
    assert slopes == pytest.approx([fx, fxx, fxy, fy, fxy, fyy], rel=1e-5, abs=1e-5)


def test_examples_have_distinct_ids_and_start_inside_their_regions() -> None:
    assert len({example.id for example in EXAMPLES}) == len(EXAMPLES)
    for example in EXAMPLES:
        x0, x1, y0, y1 = example.region
        assert x0 <= example.point[0] <= x1
        assert y0 <= example.point[1] <= y1


def test_after_an_interrupted_request_the_service_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Service) -> Any:
        values.current.set(Builder())  # as if Ctrl-C had interrupted the tracer
        raise KeyboardInterrupt

    monkeypatch.setitem(METHODS, "interrupted", interrupted)
    service = Service()
    with pytest.raises(KeyboardInterrupt):
        service.ask("interrupted", [])
    assert values.current.get() is None
    text, module = service.ask("formula", ["x + y", ["x", "y"]])
    assert json.loads(text)["ok"]
    assert module[:4] == b"\0asm"


def test_exporting_by_the_abi_gives_the_same_files_as_by_the_function() -> None:
    function = jet(formulas.to_fn("x^y", ["x", "y"]))
    artifact = eg.compile_artifact(function)
    (text,) = Service().ask("export", [json.dumps(artifact.abi), "power"])
    wanted = eg.exported(function, name="power")
    assert wanted.pop("power.wasm") == artifact.wasm
    assert json.loads(text) == wanted

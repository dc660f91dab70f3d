"""Tests of exported functions with traps, fuel, growing memory, opaque functions and prints."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from tests.runtime.exporting import agree, coded, collatz, decay, in_node, run, with_sine


@in_node
def test_a_trap_throws_the_kernels_message_and_later_calls_work(tmp_path: Path) -> None:
    @eg.fn
    def f(v: eg.Vec(3, eg.Real), i: eg.Fin(9)) -> eg.Real:
        return v[i]

    v = [1.5, 2.5, 3.5]
    with pytest.raises(eg.ShapeError) as raised:
        eg.compile(f)(v, 7)
    eg.export(f, tmp_path)
    good, stopped, again = run(tmp_path, "f", [(v, 2), (v, 7), (v, 0)])
    assert (good["value"], again["value"]) == (coded(3.5), coded(1.5))
    assert stopped == {"name": "ShapeError", "error": raised.value.message, "printed": ""}


@in_node
def test_an_export_has_the_kernels_fuel_and_can_change_it(tmp_path: Path) -> None:
    eg.export(eg.compile(collatz, fuel=20), tmp_path)
    short, long, again = run(tmp_path, "collatz", [(16.0,), (27.0,), (16.0,)])
    assert (short["value"], again["value"]) == (coded(4.0), coded(4.0))
    assert long["name"] == "FuelError"
    assert long["error"].startswith("The run used up its fuel")
    assert run(tmp_path, "collatz", [(27.0,)], fuel=200)[0]["value"] == coded(111.0)


@in_node
def test_an_artifact_with_fuel_starts_with_much_fuel(tmp_path: Path) -> None:
    eg.export(eg.compile_artifact(collatz, fuel=True), tmp_path, name="f")
    assert run(tmp_path, "f", [(27.0,)])[0]["value"] == coded(111.0)


@in_node
def test_a_while_loops_gradient_grows_memory_and_gives_the_same_bits(tmp_path: Path) -> None:
    f = eg.value_and_grad(decay)
    calls = [(0.3, 5.0), (0.3, 20_000.0), (0.7, 5.0), (0.3, 50_000.0), (0.3, 50_000.0)]
    eg.export(f, tmp_path, name="f")
    answers = run(tmp_path, "f", calls)
    assert [answer["value"] for answer in answers] == [coded(f(*args)) for args in calls]
    sizes = [answer["bytes"] for answer in answers]
    assert sizes[0] < sizes[1] < sizes[3] == sizes[4]


@in_node
def test_a_lack_of_memory_throws_the_kernels_message(tmp_path: Path) -> None:
    k = eg.compile(eg.grad(decay), memory=1 << 20)
    with pytest.raises(eg.LimitError) as raised:
        k(0.3, 1e6)
    eg.export(k, tmp_path, name="f")
    stopped, good = run(tmp_path, "f", [(0.3, 1e6), (0.3, 5.0)])
    assert (stopped["name"], stopped["error"]) == ("LimitError", raised.value.message)
    assert good["value"] == coded(k(0.3, 5.0))


@in_node
def test_an_opaque_function_is_imported_by_name_and_its_rule_is_compiled(tmp_path: Path) -> None:
    f = eg.value_and_grad(with_sine())
    eg.export(f, tmp_path, name="f")
    (answer,) = run(tmp_path, "f", [(0.0,)], hosts={"sin": "sin"})
    assert answer["value"] == coded(f(0.0))
    (answer,) = run(tmp_path, "f", [(2.0,)], hosts={"sin": "cbrt"})
    assert answer["value"] == coded((2.0 * 2.0 ** (1 / 3), 2.0 ** (1 / 3) + 2.0 * math.cos(2.0))), (
        "the host's own"
    )


@in_node
@pytest.mark.parametrize(
    ("hosts", "name", "message"),
    [
        (
            {},
            "TypeError",
            'There is no function sin among the hosts. Write load(undefined, { "sin": … }).',
        ),
        ({"sin": "fail"}, "RangeError", "no such number"),
        ({"sin": "nothing"}, "TypeError", "the result of sin must be a number, but it is undefined."),
    ],
    ids=["missing", "throwing", "without a result"],
)
def test_an_error_in_a_host_function_is_thrown_to_the_caller(
    hosts: dict[str, str], name: str, message: str, tmp_path: Path
) -> None:
    eg.export(with_sine(), tmp_path, name="f")
    (answer,) = run(tmp_path, "f", [(2.0,)], hosts=hosts)
    assert (answer["name"], answer["error"]) == (name, message)


@in_node
def test_host_functions_take_and_return_values_of_their_types(tmp_path: Path) -> None:
    def pick(p: bool, i: int) -> int:
        return i if p is True else 0

    def weigh(s: dict[str, Any]) -> float:
        return s["x"] if s["on"] is False else -s["x"]

    picked = eg.opaque(pick, [eg.Bool, eg.Fin(5)], eg.Fin(5), pure=True)
    weighed = eg.opaque(weigh, [{"x": eg.Real, "on": eg.Bool}], eg.Real, pure=True)
    f = eg.fn([eg.Bool, eg.Fin(5)])(lambda p, i: (picked(p, i), weighed({"x": eg.real(i), "on": p})))
    agree(f, tmp_path, (True, 3), (False, 3), hosts={"pick": "pick", "weigh": "weigh"})


@in_node
def test_host_functions_with_the_same_name_are_distinguished(tmp_path: Path) -> None:
    down, up = eg.opaque(math.floor, [eg.Real], eg.Real), eg.opaque(math.ceil, [eg.Real], eg.Real)
    other = lambda x: math.trunc(x)  # noqa: E731, PLW0108 - a function with a name of its own
    other.__name__ = "floor"
    third = eg.opaque(other, [eg.Real], eg.Real)
    f = eg.fn([eg.Real])(lambda x: (down(x), up(x), third(x)))
    eg.export(f, tmp_path, name="f")
    script = (tmp_path / "f.js").read_text()
    assert re.search(r"for \(const name of \[(.*?)\]", script)[1].count('"') == 6
    hosts = {"floor": "floor", "floor_": "floor", "ceil": "ceil"}
    assert run(tmp_path, "f", [(1.5,)], hosts=hosts)[0]["value"] == coded((1.0, 2.0, 1.0))


@in_node
def test_prints_of_an_export_appear_on_the_console_in_order(tmp_path: Path) -> None:
    @eg.fn
    def f(x: eg.Real, i: eg.Fin(9)) -> eg.Real:
        eg.debug_print("x = {:.2f}, positive: {}", x, x > 0.0)
        eg.debug_print("{1} {0} {{`${{x}}`}}", i, x)
        return x

    eg.export(f, tmp_path)
    (answer,) = run(tmp_path, "f", [(1.5, 4)])
    assert answer["printed"].split("\n")[:2] == ["x = 1.5, positive: true", "1.5 4 {`${x}`}"]

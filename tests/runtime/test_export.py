"""Exported functions run in Node without Python. They return the same bits as in the interpreter."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from tests.runtime.exporting import (
    NODE,
    POINTS,
    TYPES,
    Line,
    Typed,
    agree,
    coded,
    formula,
    in_node,
    loss,
    plain,
    run,
)


@in_node
def test_a_formula_with_gradient_and_hessian_gives_the_interpreters_bits(tmp_path: Path) -> None:
    agree(formula(), tmp_path, *POINTS)


@in_node
def test_a_gradient_by_structs_takes_and_returns_objects(tmp_path: Path) -> None:
    data = {"xs": [[0.1 * i + 0.7 * j for j in range(3)] for i in range(4)], "ys": [0.3, -1.0, 2.0, 1e-3]}
    f = eg.value_and_grad(loss, (0, 1))
    (value,) = agree(f, tmp_path, (Line(0.5, [0.1, -0.2, 0.3]), data))
    assert value[1][0]["b"]["typed"] == "Float64Array"
    assert [row["typed"] for row in value[1][1]["xs"]] == ["Float64Array"] * 4


@in_node
def test_exports_take_and_return_indices_bools_tuples_and_unit(tmp_path: Path) -> None:
    @eg.fn
    def f(i: eg.Fin(4), p: eg.Bool, t: (eg.Real, eg.Fin(3), eg.Unit), none: eg.Unit):
        return eg.select(p, i, eg.Fin(4)(0)), ~p, (t[1], none, t[0] < 1.0)

    values = agree(f, tmp_path, (3, True, (0.5, 2, None), None), (2, False, (1.5, 0, None), None))
    assert values[0] == [coded(3), False, [coded(2), None, True]]


@in_node
@pytest.mark.parametrize(("of", "value"), TYPES, ids=[str(of)[:40] for of, _ in TYPES])
def test_a_value_of_any_type_is_returned_unchanged(of: Any, value: Any, tmp_path: Path) -> None:
    f = eg.fn([eg.Real, of, eg.Bool])(lambda x, v, p: (p, v, x))
    agree(f, tmp_path, (0.5, value, True), (0.25, value, False))


@in_node
def test_nested_vecs_may_be_given_as_flat_typed_arrays(tmp_path: Path) -> None:
    n = 100
    f = eg.fn([eg.Vec(2, eg.Vec(n, eg.Real)), eg.Vec(n, eg.Real)])(
        lambda m, v: (eg.dot(m[0], v), eg.dot(m[1], v), v)
    )
    rows, v = (
        [[0.5 + k for k in range(n)], [1.0 / (1 + k) for k in range(n)]],
        [float(k % 9) for k in range(n)],
    )
    eg.export(f, tmp_path, name="f")
    forms = [
        (rows, v),
        (rows, Typed("Float64Array", v)),
        (rows, Typed("Float32Array", v)),
        (rows, Typed("Uint8Array", v)),
        ([Typed("Float64Array", row) for row in rows], v),
        (Typed("Float64Array", rows[0] + rows[1]), v),
    ]
    for answer in run(tmp_path, "f", forms):
        assert plain(answer["value"]) == coded(f(rows, v))


@in_node
def test_a_view_is_read_in_place_and_memory_may_grow_between_calls(
    tmp_path: Path,
) -> None:
    f = eg.fn([eg.Vec(80, eg.Real), eg.Real])(lambda v, x: [x * v[0] + v[79]] * 80)
    name = f.function.param_names[0]
    eg.export(f, tmp_path, name="f")
    (tmp_path / "use.mjs").write_text(
        """import load from "./f.js";
        const f = await load();
        const v = f.view("v0");
        v[0] = 2; v[79] = 5;
        const first = f(v, 10)[7], there = f.view("return")[3];
        f.memory.grow(1);
        let stale = "";
        try { f(v, 1); } catch (error) { stale = error.message; }
        const again = f(f.view("v0"), 100)[0];
        let unknown = "";
        try { f.view("x"); } catch (error) { unknown = error.message; }
        console.log(JSON.stringify([first, there, stale, again, unknown]));
        """.replace("v0", name)
    )
    (tmp_path / "package.json").write_text('{"type": "module"}')
    done = subprocess.run([str(NODE), str(tmp_path / "use.mjs")], capture_output=True, text=True, check=True)
    stale, unknown = (
        f"{name} must be a list of 80 elements, but it is one of 0.",
        f'x is no array in memory. Choose one of "{name}", "return".',
    )
    assert json.loads(done.stdout) == [25, 25, stale, 205, unknown]


# ---------------------------------------------------------------- errors


@in_node
def test_the_error_names_an_argument_that_does_not_fit(tmp_path: Path) -> None:
    of = {
        "x": eg.Real,
        "v": eg.Vec(2, eg.Real),
        "on": eg.Bool,
        "i": eg.Fin(3),
        "m": eg.Vec(2, (eg.Real, eg.Real)),
    }
    f = eg.fn([of], names=["s"])(lambda s: s["x"])
    good = {"x": 1.0, "v": [1.0, 2.0], "on": True, "i": 2, "m": [(1.0, 2.0), (3.0, 4.0)]}
    cases = [
        ((), "s.x must be a number, but it is undefined."),
        ((good | {"x": True},), "s.x must be a number, but it is true."),
        ((good | {"v": [1.0]},), "s.v must be a list of 2 elements, but it is one of 1."),
        ((good | {"v": [1.0, None]},), "s.v must be a number, but it is undefined."),
        ((good | {"v": None},), "s.v must be a list of 2 elements, but it is undefined."),
        ((good | {"on": 1.0},), "s.on must be a boolean, but it is 1."),
        ((good | {"i": 3},), "s.i must be a whole number from 0 to 2, but it is 3."),
        ((good | {"i": -1},), "s.i must be a whole number from 0 to 2, but it is -1."),
        ((good | {"i": 0.5},), "s.i must be a whole number from 0 to 2, but it is 0.5."),
        ((good | {"m": [(1.0, 2.0), (3.0,)]},), "s.m[].1 must be a number, but it is undefined."),
        ((good | {"m": [(1.0, 2.0), None]},), "s.m[].0 must be a number, but it is undefined."),
    ]
    eg.export(f, tmp_path, name="f")
    answers = run(tmp_path, "f", [*(args for args, _ in cases), (good,)])
    assert [answer["error"] for answer in answers[:-1]] == [message for _, message in cases]
    assert {answer["name"] for answer in answers[:-1]} == {"TypeError"}
    assert answers[-1]["value"] == coded(1.0)

"""Exported functions run in Node without Python. They have the interpreter's bits, clear errors and types."""

from __future__ import annotations

import gzip
import json
import math
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import eglantine as eg
from eglantine.exports.javascript import HELPERS
from eglantine.exports.script import _RESERVED
from eglantine.formulas import to_fn
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
RUNNER = Path(__file__).with_name("exported.mjs")
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
ESBUILD = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
NODE = shutil.which("node")
MOST_BYTES = 5000
"""The most bytes of a formula's files, gzipped."""

in_node = pytest.mark.skipif(NODE is None, reason="no Node on this machine")


def coded(value: Any) -> Any:
    """A value in the JSON form that `exported.mjs` reads and writes."""
    if value is None or isinstance(value, bool | Typed):
        return value.as_json() if isinstance(value, Typed) else value
    if isinstance(value, int | float):
        return "nan" if value != value else struct.pack(">d", value).hex()
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: coded(item) for name, item in value.items()}
    return [coded(item) for item in value]


class Typed:
    """A typed array of JavaScript."""

    def __init__(self, kind: str, of: Sequence[float]) -> None:
        self.kind = kind
        self.of = of

    def as_json(self) -> Any:
        return {"typed": self.kind, "of": coded(self.of)}


def plain(answer: Any) -> Any:
    """An answer whose typed arrays are converted to lists."""
    if isinstance(answer, dict):
        return plain(answer["of"]) if "typed" in answer else {name: plain(it) for name, it in answer.items()}
    return [plain(item) for item in answer] if isinstance(answer, list) else answer


NAN = "7ff8000000000000"


def run(
    folder: Path,
    name: str,
    calls: Sequence[Sequence[Any]],
    hosts: Mapping[str, str] | None = None,
    fuel: int | None = None,
) -> list[dict[str, Any]]:
    """The outcome of each call of an exported function in Node."""
    assert NODE is not None
    (folder / "package.json").write_text('{"type": "module"}')
    job = {"script": str(folder / f"{name}.js"), "hosts": hosts or {}, "fuel": fuel}
    job["calls"] = json.loads(json.dumps(coded(calls)).replace('"nan"', f'"{NAN}"'))
    done = subprocess.run(
        [NODE, str(RUNNER)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    printed, _, last = done.stdout.rpartition("\n")
    answers: list[dict[str, Any]] = json.loads(last)
    return [{**answer, "printed": printed} for answer in answers]


def agree(f: Any, folder: Path, *calls: Sequence[Any], **options: Any) -> list[Any]:
    """Each call's value in JavaScript, after checking that the interpreter gives the same bits."""
    eg.export(f, folder, name="exported")
    answers = run(folder, "exported", calls, **options)
    assert len(answers) == len(calls), answers
    for args, answer in zip(calls, answers, strict=True):
        assert "value" in answer, answer
        assert plain(answer["value"]) == coded(f(*args)), args
    return [answer["value"] for answer in answers]


# ---------------------------------------------------------------- values


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


def formula() -> Any:
    """Value, gradient and Hessian of x^y, as the formula page computes them."""
    f = to_fn("x^y")
    both = eg.value_and_grad(f, (0, 1))
    return eg.fn([eg.Real, eg.Real])(lambda x, y: (both(x, y), eg.hessian(f, (0, 1))(x, y)))


POINTS = [
    (2.0, 3.0),
    (0.1, -0.7),
    (0.0, 2.0),
    (-1.5, 3.0),
    (-2.0, 0.5),
    (math.inf, -1.0),
    (math.nan, 1.0),
    (-0.0, 1.0),
]


@in_node
def test_a_formula_with_gradient_and_hessian_gives_the_interpreters_bits(tmp_path: Path) -> None:
    agree(formula(), tmp_path, *POINTS)


class Line(NamedTuple):
    b0: eg.Real
    b: eg.Vec(3, eg.Real)


DATA = {"xs": eg.Vec(4, eg.Vec(3, eg.Real)), "ys": eg.Vec(4, eg.Real)}


@eg.fn
def loss(line: Line, data: DATA) -> eg.Real:
    return eg.sum(4, lambda i: (line.b0 + eg.dot(line.b, data["xs"][i]) - data["ys"][i]) ** 2)


@in_node
def test_a_gradient_of_structs_of_vecs_takes_objects_and_gives_objects(tmp_path: Path) -> None:
    data = {"xs": [[0.1 * i + 0.7 * j for j in range(3)] for i in range(4)], "ys": [0.3, -1.0, 2.0, 1e-3]}
    f = eg.value_and_grad(loss, (0, 1))
    (value,) = agree(f, tmp_path, (Line(0.5, [0.1, -0.2, 0.3]), data))
    assert value[1][0]["b"]["typed"] == "Float64Array"
    assert [row["typed"] for row in value[1][1]["xs"]] == ["Float64Array"] * 4


@in_node
def test_indices_truth_values_tuples_and_unit(tmp_path: Path) -> None:
    @eg.fn
    def f(i: eg.Fin(4), p: eg.Bool, t: (eg.Real, eg.Fin(3), eg.Unit), none: eg.Unit):
        return eg.select(p, i, eg.Fin(4)(0)), ~p, (t[1], none, t[0] < 1.0)

    values = agree(f, tmp_path, (3, True, (0.5, 2, None), None), (2, False, (1.5, 0, None), None))
    assert values[0] == [coded(3), False, [coded(2), None, True]]


TYPES: list[tuple[Any, Any]] = [
    (eg.Real, -0.0),
    (eg.Bool, True),
    (eg.Unit, None),
    (eg.Vec(0, eg.Real), []),
    (eg.Vec(2, eg.Unit), [None, None]),
    (eg.Vec(2, eg.Vec(0, eg.Real)), [[], []]),
    (eg.Vec(3, eg.Bool), [True, False, True]),
    (eg.Vec(3, eg.Fin(5)), [4, 0, 2]),
    (eg.Vec(100, eg.Real), [k / 7 for k in range(100)]),
    (eg.Vec(2, eg.Vec(3, eg.Vec(2, eg.Real))),
     [[[i + j / 3 + k / 7 for k in range(2)] for j in range(3)] for i in range(2)]),
    (eg.Vec(2, (eg.Real, eg.Bool)), [(1.0, True), (2.0, False)]),
    (eg.Vec(2, eg.Vec(2, {"v": eg.Vec(2, eg.Fin(9)), "x": eg.Real})),
     [[{"v": [4 * i + 2 * j, k] , "x": i + j / 3} for j, k in ((0, 1), (1, 8))] for i in range(2)]),
    ({}, {}),
    ((), ()),
    ({"a b": eg.Real, "__proto__": eg.Real, "class": eg.Bool, 'say "</script>"': eg.Vec(1, eg.Bool)},
     {"a b": 1.5, "__proto__": 2.5, "class": True, 'say "</script>"': [False]}),
]  # fmt: skip


@in_node
@pytest.mark.parametrize(("of", "value"), TYPES, ids=[str(of)[:40] for of, _ in TYPES])
def test_a_value_of_every_type_comes_back_as_it_went_in(of: Any, value: Any, tmp_path: Path) -> None:
    f = eg.fn([eg.Real, of, eg.Bool])(lambda x, v, p: (p, v, x))
    agree(f, tmp_path, (0.5, value, True), (0.25, value, False))


@in_node
def test_typed_arrays_are_taken_and_flat_ones_for_arrays_of_arrays(tmp_path: Path) -> None:
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
def test_arguments_that_do_not_fit_are_named(tmp_path: Path) -> None:
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


@in_node
def test_a_trap_throws_the_kernels_sentence_and_later_calls_work(tmp_path: Path) -> None:
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


@eg.fn
def collatz(x: eg.Real) -> eg.Real:
    """The number of Collatz steps from x to 1."""
    step = lambda c: (eg.select(c[0] % 2.0 == 0.0, c[0] / 2.0, 3.0 * c[0] + 1.0), c[1] + 1.0)  # noqa: E731
    return eg.while_loop(lambda c: c[0] > 1.0, step, (x, 0.0))[1]


@in_node
def test_fuel_is_the_kernels_and_can_be_changed(tmp_path: Path) -> None:
    eg.export(eg.compile(collatz, fuel=20), tmp_path)
    short, long, again = run(tmp_path, "collatz", [(16.0,), (27.0,), (16.0,)])
    assert (short["value"], again["value"]) == (coded(4.0), coded(4.0))
    assert long["name"] == "FuelError"
    assert long["error"].startswith("The run used up its fuel")
    assert run(tmp_path, "collatz", [(27.0,)], fuel=200)[0]["value"] == coded(111.0)


@in_node
def test_an_artifact_with_fuel_has_plenty(tmp_path: Path) -> None:
    eg.export(eg.compile_artifact(collatz, fuel=True), tmp_path, name="f")
    assert run(tmp_path, "f", [(27.0,)])[0]["value"] == coded(111.0)


@eg.fn
def decay(x: eg.Real, rounds: eg.Real) -> eg.Real:
    """x after the given number of rounds of x ← 1.01·cos(x)."""
    step = lambda c: (eg.math.cos(c[0]) * 1.01, c[1] + 1.0)  # noqa: E731
    return eg.while_loop(lambda c: c[1] < rounds, step, (x, 0.0))[0]


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
def test_a_limit_of_memory_throws_its_sentence(tmp_path: Path) -> None:
    k = eg.compile(eg.grad(decay), memory=1 << 20)
    with pytest.raises(eg.LimitError) as raised:
        k(0.3, 1e6)
    eg.export(k, tmp_path, name="f")
    stopped, good = run(tmp_path, "f", [(0.3, 1e6), (0.3, 5.0)])
    assert (stopped["name"], stopped["error"]) == ("LimitError", raised.value.message)
    assert good["value"] == coded(k(0.3, 5.0))


# ---------------------------------------------------------------- host functions


def with_sine() -> Any:
    sine = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)

    @sine.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return sine(primals[0]), eg.math.cos(primals[0]) * tangents[0]

    return eg.fn([eg.Real], eg.Real, names=["x"])(lambda x: sine(x) * x)


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
def test_a_host_function_that_fails_says_so(
    hosts: dict[str, str], name: str, message: str, tmp_path: Path
) -> None:
    eg.export(with_sine(), tmp_path, name="f")
    (answer,) = run(tmp_path, "f", [(2.0,)], hosts=hosts)
    assert (answer["name"], answer["error"]) == (name, message)


@in_node
def test_host_functions_take_and_give_values_of_their_types(tmp_path: Path) -> None:
    def pick(p: bool, i: int) -> int:
        return i if p is True else 0

    def weigh(s: dict[str, Any]) -> float:
        return s["x"] if s["on"] is False else -s["x"]

    picked = eg.opaque(pick, [eg.Bool, eg.Fin(5)], eg.Fin(5), pure=True)
    weighed = eg.opaque(weigh, [{"x": eg.Real, "on": eg.Bool}], eg.Real, pure=True)
    f = eg.fn([eg.Bool, eg.Fin(5)])(lambda p, i: (picked(p, i), weighed({"x": eg.real(i), "on": p})))
    agree(f, tmp_path, (True, 3), (False, 3), hosts={"pick": "pick", "weigh": "weigh"})


@in_node
def test_host_functions_of_one_name_are_told_apart(tmp_path: Path) -> None:
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
def test_prints_go_to_the_console_in_order(tmp_path: Path) -> None:
    @eg.fn
    def f(x: eg.Real, i: eg.Fin(9)) -> eg.Real:
        eg.debug_print("x = {:.2f}, positive: {}", x, x > 0.0)
        eg.debug_print("{1} {0} {{`${{x}}`}}", i, x)
        return x

    eg.export(f, tmp_path)
    (answer,) = run(tmp_path, "f", [(1.5, 4)])
    assert answer["printed"].split("\n")[:2] == ["x = 1.5, positive: true", "1.5 4 {`${x}`}"]


# ---------------------------------------------------------------- files and names


def test_four_files_are_written_and_their_paths_returned(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    paths = eg.export(power, folder)
    assert paths == [folder / f"power{suffix}" for suffix in (".wasm", ".js", ".d.ts", ".html")]
    assert sorted(folder.iterdir()) == sorted(paths)
    assert paths[0].read_bytes() == eg.compile_artifact(power).wasm
    assert len(paths[3].read_text().splitlines()) == 10


def test_exporting_again_replaces_the_files_and_leaves_others_alone(tmp_path: Path) -> None:
    (tmp_path / "other.js").write_text("mine")
    eg.export(loss, str(tmp_path), name="f")
    paths = eg.export(power, str(tmp_path), name="f")
    contents = [path.read_bytes() for path in paths]
    assert contents == [
        c if isinstance(c, bytes) else c.encode() for c in eg.exported(power, name="f").values()
    ]
    assert (tmp_path / "other.js").read_text() == "mine"


def test_the_same_function_traced_twice_gives_the_same_files() -> None:
    assert eg.exported(formula(), name="f") == eg.exported(formula(), name="f")


@pytest.mark.parametrize(
    "f",
    [power, eg.jit(lambda x, y: x**y), lambda x, y: x**y, eg.compile(power), eg.compile_artifact(power)],
    ids=["fn", "jit", "plain", "kernel", "artifact"],
)
@in_node
def test_every_kind_of_function_and_every_kernel_can_be_exported(f: Any, tmp_path: Path) -> None:
    eg.export(f, tmp_path, [eg.Real, eg.Real], name="f")
    assert run(tmp_path, "f", [(1.1, 2.2)])[0]["value"] == coded(power(1.1, 2.2))


def test_a_plain_function_needs_types() -> None:
    with pytest.raises(eg.TypeMismatchError, match="has no types to export it for"):
        eg.exported(lambda x: x)


def test_a_kernel_in_anothers_memory_is_refused() -> None:
    shared = eg.compile(loss, memory=eg.compile(power))
    with pytest.raises(eg.TypeMismatchError, match=r"shares another kernel's memory, .* without memory="):
        eg.exported(shared)


@pytest.mark.parametrize("name", ["", "../f", "a/b", ".hidden", "a b", "f\n", "a\\b", "<f>", "C:f"])
def test_a_name_that_cannot_be_a_files_is_refused(name: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match="must fit for files"):
        eg.exported(power, name=name)


NAMES = [
    (power, "power"),
    (eg.hessian(power, (0, 1)), "jacobian_of_grad_of_power"),
    (eg.compile(power), "power"),
]


@pytest.mark.parametrize(("f", "name"), NAMES, ids=[name for _, name in NAMES])
def test_files_are_called_after_the_function(f: Any, name: str) -> None:
    assert next(iter(eg.exported(f))) == f"{name}.wasm"


def test_a_function_whose_name_javascript_cannot_use_gets_another() -> None:
    assert next(iter(eg.exported(lambda x: x, [eg.Real]))) == "lambda.wasm"

    def delete(x: Any) -> Any:
        return x

    delete.__name__ = "delete"
    assert next(iter(eg.exported(delete, [eg.Real]))) == "delete_.wasm"
    delete.__name__ = "…"
    assert next(iter(eg.exported(delete, [eg.Real]))) == "f.wasm"


STRANGE = ["default", "f64", "main", "i0", "a-b", "a b", "λ", "3d", "look", "real", "*/", "my-model"]


@in_node
def test_parameters_and_functions_of_any_name_are_called_something(tmp_path: Path) -> None:
    of = eg.Vec(2, {"x": eg.Real, "p": eg.Bool})
    f = eg.fn([of] * len(STRANGE), names=STRANGE)(lambda *vs: [v[1]["x"] for v in vs])
    args = [[{"x": -1.0, "p": True}, {"x": float(k), "p": False}] for k in range(len(STRANGE))]
    for name in ("default", "my-model", "3d", "look", "i0", "λ.min"):
        eg.export(f, tmp_path, name=name)
        (answer,) = run(tmp_path, name, [args])
        assert plain(answer["value"]) == coded([float(k) for k in range(len(STRANGE))])


def test_the_script_uses_no_name_that_a_parameter_could_have() -> None:
    """All names that a script declares around the function or uses from the engine are reserved."""
    scripts = "".join(
        str(eg.exported(f, name="exported")["exported.js"])
        for f in (loss, with_sine(), eg.compile(collatz, fuel=5), eg.grad(decay))
    ) + "".join(HELPERS.values())
    declared = set(re.findall(r"(?:const|let|function) (\w+)", scripts)) - {
        "exported",
        "load",
        "files",
        "url",
    }
    used = {name for name in re.findall(r"(?<![.\w])([A-Za-z]\w+)\(", scripts) if name[0].isupper()}
    assert {"f64", "real", "vec", "Float64Array"} <= declared | used
    not_around_it = {"answer", "sentence", "isThere", "i0", "k", "name", "y"}
    assert declared | used <= _RESERVED | not_around_it


# ---------------------------------------------------------------- size, types, bundlers


def test_a_formula_with_its_derivatives_is_small(record_property: Callable[[str, object], None]) -> None:
    files = eg.exported(formula(), name="f")
    sizes = {
        name: len(gzip.compress(c if isinstance(c, bytes) else c.encode(), mtime=0))
        for name, c in files.items()
    }
    record_property("sizes", sizes)
    assert sum(sizes.values()) <= MOST_BYTES
    assert sizes["f.wasm"] + sizes["f.js"] <= MOST_BYTES / 2


def test_a_script_holds_only_the_code_that_its_types_need() -> None:
    script = str(eg.exported(power)["power.js"])
    assert not re.search(r"\b(vec|bool|fin|count|TRAPS|hosts|i32|view)\b", script)
    assert "eval" not in script
    assert "new Function" not in script


USE = """
import load, { type Hosts, type Kernel } from "./f.js";

const hosts: Hosts = { sin: Math.sin };
const f: Kernel = await load(new URL("f.wasm", import.meta.url), hosts);
const data = { xs: [[1, 2, 3], new Float64Array(3)] as const, n: [1, 0] as const } as const;
type Result = [number, { b0: number; b: Float64Array }, boolean];
const [value, { b }, on]: Result = f({ b0: 1, b: [1, 2, 3] }, data, true);
const sum: number = value + b[0] + f.memory.buffer.byteLength + (on ? 1 : 0);
f.fuel = 10n; f.fuel = sum;
const typed = { xs: new Float64Array(6), n: new Int32Array(2) };
const flat: Float64Array = f({ b0: 1, b: new Float32Array(3) }, typed, false)[1].b;
// @ts-expect-error a field is missing
f({ b0: 1 }, data, true);
// @ts-expect-error not a boolean
f({ b0: 1, b: flat }, data, 1);
// @ts-expect-error the function it imports is missing
await load(undefined, {});
// @ts-expect-error a parameter is missing
f({ b0: 1, b: flat }, data);
"""


@pytest.mark.skipif(NODE is None or not TSC.exists(), reason="no TypeScript here")
def test_typescript_takes_the_types_and_finds_wrong_uses(tmp_path: Path) -> None:
    sine = eg.opaque(math.sin, [eg.Real], eg.Real)
    of = {"xs": eg.Vec(2, eg.Vec(3, eg.Real)), "n": eg.Vec(2, eg.Fin(2))}
    f = eg.fn([Line, of, eg.Bool], names=["line", "data", "new"])(
        lambda line, data, new: (sine(line.b0) + eg.sum(data["xs"][data["n"][0]]), line, new)
    )
    eg.export(eg.compile(f, fuel=1000), tmp_path, name="f")
    for k, (shape, _) in enumerate(TYPES):
        eg.export(eg.fn([shape, shape])(lambda v, _: [v, v]), tmp_path, name=f"type{k}")
    (tmp_path / "use.ts").write_text(USE)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps({
        "compilerOptions": {
            "strict": True, "noEmit": True, "target": "es2023", "module": "esnext", "types": [],
            "moduleResolution": "bundler", "lib": ["es2023", "dom"],
        },
        "files": ["use.ts", *(f"type{k}.d.ts" for k in range(len(TYPES)))],
    }))  # fmt: skip
    done = subprocess.run(
        [str(NODE), str(TSC), "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not ESBUILD.exists(), reason="no esbuild here")
def test_a_bundler_for_browsers_takes_the_script_without_a_warning(tmp_path: Path) -> None:
    eg.export(power, tmp_path)
    command = [str(ESBUILD), "--bundle", "--format=esm", "--platform=browser", "--target=es2022"]
    done = subprocess.run(
        [*command, str(tmp_path / "power.js")], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert not done.stderr.strip()


def test_the_page_escapes_names_that_could_end_its_script() -> None:
    f = eg.fn([{"</script><b>": eg.Real}])(lambda s: s["</script><b>"])
    assert str(eg.exported(f, name="f")["f.html"]).count("</script>") == 1


WITHIN = """import load from "./f.js";
let inner = () => {};
const hosts = { host: (x) => { inner(); return x; } };
const f = await load(undefined, hosts);
const other = await load(undefined, hosts);
const told = (call) => { try { return call().join(); } catch (error) { return error.message; } };
const ones = [1, 1, 1];
const answers = [told(() => f(ones))];
inner = () => f([7, 7, 7]);
answers.push(told(() => f(ones)), told(() => f(ones)));
inner = () => told(() => f([7, 7, 7]));
answers.push(told(() => f(ones)));
inner = () => { throw new Error("mine"); };
answers.push(told(() => f(ones)));
inner = () => { inner = () => {}; other([7, 7, 7]); };
answers.push(told(() => f(ones)));
console.log(JSON.stringify(answers));
"""


@in_node
@pytest.mark.parametrize("trap", [False, True])
def test_a_call_within_a_call_is_an_error(trap: bool, tmp_path: Path) -> None:
    host = eg.opaque(lambda x: x, [eg.Real], eg.Real)
    host.function.name = "host"

    def f(v: Any) -> Any:
        first = host(v[0])
        return eg.vec(3, lambda i: v[i] + first)

    made = eg.compile(eg.fn([eg.Vec(3, eg.Real)])(f), fuel=100 if trap else None)
    eg.export(made, tmp_path, name="f")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(WITHIN)
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(tmp_path / "run.js")], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    right, *refused, caught, mine, after = json.loads(done.stdout)
    assert right == caught == after == "2,2,2"
    sentence = (
        "f was called within a call of it, but one call must end before the next begins. Load it again for "
        "the inner call."
    )
    assert refused == [sentence, sentence]
    assert mine == "mine"

"""Tests of the files that `eg.export` writes: names, sizes, types and loading."""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.exports.javascript import HELPERS
from eglantine.exports.script import _RESERVED
from tests.patience import PATIENCE_S
from tests.runtime.exporting import (
    ESBUILD,
    MOST_BYTES,
    NODE,
    TSC,
    TYPES,
    Line,
    coded,
    collatz,
    decay,
    formula,
    in_node,
    loss,
    plain,
    power,
    run,
    with_sine,
)

# ---------------------------------------------------------------- files and names


def test_export_writes_four_files_and_returns_their_paths(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    paths = eg.export(power, folder)
    assert paths == [folder / f"power{suffix}" for suffix in (".wasm", ".js", ".d.ts", ".html")]
    assert sorted(folder.iterdir()) == sorted(paths)
    assert paths[0].read_bytes() == eg.compile_artifact(power).wasm
    assert len(paths[3].read_text().splitlines()) == 10


def test_exporting_again_replaces_the_files_and_no_other_files(tmp_path: Path) -> None:
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


def test_a_plain_function_can_be_exported_only_with_types() -> None:
    with pytest.raises(eg.TypeMismatchError, match="cannot be exported, because the types"):
        eg.exported(lambda x: x)


def test_exporting_a_kernel_that_shares_memory_is_an_error() -> None:
    shared = eg.compile(loss, memory=eg.compile(power))
    with pytest.raises(eg.TypeMismatchError, match=r"shares another kernel's memory, .* without memory="):
        eg.exported(shared)


@pytest.mark.parametrize("name", ["", "../f", "a/b", ".hidden", "a b", "f\n", "a\\b", "<f>", "C:f"])
def test_a_name_that_cannot_be_a_file_name_is_an_error(name: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match="becomes a file name"):
        eg.exported(power, name=name)


NAMES = [
    (power, "power"),
    (eg.hessian(power, (0, 1)), "jacobian_of_grad_of_power"),
    (eg.compile(power), "power"),
]


@pytest.mark.parametrize(("f", "name"), NAMES, ids=[name for _, name in NAMES])
def test_files_are_named_after_the_function(f: Any, name: str) -> None:
    assert next(iter(eg.exported(f))) == f"{name}.wasm"


def test_a_name_that_javascript_cannot_use_is_replaced() -> None:
    assert next(iter(eg.exported(lambda x: x, [eg.Real]))) == "lambda.wasm"

    def delete(x: Any) -> Any:
        return x

    delete.__name__ = "delete"
    assert next(iter(eg.exported(delete, [eg.Real]))) == "delete_.wasm"
    delete.__name__ = "…"
    assert next(iter(eg.exported(delete, [eg.Real]))) == "f.wasm"


STRANGE = ["default", "f64", "main", "i0", "a-b", "a b", "λ", "3d", "look", "real", "*/", "my-model"]


@in_node
def test_parameters_and_functions_of_any_name_get_valid_names(tmp_path: Path) -> None:
    of = eg.Vec(2, {"x": eg.Real, "p": eg.Bool})
    f = eg.fn([of] * len(STRANGE), names=STRANGE)(lambda *vs: [v[1]["x"] for v in vs])
    args = [[{"x": -1.0, "p": True}, {"x": float(k), "p": False}] for k in range(len(STRANGE))]
    for name in ("default", "my-model", "3d", "look", "i0", "λ.min"):
        eg.export(f, tmp_path, name=name)
        (answer,) = run(tmp_path, name, [args])
        assert plain(answer["value"]) == coded([float(k) for k in range(len(STRANGE))])


def test_every_name_that_the_script_uses_is_reserved() -> None:
    """An exported function must not share its name with a variable of its script or a browser function."""
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


def test_a_script_contains_only_the_code_that_its_types_need() -> None:
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
def test_typescript_accepts_the_types_and_reports_wrong_uses(tmp_path: Path) -> None:
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
def test_a_bundler_for_browsers_accepts_the_script_without_a_warning(tmp_path: Path) -> None:
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

"""Run exported functions in Node. The functions at the end are examples to export."""

from __future__ import annotations

import json
import math
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import eglantine as eg
from eglantine.formulas import to_fn
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
RUNNER = Path(__file__).with_name("exported.mjs")
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
ESBUILD = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
NODE = shutil.which("node")
MOST_BYTES = 5000
"""The largest allowed size of all files of an exported formula, in bytes after gzip."""

in_node = pytest.mark.skipif(NODE is None, reason="no Node on this machine")


def coded(value: Any) -> Any:
    """Convert a value to the JSON format of the script `exported.mjs`. Reals become hexadecimal texts."""
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
    """Convert the typed arrays in an answer to lists."""
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
    """Call an exported function in Node, and return the outcome of each call."""
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
    """Export f, and call it in Node. Check that the results equal the interpreter's, and return them."""
    eg.export(f, folder, name="exported")
    answers = run(folder, "exported", calls, **options)
    assert len(answers) == len(calls), answers
    for args, answer in zip(calls, answers, strict=True):
        assert "value" in answer, answer
        assert plain(answer["value"]) == coded(f(*args)), args
    return [answer["value"] for answer in answers]


# ---------------------------------------------------------------- functions to export


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


def formula() -> Any:
    """Make a function that returns the value, gradient and Hessian of x^y."""
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


class Line(NamedTuple):
    b0: eg.Real
    b: eg.Vec(3, eg.Real)


DATA = {"xs": eg.Vec(4, eg.Vec(3, eg.Real)), "ys": eg.Vec(4, eg.Real)}


@eg.fn
def loss(line: Line, data: DATA) -> eg.Real:
    return eg.sum(4, lambda i: (line.b0 + eg.dot(line.b, data["xs"][i]) - data["ys"][i]) ** 2)


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


@eg.fn
def collatz(x: eg.Real) -> eg.Real:
    """The number of Collatz steps from x to 1."""
    step = lambda c: (eg.select(c[0] % 2.0 == 0.0, c[0] / 2.0, 3.0 * c[0] + 1.0), c[1] + 1.0)  # noqa: E731
    return eg.while_loop(lambda c: c[0] > 1.0, step, (x, 0.0))[1]


@eg.fn
def decay(x: eg.Real, rounds: eg.Real) -> eg.Real:
    """Replace x by 1.01·cos(x) `rounds` times, and return the result."""
    step = lambda c: (eg.math.cos(c[0]) * 1.01, c[1] + 1.0)  # noqa: E731
    return eg.while_loop(lambda c: c[1] < rounds, step, (x, 0.0))[0]


# ---------------------------------------------------------------- host functions


def with_sine() -> Any:
    sine = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)

    @sine.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return sine(primals[0]), eg.math.cos(primals[0]) * tangents[0]

    return eg.fn([eg.Real], eg.Real, names=["x"])(lambda x: sine(x) * x)

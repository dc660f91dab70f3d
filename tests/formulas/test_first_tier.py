"""The first tier, a small evaluator on the pages, returns exactly the interpreter's values."""

from __future__ import annotations

import gzip
import json
import os
import random
import struct
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.errors import EglantineError
from eglantine.formulas import to_fn
from tests.building import built
from tests.seeds import NIGHTLY, first_seed
from tools import tier
from tools.files import BUILD
from tools.node import find_node

from .fuzzing import MAKERS, NAMES

SCRIPT = Path(__file__).with_name("tier.mjs")
FORMULAS = int(os.environ.get("EGLANTINE_FORMULAS", "0")) or (20_000 if NIGHTLY else 150)
CHUNK = 500
SEED = first_seed(9_000_000)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 1e-9, 40.0, -0.7)
POINTS_EACH = 4
MOST_BYTES = 25_000
"""The largest number of bytes, after gzip, by which the first tier may make the first page larger."""


def forward(f: eg.Fn, count: int) -> eg.Fn:
    """Make a function that returns f's value, gradient and second derivatives, computed by `eg.jvp`."""

    def along(g: Any, k: int) -> Any:
        def derivative(*point: Any) -> Any:
            def moved(at: Any) -> Any:
                return g(*point[:k], at, *point[k + 1 :])

            return eg.jvp(moved, (point[k],), (1.0,))[1]

        return derivative

    def entries(*point: Any) -> Any:
        by_x, by_y = along(f, 0), along(f, 1)
        second = [along(by_x, 0), along(by_x, 1), along(by_y, 1)]
        return tuple(g(*point) for g in (f, by_x, by_y, *second))

    return eg.fn([eg.Real] * count, (eg.Real,) * 6)(entries)


def bits(numbers: Sequence[float]) -> str:
    """Return the bits of numbers as hexadecimal digits. All NaNs have the same digits."""
    return b"".join(struct.pack("<d", x if x == x else float("nan")) for x in numbers).hex()


def same_nans(found: str) -> str:
    return bits(struct.unpack("<6d", bytes.fromhex(found)))


@cache
def beginning() -> str:
    artifact = eg.compile_artifact(tier.machine())
    abi = tier.places_of(artifact.abi)
    return json.dumps({**tier.tables(), "wasm": artifact.wasm.hex(), "abi": abi})


def run(requests: Sequence[tuple[str, tuple[str, ...], list[list[float]]]]) -> list[list[str] | None]:
    """Evaluate formulas by the first tier. The result is None if the tier does not support a formula."""
    lines = [beginning(), *map(json.dumps, requests)]
    command = [find_node().node, str(SCRIPT)]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(texts: Sequence[str], names: tuple[str, ...], rng: random.Random) -> int:
    """Compare the first tier with the interpreter. Return the number of formulas that the tier supports."""
    requests = []
    for text in texts:
        points = [[draw(rng) for _ in names] for _ in range(POINTS_EACH)]
        requests.append((text, names, points))
    computed = 0
    for (text, _, points), found in zip(requests, run(requests), strict=True):
        if found is None:
            continue
        computed += 1
        expected = eg.interp(forward(to_fn(text, names), len(names)))
        for point, got in zip(points, found, strict=True):
            assert same_nans(got) == bits(expected(*point)), (text, dict(zip(names, point, strict=True)))
    return computed


def draw(rng: random.Random) -> float:
    return rng.choice(SPECIAL) if rng.random() < 0.3 else rng.uniform(-4, 4)


def formulas(rng: random.Random, count: int) -> list[str]:
    """Make `count` random formulas that have second derivatives."""
    found: list[str] = []
    while len(found) < count:
        text = MAKERS[0](rng, ())
        try:
            forward(to_fn(text, NAMES), len(NAMES))
        except EglantineError:
            continue
        found.append(text)
    return found


@pytest.mark.parametrize("chunk", range(-(-FORMULAS // CHUNK)))
def test_generated_formulas_have_the_bits_of_forward_mode(chunk: int, record_property: Any) -> None:
    rng = random.Random(SEED + chunk)  # noqa: S311  a seed that can be repeated, not a secret
    texts = formulas(rng, min(CHUNK, FORMULAS - CHUNK * chunk))
    computed = compare(texts, NAMES, rng)
    assert computed > 0.95 * len(texts)
    record_property("computed", f"{computed} of {len(texts)} formulas")


def test_every_function_has_the_bits_of_forward_mode() -> None:
    known = tier.table()["functions"]
    texts = []
    for name, (maths, least, _) in known.items():
        if maths in ("polygamma", "select", "sum", "prod"):
            continue
        texts.append(f"{name}({', '.join(('x y', 'x + y', 'y')[:least])})")
        texts += [f"{name}(x, 1.5) + x", f"{name}(2, y)"] if least == 2 else []
    texts += [
        "polygamma(0, x y)",
        "polygamma(1, x + y)",
        "x^-3 y^7",
        "x^2.5 + x^y",
        "sum(k=1..4, x^k/k) prod(k=1..3, y + k)",
    ]
    texts += ["{x > 0 and y < 1: x^2, y == 0: y, -x y}", "x % 1 + y % x", "if(1 < 2, x, y)^2", "{x > 1: x}"]
    texts += ["if(y^0 >= pi, 2 x, y) - sin({x < 1: x, .5})", "if(x^0 + 1 > 2, x, y) + 2^(y^0)"]
    rng = random.Random(1)  # noqa: S311  the same points each time
    assert compare(texts, ("x", "y"), rng) == len(texts)


def test_the_first_tier_leaves_formulas_that_it_cannot_compute_to_python() -> None:
    long = " + ".join(f"sin({k} x)" for k in range(300))
    assert run([(text, ("x", "y"), []) for text in (long, "polygamma(2, x)")]) == [None, None]


def test_the_first_tier_adds_few_bytes_to_the_first_page(record_property: Any) -> None:
    files = [(BUILD / built()[key]).read_bytes() for key in ("tier", "tierModule")]
    size = sum(len(gzip.compress(file)) for file in files)
    record_property("bytes", f"{size:,} of {MOST_BYTES:,}")
    assert size <= MOST_BYTES


def test_formulas_in_latex_have_the_bits_of_forward_mode() -> None:
    texts = [
        r"\frac{x^{3}}{2} + \sqrt[3]{y}",
        r"\sin\left(x_{1}\right) y_{1}",
        r"\sum_{k=1}^{4} x_1^{k} + y_1",
    ]
    rng = random.Random(2)  # noqa: S311  the same points each time
    assert compare(texts[:1], ("x", "y"), rng) + compare(texts[1:], ("x1", "y1"), rng) == len(texts)

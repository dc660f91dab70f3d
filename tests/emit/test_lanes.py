"""Some loops run two rounds at once in the lanes of a v128. All engines give the same bits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.optimise.vectors as vectors_module
from eglantine.wasm.text import disassemble
from tests.emit.node import node
from tests.laws.agreement import engines_agree

pytest.importorskip("wasmtime")

m = eg.math
WILD = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -1e308, 0.5, -2.5, 1e-3)


def vectors(n: int) -> list[list[float]]:
    """Make a vector of n ordinary numbers, and a vector of n special values such as infinities."""
    draw = random.Random(n)  # noqa: S311 - a test's own
    return [[draw.uniform(-3.0, 3.0) for _ in range(n)], [draw.choice(WILD) for _ in range(n)]]


def code(f: Any) -> str:
    return disassemble(eg.compile_artifact(f).wasm)


ELEMENTWISE: dict[str, Callable[[Any, Any], Any]] = {
    "roots": lambda x, a: m.sqrt(m.sqrt(x * x + a)) / (x + a),
    "rounding": lambda x, a: m.floor(x) / a + m.ceil(x) / (a - m.trunc(x)) - m.round(x * a),
    "ties": lambda x, a: m.minimum(x, a) / m.maximum(x, -a) + abs(x) / (2.0 + a),
    "choices": lambda x, a: eg.select((x < a) & (x >= -a) | (x != x), x / a, eg.select(x > 2.0, a, -x) / 3.0),
    "negations": lambda x, a: eg.select(~(x <= a) ^ (x == 0.0), -x / a, m.sqrt(-x) * a),
}


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("n", [2, 7, 10])
def test_elements_computed_in_pairs_equal_elements_computed_one_by_one(name: str, n: int) -> None:
    @eg.fn([eg.Vec(n, eg.Real), eg.Real])
    def f(v: Any, a: Any) -> Any:
        return eg.vec(n, lambda i: ELEMENTWISE[name](v[i], a))

    assert "f64x2.div" in code(f)
    engines_agree(f, [(v, a) for v in vectors(n) for a in (0.7, *WILD)], node())


ONE = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "asin",
    "acos",
    "atan",
    "tanh",
    "atanh",
    "erf",
]
WIDE = (*WILD, 1e-310, -1e-310, 709.9, -745.2, 1e22, -0.999, 1.0, -1.0, 0.7071067811865475)


@pytest.fixture
def short_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the optimiser inline library functions even in short loops."""
    monkeypatch.setattr(vectors_module, "LEAST_ROUNDS", 1)


@pytest.mark.usefixtures("short_loops")
@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("n", [3, 8])
def test_functions_of_the_library_in_pairs_equal_single_calls(name: str, n: int) -> None:
    function = getattr(m, name)
    f = eg.fn([eg.Vec(n, eg.Real)])(lambda v: eg.vec(n, lambda i: function(v[i])))
    assert "f64x2" in code(f)
    points = [([WIDE[(start + k) % len(WIDE)] for k in range(n)],) for start in range(len(WIDE))]
    engines_agree(f, [*points, *((v,) for v in vectors(n))], node())


@pytest.mark.usefixtures("short_loops")
@pytest.mark.parametrize("n", [4, 7])
def test_powers_and_their_gradients_in_pairs_equal_single_calls(n: int) -> None:
    power = eg.fn([eg.Real, eg.Real])(lambda x, y: x**y)
    both = eg.value_and_grad(power, (0, 1))
    f = eg.fn([eg.Vec(n, eg.Real)] * 2)(lambda v, w: eg.vec(n, lambda i: both(v[i], w[i])))
    assert "i64x2.shr_u" in code(f)
    bases = [[WIDE[(start + k) % len(WIDE)] for k in range(n)] for start in range(len(WIDE))]
    exponents = [[WIDE[(start * k + 3) % len(WIDE)] for k in range(n)] for start in range(len(WIDE))]
    whole = [float(k - 3) for k in range(n)]
    engines_agree(f, [*zip(bases, exponents, strict=True), *((v, whole) for v in bases)], node())


def test_a_function_with_loops_is_called_for_each_round() -> None:
    f = eg.fn([eg.Vec(6, eg.Real)])(lambda v: eg.vec(6, lambda i: m.sin(v[i]) / m.exp(v[i])))
    assert "f64x2" not in code(f)
    engines_agree(f, [(v,) for v in vectors(6)], node())


@pytest.mark.parametrize("n", [2, 5, 8])
def test_a_sum_of_paired_rounds_adds_its_terms_in_order(n: int) -> None:
    @eg.fn([eg.Vec(n, eg.Real)])
    def f(v: Any) -> Any:
        return eg.sum(n, lambda i: (m.sqrt(v[i] * v[i] + 1.0) / (v[i] + 4.0), v[i]))

    assert "f64x2.extract_lane 1" in code(f)
    engines_agree(f, [(v,) for v in (*vectors(n), [1e16, 1.0, -1e16, 1.0, 3.0, 1e-3, 7.0, 0.1][:n])], node())


def energy(n: int) -> Any:
    """Make a sum of √distance over all pairs of points. The inner loop runs 0, 1, …, n − 1 rounds."""

    def distance(dx: Any, dy: Any) -> Any:
        return m.sqrt(m.sqrt(dx * dx + dy * dy))

    @eg.fn([eg.Vec(n, eg.Real), eg.Vec(n, eg.Real)])
    def total(x: Any, y: Any) -> Any:
        return eg.sum(n, lambda i: eg.sum(i, lambda j: distance(x[i] - x[j], y[i] - y[j])))

    return total


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_a_trip_count_known_only_at_run_time_may_be_even_odd_or_zero(n: int) -> None:
    f = eg.value_and_grad(energy(n), (0, 1))
    points = [(x, y) for x in vectors(n) for y in (*vectors(n), x[::-1])]
    engines_agree(f, points, node())
    if n > 2:
        assert "f64x2.sqrt" in code(f)


def test_the_gradient_of_a_sum_over_pairs_has_a_short_innermost_loop() -> None:
    text = code(eg.grad(energy(8), (0, 1)))
    inner = text[text.index("f64x2.splat") : text.index("i32.and", text.index("br_if"))]
    assert inner.count("v128.load") == 4
    assert inner.count("v128.store") == 2
    assert inner.count("f64x2.sqrt") == 2
    assert inner.count("f64x2.div") == 1
    assert "f64.load" not in inner


SCALAR: dict[str, Callable[[Any], Any]] = {
    "a carry": lambda v: eg.scan(lambda c, x: (m.sqrt(c + x) / (x + 2.0), c), 1.0, v),
    "another element": lambda v: eg.vec(8, lambda i: v[i] / (v[(i + 1) % 8] + 2.0) / 3.0),
    "a branch": lambda v: eg.vec(
        8, lambda i: eg.cond(v[i] > 0, lambda: m.sqrt(v[i]) / (v[i] + 1.0), lambda: 0.0) / (v[i] + 2.0)
    ),
    "a function of the library": lambda v: eg.vec(8, lambda i: m.sin(v[i]) / m.sqrt(v[i] + 3.0)),
    "the index as a number": lambda v: eg.vec(8, lambda i: m.sqrt(v[i] + 3.0) / (eg.real(i) + 1.0)),
    "a choice by the index": lambda v: eg.vec(
        8, lambda i: eg.select(i == 3, 1.0, m.sqrt(v[i]) / (v[i] + 2.0))
    ),
    "little to gain": lambda v: eg.vec(8, lambda i: v[i] + 1.0),
}


@pytest.mark.parametrize("why", SCALAR)
def test_loops_that_cannot_be_paired_run_one_round_at_a_time(why: str) -> None:
    f = eg.fn([eg.Vec(8, eg.Real)])(SCALAR[why])
    assert "f64x2" not in code(f)
    engines_agree(f, [(v,) for v in vectors(8)], node())


def test_with_fuel_a_loop_runs_one_round_at_a_time() -> None:
    f = eg.fn([eg.Vec(8, eg.Real)])(lambda v: eg.vec(8, lambda i: m.sqrt(v[i]) / (v[i] + 2.0) / 3.0))
    assert "f64x2" in eg.compile(f).wat
    assert "f64x2" not in eg.compile(f, fuel=100).wat


@pytest.mark.parametrize("n", [4, 9, 40])
def test_elements_that_read_their_neighbours_are_computed_in_pairs(n: int) -> None:
    """An index may be i plus a constant. Here round i reads the elements i, i + 1 and i + 2."""

    @eg.fn([eg.Vec(n, eg.Real), eg.Vec(n, eg.Real)])
    def f(v: Any, w: Any) -> Any:
        smoothed = eg.vec(n - 2, lambda i: (v[i] - 2.0 * v[i + 1] + v[i + 2]) / (w[i + 1] * w[i + 1] + 1.0))
        differences = eg.vec(n - 1, lambda i: w[i + 1] - w[i])
        return smoothed, eg.sum(n - 2, lambda i: smoothed[i] * differences[i + 1])

    assert "f64x2.div" in code(f)
    engines_agree(f, [(v, w) for v in vectors(n) for w in vectors(n)], node())


def test_a_convolution_is_one_loop_in_lanes() -> None:
    """One loop computes all products and their sum. Each product reads the image at a different offset."""
    n, k = 12, 3

    @eg.fn([eg.Vec(n, eg.Vec(n, eg.Real)), eg.Vec(k, eg.Vec(k, eg.Real))])
    def f(image: Any, kernel: Any) -> Any:
        parts = [(kernel[i, j], image[i : i + n - 2, j : j + n - 2]) for i in range(k) for j in range(k)]
        return sum(weight * part for weight, part in parts)

    assert code(f).count("loop") == 2
    assert code(f).count("f64x2.mul") == k * k
    (plain, wild), weights = (zip(*[vectors(n) for _ in range(n)], strict=True)), [[0.5, -1.0, 2.0]] * k
    engines_agree(f, [(list(plain), weights), (list(wild), weights)], node())

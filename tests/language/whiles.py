"""While loops of several kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from tests.engines import HAS_WASM

ROOT = Path(__file__).resolve().parents[2]
R = eg.Real
V3 = eg.Vec(3, R)
needs_wasm = pytest.mark.skipif(not HAS_WASM, reason="wasmtime is not here")


def newton(a: Any) -> Any:
    """Compute the square root of a by Newton's iteration."""
    return eg.while_loop(lambda x: abs(x * x - a) > 1e-12, lambda x: 0.5 * (x + a / x), a)


def powers(x: Any) -> Any:
    """Square x repeatedly until the result is at least 50."""
    return eg.while_loop(lambda c: c[0] < 50.0, lambda c: (c[0] * c[0], c[1] + 1.0), (x, 0.0))[0]


def in_a_scan(x: Any) -> Any:
    """Run a while loop in each step of a scan."""

    def step(carry: Any, start: Any) -> Any:
        y = eg.while_loop(lambda y: y > x, lambda y: 0.5 * y * eg.math.cos(0.1 * y), start * x)
        return carry * y, y

    last, ys = eg.scan(step, x, [3.0, 0.5, 9.0])
    return last + eg.sum(ys)


def nested(x: Any) -> Any:
    """Run a while loop inside another while loop. The inner loop captures the outer loop's carry."""

    def outer(c: Any) -> Any:
        inner = eg.while_loop(lambda d: d < c, lambda d: d * 1.7 + 0.1 * x, 0.5 * x)
        return c + 0.25 * inner

    return eg.while_loop(lambda c: c < 6.0, outer, x)


def in_a_branch(x: Any) -> Any:
    return eg.cond(
        x > 1.0,
        lambda: eg.while_loop(lambda y: y < 20.0, lambda y: y * x + 0.5, x),
        lambda: eg.while_loop(lambda y: y > 0.01, lambda y: y * x * 0.9, eg.math.sin(x)),
    )


@eg.fn([R, R], R)
def doubled(x: Any, limit: Any) -> Any:
    return eg.while_loop(lambda y: y < limit, lambda y: 2.0 * y + 0.1 * x * y, x)


def called_twice(x: Any) -> Any:
    """Make four calls of a function that contains a while loop."""
    return doubled(x, 10.0) * doubled(x * x, 20.0) + doubled(doubled(x, 4.0), 9.0)


def with_vectors(x: Any) -> Any:
    """Find an eigenvalue by power iteration. The loop's carry contains a Vec."""
    matrix = [[2.0, x, 0.0], [x, 3.0, 1.0], [0.0, 1.0, x]]

    def body(c: Any) -> Any:
        v = c["v"]
        w = eg.vec(3, lambda i: eg.dot(eg.asarray(matrix)[i], v))
        length = eg.norm(w)
        w = eg.vec(3, lambda i: w[i] / length)
        return {"v": w, "change": eg.norm(eg.vec(3, lambda i: w[i] - v[i])), "n": c["n"] + 1.0}

    start = {"v": eg.asarray([1.0, 1.0, 1.0]), "change": 1.0, "n": 0.0}
    v = eg.while_loop(lambda c: (c["change"] > 1e-3) & (c["n"] < 40.0), body, start)["v"]
    return eg.dot(v, eg.vec(3, lambda i: eg.dot(eg.asarray(matrix)[i], v)))


@eg.fn([R], R)
def softened(x: Any) -> Any:
    return eg.math.sqrt(1.0 + x * x)


@softened.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = softened(primals[0])
    return y, tangents[0] * primals[0] / y


def with_a_rule(x: Any) -> Any:
    return eg.while_loop(lambda y: y < 3.0, lambda y: softened(y) + 0.1 * x, x)


PROGRAMS = {
    "newton": (newton, 2.0),
    "powers": (powers, 1.5),
    "in a scan": (in_a_scan, 0.7),
    "nested": (nested, 1.3),
    "in a branch, above": (in_a_branch, 1.8),
    "in a branch, below": (in_a_branch, 0.6),
    "called twice": (called_twice, 1.1),
    "vectors": (with_vectors, 1.4),
    "a rule": (with_a_rule, 0.4),
    "no round": (lambda x: eg.while_loop(lambda y: y > 100.0, lambda y: y * y, x * 3.0), 2.0),
}
each_program = pytest.mark.parametrize(("f", "x"), PROGRAMS.values(), ids=PROGRAMS.keys())


def fn(f: Any) -> Any:
    return eg.fn([R], R)(f)

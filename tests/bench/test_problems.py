"""The benchmarks' problems compute the right values and gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from bench import specs
from bench.contest import Contestant
from bench.measure import OURS
from bench.native import Work, compiled, contestant, peers_of
from bench.native_peers import CASADI_GCC, package
from bench.problems import PROBLEMS, problem

POINTS = specs.points(7)
STEP = 1e-6

CASES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "pairs": ((7,), tuple(POINTS.values())),
    "unrolled": ((7,), tuple(POINTS.values())),
    "chain": ((12,), tuple(specs.CHAIN.values())),
    "regression": ((20, 3), tuple(specs.regression(20, 3).values())),
    "billiards": ((8,), ([0.45, 0.49], [2.5, 0.1])),
}
"""Name of a problem → its sizes and its arguments. The robot is missing, because it is tested with the page's
models."""


def root_distances() -> float:
    x, y = POINTS.values()
    return math.fsum(math.sqrt(math.dist((x[i], y[i]), (x[j], y[j]))) for i in range(7) for j in range(i))


def links() -> float:
    x, y = specs.CHAIN.values()
    v = x
    for _ in range(12):
        v = math.sqrt(v * x + y)
    return v * x


@pytest.mark.parametrize(
    ("name", "expected"), [("pairs", root_distances()), ("unrolled", root_distances()), ("chain", links())]
)
def test_a_problem_has_the_value_that_its_definition_gives(name: str, expected: float) -> None:
    sizes, args = CASES[name]
    assert problem(name, "value", 1.0, *sizes)(*args) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_scaling_a_problem_scales_its_value_and_gradient(name: str) -> None:
    sizes, args = CASES[name]
    value, both, gradient = (
        eg.compile(problem(name, kind, 2.0, *sizes)) for kind in ("value", "both", "gradient")
    )
    found, by_all = both(*args)
    assert found == value(*args) == pytest.approx(2 * problem(name, "value", 1.0, *sizes)(*args), rel=1e-13)
    assert gradient(*args) == by_all
    for at, by in zip(PROBLEMS[name][1], by_all, strict=True):
        ahead, behind = (shifted(args, at, step) for step in (STEP, -STEP))
        slope = (value(*ahead) - value(*behind)) / (2 * STEP)
        assert np.sum(by) == pytest.approx(slope, rel=1e-5, abs=1e-7)


def shifted(args: tuple[Any, ...], at: int, step: float) -> tuple[Any, ...]:
    """Add `step` to every number of the argument at position `at`. Return all arguments."""
    return tuple(np.asarray(arg) + step if k == at else arg for k, arg in enumerate(args))


def test_a_peer_that_is_not_installed_is_named_with_advice() -> None:
    sizes, args = CASES["pairs"]
    work = Work("pairs", "pairs", sizes, args, peers={"Nowhere": lambda *_: lambda: 0.0})
    contestants: dict[str, Contestant] = {OURS: contestant(lambda: compiled(work, "both")(*args))}
    ready, missing = peers_of(work, contestants)
    assert (ready, list(contestants)) == ({}, [OURS])
    assert missing == {"Nowhere": "No module named 'nowhere' (pip install eglantine[bench])"}


def test_a_peer_is_identified_by_its_package() -> None:
    assert package(CASADI_GCC) == "casadi"

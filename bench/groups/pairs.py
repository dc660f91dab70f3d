"""Time the gradient of a sum over all pairs of points, Σ √distance, written with loops and without loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench import specs
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import MANY_PAIRS, PAIRS, UNROLLED_PAIRS

FEW_POINTS = 20
FEW_COMPILES = {"warmUps": 1, "rounds": 6}

PROBLEMS: tuple[dict[str, Any], ...] = (
    {"name": "pairs", "n": 50, "target": {"call": 6}, "aim": {"call": 3}, "peers": PAIRS},
    {"name": "pairs", "n": 50, "kind": "both", "target": {}, "aim": {}},
    {"name": "pairs", "n": 200, "target": {"call": 90}, "aim": {"call": 45}, "peers": MANY_PAIRS},
    {
        "name": "unrolled",
        "n": 100,
        "target": {"call": 60, "compile": 300},
        "aim": {"compile": 150},
        "peers": UNROLLED_PAIRS,
    },
)


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium, then on CPython."""
    problems = [checked(problem) for problem in PROBLEMS] if lab.check else PROBLEMS
    work = {"problems": [in_browser(problem) for problem in problems]}
    native = [problem for problem in problems if "peers" in problem]
    yield from both_hosts(lab, "pairs", work, lambda: map(on_cpython, native))


def checked(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem for comparing results.

    Rose cannot compile an unrolled problem with many points, so an unrolled problem gets few points.
    """
    return {**problem, "n": FEW_POINTS} if problem["name"] == "unrolled" else problem


def title(problem: dict[str, Any]) -> str:
    """The row's title."""
    form = "loops" if problem["name"] == "pairs" else "unrolled"
    result = "value and gradient" if "kind" in problem else "gradient"
    return f"pairs energy N = {problem['n']}, {form}: {result}"


def in_browser(problem: dict[str, Any]) -> dict[str, Any]:
    """The problem for pairs.js."""
    compiling = FEW_COMPILES if problem["name"] == "unrolled" else None
    parts = {key: problem[key] for key in ("name", "target", "aim")}
    return {
        **parts,
        "kind": problem.get("kind", "gradient"),
        "title": title(problem),
        **specs.points(problem["n"]),
        **({"compiling": compiling} if compiling else {}),
    }


def on_cpython(problem: dict[str, Any]) -> Work:
    """The problem for CPython."""
    n = problem["n"]
    args = tuple(np.array(column) for column in specs.points(n).values())
    return Work(problem["name"], title(problem), (n,), args, kind="gradient", peers=problem["peers"])

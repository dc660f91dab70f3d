"""Data sets, formulas and compiled kernels for the page "Fit". tools/presets.py writes them.

The data sets are from NIST's Statistical Reference Datasets for nonlinear regression (public domain; see
tests/data/README.md) and from Anscombe (1973; see app/simulations/regression.py). We invented the first set.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from typing import Any

from app.fitting.fitter import CAPACITIES, MOST_PARAMETERS
from app.simulations.regression import ANSCOMBE
from tools.bootstrap import ROOT

NIST = ROOT / "tests" / "data" / "nist" / "nist.json"
FORMS = {
    "line": "a + b*x",
    "parabola": "a + b*x + c*x^2",
    "cubic": "a + b*x + c*x^2 + d*x^3",
    "exponential": "a*exp(b*x)",
    "decay": "a*exp(-b*x) + c",
    "power": "a*x^b",
    "logistic": "a/(1 + exp(-b*(x - c)))",
    "bell": "a*exp(-((x - b)/c)^2) + d",
    "wave": "a*sin(b*x + c) + d",
}
"""Name of a formula in the pages' texts → the formula. Visitors can choose one of these formulas."""

COOLING_TEXT = FORMS["decay"]
COOLING_STEP = 4.0
COOLING = tuple(
    (COOLING_STEP * k, round(68.0 * math.exp(-0.065 * COOLING_STEP * k) + 21.0 + wobble, 1))
    for k, wobble in enumerate((0.4, -0.9, 0.8, 0.3, -1.1, 0.6, -0.2, 1.0, -0.7, 0.2, 0.5, -0.6, -0.3, 0.4))
)
"""Invented measurements of a cup of tea. Each is a time t in minutes and a temperature in °C, which is
68·exp(−0.065·t) + 21 plus a small error."""


def beginning() -> dict[str, Any]:
    """Return the data that the page loads first: data sets, formulas, and the names of compiled files."""
    sets = list(data_sets())
    return {
        "sets": sets,
        "forms": FORMS,
        "compiled": {text: f"fit-{k}" for k, text in enumerate(compiled_texts(sets))},
        "capacities": CAPACITIES,
        "mostParameters": MOST_PARAMETERS,
    }


def data_sets() -> Iterator[dict[str, Any]]:
    """Yield data sets, each with a formula and a start: our own set, Anscombe's four sets, and NIST's sets.

    The set Nelson of NIST is omitted, because its formula has two variables.
    """
    yield {"name": "tea", "text": COOLING_TEXT, "points": COOLING, "start": {"a": 50.0, "b": 0.1, "c": 10.0}}
    for name, points in ANSCOMBE.items():
        yield {"name": name, "text": FORMS["line"], "points": points, "start": {"a": 0.0, "b": 1.0}}
    for name, problem in json.loads(NIST.read_text(encoding="utf-8")).items():
        if problem["predictors"] == ["x"]:
            yield of_nist(name, problem)


def of_nist(name: str, problem: dict[str, Any]) -> dict[str, Any]:
    """Convert a problem of NIST to the page's format: points, formula, start and certified results."""
    names = [f"b{k + 1}" for k in range(len(problem["certified"]))]
    return {
        "name": name,
        "text": problem["model"],
        "points": list(zip(problem["x"], problem["y"], strict=True)),
        "start": dict(zip(names, problem["start2"], strict=True)),
        "certified": dict(zip(names, problem["certified"], strict=True)),
        "deviations": dict(zip(names, problem["deviations"], strict=True)),
    }


def compiled_texts(sets: list[dict[str, Any]]) -> list[str]:
    """List the formulas that the build compiles, beginning with the first data set's formula."""
    return list(dict.fromkeys([*(one["text"] for one in sets), *FORMS.values()]))


def first_capacity() -> int:
    """The capacity of the first set's solver."""
    return next(capacity for capacity in CAPACITIES if capacity >= len(COOLING))


def solvers() -> Iterator[tuple[int, int]]:
    """Yield each solver's number of parameters and its capacity (the largest number of points)."""
    return itertools.product(range(1, MOST_PARAMETERS + 1), CAPACITIES)


def solver_name(n: int, capacity: int) -> str:
    """Return the name of a solver's file. The page's script computes the same name."""
    return f"fit-solver-{n}-{capacity}"

"""NIST's problems of nonlinear regression, and functions that compare solutions with certified values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "data" / "nist" / "nist.json"


@dataclass(frozen=True)
class Problem:
    """A regression problem: a model (a formula), data, two starting points, and certified values."""

    name: str
    model: str
    x: list[Any]
    y: list[float]
    starts: tuple[list[float], list[float]]
    parameters: list[float]
    deviations: list[float]
    residual_sum: float
    residual_deviation: float


def _problem(name: str, given: dict[str, Any]) -> Problem:
    y = [math.log(y) for y in given["y"]] if given["response"] == "log(y)" else given["y"]
    x = [tuple(x) if isinstance(x, list) else x for x in given["x"]]
    return Problem(
        name, given["model"], x, y, (given["start1"], given["start2"]), given["certified"],
        given["deviations"], given["residual_sum"], given["residual_deviation"],
    )  # fmt: skip


PROBLEMS = {name: _problem(name, given) for name, given in json.loads(FILE.read_text()).items()}


def digits(values: Sequence[float], certified: Sequence[float]) -> float:
    """Return −log₁₀ of the largest relative error, which is about the number of correct digits."""
    worst = max(abs(a - b) / abs(b) for a, b in zip(values, certified, strict=True))
    return 16.0 if worst <= 1e-16 else -math.log10(worst) if worst == worst else -math.inf


def in_order(name: str, values: Sequence[float], certified: Sequence[float]) -> list[float]:
    """Put the values into the order of the certified values.

    Only the model MGH17 needs this. It contains two exponential terms, and a solver may swap them.
    """
    swapped = [values[k] for k in (0, 2, 1, 4, 3)] if name == "MGH17" else list(values)
    return max(list(values), swapped, key=lambda values: digits(values, certified))

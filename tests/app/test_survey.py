"""Surveys of known surfaces find all critical points. Descents end for the right reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

import eglantine as eg
from app.formulas.survey import ARRIVED, EDGE, LEFT, MOST_STEPS, RUNNING, critical_points, descent_path
from app.service import jet
from eglantine import formulas

Region = tuple[float, float, float, float]
SQUARE: Region = (-5.0, 5.0, -5.0, 5.0)
HIMMELBLAU = "(x^2 + y - 11)^2 + (x + y^2 - 7)^2"
MINIMA = [(-3.779310, -3.283186), (-2.805118, 3.131312), (3.0, 2.0), (3.584428, -1.848126)]
"""D. M. Himmelblau, Applied Nonlinear Programming (1972), problem 29."""


def searched(text: str, region: Region, **letters: float) -> list[tuple[float, ...]]:
    """Search for critical points from many starts. Return each point once, sorted by x and y."""
    survey = eg.compile(critical_points(jet(formulas.to_fn(text, ["x", "y", *letters])), len(letters)))
    ends = [end for end in survey(*region, *letters.values()) if end[6] >= 0]
    found: list[tuple[float, ...]] = []
    for end in sorted(ends, key=lambda end: end[6]):
        if all(math.dist(end[:2], other[:2]) > 1e-3 for other in found):
            found.append(tuple(end))
    return sorted(found)


def places(text: str, region: Region, **letters: float) -> list[list[float]]:
    """The critical points, rounded."""
    return [[round(end[0], 6) + 0.0, round(end[1], 6) + 0.0] for end in searched(text, region, **letters)]


def descended(text: str, start: Sequence[float], region: Region) -> tuple[list[Any], float]:
    """Run a descent. Return the points that it visits, and the reason why it ends."""
    descend = eg.compile(descent_path(jet(formulas.to_fn(text, ["x", "y"])), 0))
    result = descend(*start, *region)
    return [list(start), *map(list, result["path"][: int(result["count"])])], result["end"]


def test_all_nine_critical_points_of_himmelblaus_bowls_are_found() -> None:
    found = searched(HIMMELBLAU, SQUARE)
    assert len(found) == 9
    bowls = [end for end in found if end[3] > 0 and end[3] * end[5] > end[4] ** 2]
    assert [end[:2] for end in bowls] == [pytest.approx(place, abs=1e-6) for place in MINIMA]
    assert [end[2] for end in bowls] == pytest.approx([0, 0, 0, 0], abs=1e-12)


@pytest.mark.parametrize(
    ("text", "region", "expected"),
    [
        ("sin(x) cos(y)", (-2, 2, -2, 2), [[1.570796, 0], [-1.570796, 0], [0, 1.570796], [0, -1.570796]]),
        ("x^3 - 3x y^2", (-1.2, 1.2, -1.2, 1.2), [[0, 0]]),  # Newton's method is slow here.
        ("(2x^2 - y)(y - x^2)", (-1, 1, -0.6, 1.4), [[0, 0]]),  # A curved valley misleads the search.
        ("sqrt(1 - x^2 - y^2)", (-1.2, 1.2, -1.2, 1.2), [[0, 0]]),  # The formula is not defined everywhere.
        ("1e-9 (x - 1e6)^2 + 1e9 y^2", (999_000, 1_001_000, -1e-6, 1e-6), [[1e6, 0]]),  # Scales are extreme.
        ("log(x y)", (-2, 2, -2, 2), []),
        ("x + y", (-1, 1, -1, 1), []),
        ("abs(x) + y^2", (-1, 1, -1, 1), []),  # a kink is no critical point
    ],
)  # fmt: skip
def test_critical_points_are_found_and_no_others(
    text: str, region: Region, expected: list[list[float]]
) -> None:
    assert sorted(places(text, region)) == sorted(expected)


def test_the_values_of_letters_move_the_critical_points() -> None:
    assert places("(x - a)^2 + b y^2", SQUARE, a=1.5, b=2.0) == [[1.5, 0]]


def test_all_searches_along_a_ridge_end_on_it() -> None:
    ridge = searched("exp(-1.2 (y - sin x)^2)", (-3.2, 3.2, -2.4, 2.4))
    assert len(ridge) > 8
    assert all(math.isclose(end[1], math.sin(end[0]), abs_tol=1e-6) for end in ridge)


@pytest.mark.parametrize(
    ("text", "start", "region", "end"),
    [
        (HIMMELBLAU, (0.6, 0.8), SQUARE, ARRIVED),
        ("x^2 - y^2", (0.5, 0.3), (-1.5, 1.5, -1.5, 1.5), LEFT),
        ("(1 - x)^2 + 100 (y - x^2)^2", (-0.6, 0.8), (-1.6, 1.6, -0.8, 2.2), RUNNING),
        ("sqrt(1 - x^2 - y^2)", (0.4, -0.5), (-1.2, 1.2, -1.2, 1.2), EDGE),
        ("x^2 + y^2", (0.0, 0.0), (-1.0, 1.0, -1.0, 1.0), ARRIVED),
        ("log(x)", (-1.0, 0.0), (-2.0, 2.0, -2.0, 2.0), EDGE),
    ],
)
def test_a_descent_never_rises_and_states_how_it_ends(
    text: str, start: tuple[float, float], region: Region, end: float
) -> None:
    path, ended = descended(text, start, region)
    assert ended == end
    f = eg.compile(formulas.to_fn(text, ["x", "y"]))
    heights = [f(*place) for place in path]
    assert heights == sorted(heights, reverse=True)
    assert len(path) <= MOST_STEPS + 1
    assert all(region[0] <= x <= region[1] and region[2] <= y <= region[3] for x, y in path)


def test_a_descent_arrives_at_a_minimum() -> None:
    path, _ = descended(HIMMELBLAU, (0.6, 0.8), SQUARE)
    assert path[-1] == pytest.approx([3, 2], abs=1e-6)

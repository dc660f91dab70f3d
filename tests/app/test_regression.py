"""Tests of the regression page's model, without a browser."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

import eglantine as eg
from app.simulations import regression
from app.simulations.regression import ABSOLUTE, ANSCOMBE, CELLS, HUBER, MEAN_X, MOST_POINTS, SQUARED
from tests.engines import run

SETS = sorted(ANSCOMBE)
KINDS = (SQUARED, ABSOLUTE, HUBER)
THRESHOLD = 0.8


def padded(points: Any) -> tuple[list[float], list[float], int]:
    """Arrange points as the modules expect them. Unused entries are NaN, which must not affect any result."""
    rest = [float("nan")] * (MOST_POINTS - len(points))
    return [*(x for x, _ in points), *rest], [*(y for _, y in points), *rest], len(points)


def mean_cost(points: Any, origin: float, kind: int, slope: float, intercept: float) -> float:
    """Compute the loss in plain Python, independently of the page's model."""
    residuals = [slope * (x - origin) + intercept - y for x, y in points]
    costs = {
        SQUARED: lambda r: r * r,
        ABSOLUTE: abs,
        HUBER: lambda r: 0.5 * r * r if abs(r) <= THRESHOLD else THRESHOLD * (abs(r) - 0.5 * THRESHOLD),
    }
    return sum(map(costs[kind], residuals)) / len(points)


@pytest.mark.parametrize("name", SETS)
def test_anscombes_sets_agree_in_every_summary(name: str) -> None:
    xs, ys = zip(*ANSCOMBE[name], strict=True)
    assert statistics.mean(xs) == MEAN_X
    assert statistics.variance(xs) == 11
    assert statistics.mean(ys) == pytest.approx(7.50, abs=0.002)
    assert statistics.variance(ys) == pytest.approx(4.125, abs=0.003)
    assert statistics.correlation(xs, ys) == pytest.approx(0.816, abs=0.001)


@pytest.mark.parametrize("name", SETS)
def test_the_exact_line_is_the_line_of_the_paper(name: str) -> None:
    slope, intercept = run(regression.exact(), *padded(ANSCOMBE[name]), 0.0)
    assert (slope, intercept) == pytest.approx((0.5, 3.0), abs=0.003)
    by_hand = statistics.linear_regression(*zip(*ANSCOMBE[name], strict=True))
    assert (slope, intercept) == pytest.approx(tuple(by_hand), rel=1e-12)


@pytest.mark.parametrize("name", SETS)
def test_another_origin_moves_the_intercept_along_the_same_line(name: str) -> None:
    slope, intercept = run(regression.exact(), *padded(ANSCOMBE[name]), 0.0)
    at_mean = run(regression.exact(), *padded(ANSCOMBE[name]), MEAN_X)
    assert at_mean == pytest.approx((slope, intercept + slope * MEAN_X), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("origin", [0.0, MEAN_X])
def test_loss_and_gradient_equal_those_of_the_mean_cost(kind: int, name: str, origin: float) -> None:
    points = ANSCOMBE[name]
    line = (0.37, 2.9)
    loss, gradient = run(regression.fit(), *padded(points), origin, kind, THRESHOLD, *line)
    assert loss == pytest.approx(mean_cost(points, origin, kind, *line), rel=1e-12)
    step = 1e-6
    for k, slope in enumerate(gradient):
        ahead, behind = list(line), list(line)
        ahead[k] += step
        behind[k] -= step
        rise = mean_cost(points, origin, kind, *ahead) - mean_cost(points, origin, kind, *behind)
        assert slope == pytest.approx(rise / (2 * step), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", SETS)
def test_the_gradient_is_zero_at_the_exact_line(name: str) -> None:
    line = regression.exact()(*padded(ANSCOMBE[name]), 0.0)
    _, gradient = run(regression.fit(), *padded(ANSCOMBE[name]), 0.0, SQUARED, THRESHOLD, *line)
    assert gradient == pytest.approx((0, 0), abs=1e-11)


def test_huber_is_smooth_at_its_threshold() -> None:
    points = [(0.0, 0.0)]
    losses = [
        run(regression.fit(), *padded(points), 0.0, HUBER, THRESHOLD, 0.0, r)
        for r in (THRESHOLD * (1 - 1e-9), THRESHOLD * (1 + 1e-9))
    ]
    (below, (_, slope_below)), (above, (_, slope_above)) = losses
    assert below == pytest.approx(above, rel=1e-8)
    assert slope_below == pytest.approx(slope_above, rel=1e-8)


@pytest.mark.parametrize("count", [0, 1])
def test_one_point_or_none_gives_finite_numbers(count: int) -> None:
    loss, gradient = run(regression.fit(), *padded([(2.0, 3.0)][:count]), 0.0, SQUARED, 1.0, 1.0, 0.0)
    assert (loss, gradient) == ((1.0, (-4.0, -2.0)) if count else (0.0, (0.0, 0.0)))


def test_the_surface_contains_the_loss_at_each_point_of_its_grid() -> None:
    region = (-1.0, 2.0, -4.0, 10.0)
    data = padded(ANSCOMBE["III"])
    surface = eg.jit(regression.surface())(*data, 0.0, HUBER, THRESHOLD, *region)
    loss = eg.jit(regression.fit())
    for row in range(0, CELLS, 8):
        for column in range(0, CELLS, 8):
            slope = region[0] + (region[1] - region[0]) * column / (CELLS - 1)
            intercept = region[2] + (region[3] - region[2]) * row / (CELLS - 1)
            at = loss(*data, 0.0, HUBER, THRESHOLD, slope, intercept)[0]
            assert surface[row][column] == pytest.approx(at, rel=1e-12)


def test_the_modules_are_small() -> None:
    made = regression.compile_regression()
    assert made["cost"]["bytes"] == len(made["fit"]["wasm"]) <= 700
    assert sum(len(made[name]["wasm"]) for name in ("fit", "surface", "exact")) <= 1500

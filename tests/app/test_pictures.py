"""Tests of the pages' pictures: contour lines, curves with holes, and highlighted words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tools.node import find_node

SCRIPT = Path(__file__).with_name("pictures.mjs")


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    done = find_node().run([SCRIPT])
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_between_the_points_of_a_grid_a_parabola_is_exact(found: dict[str, Any]) -> None:
    assert found["refinedError"] < 1e-11


def test_the_contour_of_a_cone_is_a_closed_circle(found: dict[str, Any]) -> None:
    assert set(Counter(found["ends"]).values()) == {2}
    assert len(found["radii"]) > 100
    assert min(found["radii"]) == pytest.approx(0.3, abs=2e-4)
    assert max(found["radii"]) == pytest.approx(0.3, abs=2e-4)


def test_the_loss_is_equal_along_a_contour_even_in_a_narrow_valley(found: dict[str, Any]) -> None:
    heights = [[loss - 3 for loss in level] for level in found["losses"]]
    assert len(heights) == 13
    for level in heights[:10]:
        assert max(level) < 1.12 * min(level)
    assert max(heights[3]) < 1.01 * min(heights[3])
    assert [min(level) for level in heights] == sorted((min(level) for level in heights), reverse=True)
    assert found["flat"] == 0


def test_a_steep_smooth_curve_is_one_piece(found: dict[str, Any]) -> None:
    ((first, last),) = found["parabola"]["pieces"]
    assert (first, last) == ([-2, 4], [2, 4])
    assert len(found["steep"]["pieces"]) == 1


def test_a_curve_has_gaps_at_poles_at_jumps_and_where_it_is_undefined(found: dict[str, Any]) -> None:
    before, after = found["pole"]["pieces"]
    assert before[1][0] == pytest.approx(0, abs=1e-4)
    assert before[1][1] < 0 < after[0][1]
    assert [[round(x, 3) for x, _ in piece] for piece in found["steps"]["pieces"]] == [
        [-1.5, -1], [-1, 0], [0, 1], [1, 1.5],
    ]  # fmt: skip
    assert [piece[0][1] for piece in found["steps"]["pieces"]] == [-2, -1, 0, 1]
    ((first, last),) = found["edge"]["pieces"]
    assert 0 < first[0] < 2e-5
    assert last[0] == 3
    assert found["nothing"] == {"pieces": [], "rangeY": [-1, 1]}


def test_a_formula_without_y_is_drawn_as_a_curve(found: dict[str, Any]) -> None:
    assert found["curves"] == [True, True, True, False, False, False]


def test_a_caret_or_a_selection_selects_the_places_of_its_words(found: dict[str, Any]) -> None:
    assert found["meant"] == [[7], [1, 2], [7, 1, 2], []]
    assert found["places"] == [1, 2]

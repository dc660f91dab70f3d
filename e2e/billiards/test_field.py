"""The field of the page Billiards: the colour of each cell shows the loss of a shot from this cell."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.billiards.conftest import DESCENT_TIMEOUT_MS, pixels
from e2e.visitor import NEXT_FRAME, centre, field, grip
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


def test_the_field_is_computed_and_its_best_place_starts_a_descent(billiards: Page) -> None:
    blank = pixels(billiards)
    field(billiards, "field").select_option("gradient")
    billiards.get_by_role("button", name="Start from the best place").click()
    expect(field(billiards, "cue-x")).not_to_have_value("0.1", timeout=DESCENT_TIMEOUT_MS)
    assert pixels(billiards) != blank
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 0.02", timeout=DESCENT_TIMEOUT_MS
    )


def test_the_field_pales_while_the_goal_moves_and_is_redrawn_once_it_rests(
    visited: Page,
) -> None:
    field(visited, "follow").uncheck()
    lines = shade(visited)
    field(visited, "field").select_option("loss")
    before = shade_at_rest(visited) - lines
    x, y = centre(grip(visited, "goal"))
    visited.mouse.move(x, y)
    visited.mouse.down()
    visited.evaluate(f"() => {{ const watch = () => {{ (self.shades ??= []).push(({SHADE})() - {lines});"
                       " requestAnimationFrame(watch); }; watch(); }")  # fmt: skip
    visited.mouse.move(x - 60, y + 40, steps=4)
    pale = "Math.min(...self.shades)"
    visited.wait_for_function(f"() => {pale} < {0.3 * before}", timeout=DESCENT_TIMEOUT_MS)
    visited.wait_for_function(f"() => self.shades.at(-1) > 2 * {pale}", timeout=DESCENT_TIMEOUT_MS)
    visited.mouse.up()


SHADE = """() => {
  const canvas = document.querySelector(".table canvas");
  const { width, height } = canvas;
  // Left of the rack there is nothing but the field and the cue ball.
  const { data } = canvas.getContext("2d").getImageData(width * 0.05, 0, width * 0.3, height);
  let sum = 0;
  for (let k = 3; k < data.length; k += 4) if (data[k] < 255) sum += data[k];
  return sum;
}"""
"""A script that adds up the opacity of all pixels of the field, and of the edges of lines in it."""
STILL_MS = 500
STILL_TIMES = 6
"""The number of equal readings in a row after which the field is at rest.

A few equal readings prove nothing, because a busy machine may pause while the field still changes.
"""


def shade_at_rest(page: Page) -> float:
    """Wait until the opacity of the field stops changing, and return it."""
    seen = [shade(page)]
    end = time.monotonic() + PATIENCE_S
    while len(seen) <= STILL_TIMES or seen[-1] == 0 or len({*seen[-STILL_TIMES:]}) > 1:
        assert time.monotonic() < end, "the field does not come to rest"
        page.wait_for_timeout(STILL_MS)
        seen.append(shade(page))
    return seen[-1]


def shade(page: Page) -> float:
    page.evaluate(NEXT_FRAME)
    return float(page.evaluate(SHADE))

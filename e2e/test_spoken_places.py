"""After a handle has moved, its label and an announcement tell screen readers the new place."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.test_access import wait_for
from e2e.visitor import NEXT_FRAME, field

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.without_python
shared_billiards = restored_page("billiards", "module")
shared_regression = restored_page("regression", "module")
shared_robot = restored_page("robot", "module")
billiards = lent("shared_billiards")
regression = lent("shared_regression")
robot = lent("shared_robot")
PLACE = re.compile(r"x (−?\d+(?:\.\d+)?), y (−?\d+(?:\.\d+)?)")
WATCH_LABEL = """(element) => {
  window.labels = [];
  new MutationObserver(() => window.labels.push([performance.now(), element.getAttribute("aria-label")]))
    .observe(element, { attributeFilter: ["aria-label"] });
}"""
MOVED = [
    ("billiards", "goal", "ArrowLeft", (-0.03, 0.0)),
    ("billiards", "cue", "ArrowUp", (0.0, 0.03)),
    ("robot", "goal", "ArrowLeft", (-0.03, 0.0)),
    ("robot", "1", "ArrowUp", (0.0, 0.03)),
    ("regression", "2", "ArrowUp", (0.0, 0.3)),
]
"""Pages, each with a handle, a key, and how far three presses of the key move the handle along x and y.

One press moves the handle by 0.01 m, or by 0.1 in a plot.
"""


def place_in(words: str) -> tuple[float, float]:
    """The first place that a sentence names."""
    match = PLACE.search(words)
    assert match is not None, words
    x, y = (float(part.replace("−", "-")) for part in match.groups())
    return x, y


def label(element: Locator) -> str:
    """The label that assistive technology reads out for an element."""
    return element.get_attribute("aria-label") or ""


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(("name", "grip", "key", "way"), MOVED)
def test_after_three_keys_label_and_announcement_tell_the_new_place(
    request: pytest.FixtureRequest, name: str, grip: str, key: str, way: tuple[float, float]
) -> None:
    page: Page = request.getfixturevalue(name)
    if name == "robot" and grip != "goal":
        page.locator(".edit").click()
    held = page.locator(f"[data-grip='{grip}']")
    held.focus()
    x, y = place_in(label(held))
    for _ in range(3):
        page.keyboard.press(key)
    moved = pytest.approx((x + way[0], y + way[1]), abs=2e-4)
    wait_for(lambda: place_in(label(held)) == moved)
    kind, _, place = label(held).partition(" at ")
    told = PLACE.search(place)
    assert told is not None
    # The page may first announce an intermediate place.
    expect(page.locator(".live")).to_contain_text(f"{kind} at {told[0]}")
    assert place_in(label(held)) == moved


def test_a_moved_points_label_has_its_new_place_while_the_line_follows(regression: Page) -> None:
    page = regression
    held = page.locator("[data-grip='2']")
    held.focus()
    number = label(held).split(" at ")[0]
    x, y = place_in(label(held))
    page.keyboard.press("ArrowUp")
    expect(held).to_have_attribute("aria-label", re.compile(rf"{number} at x {x:g}, y {y + 0.1:g}\."))


def test_after_a_place_has_been_announced_the_loss_alone_is_not_announced(
    robot: Page,
) -> None:
    page = robot
    page.locator("[data-grip='goal']").focus()
    page.keyboard.press("ArrowLeft")
    live = page.locator(".live")
    expect(live).to_contain_text("Goal at x")
    page.wait_for_timeout(2500)  # time for two more announcements
    expect(live).to_contain_text("Goal at x")


def test_undo_announces_the_place_it_restores(robot: Page) -> None:
    page = robot
    held = page.locator("[data-grip='goal']")
    held.focus()
    before = PLACE.search(label(held))
    assert before is not None
    page.keyboard.press("Shift+ArrowLeft")
    live = page.locator(".live")
    expect(live).to_contain_text("Goal at x")
    expect(live).not_to_contain_text(f"Goal at {before[0]}")
    page.keyboard.press("Control+z")
    expect(live).to_contain_text(f"Goal at {before[0]}")


def test_the_label_of_a_line_that_descends_changes_at_most_once_a_second(regression: Page) -> None:
    page = regression
    held = page.locator("[data-grip='line']")
    held.focus()
    first = label(held)
    held.evaluate(WATCH_LABEL)
    page.keyboard.press("p")
    expect(held).not_to_have_attribute("aria-label", first)
    page.wait_for_timeout(3000)
    changes: list[tuple[float, str]] = page.evaluate("() => window.labels")
    gaps = [after - before for (before, _), (after, _) in itertools.pairwise(changes)]
    assert min(gaps, default=1000.0) > 900, changes


def test_the_time_of_a_simulation_is_announced_with_its_unit(billiards: Page) -> None:
    page = billiards
    moment = field(page, "moment")
    moment.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.evaluate(NEXT_FRAME)
    steps = moment.get_attribute("max")
    expect(moment).to_have_attribute("aria-valuetext", re.compile(rf"^0\.\d+\sseconds, step 1 of {steps}$"))


def test_the_point_of_an_embedded_plot_announces_its_new_place(page: Page, server_url: str) -> None:
    page.goto(server_url)
    held = page.locator("eglantine-plot .handle")
    expect(held).to_have_attribute("aria-label", re.compile("Point at x"))
    held.focus()
    before = label(held)
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    wait_for(lambda: label(held) != before)
    page.evaluate(NEXT_FRAME)
    place = PLACE.search(label(held))
    assert place is not None
    expect(page.locator("eglantine-plot .live")).to_contain_text(place.group(0))

"""Fixtures and helpers for the robot tests: open the page, read its numbers, and train the robot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, number

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRAINING_TIMEOUT_MS = 120_000


asleep = restored_page("robot", "package")
awake = restored_page("robot", "package", wakes=True)
robot = lent("asleep")
"""The page in its first state, without Python."""
editable = lent("awake")
"""The page in its first state, with Python ready."""


@pytest.fixture
def visited(page: Page, server_url: str) -> Page:
    """Open the page. Python loads in it, unless the test is marked `without_python`."""
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    return page


def tie_all(page: Page, masses: int, rest: float, muscle: bool, settings: str) -> None:
    """Open a robot with `masses` masses on a circle, and connect each pair of masses by a spring.

    rest: the natural length of a spring, divided by the distance between its two masses.
    """
    places = [(0.3 + 0.1 * math.cos(k), 0.3 + 0.1 * math.sin(k)) for k in range(masses)]
    pairs = [(a, b) for a in range(masses) for b in range(a)]
    drawn = ",".join(f"{x:.6f},{y:.6f}" for x, y in places)
    springs = ",".join(f"{a},{b},{rest * math.dist(places[a], places[b]):.6f},{muscle:d}" for a, b in pairs)
    world = "v=1&robot=B&goal=0.9,0.2&gravity=-4.8&friction=2&aim=far"
    page.evaluate(
        "to => { location.hash = to; }", f"{world}&{settings}&gait=seed&masses={drawn}&springs={springs}"
    )


def loss(page: Page) -> float:
    """The loss that the page shows."""
    return number(page, ".loss")


def field(page: Page, name: str) -> float:
    """The number in a field."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(f"[name={name}]").input_value().replace("\u2212", "-"))


def train(page: Page, iterations: int) -> None:
    """Train for this many iterations and wait for the end."""
    page.locator("[name=iterations]").fill(str(iterations))
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".outcome")).to_contain_text("Trained for", timeout=TRAINING_TIMEOUT_MS)

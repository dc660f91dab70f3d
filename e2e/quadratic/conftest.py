"""Fixtures and helpers for Quadratic's tests: open the page, read its numbers, and move its point."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


ENTRIES = ("f", "fx", "fy", "fxx", "fxy", "fyy")
COMPILED_HERE = re.compile("compiled here")


asleep = restored_page("quadratic", "package")
awake = restored_page("quadratic", "package", wakes=True)
quadratic = lent("asleep")
"""The page in its first state, without Python."""
editable = lent("awake")
"""The page in its first state, with Python ready."""


@pytest.fixture
def visited(page: Page, server_url: str) -> Page:
    """Open the page. Python loads in it, unless the test is marked `without_python`."""
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    return page


def entry(page: Page, name: str) -> Locator:
    """The number of one row of the table."""
    return page.locator(f"data[data-entry={name}]")


def shown(page: Page) -> dict[str, float]:
    """Read the value, gradient and Hessian that the page shows, with all their digits."""
    page.evaluate(NEXT_FRAME)
    return {name: float(entry(page, name).get_attribute("value") or "nan") for name in ENTRIES}


def point(page: Page) -> tuple[float, float]:
    """Return the coordinates of the point, which the page shows in two fields."""
    x, y = (page.locator(f"[name={name}]").input_value().replace("\u2212", "-") for name in "xy")
    return float(x), float(y)


def expect_point(page: Page, x: float, y: float) -> None:
    """Wait until the fields show these coordinates of the point."""
    expect(page.locator("[name=x]")).to_have_value(f"{x:g}")
    expect(page.locator("[name=y]")).to_have_value(f"{y:g}")


def place(page: Page, x: float, y: float) -> None:
    """Type the point's coordinates."""
    page.locator("[name=x]").fill(str(x))
    page.locator("[name=y]").fill(str(y))
    expect(page.locator("[name=y]")).to_have_value(str(y))


def power(x: float, y: float) -> dict[str, float]:
    """Return x^y and its derivatives. The formulas were derived by hand."""
    f, log = x**y, math.log(x)
    return {
        "f": f,
        "fx": y * f / x,
        "fy": f * log,
        "fxx": y * (y - 1) * f / x**2,
        "fxy": f / x * (1 + y * log),
        "fyy": f * log**2,
    }


def sine_times_square(x: float, y: float) -> dict[str, float]:
    """Return sin(x) y² and its derivatives. The formulas were derived by hand."""
    return {
        "f": math.sin(x) * y**2,
        "fx": math.cos(x) * y**2,
        "fy": 2 * math.sin(x) * y,
        "fxx": -math.sin(x) * y**2,
        "fxy": 2 * math.cos(x) * y,
        "fyy": 2 * math.sin(x),
    }

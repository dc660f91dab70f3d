"""Fixtures and helpers for the billiards tests: open the page, read its picture, and fill its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, field

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESCENT_TIMEOUT_MS = 120_000
"""The longest time that a test waits for the end of a descent.

A descent takes thousands of iterations, and a busy machine gives it only a part of one core.
"""


asleep = restored_page("billiards", "package")
awake = restored_page("billiards", "package", wakes=True)
billiards = lent("asleep")
"""The page in its first state, without Python."""
compiling = lent("awake")
"""The page in its first state, with Python ready."""


@pytest.fixture
def visited(page: Page, server_url: str) -> Page:
    """Open the page. Python loads in it, unless the test is marked `without_python`."""
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    return page


def pixels(page: Page) -> str:
    """Return the picture of the table as a string, which changes if any pixel changes."""
    page.evaluate(NEXT_FRAME)
    return str(page.evaluate("() => document.querySelector('.table canvas').toDataURL()"))


def place(page: Page, **values: float) -> None:
    """Type coordinates into fields. For example, `cue_x=0.1` types 0.1 into the field cue-x."""
    for name, value in values.items():
        field(page, name.replace("_", "-")).fill(str(value))
    page.evaluate(NEXT_FRAME)

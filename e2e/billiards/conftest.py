"""Fixtures and actions for the billiards tests: the opened page, its numbers, its fields and its drags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, field

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESCENT_TIMEOUT_MS = 120_000
"""A descent takes thousands of iterations, and a busy machine gives it a part of one core."""


asleep = restored_page("billiards", "package")
awake = restored_page("billiards", "package", wakes=True)
billiards = lent("asleep")
"""The page in its first state, without Python."""
compiling = lent("awake")
"""The page in its first state, with Python ready."""


@pytest.fixture
def visited(page: Page, server_url: str) -> Page:
    """A new page. Python loads in it, unless the test is marked otherwise."""
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    return page


def pixels(page: Page) -> str:
    """The picture of the table, as a text that changes with every pixel."""
    page.evaluate(NEXT_FRAME)
    return str(page.evaluate("() => document.querySelector('.table canvas').toDataURL()"))


def place(page: Page, **values: float) -> None:
    """Type coordinates into fields. For example, `cue_x=0.1` fills the field cue-x."""
    for name, value in values.items():
        field(page, name.replace("_", "-")).fill(str(value))
    page.evaluate(NEXT_FRAME)

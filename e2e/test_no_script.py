"""If a page's scripts do not run, the page says so at its top, and hides the controls that need them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.plain_host import WHERE
from e2e.test_access import FROM_DISK, NO_SCRIPT
from tools.bootstrap import ROOT
from tools.pages import read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = [page.name for page in read_pages() if "script" in page.fields]
WIDTHS = (320, 1280)
FEWEST_WORDS = 40
DEAD = "main button, main input, main select, main textarea, main canvas, main [tabindex], header button"


@pytest.fixture(scope="module")
def scriptless(browser: Browser, server_url: str) -> Iterator[Page]:
    """A browser that runs no scripts."""
    context = browser.new_context(java_script_enabled=False, base_url=server_url)
    yield context.new_page()
    context.close()


def expect_explained(page: Page, sentence: str) -> None:
    """Check that the sentence is at the top of the page, and that the controls are hidden."""
    first = page.locator("main p:visible").first
    expect(first).to_contain_text(sentence)
    box = first.bounding_box()
    assert box is not None
    assert box["y"] < 200, "the sentence is not at the top of the page"
    for control in page.locator(DEAD).all():
        expect(control).to_be_hidden()
    expect(page.locator(".prose p:visible").first).to_be_visible()
    expect(page.locator("nav a").first).to_be_visible()


@pytest.mark.parametrize("name", NAMES)
def test_without_javascript_a_sentence_comes_first_and_no_control_is_shown(
    scriptless: Page, name: str
) -> None:
    scriptless.goto(f"{name}.html")
    for width in WIDTHS:
        scriptless.set_viewport_size({"width": width, "height": 700})
        expect_explained(scriptless, NO_SCRIPT)
        expect(scriptless.get_by_text(FROM_DISK)).to_be_hidden()
    text = scriptless.locator("main").inner_text()
    assert len(re.findall(r"\w+", text)) > FEWEST_WORDS, "the page shows its words before any script runs"


@pytest.mark.allow_console
@pytest.mark.parametrize("name", NAMES)
def test_a_page_opened_from_disk_says_what_to_do(shared: Page, server_url: str, name: str) -> None:
    shared.goto((ROOT / "static" / f"{name}.html").as_uri())
    expect_explained(shared, FROM_DISK)
    expect(shared.locator("main")).to_contain_text("python3 serve.py")


@pytest.mark.allow_console
@pytest.mark.parametrize("name", NAMES)
def test_an_exported_page_opened_from_disk_says_what_to_do(
    shared: Page, site_folder: Path, name: str
) -> None:
    shared.goto((site_folder / WHERE / f"{name}.html").as_uri())
    expect_explained(shared, FROM_DISK)

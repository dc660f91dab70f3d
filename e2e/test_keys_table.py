"""A button opens the table of keyboard shortcuts. Typing "?" into a field does not open it.

On every page, test_access.py opens the table with the key "?", and test_phone.py opens it by a tap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import lent, restored_page
from e2e.test_access import AXE, opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


shared = restored_page("regression", "module")
regression = lent("shared")


def test_a_button_opens_the_table_and_the_tables_button_closes_it(regression: Page) -> None:
    page = regression
    button = page.get_by_role("button", name="Keys", exact=True)
    button.click()
    table = page.get_by_role("dialog", name="Keys", exact=True)
    expect(table).to_be_visible()
    table.get_by_role("button", name="Close").click()
    expect(table).to_be_hidden()
    expect(button).to_be_focused()


def test_a_question_mark_typed_into_a_field_is_a_character(page: Page, server_url: str) -> None:
    opened(page, server_url, "quadratic")
    page.locator("#formula").focus()
    page.keyboard.type("x?")
    expect(page.locator("#formula")).to_have_value("x^yx?")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_question_mark_typed_into_a_program_is_a_character(page: Page, server_url: str) -> None:
    opened(page, server_url, "playground")
    page.locator(".cm-content").click()
    page.keyboard.type("?")
    expect(page.locator(".cm-content")).to_contain_text("?")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_while_the_table_is_open_the_page_ignores_keys(regression: Page) -> None:
    page = regression
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys", exact=True)).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press("Escape")
    expect(page.locator("data.iteration")).to_have_text("0")
    page.keyboard.press(".")
    expect(page.locator("data.iteration")).to_have_text("1")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: python3 -m tests installs it")
def test_axe_finds_no_violation_in_the_table_or_in_the_menu(page: Page, server_url: str) -> None:
    opened(page, server_url, "billiards")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[str] = []

    def ask(place: str) -> None:
        report = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        violations.extend(f"{place}: {rule['id']}" for rule in report["violations"])

    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 640})
        page.keyboard.press("?")
        ask(f"table at {width} px")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    ask("menu")
    assert violations == []

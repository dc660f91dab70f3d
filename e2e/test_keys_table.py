"""The table of keys behind "?" opens by mouse, finger and keyboard, on every page, but not while you type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.test_access import AXE, opened
from tools.pages import read_pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

NAMES = [page.name for page in read_pages() if "script" in page.fields]
ROWS = {page.name: len(page.fields["keys"].split()) for page in read_pages() if "keys" in page.fields}


@pytest.mark.parametrize("name", NAMES)
def test_the_key_opens_the_table_escape_closes_it_and_the_focus_returns(
    page: Page, server_url: str, name: str
) -> None:
    opened(page, server_url, name)
    table = page.get_by_role("dialog", name="Keys", exact=True)
    theme = page.locator(".theme")
    theme.focus()
    page.keyboard.press("?")
    expect(table).to_be_visible()
    expect(table.locator("tr")).to_have_count(ROWS[name])
    page.keyboard.press("Escape")
    expect(table).to_be_hidden()
    expect(theme).to_be_focused()
    page.keyboard.press("?")
    page.keyboard.press("?")
    expect(table).to_be_hidden()


def test_the_button_opens_the_table_and_its_own_button_closes_it(page: Page, server_url: str) -> None:
    opened(page, server_url, "regression")
    button = page.get_by_role("button", name="Keys", exact=True)
    button.click()
    table = page.get_by_role("dialog", name="Keys", exact=True)
    expect(table).to_be_visible()
    table.get_by_role("button", name="Close").click()
    expect(table).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.parametrize("name", NAMES)
def test_on_a_small_telephone_a_tap_opens_the_whole_table(
    new_context: Callable[..., BrowserContext], server_url: str, name: str
) -> None:
    context = new_context(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    phone = opened(context.new_page(), server_url, name)
    phone.get_by_role("button", name="Keys", exact=True).tap()
    table = phone.get_by_role("dialog", name="Keys", exact=True)
    expect(table).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
    assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    table.get_by_role("button", name="Close").tap()
    expect(table).to_be_hidden()
    context.close()


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


def test_while_the_table_is_open_the_page_hears_no_key(page: Page, server_url: str) -> None:
    opened(page, server_url, "regression")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys", exact=True)).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press("Escape")
    expect(page.locator("data.iteration")).to_have_text("0")
    page.keyboard.press(".")
    expect(page.locator("data.iteration")).to_have_text("1")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: python3 -m tests installs it")
@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing_in_the_table_nor_in_the_menu(page: Page, server_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 640})
    opened(page, server_url, "billiards")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    ask = "() => axe.run(document, { resultTypes: ['violations'] })"
    page.keyboard.press("?")
    violations = page.evaluate(ask)["violations"]
    page.keyboard.press("Escape")
    if width == 320:
        page.get_by_role("button", name="Menu").click()
        violations += page.evaluate(ask)["violations"]
    assert [rule["id"] for rule in violations] == []

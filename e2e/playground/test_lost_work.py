"""The playground restores the visitor's program after the visitor has left or lost the page."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.playground.conftest import read, write
from e2e.silent_worker import leave_python_asleep
from e2e.test_access import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

OWN = "# my own work\nprint(6 * 7)"
LINKED = "print('from a link')"
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""A script that tells the page that it is now hidden.

The event for this is the last one that a browser is sure to send before it discards a page.
"""


def edited(page: Page, address: str) -> Page:
    """Open the playground at an address, and wait until its editor has loaded."""
    page.goto(address)
    expect(page.locator(".cm-content")).to_be_visible()
    return page


def beside(page: Page) -> Page:
    """A second page in the same browser."""
    other = page.context.new_page()
    leave_python_asleep(other)
    return other


def link(text: str) -> str:
    """A link to a program."""
    return f"playground.html#v=1&code={quote(text)}"


def fragment(page: Page) -> str:
    """Return the fragment of the page's address. Playwright's own copy of the address may be out of date."""
    return str(page.evaluate("() => location.hash"))


def reloaded(page: Page) -> None:
    """Wait until Playwright knows that the address has no fragment. Then reload the page."""
    page.wait_for_url("**/playground.html")
    page.reload()
    expect(page.locator(".cm-content")).to_be_visible()


@pytest.fixture
def editor(page: Page) -> Page:
    return edited(page, "playground.html")


def test_a_program_typed_but_not_run_is_restored_after_leaving(editor: Page) -> None:
    write(editor, OWN)
    editor.goto("robots.txt")
    edited(editor, "playground.html")
    assert read(editor) == OWN
    expect(editor.locator(".notice")).to_be_empty()


def test_a_typed_program_is_saved_when_the_page_is_hidden(editor: Page) -> None:
    write(editor, OWN)
    editor.evaluate(HIDE)
    other = edited(beside(editor), editor.url)
    assert read(other) == OWN


def test_a_typed_program_is_saved_while_the_page_stays_open(editor: Page) -> None:
    write(editor, OWN)
    wait_for(lambda: bool(editor.evaluate("(text) => Object.values(localStorage).includes(text)", OWN)))
    other = edited(beside(editor), editor.url)
    assert read(other) == OWN


def test_an_edit_after_copy_link_is_restored(editor: Page) -> None:
    editor.context.grant_permissions(["clipboard-write"])
    write(editor, LINKED)
    editor.locator(".share").click()
    editor.wait_for_url("**/playground.html#v=1*")
    write(editor, OWN)
    assert fragment(editor) == ""
    reloaded(editor)
    assert read(editor) == OWN
    expect(editor.locator(".notice")).to_be_empty()


def test_after_copying_a_link_my_program_is_not_announced_as_from_a_link(editor: Page) -> None:
    editor.context.grant_permissions(["clipboard-write"])
    write(editor, OWN)
    editor.locator(".share").click()
    editor.wait_for_url("**/playground.html#v=1*")
    editor.reload()
    expect(editor.locator(".cm-content")).to_be_visible()
    assert read(editor) == OWN
    expect(editor.locator(".notice")).to_be_empty()


def test_the_first_edit_of_a_shared_program_removes_it_from_the_address(page: Page) -> None:
    edited(page, link(LINKED))
    page.locator(".cm-content").click()
    page.keyboard.press("End")
    assert "code=" in fragment(page), "moving the caret is not an edit"
    page.keyboard.insert_text("  # mine")  # a single edit, even on a slow machine
    assert fragment(page) == ""
    expect(page.locator(".notice")).to_contain_text("came from a link")
    page.keyboard.press("Control+z")
    assert read(page) == LINKED
    reloaded(page)
    assert read(page) == LINKED, "an undo is an edit too"


def test_a_shared_program_that_is_not_edited_does_not_replace_my_program(editor: Page) -> None:
    write(editor, OWN)
    edited(editor, link(LINKED))
    assert read(editor) == LINKED
    editor.goto("robots.txt")
    edited(editor, "playground.html")
    assert read(editor) == OWN


@pytest.mark.parametrize("how", ["link", "example"])
def test_my_earlier_program_is_offered_after_i_edit_another(editor: Page, how: str) -> None:
    write(editor, OWN)
    if how == "link":
        editor.evaluate("(fragment) => { location.hash = fragment; }", link(LINKED).split("#")[1])
        expect(editor.locator(".notice")).to_contain_text("came from a link")
    else:
        editor.select_option("[name=program]", "newton")
        expect(editor.locator(".cm-content")).to_contain_text("Newton")
    write(editor, "print('a change')")
    reloaded(editor)
    assert read(editor) == "print('a change')"
    editor.select_option("[name=program]", label="Your earlier program")
    assert read(editor) == OWN
    editor.select_option("[name=program]", label="Your earlier program")
    assert read(editor) == "print('a change')", "the other program is not lost"


def test_the_plain_text_area_saves_the_typed_program_too(page: Page) -> None:
    page.route(
        "**/vendor/codemirror.js",
        lambda route: route.fulfill(body="throw new Error()", content_type="text/javascript"),
    )
    page.goto(link(LINKED))
    expect(page.locator("textarea")).to_have_value(LINKED)
    page.locator("textarea").fill(OWN)
    assert fragment(page) == ""
    page.goto("robots.txt")
    page.goto("playground.html")
    expect(page.locator("textarea")).to_have_value(OWN)


def test_after_deleting_the_whole_program_the_first_example_is_shown(editor: Page) -> None:
    write(editor, "")
    editor.keyboard.press("Delete")
    editor.goto("robots.txt")
    edited(editor, "playground.html")
    expect(editor.locator(".cm-content")).to_contain_text("import eglantine as eg")

"""The playground describes names and calls, saves and opens files, and lists the user's programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

import eglantine as eg
from e2e.playground.conftest import read, write

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_names_are_described_and_calls_show_the_argument_that_is_written(playground: Page) -> None:
    page = playground
    tip = page.locator(".code-help")
    write(page, "import eglantine as eg\nimport eglantine.numpy as np\n")
    page.keyboard.type("g = eg.grad(f, ", delay=10)
    expect(tip).to_contain_text("eg.grad(f, argnums=0, has_aux=False)")
    expect(tip.locator("b")).to_have_text("argnums=0")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.mouse.move(0, 0)
    page.locator(".cm-line", has_text="g = eg").get_by_text("grad").first.hover()
    expect(tip).to_contain_text(eg.grad.__doc__.splitlines()[0])
    page.keyboard.press("Control+End")
    page.keyboard.type(")\nnp.arg")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_contain_text("argmax")


def test_a_program_is_saved_opened_and_listed_as_yours(playground: Page) -> None:
    page = playground
    chosen = page.locator("[name=program] option:checked")
    expect(chosen).to_have_text("A power and a sine")
    page.locator(".cm-content").press("Control+End")
    page.keyboard.type("# mine")
    expect(chosen).to_have_text("Your program")
    text = read(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download .py").click()
    assert saved.value.suggested_filename == "program.py"
    assert saved.value.path().read_text() == text
    other = {"name": "other.py", "mimeType": "text/x-python", "buffer": b"print('other')\r\nplot('x')\n"}
    page.locator("[name=file]").set_input_files([other])  # type: ignore[list-item]
    expect(page.locator(".notice")).to_contain_text("Opened other.py")
    assert read(page) == "print('other')\nplot('x')\n"
    page.locator("[name=program]").select_option("own")
    assert read(page) == text
    page.locator("[name=file]").set_input_files([other | {"buffer": b"\x00\x01"}])  # type: ignore[list-item]
    expect(page.locator(".notice")).to_contain_text("is not a text file")
    assert read(page) == text

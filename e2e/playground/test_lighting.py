"""The playground highlights the rows and instructions that belong to a token of the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.playground.conftest import PROGRAM, lit, run

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def shown(playground: Page) -> Page:
    """The playground, after it has run PROGRAM and shows the rows of its derivative."""
    playground.evaluate("() => { document.querySelector('.cost').textContent = ''; }")
    run(playground, PROGRAM)
    expect(playground.locator(".cost")).not_to_be_empty()  # wait for the listing of this run
    expect(playground.locator("main")).not_to_have_class(re.compile("is-stale"))
    playground.locator(".stages [data-stage=derivative]").click()  # another test may have chosen another
    expect(playground.locator("#rows")).to_contain_text("grad of f")
    return playground


def token(page: Page, text: str, inside: str = "") -> Any:
    """Return the screen position of the middle of `text` in the editor."""
    line = page.locator(".cm-line", has_text=inside or text).first
    box = line.bounding_box()
    assert box is not None
    content = line.text_content() or ""
    at = content.index(text) + len(text) / 2
    width = page.evaluate(
        """() => { const line = document.querySelector('.code-host').shadowRoot.querySelector('.cm-line');
        const range = document.createRange(); range.selectNodeContents(line);
        return range.getBoundingClientRect().width / line.textContent.length; }"""
    )
    padding = page.evaluate(
        """() => { const line = document.querySelector('.code-host').shadowRoot.querySelector('.cm-line');
        return parseFloat(getComputedStyle(line).paddingLeft); }"""
    )
    return {"x": box["x"] + padding + at * width, "y": box["y"] + box["height"] / 2}


def test_a_token_highlights_its_rows_derivatives_and_instructions(shown: Page) -> None:
    page = shown
    place = token(page, "eg.math.sin", "return")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("eg.math.sin(x)")
    assert [text.split(" = ")[1] for text in lit(page, "rows")] == ["sin %1", "cos %1"]
    assert page.locator("#rows .is-lit.is-derived").all_text_contents() == [
        page.locator("#rows > div", has_text="cos").text_content()
    ]
    assert "call $cos" in lit(page, "wat")
    assert page.locator("#wat .is-lit.is-derived", has_text="call $cos").count() == 1
    expect(page.locator(".live")).to_have_text(re.compile("derivatives"))
    page.get_by_role("button", name="traced").click()
    assert [text.split(" = ")[1] for text in lit(page, "rows")] == ["sin %1"]
    page.get_by_role("button", name="Bytes").click()
    assert "10 " in " ".join(lit(page, "bytes")), "the opcode of a call"


def test_a_parameter_highlights_its_uses_and_return_highlights_all(
    shown: Page,
) -> None:
    page = shown
    place = token(page, "x", "def f")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("x")
    rows = lit(page, "rows")
    assert rows[0].startswith('"grad of f"(%1')
    assert rows[-1].startswith("return ")
    assert "f64.load offset=64" in lit(page, "wat")
    place = token(page, "return")
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".cm-lit").first).to_have_text("return x ** y + eg.math.sin(x)")
    shown = page.locator("#rows > div").all_text_contents()
    assert lit(page, "rows") == [line.strip() for line in shown[1:]], "all rows except the parameters"


def test_a_row_and_an_instruction_highlight_the_token(shown: Page) -> None:
    page = shown
    page.locator("#rows > div", has_text="cos %1").click()
    expect(page.locator(".cm-lit")).to_have_text("eg.math.sin(x)")
    page.locator("#wat > div", has_text="call $pow").first.click()
    expect(page.locator(".cm-lit")).to_have_text("x ** y")
    assert any("pow" in text for text in lit(page, "rows"))


def test_a_token_is_highlighted_only_while_the_pointer_is_over_it(shown: Page) -> None:
    page = shown
    place = token(page, "**", "return")
    page.mouse.move(place["x"], place["y"])
    expect(page.locator(".cm-lit")).to_have_text("x ** y")
    page.locator(".output").hover()
    expect(page.locator(".cm-lit")).to_have_count(0)


def test_the_highlight_disappears_when_the_program_changes(shown: Page) -> None:
    page = shown
    page.locator("#rows > div", has_text="cos %1").click()
    expect(page.locator(".cm-lit")).to_have_count(1)
    page.locator(".cm-content").click()
    page.keyboard.type("#")
    expect(page.locator("main")).to_have_class(re.compile("is-stale"))
    page.keyboard.press("Backspace")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))

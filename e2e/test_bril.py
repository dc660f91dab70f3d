"""The page Bril in a real browser shows a program, its graphs, its steps and its derivative."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.playground.conftest import write
from e2e.visitor import field, number, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

CUBE = "@main(x: float) {\n  square: float = fmul x x;\n  y: float = fmul square x;\n  print y;\n}\n"


@pytest.fixture
def opened(page: Page, server_url: str) -> Page:
    """Open the page, and wait until its first program has run."""
    page.goto(f"{server_url}bril.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    expect(page.locator("data.value")).not_to_be_empty()
    expect(page.locator(".cm-content")).to_be_visible()
    return page


@pytest.mark.without_python
def test_listed_programs_are_shown_run_and_differentiated_without_python(opened: Page) -> None:
    assert number(opened, "data.value") == pytest.approx(2**0.5, rel=1e-12)
    expect(opened.locator(".slope-of")).to_have_text("0.35355")
    field(opened, "argument-a").fill("9")
    assert number(opened, "data.value") == pytest.approx(3.0, rel=1e-12)
    opened.locator(".undo").click()
    assert number(opened, "data.value") == pytest.approx(2**0.5, rel=1e-12)

    row = opened.locator(".forward-graph li", has_text="fdiv a x")
    row.hover()
    expect(opened.locator(".back-graph li.is-lit")).to_have_text("∂a += ∂q/x, ∂x += −∂q·q/x")
    opened.locator(".forward-graph li", has_text="x: float = id a").focus()
    for _ in range(4):
        opened.keyboard.press("ArrowDown")
    expect(opened.locator(".forward-graph li.is-lit")).to_have_text("sum: float = fadd x q")
    expect(opened.locator(".back-graph li.is-lit")).to_have_text("∂x += ∂sum, ∂q += ∂sum")
    row.click()
    expect(opened.locator(".cm-content")).to_be_focused()
    opened.keyboard.insert_text("  q: float = fmul a x;")
    assert number(opened, "data.value") == pytest.approx(2**0.5, rel=1e-12)  # still the last good program
    opened.keyboard.press("Control+z")
    expect(opened.locator(".cm-content")).to_contain_text("q: float = fdiv a x;")
    opened.keyboard.press("Tab")
    expect(opened.locator(".cm-content")).not_to_be_focused()
    operation = opened.locator(".cm-line span", has_text=re.compile("^fdiv$"))
    expect(operation).to_have_css("font-weight", "600")

    expect(opened.locator(".step-text")).to_have_text("Step 44 of 44: print x")
    opened.locator(".transport .back").click()
    expect(opened.locator(".step-text")).to_contain_text("Step 43 of 44: br more")

    expect(field(opened, "program").locator("option", has_text="Bril: ")).to_have_count(10)
    field(opened, "program").select_option("square")
    expect(opened.locator(".descent-rows tbody tr")).to_have_count(10)
    field(opened, "step").fill("1.1")
    expect(opened.locator(".descent-rows tbody tr").nth(7).locator("td").first).to_have_text(
        re.compile("2.1499")
    )
    opened.locator(".remedy").click()
    expect(opened.locator(".remedy")).to_be_hidden()


def test_a_typed_program_is_compiled_and_restored_by_a_link(opened: Page, server_url: str) -> None:
    with_python(opened)
    text = opened.locator(".cm-content")
    write(opened, CUBE)
    expect(opened.locator(".forward-graph li")).to_have_count(3)
    field(opened, "argument-x").fill("2")
    assert number(opened, "data.value") == 8.0
    expect(opened.locator(".slope-of")).to_have_text("12")
    expect(opened.locator(".output-text")).to_have_text("8.00000000000000000")
    opened.locator(".share").click()
    link = opened.evaluate("location.hash").removeprefix("#")
    write(opened, CUBE.replace("fmul square x", "fmul square z"))
    expect(opened.locator(".mistake-note")).to_contain_text("Line 3")
    expect(opened.locator(".cm-lintRange-error")).to_have_text("z")
    expect(text).to_have_attribute("aria-invalid", "true")
    assert number(opened, "data.value") == 8.0
    field(opened, "program").select_option("root")
    opened.wait_for_url("**program=root**")
    open_link(opened, f"{server_url}bril.html#{link}")
    expect(opened.locator(".cm-line")).to_have_text([*CUBE.rstrip("\n").split("\n"), ""])
    expect(opened.locator(".slope-of")).to_have_text("12")


NEARLY_ENDLESS = """@main(x: float) {
  half: float = const 0.5;
  y: float = fmul x x;
  same: bool = feq x half;
  br same .done .head;
.head:
  y: float = fadd y x;
  more: bool = flt y y;
  br more .done .head;
.done:
  print y;
}
"""


def test_a_link_to_a_program_that_ends_only_at_its_start_blocks_no_page(
    opened: Page, server_url: str
) -> None:
    with_python(opened)
    open_link(opened, f"{server_url}bril.html#v=1&program=own&text={quote(NEARLY_ENDLESS)}&at=0.5")
    expect(opened.locator(".outcome")).to_contain_text("runs for too long")
    assert number(opened, "data.value") == 0.25
    field(opened, "argument-x").fill("2")
    expect(opened.locator(".outcome")).to_contain_text("runs for too long")
    field(opened, "program").select_option("quotient")
    expect(opened.locator(".descent-rows tbody tr").first).to_be_visible()


ENDLESS = """@main(x: float) {
  one: int = const 1;
  k: int = const 0;
.head:
  k: int = add k one;
  more: bool = gt k one;
  br more .head .head;
}
"""
FUEL_MS = 120_000
"""The longest time that the test waits until a program has used up its fuel. A busy machine takes long to
start Python again and to run two million instructions."""
NO_TIME = """() => {
  const plain = self.setTimeout;
  self.setTimeout = (act, ms, ...given) => plain(act, ms === 20_000 || ms === 22_000 ? 1 : ms, ...given);
}"""
"""Give Python a millisecond instead of 20 s."""


def test_a_program_that_stops_python_is_told(opened: Page) -> None:
    with_python(opened)
    opened.evaluate(NO_TIME)
    write(opened, ENDLESS)
    expect(opened.locator(".mistake-note")).not_to_be_empty()  # an error without a line


def test_a_program_that_uses_up_its_fuel_is_told(opened: Page) -> None:
    with_python(opened)
    write(opened, ENDLESS)
    expect(opened.locator(".failure")).to_contain_text("used up its fuel", timeout=FUEL_MS)
    expect(opened.locator(".mistake-note")).to_be_hidden()

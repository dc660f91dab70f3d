"""The book: every chapter opens, a figure near the reader becomes interactive, and a slider works."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from docs.book import CHAPTERS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

ANSWERS = {
    1: [("4", "4.5"), ("8", "12"), ("-2", "2"), ("1", "2")],
    2: [("2", "1"), ("2", "1.0806"), ("139.8", "49.8"), ("4607", "10239")],
    3: [("0.7", "0.4"), ("0.1", "0.2"), ("2", "3"), ("1", "10")],
    4: [("0.25", "0.5"), ("2", "1"), ("1", "3")],
    5: [("1", "2"), ("20", "16"), ("1", "2.5")],
    6: [("1.57", "3.1416"), ("2", "3.6056"), ("0.5774", "0.8165")],
    7: [("3", "1.5"), ("2", "1"), ("1", "2"), ("3", "2")],
    8: [("100", "33"), ("1", "3"), ("2", "1")],
    9: [("1", "0"), ("2", "0.5"), ("3", "2")],
    10: [("3", "1"), ("5", "5.5"), ("1", "2")],
}
"""A wrong and a right answer to each exercise of each chapter.

If an exercise offers a choice, the answer is the number of the chosen item.
"""
ANSWER = """([which, answer]) => {
  const form = document.querySelectorAll("form.check")[which];
  form.querySelector("input, select").value = answer;
  form.requestSubmit();
  return form.hidden ? "hidden" : form.querySelector("output").textContent;
}"""
WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def test_every_chapter_opens_with_live_figures_and_one_follows_its_slider(
    page: Page, server_url: str
) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{server_url}book.html")
    expect(page.locator(".contents li")).to_have_count(len(CHAPTERS))
    for chapter in CHAPTERS:
        page.locator(".neighbours a").last.click()
        expect(page.locator("h1")).to_contain_text(f"{chapter}. ")
        still = re.findall(r'<p class="told"[^>]*>(.*?)</p>', page.request.get(page.url).text())
        figures = page.locator("figure.eg-figure")
        for k in range(figures.count()):
            figures.nth(k).scroll_into_view_if_needed()
            expect(figures.nth(k)).to_have_attribute("data-awake", "ready")
            expect(figures.nth(k).locator(".told")).to_have_text(html.unescape(still[k]))
        wide, room = page.evaluate(WIDTHS)
        assert wide <= room, chapter
        expect(page.locator("form.check")).to_have_count(len(ANSWERS[chapter]))
        for k, answers in enumerate(ANSWERS[chapter]):
            wrong, right = (page.evaluate(ANSWER, [k, answer]) for answer in answers)
            assert (wrong[:7], right) == ("Not yet", "Right!"), (chapter, k)
    page.goto(f"{server_url}derivatives-1.html#secants")
    told = page.locator("#secants .told")
    expect(told).to_have_text("The secant rises 3 per unit of x, and the tangent 2")
    page.locator("#secants").get_by_role("slider", name="h", exact=True).fill("0.0175")
    # the slider moves from 0.01 in steps of 1.49/200, so the step nearest to 0.0175 is 0.01745
    expect(told).to_have_text("The secant rises 2.017 per unit of x, and the tangent 2")

"""The book: every chapter opens, figures near the window become live, and a slider changes one of them."""

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
    field = page.get_by_label("Their sum")  # in the last chapter: 1/2 + 5
    told = page.locator("form.check output")
    for answer, word in (("5", "Not yet"), ("5.5", "Right!")):
        field.fill(answer)
        field.press("Enter")
        expect(told).to_contain_text(word)
    page.goto(f"{server_url}derivatives-1.html#secants")
    told = page.locator("#secants .told")
    expect(told).to_have_text("The secant rises 3 per unit of x, and the tangent 2")
    page.locator("#secants").get_by_role("slider", name="h", exact=True).fill("0.0175")
    # the slider moves by steps of 1.49/200 from 0.01 on: the nearest to 0.0175 is 0.01745
    expect(told).to_have_text("The secant rises 2.017 per unit of x, and the tangent 2")

"""After fifty edits in a second, the picture shows the last formula, even if old answers arrive late."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.visitor import PYTHON_TIMEOUT_MS, with_python
from tests.seeds import NIGHTLY, first_seed

if TYPE_CHECKING:
    from playwright.sync_api import Page

TIMES = 100 if NIGHTLY else 10
EDITS = 50
STALE = re.compile("is-stale")

TYPE = """async ([texts, everyMs]) => {
  const field = document.querySelector("#formula");
  const start = performance.now();
  for (const [k, text] of texts.entries()) {
    const late = start + k * everyMs - performance.now();
    if (late > 0) await new Promise((resolve) => setTimeout(resolve, late));
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  return performance.now() - start;
}"""
SEEN = """async (other) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const canvas = document.querySelector("main canvas");
  const text = document.querySelector("#formula").value;
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  self.pictures ??= {};
  self.pictures[text] ??= pixels;
  const earlier = self.pictures[other ?? text];
  let far = 0;
  for (let k = 0; k < pixels.length; k++) far += Math.abs(pixels[k] - earlier[k]) > 32;
  const numbers = [...document.querySelectorAll("data[data-entry]")].map((entry) => entry.value);
  const mistakes = document.querySelectorAll(".mistake:not([hidden])").length;
  return { text, numbers, mistakes, share: far / pixels.length };
}"""
"""A function that returns the page's state, and the fraction of pixels that differ from an earlier picture.
The edges of shapes may differ, because a browser draws a canvas in another way after a script has read it
often."""
SAME, OTHER = 0.0005, 0.005

ENDS = ["x^2 + y", "sin(x) y^2", "x y", "exp(-x^2 - y^2)", "x^3 - 3 x y^2"]
PIECES = "x y + - * / ^ 2 3 ( ) sin sin( exp( x^ sen(x) 1e999 √ |x|".split()  # noqa: SIM905  words read best this way


def settle(page: Page) -> None:
    """Wait until the picture shows the formula that is in the text field."""
    expect(page.locator("main")).not_to_have_class(STALE, timeout=PYTHON_TIMEOUT_MS)


def test_after_fifty_edits_in_a_second_the_picture_shows_the_last_text(
    page: Page, server_url: str, record_property: pytest.RecordProperty
) -> None:
    page.goto(f"{server_url}quadratic.html")
    with_python(page)
    wanted = {}
    for before, text in zip([None, *ENDS], ENDS, strict=False):
        page.locator("#formula").fill(text)
        settle(page)
        seen = page.evaluate(SEEN, before)
        assert before is None or seen.pop("share") > OTHER
        wanted[text] = {key: seen[key] for key in ("text", "numbers", "mistakes")}
    assert len({str(seen["numbers"]) for seen in wanted.values()}) == len(ENDS)

    random = Random(first_seed(50))  # noqa: S311  texts, not secrets
    slowest = 0.0
    for _ in range(TIMES):
        end = random.choice(ENDS)
        texts = ["".join(random.choices(PIECES, k=random.randint(1, 6))) for _ in range(EDITS - 1)]
        if random.random() < 0.5:  # like a person, letter by letter
            texts[-len(end) + 1 :] = [end[:k] for k in range(1, len(end))]
        took = page.evaluate(TYPE, [[*texts, end], 1000 / EDITS])
        slowest = max(slowest, took)
        settle(page)
        seen = page.evaluate(SEEN, end)
        assert seen.pop("share") < SAME
        assert seen == wanted[end]
    record_property("typing", f"{TIMES} times {EDITS} edits, the slowest in {slowest:.0f} ms")

"""The page Learn in a real browser: visitors train, change and export networks."""

from __future__ import annotations

import io
import math
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.visitor import NEXT_FRAME, field, number, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEARNED_MS = 120_000
COMPILED_MS = 60_000


@pytest.fixture
def learn(page: Page, server_url: str) -> Page:
    """Open the page, and wait until its first network is ready."""
    page.goto(f"{server_url}learn.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    expect(page.locator("data.loss")).not_to_be_empty()
    return page


def share(page: Page, selector: str) -> float:
    """Return a percentage on the page as a number from 0 to 1."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(selector).inner_text().split()[0]) / 100


@pytest.mark.without_python
def test_a_network_learns_two_moons_and_starts_again_from_its_seed(learn: Page) -> None:
    begins = number(learn, "data.loss")
    learn.keyboard.press(".")
    assert number(learn, "data.iteration") == 1
    learn.locator(".train").click()
    expect(learn.locator(".outcome")).to_contain_text("Learned", timeout=LEARNED_MS)
    learn.keyboard.press("p")
    assert share(learn, ".test-right") >= 0.9
    assert number(learn, "data.loss") < begins / 2
    learn.locator(".again").click()
    assert number(learn, "data.loss") == begins
    assert number(learn, "data.iteration") == 0

    learn.locator(".new-seed").click()
    assert number(learn, "data.loss") != begins
    learn.locator(".undo").click()
    assert number(learn, "data.loss") == begins

    field(learn, "set").select_option("own")
    field(learn, "label").select_option("1")
    learn.locator(".place").click(position={"x": 240, "y": 80})
    field(learn, "own-x").fill("-2")
    learn.locator(".add").click()
    learn.evaluate(NEXT_FRAME)
    expect(learn).to_have_url(re.compile(r"set=own.*&points=[\d.]+,[\d.]+,1,-2,0,1$"))
    learn.locator(".train").click()
    expect(learn.locator(".right")).to_have_text("100.0\u00a0%", timeout=LEARNED_MS)


def test_a_network_changes_its_shape_and_is_exported_with_its_weights(learn: Page, tmp_path: Path) -> None:
    with_python(learn)
    learn.get_by_label("One unit less in layer 2").click()
    expect(learn.locator(".layers li").nth(1)).to_contain_text("3 units", timeout=COMPILED_MS)
    for layers in (1, 0):
        learn.locator(".layers-fewer").click()
        expect(learn.locator(".layers li")).to_have_count(layers, timeout=COMPILED_MS)
    field(learn, "set").select_option("clouds")
    learn.locator(".train").click()
    expect(learn.locator(".outcome")).to_contain_text("Learned", timeout=LEARNED_MS)
    learn.wait_for_function(
        "() => Number(document.querySelector('data.iteration').value) >= 1000", timeout=LEARNED_MS
    )
    learn.locator(".train").click()

    with learn.expect_download(timeout=COMPILED_MS) as archive:
        learn.locator(".export").click()
    archive.value.save_as(tmp_path / "network.zip")
    files = zipfile.ZipFile(io.BytesIO((tmp_path / "network.zip").read_bytes()))
    assert {"network.wasm", "network.js", "network.py"} <= set(files.namelist())
    names: dict[str, object] = {}
    exec(files.read("network.py"), names)  # noqa: S102 - the program that the page wrote
    chances = names["network"]([2.0, 2.0])  # type: ignore[operator]
    assert math.isclose(sum(chances), 1.0)
    assert max(chances) > 0.95

    field(learn, "set").select_option("digits")
    expect(learn.locator("main")).to_have_attribute("data-task", "digits", timeout=COMPILED_MS)
    before = share(learn, ".test-right")
    for _ in range(40):
        learn.locator(".once").click()
    assert share(learn, ".test-right") > before + 0.1
    field(learn, "set").select_option("sine")
    expect(learn.locator("main")).to_have_attribute("data-task", "sine", timeout=COMPILED_MS)
    expect(learn.get_by_label("One more unit in layer 1")).to_be_enabled()
    field(learn, "set").select_option("text")
    expect(learn.locator("main")).to_have_attribute("data-task", "text", timeout=COMPILED_MS)
    learn.locator(".train").click()
    expect(learn.locator(".outcome")).to_contain_text("Learned", timeout=LEARNED_MS)
    learn.locator(".train").click()

    line = field(learn, "line")
    first = line.input_value()
    line.fill("Grüße, 蔷薇")
    expect(learn).to_have_url(re.compile(f"&line={quote('Grüße, 蔷薇')}$"))
    expect(learn.locator("data.iteration")).to_have_text("0")
    learn.locator(".train").click()
    expect(learn.locator(".outcome")).to_contain_text("Learned", timeout=LEARNED_MS)
    learn.locator(".train").click()
    line.fill("x")
    expect(line).to_have_attribute("aria-invalid", "true")
    learn.locator(".undo").click()
    expect(line).to_have_value(first)
    expect(line).not_to_have_attribute("aria-invalid", "true")

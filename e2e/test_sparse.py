"""The page Sparse in a real browser: a visitor drags, cuts, repairs and shares a net of springs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.visitor import NEXT_FRAME, centre, field, number

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python
RESTS = re.compile("At rest")


@pytest.fixture
def net(page: Page, server_url: str) -> Page:
    """The page, once its net rests."""
    page.goto(f"{server_url}sparse.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    expect(page.locator(".outcome")).to_have_text(RESTS)
    return page


def test_a_net_is_dragged_cut_and_repaired(net: Page, server_url: str) -> None:
    hanging = number(net, ".energy")
    assert number(net, ".directions") <= 18
    grip = net.locator(".grip")
    x, y = centre(grip)
    net.mouse.move(x, y)
    net.mouse.down()
    net.mouse.move(x + 60, y + 40, steps=4)
    net.mouse.up()
    expect(net.locator(".outcome")).to_have_text(RESTS)
    dragged = number(net, ".energy")
    assert dragged > hanging + 0.5
    moved = centre(grip)
    assert moved[0] > x + 10
    assert moved[1] > y + 10

    field(net, "mode").nth(1).check()
    net.mouse.move(x - 200, y - 60)
    net.mouse.down()
    net.mouse.move(x + 200, y - 62)
    net.mouse.up()
    left = number(net, ".springs-left")
    assert left < 1000
    expect(net.locator(".outcome")).to_have_text(RESTS)
    net.wait_for_url("**cuts=**")
    link = net.url.split("#")[1]

    net.locator(".undo").click()
    assert number(net, ".springs-left") == 1008
    net.locator(".reset").click()
    net.evaluate(NEXT_FRAME)
    expect(net.locator(".outcome")).to_have_text(RESTS)
    assert number(net, ".energy") == pytest.approx(hanging, rel=1e-9)
    net.wait_for_url(re.compile(r"#v=1&node=180$"))
    open_link(net, f"{server_url}sparse.html#{link}")
    assert number(net, ".springs-left") == left


def test_keys_pull_cut_and_let_go(net: Page) -> None:
    field(net, "row").fill("10")
    field(net, "column").fill("4")
    field(net, "column").blur()
    grip = net.locator(".grip")
    expect(grip).to_have_attribute("aria-label", re.compile("Node in row 10, column 4, at"))
    grip.focus()
    net.keyboard.press("Shift+ArrowRight")
    expect(net.locator(".let-go")).to_be_enabled()
    net.keyboard.press("Delete")
    assert 1000 <= number(net, ".springs-left") < 1008
    net.keyboard.press("Home")
    expect(net.locator(".let-go")).to_be_disabled()
    net.locator(".mend").click()
    assert number(net, ".springs-left") == 1008
    field(net, "group").fill("2")
    expect(net.locator(".group-text")).to_have_text(re.compile("Group 2 of 18: .* share one direction"))

"""Billiards: links, files, small screens, and visits in which Python loads late or never."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.billiards.conftest import DESCENT_TIMEOUT_MS, place
from e2e.conftest import open_link, patient
from e2e.silent_worker import leave_python_asleep, silence_python
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, drag, field

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.without_python

LINK = "v=1&cue=0,0,0,0&rack=1,1&goal=1,1&target=1&steps=99&walls=0&friction=0&impact=1&by=adam&rate=1"
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"
"""A script that makes the page think it is hidden.

A hidden page prepares nothing, so Python gets requests only for changes that a person makes.
"""


def test_a_shared_link_restores_the_whole_table(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    field(compiling, "rack").select_option("two")
    expect(compiling.locator(".grip")).to_have_count(6)
    field(compiling, "cushions").check()
    place(compiling, cue_x=0.2, goal_y=0.7)
    expect(compiling).to_have_url(re.compile(r"walls=1(&|$)"))
    expect(compiling).to_have_url(re.compile(r"goal=0\.9,0\.7(&|$)"))
    compiling.evaluate(NEXT_FRAME)
    loss, link = compiling.locator("data.loss").get_attribute("value") or "", compiling.url
    compiling.goto("about:blank")
    compiling.goto(link)
    expect(compiling.locator(".grip")).to_have_count(6, timeout=PYTHON_TIMEOUT_MS)
    expect(field(compiling, "cushions")).to_be_checked()
    expect(compiling.locator("data.loss")).to_have_attribute("value", loss)


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [
        ("v=2&cue=0,0,0,0", "another version"),
        ("<script>alert(1)</script>", "damaged"),
        ("x" * 5000, "longer than any link"),
        (LINK.replace("cue=0", "cue=NaN"), "number"),
        (LINK.replace("target=1", "target=7"), "set up"),
        (LINK.replace("by=adam", "by=magic"), "set up"),
        (LINK.replace("rack=1,1", "rack=" + ",".join(["1"] * 60)), "set up"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(
    billiards: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(billiards, f"{server_url}billiards.html#{fragment}")
    expect(billiards.get_by_role("status")).to_contain_text(reason)
    expect(billiards.locator("data.loss")).to_have_text("0.045376")


def test_the_notice_of_a_refused_link_stays_when_a_pending_table_is_undone(
    page: Page, server_url: str
) -> None:
    page.add_init_script(HIDDEN)
    silence_python(page)
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    page.get_by_role("button", name="Add a ball").click()
    expect(page.locator(".notice")).to_contain_text("Compiling")
    said = page.evaluate(
        """async () => {
          const opened = new Promise((done) => addEventListener("hashchange", done, { once: true }));
          location.hash = "v=9";
          await opened;
          document.querySelector(".undo").click();  // cancels the pending table
          return document.querySelector(".notice").textContent;
        }"""
    )
    assert "another version" in said
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.parametrize(("kind", "start"), [("PNG", b"\x89PNG"), ("SVG", b"<svg")])
def test_a_picture_can_be_saved(billiards: Page, kind: str, start: bytes) -> None:
    with billiards.expect_download() as download:
        billiards.get_by_role("button", name=f"Picture as {kind}").click()
    assert Path(download.value.path()).read_bytes().startswith(start)


@pytest.mark.with_python
@pytest.mark.allow_console
def test_the_default_table_can_be_played_without_python(page: Page, server_url: str) -> None:
    page.route("**/vendor/pyodide/**", lambda route: route.abort())
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).to_have_text("0.045376")
    drag(page, "goal", -20, 10)
    page.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 1e-2", timeout=DESCENT_TIMEOUT_MS
    )
    expect(page.locator(".python")).to_contain_text("Python did not load")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_the_page_does_not_scroll_sideways_and_the_table_is_in_sight(billiards: Page) -> None:
    wrong: list[str] = []
    for width in (320, 768, 1280):
        billiards.set_viewport_size({"width": width, "height": 640})
        billiards.evaluate(NEXT_FRAME)
        wide = billiards.evaluate("document.documentElement.scrollWidth")
        box = billiards.locator(".transport").bounding_box()
        assert box is not None
        end = box["y"] + box["height"]
        if wide > width or end > 640:
            wrong.append(f"At {width} px: the page is {wide} px wide, and the controls end at {end} px.")
    assert wrong == []


def test_on_a_phone_the_player_controls_take_two_rows(browser: Browser, base_url: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, base_url=base_url)
    page = context.new_page()
    leave_python_asleep(page)
    for name in ("billiards.html", "robot.html", "tape.html"):
        page.goto(name)
        expect(page.locator(".clock")).not_to_be_empty()
        box = page.locator(".transport").bounding_box()
        assert box is not None
        assert box["height"] < 3 * 44, name
    context.close()


@pytest.mark.own_limits
@pytest.mark.parametrize(
    ("name", "change"), [("billiards", "Add a ball"), ("robot", "Add a mass")], ids=["table", "robot"]
)
def test_a_simulation_may_take_a_slow_computer_twenty_seconds_to_compile(
    page: Page, server_url: str, name: str, change: str
) -> None:
    page.clock.install()
    page.add_init_script(patient(4_000))  # the notice must stay until it is read
    page.add_init_script(HIDDEN)
    silence_python(page)
    page.goto(f"{server_url}{name}.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    if name == "robot":
        page.get_by_role("button", name="Edit the robot").click()
    began = page.evaluate("Date.now()")
    page.get_by_role("button", name=change).click()
    notice = page.locator(".notice")
    expect(notice).not_to_have_text("")
    waiting = notice.inner_text()
    for ms in (15_000, 500):
        page.clock.fast_forward(ms)
    page.evaluate(NEXT_FRAME)
    said, ms = page.evaluate(
        "(began) => [document.querySelector('.notice').innerText, Date.now() - began]", began
    )
    assert said == waiting or ms >= 20_000, "the page's clock also runs between these steps"
    page.clock.fast_forward(10_000)
    expect(notice).to_contain_text("took more than 20 seconds")


def test_the_menu_leads_from_billiards_to_quadratic_and_back(billiards: Page) -> None:
    billiards.get_by_role("link", name="Quadratic").click()
    expect(billiards.locator("#formula")).to_have_value("x^y")
    billiards.get_by_role("link", name="Billiards").click()
    expect(billiards.locator("data.loss")).to_have_text("0.045376")

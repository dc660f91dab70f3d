"""Tests of the page Robot: links, files, small screens, and walks whose numbers become infinite or NaN."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.robot.conftest import field, loss, tie_all, train
from e2e.silent_worker import leave_python_asleep
from e2e.visitor import NARROW, NEXT_FRAME, PYTHON_TIMEOUT_MS, centre

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.without_python

NAMED = re.compile(r"not finite from step \d+ on: .* \(robot\.py, line \d+\)\.", re.IGNORECASE)


def test_on_a_phone_the_robot_is_large_and_a_finger_drags_the_goal(browser: Browser, server_url: str) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    try:
        page = context.new_page()
        leave_python_asleep(page)
        page.goto(f"{server_url}robot.html")
        expect(page.locator("main")).to_have_attribute("data-shown", "")
        width = page.evaluate("""() => {
          const canvas = document.querySelector(".place canvas");
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
          const bold = [];
          for (let x = 0; x < width; x++) {
            let dark = 0;
            for (let y = 0; y < height * 0.8; y++) dark += data[4 * (y * width + x) + 3] > 200 ? 1 : 0;
            if (dark > height * 0.2) bold.push(x);
          }
          return (Math.max(...bold) - Math.min(...bold)) / devicePixelRatio;
        }""")
        assert width > 60, "the robot's legs and sides are more than 60 px apart"
        x, y = centre(page.locator(".grip[data-grip=goal]"))
        assert x < NARROW["width"], "the handle is in the picture, although the goal is not"
        assert field(page, "goal-x") == 0.9
        touch = context.new_cdp_session(page)
        for kind, to in (
            ("touchStart", (x, y)),
            ("touchMove", (x - 30, y)),
            ("touchMove", (x - 60, y - 10)),
            ("touchEnd", None),
        ):
            points = [] if to is None else [{"x": to[0], "y": to[1]}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        assert 0.2 < field(page, "goal-x") < 0.6
        ends = centre(page.locator(".grip[data-grip=goal]"))
        assert ends == pytest.approx((x - 60, y - 10), abs=4)
    finally:
        context.close()


def test_a_shared_link_restores_the_robot(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.get_by_role("button", name="Add a mass").click()
    expect(editable.locator("[name=mass] option")).to_have_count(15)
    editable.locator("[name=goal-x]").fill("0.7")
    expect(editable).to_have_url(re.compile(r"goal=0\.7,0\.2&.*masses="))
    link = editable.url
    editable.goto("about:blank")
    editable.goto(link)
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    assert field(editable, "goal-x") == 0.7
    editable.get_by_role("button", name="Edit the robot").click()
    expect(editable.locator("[name=mass] option")).to_have_count(15)


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [
        ("v=9&robot=B", "another version"),
        ("v=1&robot=Z", "cannot be built"),
        ("v=1&robot=B&goal=1,NaN", "number"),
        ("v=1&robot=__proto__", "cannot be built"),
        ("x" * 9000, "longer than any link"),
    ],
)
def test_a_malformed_link_is_refused_with_a_sentence(
    robot: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(robot, f"{server_url}robot.html#{fragment}")
    expect(robot.locator(".notice")).to_contain_text(reason)
    assert loss(robot) < -0.4


def test_weights_are_saved_and_loaded(robot: Page, tmp_path: Path) -> None:
    walked = loss(robot)
    with robot.expect_download() as download:
        robot.get_by_role("button", name="Save weights").click()
    saved = tmp_path / "weights.json"
    download.value.save_as(saved)
    content: dict[str, Any] = json.loads(saved.read_text())
    assert len(content["weights"]) == 3198
    robot.get_by_role("button", name="Start over").click()
    assert loss(robot) != walked
    robot.locator("[name=file]").set_input_files(saved)
    expect(robot.locator(".notice")).to_contain_text("Weights loaded")
    assert loss(robot) == walked
    saved.write_text(json.dumps(content | {"masses": 3}))
    robot.locator("[name=file]").set_input_files(saved)
    expect(robot.locator(".notice")).to_contain_text("other masses")
    saved.write_text("[")
    robot.locator("[name=file]").set_input_files(saved)
    expect(robot.locator(".notice")).to_contain_text("does not hold")
    assert loss(robot) == walked


def test_pictures_and_motion_are_saved_as_files(robot: Page, tmp_path: Path) -> None:
    for name, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b"t,x0,y0")):
        with robot.expect_download() as download:
            robot.locator(f".{name.lower()}").click()
        path = tmp_path / name
        download.value.save_as(path)
        assert path.read_bytes().startswith(start)
    last = (tmp_path / "CSV").read_text().strip().splitlines()[-1]
    assert float(last.split(",")[1]) == pytest.approx(-loss(robot), rel=1e-12)


def test_a_walk_that_is_not_finite_is_reported_with_a_way_back(editable: Page) -> None:
    """Each of 13 masses has twelve stiff springs, which oscillate too fast for the time step."""
    tie_all(editable, 13, rest=0.9, muscle=False, settings="seed=0&rate=0.2&iterations=5")
    expect(editable.locator(".outcome")).to_contain_text("Not finite", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator(".outcome")).to_contain_text(NAMED, timeout=PYTHON_TIMEOUT_MS)
    editable.locator(".train").click()
    expect(editable.locator(".train")).to_have_text("Train")
    expect(editable.locator(".iteration")).to_have_text("0")
    editable.get_by_role("button", name="Back to the last good robot").click()
    expect(editable.locator(".outcome")).not_to_contain_text("finite")
    assert loss(editable) < -0.4


def test_on_a_phone_nothing_is_wider_than_the_screen(robot: Page) -> None:
    robot.set_viewport_size(NARROW)
    robot.get_by_role("button", name="Edit the robot").click()
    robot.evaluate(NEXT_FRAME)
    assert robot.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_on_a_first_visit_the_robot_asks_to_be_played(visited: Page) -> None:
    hint = visited.locator(".hint")
    expect(hint).to_have_text("Press Play")
    expect(hint).to_be_visible()
    visited.locator(".play").click()
    expect(hint).to_be_hidden()
    visited.reload()
    expect(visited.locator("data.loss")).not_to_be_empty()
    expect(hint).to_be_hidden()


def test_a_trained_gait_is_restored_on_a_visit_but_not_by_a_link(visited: Page, server_url: str) -> None:
    visited.get_by_role("button", name="Start over").click()
    began = loss(visited)
    visited.locator("[name=speed]").select_option("0.25")
    train(visited, 20)
    trained = loss(visited)
    assert trained < began
    expect(visited).to_have_url(re.compile("iterations=20&gait=seed$"))
    expect(visited.locator(".play")).to_have_text("Pause")  # the address changes during the replay
    link = visited.url
    visited.reload()
    assert loss(shown(visited)) == trained
    visited.goto(f"{server_url}tape.html")
    visited.goto(f"{server_url}robot.html")
    assert loss(shown(visited)) == trained
    visited.goto("about:blank")
    visited.goto(link)
    assert loss(shown(visited)) == began
    visited.goto(server_url)
    visited.evaluate("() => localStorage.setItem('eglantine.last.1.robot.weights', '{')")
    visited.goto(f"{server_url}robot.html")
    assert loss(shown(visited)) == began


def shown(page: Page) -> Page:
    """Wait until a newly opened page shows its robot. Return the page."""
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    return page

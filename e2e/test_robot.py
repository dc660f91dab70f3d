"""The page "Robot" in a real browser: what a person does, and what must follow."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PYTHON_TIMEOUT_MS = 60_000
TRAINING_TIMEOUT_MS = 60_000
NARROW = {"width": 320, "height": 640}
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
NAMED = re.compile(r"not finite from step \d+ on: .* \(robot\.py, line \d+\)\.", re.IGNORECASE)
PICTURE = "() => document.querySelector('.arena canvas').toDataURL()"
ENOUGH = -0.35
"""The loss of a robot that has learned to walk: its head began at −0.225."""


@pytest.fixture
def robot(page: Page, server_url: str) -> Page:
    """The page as soon as its robot can walk."""
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    return page


@pytest.fixture
def editable(robot: Page) -> Page:
    """The page with Python ready."""
    expect(robot.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    return robot


def number(page: Page, selector: str) -> float:
    """A number with all its digits, of the next frame."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(selector).get_attribute("value") or "nan")


def loss(page: Page) -> float:
    """The loss that the page shows."""
    return number(page, ".loss")


def field(page: Page, name: str) -> float:
    """The number in a field."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(f"[name={name}]").input_value().replace("\u2212", "-"))


def seek(page: Page, step: int) -> None:
    """Scrub to a step."""
    page.locator("[name=moment]").fill(str(step))
    page.evaluate(NEXT_FRAME)


def train(page: Page, iterations: int) -> None:
    """Train for so many iterations, and wait for the end."""
    page.locator("[name=iterations]").fill(str(iterations))
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".outcome")).to_contain_text("Trained for", timeout=TRAINING_TIMEOUT_MS)


def centre(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element, in pixels."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_at_rest_the_page_says_what_to_try(robot: Page) -> None:
    expect(robot.locator(".outcome")).to_have_text(
        "Press Play to see it walk. The goal counts once you train it to end there."
    )
    robot.locator("[name=aim]").select_option("goal")
    expect(robot.locator(".outcome")).to_contain_text("Drag the goal, then train it")


def test_a_trained_gait_is_there_before_python(robot: Page) -> None:
    assert loss(robot) < -0.4
    expect(robot.locator("main")).not_to_have_attribute("data-python", "ready")
    expect(robot.get_by_role("button", name="Play")).to_be_enabled()


def test_robot_b_learns_to_walk_from_random_weights(robot: Page) -> None:
    robot.get_by_role("button", name="Start over").click()
    assert loss(robot) > ENOUGH
    train(robot, 60)
    assert loss(robot) < ENOUGH
    assert number(robot, ".slope") > 0
    assert number(robot, ".iteration") == 60
    robot.get_by_role("button", name="Undo").click()
    assert loss(robot) > ENOUGH


def test_a_training_pauses_and_goes_on(robot: Page) -> None:
    robot.get_by_role("button", name="Start over").click()
    robot.locator("[name=iterations]").fill("5000")
    robot.get_by_role("button", name="Train", exact=True).click()
    expect(robot.locator(".progress")).to_be_visible()
    expect(robot.locator(".iteration")).not_to_have_text("0")
    robot.locator(".train").click()
    expect(robot.locator(".outcome")).to_contain_text("Paused")
    expect(robot.locator(".train")).to_have_text("Continue")
    robot.wait_for_timeout(400)  # what was under way has been heard
    before = number(robot, ".iteration")
    robot.locator(".train").click()
    expect(robot.locator(".train")).to_have_text("Pause")
    expect(robot.locator(".iteration")).not_to_have_attribute("value", f"{before:g}")
    assert number(robot, ".iteration") > before


def test_the_same_seed_trains_to_the_same_bits(robot: Page) -> None:
    found = []
    for _ in range(2):
        robot.get_by_role("button", name="Start over").click()
        train(robot, 4)
        found.append((loss(robot), number(robot, ".slope")))
    assert found[0] == found[1]


def test_scrubbing_shows_the_same_picture_for_the_same_step(robot: Page) -> None:
    seek(robot, 137)
    first = robot.evaluate(PICTURE)
    seek(robot, 512)
    assert robot.evaluate(PICTURE) != first
    seek(robot, 137)
    assert robot.evaluate(PICTURE) == first
    robot.get_by_role("button", name="One step forward").click()
    expect(robot.locator("[name=moment]")).to_have_value("138")
    robot.get_by_role("button", name="One step back").click()
    expect(robot.locator("[name=moment]")).to_have_value("137")
    robot.evaluate(NEXT_FRAME)
    assert robot.evaluate(PICTURE) == first


def test_it_plays_and_pauses(robot: Page) -> None:
    robot.locator(".play").click()
    expect(robot.locator(".play")).to_have_text("Pause")
    expect(robot.locator("[name=moment]")).not_to_have_value("0")
    robot.locator(".play").click()
    expect(robot.locator(".play")).to_have_text("Play")


def test_the_goal_follows_mouse_and_keys(robot: Page) -> None:
    before = loss(robot)
    x, y = centre(robot, "[data-grip=goal]")
    robot.mouse.move(x, y)
    robot.mouse.down()
    robot.mouse.move(x - 60, y - 20, steps=5)
    robot.mouse.up()
    dragged = field(robot, "goal-x"), field(robot, "goal-y")
    assert dragged[0] < 0.9
    assert dragged[1] > 0.2
    assert loss(robot) != before  # the network sees the goal
    robot.locator("[data-grip=goal]").focus()
    robot.keyboard.press("ArrowRight")
    assert field(robot, "goal-x") == pytest.approx(dragged[0] + 0.01)
    robot.keyboard.press("Control+z")
    robot.keyboard.press("Control+z")
    assert field(robot, "goal-x") == 0.9
    assert loss(robot) == before


def test_on_a_phone_the_robot_is_large_and_a_finger_drags_the_goal_from_the_edge(
    browser: Browser, server_url: str
) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    try:
        page = context.new_page()
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
        assert width > 60, "the robot's legs and sides are that far apart"
        x, y = centre(page, ".grip[data-grip=goal]")
        assert x < NARROW["width"], "the goal is beyond the picture, its handle is not"
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
        ends = centre(page, ".grip[data-grip=goal]")
        assert ends == pytest.approx((x - 60, y - 10), abs=4)
    finally:
        context.close()


def test_friction_and_gravity_change_the_walk_at_once(robot: Page) -> None:
    walked = loss(robot)
    robot.locator("[name=friction-range]").fill("0")
    assert field(robot, "friction") == 0
    on_ice = loss(robot)
    assert on_ice != walked
    robot.locator("[name=gravity]").fill("-1.6")
    assert loss(robot) != on_ice
    expect(robot.locator(".cost")).to_contain_text("compiled beforehand")


def test_the_aim_to_reach_the_goal_is_a_squared_distance(robot: Page) -> None:
    head = -loss(robot)
    robot.locator("[name=aim]").select_option("goal")
    assert loss(robot) > (0.9 - head) ** 2
    assert loss(robot) < (0.9 - head) ** 2 + 0.25**2


def test_keys_play_step_and_edit(robot: Page) -> None:
    robot.keyboard.press(".")
    expect(robot.locator("[name=moment]")).to_have_value("1")
    robot.keyboard.press(",")
    expect(robot.locator("[name=moment]")).to_have_value("0")
    robot.keyboard.press("p")
    expect(robot.locator(".play")).to_have_text("Pause")
    robot.keyboard.press("e")
    expect(robot.locator(".editor")).to_be_visible()
    robot.locator("[data-grip='3']").focus()
    expect(robot.locator("[name=mass]")).to_have_value("3")
    x = field(robot, "mass-x")
    robot.keyboard.press("ArrowLeft")
    assert field(robot, "mass-x") == pytest.approx(x - 0.01)


def test_a_dragged_mass_changes_the_walk_without_compiling(robot: Page) -> None:
    before = loss(robot)
    robot.get_by_role("button", name="Edit the robot").click()
    robot.evaluate(NEXT_FRAME)
    x, y = centre(robot, "[data-grip='8']")
    robot.mouse.move(x, y)
    robot.mouse.down()
    robot.mouse.move(x - 15, y - 25, steps=4)
    robot.mouse.up()
    expect(robot.locator("[name=mass]")).to_have_value("8")
    assert field(robot, "mass-y") > 0.25
    assert loss(robot) != before
    expect(robot.locator(".cost")).to_contain_text("compiled beforehand")


def test_another_structure_is_compiled_while_the_old_robot_stays(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.locator("[name=mass]").select_option("13")
    editable.get_by_role("button", name="Add a mass").click()
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator("[name=mass] option")).to_have_count(15)
    expect(editable.locator("[name=mass]")).to_have_value("14")
    expect(editable.locator("[name=spring] option")).to_have_count(33)
    editable.locator("[name=spring]").select_option("32")
    editable.locator("[name=muscle]").check()
    expect(editable.locator("[name=spring] option").last).to_contain_text("muscle")
    train(editable, 3)
    editable.get_by_role("button", name="Remove spring").click()
    expect(editable.locator("[name=spring] option")).to_have_count(32)
    editable.locator("[name=mass]").select_option("14")
    editable.get_by_role("button", name="Remove mass").click()
    expect(editable.locator("[name=mass] option")).to_have_count(14)
    expect(editable.locator(".cost")).to_contain_text("compiled beforehand")


def test_more_steps_are_compiled_while_the_walk_of_fewer_goes_on_and_a_link_keeps_them(
    editable: Page,
) -> None:
    before = loss(editable)
    steps = editable.locator("input[name=steps]")
    expect(steps).to_have_value("681")
    steps.fill("1000")
    expect(editable.locator(".clock")).to_contain_text("/1000", timeout=PYTHON_TIMEOUT_MS)
    assert loss(editable) < before - 0.05
    editable.get_by_role("button", name="Undo").click()
    expect(editable.locator(".clock")).to_contain_text("/681")
    assert loss(editable) == before
    editable.get_by_role("button", name="Redo").click()
    expect(editable).to_have_url(re.compile("steps=1000"))
    link = editable.url
    editable.goto("about:blank")
    editable.goto(link)
    expect(editable.locator(".clock")).to_contain_text("/1000", timeout=PYTHON_TIMEOUT_MS)


def test_a_training_goes_on_while_more_steps_are_compiled(editable: Page) -> None:
    editable.locator("[name=iterations]").fill("2000")
    editable.locator(".train").click()
    editable.locator("input[name=steps]").fill("300")
    expect(editable.locator(".clock")).to_contain_text("/300", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator(".train")).to_have_text("Pause")
    reached = number(editable, ".iteration")
    expect(editable.locator(".iteration")).not_to_have_text(f"{reached:g}")


def test_a_spring_joins_two_masses(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.locator("[name=mass]").select_option("0")
    editable.get_by_role("button", name="Add a spring").click()
    editable.locator("[data-grip='3']").focus()
    editable.keyboard.press("Enter")
    expect(editable.locator("[name=spring] option")).to_have_count(31)
    expect(editable.locator("[name=spring] option").last).to_have_text("0\u20133")


def test_every_robot_walks(editable: Page) -> None:
    for name in "ACD":
        editable.locator("[name=robot]").select_option(name)
        expect(editable).to_have_url(re.compile(f"robot={name}&"), timeout=PYTHON_TIMEOUT_MS)
        assert loss(editable) < -0.4


def test_a_shared_link_brings_the_robot_back(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.get_by_role("button", name="Add a mass").click()
    expect(editable.locator("[name=mass] option")).to_have_count(15)
    editable.locator("[name=goal-x]").fill("0.7")
    expect(editable).to_have_url(re.compile("goal=0.7,0.2.*masses="))
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
        ("x" * 9000, "too long"),
    ],
)
def test_a_link_that_is_none_is_refused_with_a_sentence(
    tab: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(tab, f"{server_url}robot.html#{fragment}")
    expect(tab.locator(".notice")).to_contain_text(reason)
    assert loss(tab) < -0.4


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


def test_pictures_and_motion_are_kept_as_files(robot: Page, tmp_path: Path) -> None:
    for name, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b"t,x0,y0")):
        with robot.expect_download() as download:
            robot.locator(f".{name.lower()}").click()
        path = tmp_path / name
        download.value.save_as(path)
        assert path.read_bytes().startswith(start)
    last = (tmp_path / "CSV").read_text().strip().splitlines()[-1]
    assert float(last.split(",")[1]) == pytest.approx(-loss(robot), rel=1e-12)


def test_a_walk_that_is_not_finite_says_so_and_offers_the_way_back(editable: Page) -> None:
    """Twelve stiff springs at each mass: more than the step of time can follow."""
    places = [(0.3 + 0.1 * math.cos(k), 0.3 + 0.1 * math.sin(k)) for k in range(13)]
    masses = ",".join(f"{x:.6f},{y:.6f}" for x, y in places)
    pairs = [(a, b) for a in range(13) for b in range(a)]
    springs = ",".join(f"{a},{b},{0.9 * math.dist(places[a], places[b]):.6f},0" for a, b in pairs)
    world = "v=1&robot=B&goal=0.9,0.2&gravity=-4.8&friction=2&aim=far&seed=0&rate=0.2&iterations=5&gait=seed"
    editable.evaluate(
        "fragment => { location.hash = fragment; }", f"{world}&masses={masses}&springs={springs}"
    )
    expect(editable.locator(".outcome")).to_contain_text("Not finite", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator(".outcome")).to_contain_text(NAMED, timeout=PYTHON_TIMEOUT_MS)
    editable.locator(".train").click()
    expect(editable.locator(".train")).to_have_text("Train")
    expect(editable.locator(".iteration")).to_have_text("0")
    editable.get_by_role("button", name="Back to the last good robot").click()
    expect(editable.locator(".outcome")).not_to_contain_text("finite")
    assert loss(editable) < -0.4


def test_on_a_phone_nothing_is_wider_than_the_screen(page: Page, server_url: str) -> None:
    page.set_viewport_size(NARROW)
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    page.get_by_role("button", name="Edit the robot").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_on_a_first_visit_the_robot_asks_to_be_played(robot: Page) -> None:
    hint = robot.locator(".hint")
    expect(hint).to_have_text("Press Play")
    expect(hint).to_be_visible()
    robot.locator(".play").click()
    expect(hint).to_be_hidden()
    robot.reload()
    expect(robot.locator("data.loss")).not_to_be_empty()
    expect(hint).to_be_hidden()

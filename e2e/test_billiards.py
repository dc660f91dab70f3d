"""The page "Billiards" in a real browser: the shot follows its goal, and plays the same way every time."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.test_quadratic import SILENT_WORKER, WORKER_HEADERS
from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Locator, Page, Route

REFERENCE = json.loads((ROOT / "tests" / "data" / "billiards.json").read_text(encoding="utf-8"))
PYTHON_TIMEOUT_MS = 60_000
DESCENT_TIMEOUT_MS = 30_000
LONGER_THAN_KEYS_SETTLE_MS = 1200
LINK = "v=1&cue=0,0,0,0&rack=1,1&goal=1,1&target=1&steps=99&walls=0&friction=0&impact=1&by=adam&rate=1"
BESIDE = (
    "v=1&cue=0.446021864356108,0.4740210692123016,0.494840283243998,-0.0034282244473322026&rack=0.5,0.5,0.56,0.479,"
    "0.56,0.539,0.62,0.458,0.62,0.518,0.62,0.578,0.68,0.437,0.68,0.497,0.68,0.557,0.68,0.617&goal=0.9409,0.6371&target=10"
    "&steps=1024&walls=0&friction=0&impact=1&by=descent&rate=0.01"
)
"""A shot at rest where no slope is left, 0.11 beside its goal."""
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"
"""Nothing is prepared on a page that nobody looks at, so Python is asked for what a person wants alone."""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def billiards(page: Page, server_url: str) -> Page:
    """The page as soon as its table can be played."""
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    return page


@pytest.fixture
def let_python_come(page: Page) -> Callable[[], None]:
    """Python is held on its way until this is called."""
    held: list[Route] = []
    page.context.route("**/build/snapshot-*", lambda route: held.append(route))  # noqa: PLW0108  it marks what it is given

    def let_come() -> None:
        while not held:
            page.wait_for_timeout(20)
        held.pop().continue_()

    return let_come


@pytest.fixture
def compiling(billiards: Page) -> Page:
    """The page with Python ready."""
    expect(billiards.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    return billiards


def number(page: Page, selector: str) -> float:
    """A number that the page shows, with all its digits."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(f"data.{selector}").get_attribute("value") or "nan")


def grip(page: Page, name: str) -> Locator:
    """What can be held."""
    return page.locator(f"[data-grip='{name}']")


def centre(page: Page, name: str) -> tuple[float, float]:
    """Where it is held, in pixels."""
    box = grip(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, dx: float, dy: float) -> None:
    """Drag something by so many pixels."""
    x, y = centre(page, name)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=8)
    page.mouse.up()


def field(page: Page, name: str) -> Locator:
    """A control by its name."""
    return page.locator(f"[name={name}]")


def pixels(page: Page) -> str:
    """The picture of the table, exactly."""
    page.evaluate(NEXT_FRAME)
    return str(page.evaluate("() => document.querySelector('.table canvas').toDataURL()"))


def place(page: Page, **values: float) -> None:
    """Type coordinates: cue_x=0.1 is the field cue-x."""
    for name, value in values.items():
        field(page, name.replace("_", "-")).fill(str(value))
    page.evaluate(NEXT_FRAME)


def test_the_default_shot_has_the_loss_and_gradient_of_the_port_with_1024_steps(billiards: Page) -> None:
    assert number(billiards, "loss") == pytest.approx(0.0453761, rel=1e-5)
    found = [number(billiards, name) for name in ("by-x0", "by-x1", "by-v0", "by-v1")]
    assert found == pytest.approx([-0.51885, 1.12967, -0.69752, 1.28105], rel=1e-4)


def test_dragging_the_goal_lets_the_shot_follow_until_it_is_there(billiards: Page) -> None:
    assert number(billiards, "loss") > 1e-2
    drag(billiards, "goal", -18, 9)
    expect(field(billiards, "goal-x")).not_to_have_value("0.9")
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 1e-4", timeout=DESCENT_TIMEOUT_MS
    )


def test_descent_in_the_browser_follows_the_reference_for_two_hundred_iterations(compiling: Page) -> None:
    """1023 steps, as in the reference; the page's own modules, optimiser and kernel."""
    field(compiling, "follow").uncheck()
    field(compiling, "steps").fill("1023")
    expect(compiling.locator(".cost")).to_contain_text("compiled here")
    trajectory = compiling.evaluate(
        """async () => {
          const { nextCue, freshMemory } = await import("./js/model/optimiser.js");
          const { Shot } = await import("./js/engine/shot.js");
          const { Compiler } = await import("./js/engine/compiler.js");
          const { loadManifest, loadTable } = await import("./js/engine/presets.js");
          const manifest = await loadManifest();
          const { beginning } = await loadTable(manifest);
          const compiler = new Compiler(manifest, () => {}, () => ({}), () => {});
          compiler.start();
          const spec = { ...beginning.spec, steps: 1023 };
          const { artifact } = await compiler.compileTable(JSON.stringify(spec));
          compiler.destroy();
          const shot = new Shot(artifact);
          const task = { rack: beginning.racks.four, goal: beginning.goal, target: beginning.target };
          let cue = Float64Array.from([...beginning.cue.x, ...beginning.cue.v]);
          const memory = freshMemory();
          const found = [];
          for (let k = 0; k < 200; k++) {
            const loss = shot.gradient.at(cue, task);
            found.push([loss, ...cue]);
            cue = nextCue("descent", 0.01, memory, cue, shot.gradient.slope);
          }
          return found;
        }"""
    )
    for found, expected in zip(trajectory, REFERENCE["trajectory_f64"], strict=True):
        assert found == pytest.approx(
            [expected["loss"], *expected["init_x"], *expected["init_v"]], rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("method", ["momentum", "adam"])
def test_other_methods_descend_too(billiards: Page, method: str) -> None:
    field(billiards, "optimiser").select_option(method)
    billiards.locator(".optimise").click()
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 1e-3", timeout=DESCENT_TIMEOUT_MS
    )


METHODS_IN_TURN = """async () => {
  const { DescentRun } = await import("./js/engine/descent-run.js");
  const bowl = {
    at(cue) {
      this.slope = cue.map((x) => 2 * x);
      return cue.reduce((sum, x) => sum + x * x, 0);
    },
  };
  const order = { epoch: 0, cue: [1, -2, 3, -4], task: null, rate: 0.01 };
  const run = new DescentRun(bowl, { ...order, optimiser: "momentum", most: 5 });
  run.slice(Infinity);
  const before = run.cue;
  run.go({ ...order, optimiser: "adam", most: 1 });
  run.slice(Infinity);
  return [run.iteration, [...run.cue.map((x, k) => Math.abs(x - before[k]))]];
}"""


def test_adam_begins_with_steps_of_its_rate_whatever_the_method_before_remembers(billiards: Page) -> None:
    iteration, moved = billiards.evaluate(METHODS_IN_TURN)
    assert iteration == 6
    assert moved == pytest.approx([0.01] * 4)


def test_one_step_is_one_iteration_of_the_reference(billiards: Page) -> None:
    slope = [number(billiards, name) for name in ("by-x0", "by-x1", "by-v0", "by-v1")]
    billiards.get_by_role("button", name="One step", exact=True).click()
    expect(billiards.locator("data.iteration")).to_have_text("1")
    expected = [start - 0.01 * by for start, by in zip((0.1, 0.5, 0.3, 0.0), slope, strict=True)]
    names = ("cue-x", "cue-y", "velocity-x", "velocity-y")
    found = [float(field(billiards, name).input_value().replace("\u2212", "-")) for name in names]
    assert found == pytest.approx(expected, abs=1e-5)


def test_scrubbing_to_a_step_shows_the_same_picture_each_time(billiards: Page) -> None:
    moment = field(billiards, "moment")
    moment.fill("500")
    expect(billiards.locator(".clock")).to_contain_text("500/1024")
    first = pixels(billiards)
    moment.fill("900")
    assert pixels(billiards) != first
    billiards.get_by_role("button", name="One step back").click()
    expect(billiards.locator(".clock")).to_contain_text("899/1024")
    moment.fill("499")
    billiards.get_by_role("button", name="One step forward").click()
    assert pixels(billiards) == first


def test_playing_goes_on_by_itself_and_pauses(billiards: Page) -> None:
    field(billiards, "speed").select_option("4")
    billiards.keyboard.press("p")
    expect(billiards.locator(".play")).to_have_text("Pause")
    expect(field(billiards, "moment")).not_to_have_value("0")
    billiards.locator(".play").click()
    expect(billiards.locator(".play")).to_have_text("Play")
    field(billiards, "moment").fill("1000")
    billiards.locator(".play").click()
    expect(field(billiards, "moment")).to_have_value("1024")
    expect(billiards.locator(".play")).to_have_text("Play")


def test_keys_move_what_is_held_and_choose_and_remove_balls(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    grip(compiling, "goal").focus()
    compiling.keyboard.press("ArrowLeft")
    expect(field(compiling, "goal-x")).to_have_value("0.89")
    compiling.keyboard.press("Shift+ArrowDown")
    expect(field(compiling, "goal-y")).to_have_value("0.65")
    compiling.keyboard.press("Home")
    expect(field(compiling, "goal-x")).to_have_value("0.9")
    grip(compiling, "tip").focus()
    compiling.keyboard.press("ArrowUp")
    expect(field(compiling, "velocity-y")).to_have_value("0.02")
    grip(compiling, "3").focus()
    compiling.keyboard.press("Enter")
    expect(compiling.locator(".target-number")).to_have_text("3")
    compiling.keyboard.press("Delete")
    expect(compiling.locator(".grip")).to_have_count(12)
    expect(compiling.locator(".cost")).to_contain_text("compiled here")


def test_the_cue_ball_and_its_velocity_are_dragged_and_stop_a_descent(billiards: Page) -> None:
    billiards.locator(".optimise").click()
    drag(billiards, "tip", 40, -30)
    expect(billiards.locator(".optimise")).to_have_text("Optimise")
    expect(field(billiards, "velocity-y")).not_to_have_value("0")
    before = field(billiards, "velocity-x").input_value()
    drag(billiards, "cue", -10, 25)
    expect(field(billiards, "velocity-x")).to_have_value(before)
    assert number(billiards, "iteration") == 0


def test_a_click_on_a_ball_makes_it_the_target(billiards: Page) -> None:
    field(billiards, "follow").uncheck()
    billiards.mouse.click(*centre(billiards, "7"))
    expect(billiards.locator(".target-number")).to_have_text("7")
    expect(field(billiards, "target")).to_have_value("7")


def test_a_finger_drags_the_goal_and_the_page_stays(billiards: Page) -> None:
    billiards.set_viewport_size({"width": 320, "height": 640})
    billiards.evaluate(NEXT_FRAME)
    x, y = centre(billiards, "goal")
    touch = billiards.context.new_cdp_session(billiards)
    for kind, dy in (("touchStart", 15), ("touchMove", 0), ("touchMove", -40), ("touchEnd", None)):
        points = [] if dy is None else [{"x": x + 12, "y": y + dy}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(field(billiards, "goal-y")).not_to_have_value("0.75")
    assert centre(billiards, "goal") == pytest.approx((x, y - 55), abs=3)
    assert billiards.evaluate("scrollY") == 0


def test_another_number_of_balls_is_compiled_while_the_old_table_goes_on(
    let_python_come: Callable[[], None], billiards: Page
) -> None:
    field(billiards, "follow").uncheck()
    billiards.get_by_role("button", name="Add a ball").click()
    expect(grip(billiards, "10")).to_have_count(1)
    drag(billiards, "goal", -30, 0)
    expect(field(billiards, "goal-x")).not_to_have_value("0.9")
    moved = field(billiards, "goal-x").input_value()
    let_python_come()
    expect(grip(billiards, "11")).to_have_count(1, timeout=PYTHON_TIMEOUT_MS)
    expect(field(billiards, "goal-x")).to_have_value(moved)
    expect(billiards.locator(".cost")).to_contain_text("compiled here")
    billiards.get_by_role("button", name="Undo").click()
    billiards.get_by_role("button", name="Undo").click()
    expect(grip(billiards, "11")).to_have_count(0)
    expect(field(billiards, "goal-x")).to_have_value("0.9")


def test_a_table_that_arrives_during_a_drag_waits_for_its_end_so_that_the_drag_is_one_step(
    let_python_come: Callable[[], None], billiards: Page
) -> None:
    field(billiards, "follow").uncheck()
    billiards.get_by_role("button", name="Add a ball").click()
    x, y = centre(billiards, "goal")
    billiards.mouse.move(x, y)
    billiards.mouse.down()
    billiards.mouse.move(x - 15, y, steps=3)
    expect(field(billiards, "goal-x")).not_to_have_value("0.9")
    let_python_come()
    billiards.wait_for_function(
        "() => performance.getEntriesByName('editable').length === 1", timeout=PYTHON_TIMEOUT_MS
    )
    billiards.wait_for_timeout(1_500)  # in which the table is compiled, and must not be taken
    expect(grip(billiards, "11")).to_have_count(0)
    billiards.mouse.move(x - 30, y, steps=3)
    billiards.mouse.up()
    expect(grip(billiards, "11")).to_have_count(1)
    for _ in range(2):
        billiards.get_by_role("button", name="Undo").click()
    expect(grip(billiards, "11")).to_have_count(0)
    expect(field(billiards, "goal-x")).to_have_value("0.9")


@pytest.mark.parametrize(("rack", "grips"), [("two", 6), ("line", 9), ("cluster", 22)])
def test_every_rack_can_be_played(compiling: Page, rack: str, grips: int) -> None:
    field(compiling, "follow").uncheck()
    field(compiling, "rack").select_option(rack)
    expect(compiling.locator(".grip")).to_have_count(grips)
    assert number(compiling, "loss") > 0
    expect(field(compiling, "rack")).to_have_value(rack)


def test_cushions_friction_and_the_time_of_impact_change_the_shot(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    place(compiling, velocity_x=2, velocity_y=0.4)
    slope = compiling.locator("data.by-x0")
    seen = {number(compiling, "by-x0")}
    for change in (
        lambda: field(compiling, "cushions").check(),
        lambda: field(compiling, "friction").fill("0.3"),
        lambda: field(compiling, "impact").uncheck(),
    ):
        before = slope.get_attribute("value") or ""
        change()
        expect(slope).not_to_have_attribute("value", before)
        seen.add(number(compiling, "by-x0"))
    assert len(seen) == 4


def test_a_double_click_adds_a_ball_there(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    x, y = centre(compiling, "goal")
    compiling.mouse.dblclick(x, y + 200)
    expect(grip(compiling, "11")).to_have_count(1)
    assert centre(compiling, "11") == pytest.approx((x, y + 200), abs=2)


def test_a_shared_link_brings_the_whole_table_back(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    field(compiling, "rack").select_option("two")
    expect(compiling.locator(".grip")).to_have_count(6)
    field(compiling, "cushions").check()
    place(compiling, cue_x=0.2, goal_y=0.7)
    expect(compiling).to_have_url(re.compile("walls=1"))
    expect(compiling).to_have_url(re.compile(r"goal=0\.9,0\.7"))
    loss, link = number(compiling, "loss"), compiling.url
    compiling.goto("about:blank")
    compiling.goto(link)
    expect(compiling.locator(".grip")).to_have_count(6, timeout=PYTHON_TIMEOUT_MS)
    expect(field(compiling, "cushions")).to_be_checked()
    assert number(compiling, "loss") == loss


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [
        ("v=2&cue=0,0,0,0", "another version"),
        ("<script>alert(1)</script>", "damaged"),
        ("x" * 5000, "too long"),
        (LINK.replace("cue=0", "cue=NaN"), "number"),
        (LINK.replace("target=1", "target=7"), "set up"),
        (LINK.replace("by=adam", "by=magic"), "set up"),
        (LINK.replace("rack=1,1", "rack=" + ",".join(["1"] * 60)), "set up"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(
    tab: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(tab, f"{server_url}billiards.html#{fragment}")
    expect(tab.get_by_role("status")).to_contain_text(reason)
    expect(tab.locator("data.loss")).to_have_text("0.045376")


def test_a_refusal_is_not_taken_back_with_what_was_said_before(page: Page, server_url: str) -> None:
    page.add_init_script(HIDDEN)
    page.route("**/js/worker.js", lambda route: route.fulfill(body=SILENT_WORKER, headers=WORKER_HEADERS))
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    page.get_by_role("button", name="Add a ball").click()
    expect(page.locator(".notice")).to_contain_text("Compiling")
    said = page.evaluate(
        """async () => {
          const opened = new Promise((done) => addEventListener("hashchange", done, { once: true }));
          location.hash = "v=9";
          await opened;
          document.querySelector(".undo").click();  // nothing is waited for any more
          return document.querySelector(".notice").textContent;
        }"""
    )
    assert "another version" in said
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_another_ball_is_there_at_once_as_its_table_is_compiled_while_nothing_happens(
    compiling: Page,
) -> None:
    field(compiling, "follow").uncheck()
    compiling.wait_for_function("() => performance.getEntriesByName('prepared').length === 1")
    waited = compiling.evaluate(
        """() => {
          const root = document.querySelector("main");
          let waited = false;
          new MutationObserver(() => { waited ||= root.classList.contains("is-pending"); })
            .observe(root, { attributes: true, attributeFilter: ["class"] });
          document.querySelector(".add").click();
          const drawn = (done) => requestAnimationFrame(() => requestAnimationFrame(() => done(waited)));
          return new Promise(drawn);
        }"""
    )
    assert waited is False
    expect(grip(compiling, "11")).to_have_count(1)
    expect(compiling.locator(".cost")).to_contain_text("compiled here")
    compiling.wait_for_function("() => performance.getEntriesByName('prepared').length === 2")


def test_a_drag_with_a_rest_in_it_is_one_step_of_undo(billiards: Page) -> None:
    field(billiards, "follow").uncheck()
    x, y = centre(billiards, "goal")
    billiards.mouse.move(x, y)
    billiards.mouse.down()
    billiards.mouse.move(x - 30, y, steps=3)
    billiards.wait_for_timeout(LONGER_THAN_KEYS_SETTLE_MS)
    billiards.mouse.move(x - 60, y, steps=3)
    billiards.mouse.up()
    billiards.get_by_role("button", name="Undo").click()
    expect(field(billiards, "goal-x")).to_have_value("0.9")
    expect(billiards.get_by_role("button", name="Undo")).to_be_disabled()


def test_undo_takes_back_a_descent_as_one_step(billiards: Page) -> None:
    start = number(billiards, "loss")
    billiards.locator(".optimise").click()
    expect(billiards.locator("data.iteration")).not_to_have_text("0")
    billiards.locator(".optimise").click()
    billiards.get_by_role("button", name="Undo").click()
    assert number(billiards, "loss") == start
    expect(field(billiards, "cue-x")).to_have_value("0.1")
    expect(billiards.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_balls_in_one_place_are_no_trouble_while_they_do_not_meet(billiards: Page) -> None:
    place(billiards, velocity_x=0, velocity_y=0, cue_x=0.5, cue_y=0.5)
    expect(billiards.locator(".outcome")).not_to_contain_text("finite")
    assert number(billiards, "slope") == 0


MANY_SHOTS = """async () => {
  const { loadManifest, loadTable } = await import("./js/engine/presets.js");
  const { GradientBatch } = await import("./js/engine/gradient-batch.js");
  const { Gradient } = await import("./js/engine/shot.js");
  const { beginning, artifact } = await loadTable(await loadManifest());
  const [one, many] = [new Gradient(artifact.shot), new GradientBatch(artifact.shot, artifact.batch)];
  const task = { rack: beginning.racks.four, goal: beginning.goal, target: beginning.target };
  const places = Array.from({ length: 7 }, (_, k) => [0.1 + 0.01 * k, 0.49 + 0.003 * k]);
  many.prepare(beginning.cue.v, task, places.length);
  const found = many.run(places);
  const { v } = beginning.cue;
  const alone = places.map((place) => [one.at([...place, ...v], task), one.slope[0], one.slope[1]]);
  return [found.losses.map((loss, k) => [loss, found.slopes[2 * k], found.slopes[2 * k + 1]]), alone];
}"""


def test_many_shots_in_one_crossing_have_the_bits_of_each_alone(billiards: Page) -> None:
    many, alone = billiards.evaluate(MANY_SHOTS)
    assert many == alone
    assert len({loss for loss, *_ in many}) == 7


BROKEN_GRADIENT = """async () => {
  const { loadManifest, loadTable } = await import("./js/engine/presets.js");
  const { Compiler } = await import("./js/engine/compiler.js");
  const { notFinite, located } = await import("./js/texts.js");
  const manifest = await loadManifest();
  const { beginning } = await loadTable(manifest);
  const compiler = new Compiler(manifest, () => {}, () => null, () => {});
  compiler.start();
  const at = { cue: beginning.cue, task: { rack: beginning.racks.four, goal: [1e200, 0], target: 10 } };
  const found = await compiler.locate("shot_trouble", JSON.stringify(beginning.spec), at);
  compiler.destroy();
  return [located(found), notFinite(null)];
}"""


def test_where_numbers_stop_being_finite_is_found_in_the_browser_too(billiards: Page) -> None:
    sentence, unknown = billiards.evaluate(BROKEN_GRADIENT)
    assert re.fullmatch(
        r"Not finite in the loss, after the last step: overflow of mul \(billiards\.py, line \d+\)\.",
        sentence,
    )
    assert unknown == "The loss or its gradient is not finite, though every position is."


def test_a_descent_that_loses_its_way_says_so_and_offers_a_way_out(billiards: Page) -> None:
    field(billiards, "rate").fill("1")
    place(billiards, velocity_x=2)
    billiards.locator(".optimise").click()
    expect(billiards.locator(".outcome")).to_contain_text(
        re.compile("Diverged|gradient is zero"), timeout=DESCENT_TIMEOUT_MS
    )
    expect(billiards.locator(".remedy")).to_be_visible()


def test_a_descent_that_ends_beside_the_goal_says_so_and_offers_another_start(
    page: Page, server_url: str
) -> None:
    page.goto(f"{server_url}billiards.html#{BESIDE}")
    expect(field(page, "velocity-y")).to_have_value("\u22120.00343")  # its field is no wider
    below = page.locator(".setup").bounding_box()
    page.locator(".optimise").click()
    expect(page.locator(".outcome")).to_contain_text("beside the goal", timeout=DESCENT_TIMEOUT_MS)
    assert number(page, "loss") > 1e-3
    assert page.locator(".setup").bounding_box() == below, "the panel jumped"
    x = field(page, "cue-x")
    ended = x.input_value()
    page.locator(".remedy").click()
    expect(x).not_to_have_value(ended, timeout=DESCENT_TIMEOUT_MS)


def test_the_field_is_computed_and_its_best_place_starts_a_descent(billiards: Page) -> None:
    blank = pixels(billiards)
    field(billiards, "field").select_option("gradient")
    billiards.get_by_role("button", name="Start from the best place").click()
    expect(field(billiards, "cue-x")).not_to_have_value("0.1", timeout=DESCENT_TIMEOUT_MS)
    assert pixels(billiards) != blank
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 0.02", timeout=DESCENT_TIMEOUT_MS
    )


@pytest.mark.parametrize(("kind", "start"), [("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b"step,time,x0")])
def test_a_copy_can_be_kept(billiards: Page, kind: str, start: bytes) -> None:
    label = "Paths as CSV" if kind == "CSV" else f"Picture as {kind}"
    with billiards.expect_download() as download:
        billiards.get_by_role("button", name=label).click()
    content = Path(download.value.path()).read_bytes()
    assert content.startswith(start)
    if kind == "CSV":
        assert len(content.splitlines()) == 1026


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


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_the_page_does_not_scroll_sideways_and_the_table_is_in_sight(
    page: Page, server_url: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 640})
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".transport").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 640


def test_on_a_phone_the_transport_takes_two_rows(browser: Browser, base_url: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, base_url=base_url)
    page = context.new_page()
    for name in ("billiards.html", "robot.html", "tape.html"):
        page.goto(name)
        expect(page.locator(".clock")).not_to_be_empty()
        box = page.locator(".transport").bounding_box()
        assert box is not None
        assert box["height"] < 3 * 44, name
    context.close()


@pytest.mark.parametrize(
    ("name", "change"), [("billiards", "Add a ball"), ("robot", "Add a mass")], ids=["table", "robot"]
)
def test_a_simulation_may_take_a_slow_computer_twenty_seconds_to_compile(
    page: Page, server_url: str, name: str, change: str
) -> None:
    page.clock.install()
    page.add_init_script(HIDDEN)
    page.route("**/js/worker.js", lambda route: route.fulfill(body=SILENT_WORKER, headers=WORKER_HEADERS))
    page.goto(f"{server_url}{name}.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    if name == "robot":
        page.get_by_role("button", name="Edit the robot").click()
    page.get_by_role("button", name=change).click()
    notice = page.locator(".notice")
    expect(notice).not_to_have_text("")
    waiting = notice.inner_text()
    for ms in (19_000, 500):  # an interrupted Python may take a third of a second
        page.clock.fast_forward(ms)
    page.evaluate(NEXT_FRAME)
    assert notice.inner_text() == waiting
    page.clock.fast_forward(2_000)
    expect(notice).to_contain_text("took more than 20 seconds")


def test_the_pages_are_linked_without_moving_anything(billiards: Page) -> None:
    billiards.get_by_role("link", name="Quadratic").click()
    expect(billiards.locator("#formula")).to_have_value("x^y")
    billiards.get_by_role("link", name="Billiards").click()
    expect(billiards.locator("data.loss")).to_have_text("0.045376")

"""Billiards: gradient descent improves a shot until the ball hits its goal, and reports how it ended."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import eglantine as eg
from app.simulations.billiards import shot
from app.simulations.tables import DEFAULT, GOAL, TARGET, table_of
from e2e.billiards.conftest import DESCENT_TIMEOUT_MS, place
from e2e.visitor import drag, field, number
from tests.app.references import CUE, RACK
from tests.seeds import NIGHTLY

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

BESIDE = (
    "v=1&cue=0.446021864356108,0.4740210692123016,0.494840283243998,-0.0034282244473322026&rack=0.5,0.5,0.56,0.479,"
    "0.56,0.539,0.62,0.458,0.62,0.518,0.62,0.578,0.68,0.437,0.68,0.497,0.68,0.557,0.68,0.617&goal=0.9409,0.6371&target=10"
    "&steps=1024&walls=0&friction=0&impact=1&by=descent&rate=0.01"
)
"""The link to a shot that ends 0.11 from its goal. The loss has no slope at this shot."""

ENDED = "Done|the loss has no slope here|even tiny steps"
"""A regular expression for the words that the page shows when a descent has ended.

The descent has reached the goal, or it cannot find a smaller loss.
"""


def test_the_shot_follows_a_dragged_goal_until_the_ball_hits_it(billiards: Page) -> None:
    assert number(billiards, "data.loss") > 1e-2
    drag(billiards, "goal", -18, 9)
    expect(field(billiards, "goal-x")).not_to_have_value("0.9")
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 1e-4", timeout=DESCENT_TIMEOUT_MS
    )


@pytest.mark.parametrize("method", ["momentum", "adam"])
def test_other_methods_descend_too(billiards: Page, method: str) -> None:
    field(billiards, "optimiser").select_option(method)
    billiards.locator(".optimise").click()
    billiards.wait_for_function(
        "() => Number(document.querySelector('data.loss').value) < 1e-3", timeout=DESCENT_TIMEOUT_MS
    )


METHODS = """async ([method, rate, steps]) => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { DescentRun } = await from("pages/billiards/descent-run.js");
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const { beginning: { descents } } = await loadTable(await loadManifest());
  const bowl = {
    at(cue) {
      this.slope = cue.map((x) => x * x);
      return cue.reduce((sum, x) => sum + (x * x * x) / 3, 1);
    },
  };
  const order = { epoch: 0, task: null, cue: [1, -0.5, 2, 0.25], optimiser: method, rate, most: steps };
  const run = new DescentRun(bowl, order, descents);
  run.slice(Infinity);
  return [...run.cue];
}"""


def by_adam(x: float, rate: float, steps: int) -> float:
    """Minimise x³/3 by the method Adam (Kingma and Ba 2015, Algorithm 1). Return the last x."""
    first = second = 0.0
    for t in range(1, steps + 1):
        g = x * x
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        x -= rate * (first / (1 - 0.9**t)) / (math.sqrt(second / (1 - 0.999**t)) + 1e-8)
    return x


def by_momentum(x: float, rate: float, steps: int) -> float:
    """Minimise x³/3 by steps against a running mean of the slopes (momentum). Return the last x."""
    slopes: list[float] = []
    for _ in range(steps):
        slopes.append(x * x)
        x -= rate * math.fsum(0.1 * 0.9**age * slope for age, slope in enumerate(reversed(slopes)))
    return x


def by_descent(x: float, rate: float, steps: int) -> float:
    """Descend x³/3 by plain gradient descent."""
    for _ in range(steps):
        x -= rate * x * x
    return x


@pytest.mark.parametrize(
    ("method", "formula"), [("adam", by_adam), ("momentum", by_momentum), ("descent", by_descent)]
)
def test_a_method_takes_the_steps_of_its_formula(
    billiards: Page, method: str, formula: Callable[[float, float, int], float]
) -> None:
    values = billiards.evaluate(METHODS, [method, 0.05, 7])
    assert values == pytest.approx([formula(x, 0.05, 7) for x in (1.0, -0.5, 2.0, 0.25)], rel=1e-12)


METHODS_IN_TURN = """async () => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { DescentRun } = await from("pages/billiards/descent-run.js");
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const { beginning: { descents } } = await loadTable(await loadManifest());
  const bowl = {
    at(cue) {
      this.slope = cue.map((x) => 2 * x);
      return cue.reduce((sum, x) => sum + x * x, 0);
    },
  };
  const order = { epoch: 0, cue: [1, -2, 3, -4], task: null, rate: 0.01 };
  const run = new DescentRun(bowl, { ...order, optimiser: "momentum", most: 5 }, descents);
  run.slice(Infinity);
  const before = run.cue;
  run.go({ ...order, optimiser: "adam", most: 1 });
  run.slice(Infinity);
  return [run.iteration, [...run.cue.map((x, k) => Math.abs(x - before[k]))]];
}"""


def test_adams_first_step_is_as_long_as_the_rate_after_another_method(billiards: Page) -> None:
    iteration, moved = billiards.evaluate(METHODS_IN_TURN)
    assert iteration == 6
    assert moved == pytest.approx([0.01] * 4)


CLIFF = """async () => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { DescentRun } = await from("pages/billiards/descent-run.js");
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const { beginning: { descents } } = await loadTable(await loadManifest());
  const cliff = {
    at([x]) {
      const falls = x < -0.1;
      this.slope = [falls ? 0 : 200 * x, 0, 0, 0];
      return falls ? 5 : 100 * x * x;
    },
  };
  const order = { epoch: 0, cue: [1, 0, 0, 0], task: null, rate: 0.0078, optimiser: "descent" };
  const run = new DescentRun(cliff, { ...order, most: Infinity }, descents);
  const { losses, outcome, cue, share } = run.slice(Infinity);
  const once = new DescentRun(cliff, { ...order, most: 1 }, descents).slice(Infinity);
  return [losses.slice(0, 3), losses.at(-1), outcome, [...cue], share, once.losses, once.outcome];
}"""


def test_after_a_step_over_a_cliff_a_descent_returns_and_halves_its_step(billiards: Page) -> None:
    """A whole step from x = 1 leads over the cliff at x = −0.1 to x = −0.56, where the slope is 0.

    Half a step leads to x = 0.22, before the cliff.
    """
    first, last, outcome, cue, share, once, once_outcome = billiards.evaluate(CLIFF)
    assert first == [100, 5, 100]
    assert (outcome, share) == ("converged", 0.5)
    assert last < 1e-12
    assert abs(cue[0]) < 1e-6
    assert (once, once_outcome) == ([100, 5], "flat"), "one step is one step"


TO_AND_FRO = """async () => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { DescentRun } = await from("pages/billiards/descent-run.js");
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const { beginning: { descents } } = await loadTable(await loadManifest());
  const roof = {
    at([x]) {
      this.slope = [Math.sign(x), 0, 0, 0];
      return Math.abs(x);
    },
  };
  const order = { epoch: 0, task: null, rate: 0.01, optimiser: "descent", most: Infinity };
  const run = new DescentRun(roof, { ...order, cue: [0.9937, 0, 0, 0] }, descents);
  const { firstIteration, losses, outcome, best, cue } = run.slice(Infinity);
  run.go({ ...order, cue: null });
  const next = run.slice(0);
  const after = firstIteration + losses.length;
  return [after, losses.at(-1), outcome, best.loss, [...cue], next.firstIteration, next.losses];
}"""


def test_a_stalled_descent_ends_at_its_best_shot_and_continues_from_there(billiards: Page) -> None:
    """Steps of 0.01 jump over the minimum of |x| again and again. Shorter steps get nearer to it."""
    after, last, outcome, best, cue, first, losses = billiards.evaluate(TO_AND_FRO)
    assert outcome == "stalled"
    assert best < 1e-4
    assert last == abs(cue[0]) == best
    assert (first, losses) == (after - 1, [best]), "the curve continues instead of beginning again"


def test_with_two_layers_a_restart_from_the_best_place_hits_the_target(compiling: Page) -> None:
    outcome = compiling.locator(".outcome")
    field(compiling, "rack").select_option("two")
    expect(compiling.locator(".grip")).to_have_count(6)
    expect(outcome).to_contain_text(re.compile(ENDED), timeout=DESCENT_TIMEOUT_MS)
    assert number(compiling, "data.loss") < 1e-3
    field(compiling, "follow").uncheck()
    place(compiling, goal_x=0.8, goal_y=0.35)
    expect(outcome).not_to_contain_text(re.compile(ENDED))
    compiling.locator(".optimise").click()
    expect(outcome).to_contain_text(re.compile(ENDED), timeout=DESCENT_TIMEOUT_MS)
    before, ended = number(compiling, "data.loss"), outcome.inner_text()
    compiling.get_by_role("button", name="Start from the best place").last.click()
    expect(outcome).not_to_have_text(ended, timeout=DESCENT_TIMEOUT_MS)
    expect(outcome).to_contain_text(re.compile(ENDED), timeout=DESCENT_TIMEOUT_MS)
    assert number(compiling, "data.loss") < before


def test_the_page_says_at_once_that_a_shot_does_not_reach_its_target(billiards: Page) -> None:
    place(billiards, velocity_y=0.6)
    expect(billiards.locator(".outcome")).to_contain_text("gradient is zero")
    billiards.locator(".remedy").click()
    expect(billiards.locator(".outcome")).to_contain_text(re.compile(ENDED), timeout=DESCENT_TIMEOUT_MS)


def test_a_new_task_after_a_divergence_starts_from_the_best_shot(compiling: Page) -> None:
    """The box "follow" is not ticked, so no descent runs before the click on "Optimise"."""
    field(compiling, "follow").uncheck()
    field(compiling, "cushions").check()
    expect(compiling.locator(".cost")).to_contain_text("compiled here")
    outcome, x = compiling.locator(".outcome"), field(compiling, "cue-x")
    place(compiling, rate=1, goal_y=0.7, velocity_x=2)
    compiling.locator(".optimise").click()
    expect(outcome).to_contain_text("Diverged", timeout=DESCENT_TIMEOUT_MS)
    assert abs(float(x.input_value().replace("\u2212", "-"))) > 20
    field(compiling, "cushions").uncheck()
    expect(outcome).not_to_contain_text("Diverged")
    assert abs(float(x.input_value().replace("\u2212", "-"))) <= 20


def test_one_step_is_one_iteration_of_the_reference(billiards: Page) -> None:
    slope = [number(billiards, f"data.{name}") for name in ("by-x0", "by-x1", "by-v0", "by-v1")]
    billiards.get_by_role("button", name="One step", exact=True).click()
    expect(billiards.locator("data.iteration")).to_have_text("1")
    expected = [start - 0.01 * by for start, by in zip((0.1, 0.5, 0.3, 0.0), slope, strict=True)]
    names = ("cue-x", "cue-y", "velocity-x", "velocity-y")
    shown = [float(field(billiards, name).input_value().replace("\u2212", "-")) for name in names]
    assert shown == pytest.approx(expected, abs=1e-5)


MANY_SHOTS = """async () => {
  const { loadManifest, loadTable } = await import(new URL("engine/presets.js", document.scripts[0].src));
  const from = (name) => import(new URL(`pages/billiards/${name}.js`, document.scripts[0].src));
  const { GradientBatch } = await from("gradient-batch");
  const { Gradient } = await from("shot");
  const { beginning, artifact } = await loadTable(await loadManifest());
  const [one, many] = [new Gradient(artifact.shot), new GradientBatch(artifact.shot, artifact.batch)];
  const task = { rack: beginning.racks.four, goal: beginning.goal, target: beginning.target };
  const places = Array.from({ length: 7 }, (_, k) => [0.1 + 0.01 * k, 0.49 + 0.003 * k]);
  many.prepare(beginning.cue.v, task, places.length);
  const { losses, slopes } = many.run(places);
  const { v } = beginning.cue;
  const alone = places.map((place) => [one.at([...place, ...v], task), one.slope[0], one.slope[1]]);
  return [losses.map((loss, k) => [loss, slopes[2 * k], slopes[2 * k + 1]]), alone];
}"""


def test_many_shots_in_one_call_have_the_bits_of_single_calls(billiards: Page) -> None:
    many, alone = billiards.evaluate(MANY_SHOTS)
    assert many == alone
    assert len({loss for loss, *_ in many}) == 7


WHOLE_FIELD = """async () => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const { GradientBatch } = await from("pages/billiards/gradient-batch.js");
  const { FieldRun } = await from("pages/billiards/descent-run.js");
  const { Field } = await from("pages/billiards/field.js");
  const { beginning, artifact } = await loadTable(await loadManifest());
  const { goal, target, cue, racks: { four: rack } } = beginning;
  const [area, task] = [[0.1, 0.5, 0.2, 0.8], { rack, goal, target }];
  const run = new FieldRun(new GradientBatch(artifact.shot, artifact.batch), { velocity: cue.v, task, area });
  const field = new Field(area);
  while (!field.done) field.add(run.slice(8));
  return { losses: [...field.losses], slopes: [...field.slopes], best: field.best() };
}"""


def test_the_field_is_the_loss_and_its_slope_in_the_middle_of_each_cell(billiards: Page) -> None:
    """Compare every seventh cell, or at night every cell, with a gradient computed outside the page."""
    whole_field = billiards.evaluate(WHOLE_FIELD)
    losses, slopes = whole_field["losses"], whole_field["slopes"]
    run = eg.compile(shot(table_of(DEFAULT)))
    columns = [0.1 + (0.5 - 0.1) * (column + 0.5) / 36 for column in range(36)]
    places = [[x, 0.2 + (0.8 - 0.2) * (row + 0.5) / 24] for row in range(24) for x in columns]
    assert len(losses) == len(places)
    for k in range(0, len(places), 1 if NIGHTLY else 7):
        cell = run(places[k], CUE[1], RACK, list(GOAL), TARGET)
        assert [losses[k], *slopes[2 * k : 2 * k + 2]] == [cell["loss"], *cell["x"]], k
    least = min(range(len(losses)), key=losses.__getitem__)
    assert whole_field["best"] == pytest.approx(
        places[least], rel=0, abs=5e-5
    )  # rounded to a tenth of a millimetre


BROKEN_GRADIENT = """async () => {
  const { loadManifest, loadTable } = await import(new URL("engine/presets.js", document.scripts[0].src));
  const { Compiler } = await import(new URL("engine/compiler.js", document.scripts[0].src));
  const { notFinite, located } = await import(new URL("pages/billiards/texts.js", document.scripts[0].src));
  const manifest = await loadManifest();
  const { beginning } = await loadTable(manifest);
  const compiler = new Compiler(manifest, () => {}, () => null, () => {});
  compiler.start();
  const at = { cue: beginning.cue, task: { rack: beginning.racks.four, goal: [1e200, 0], target: 10 } };
  const trouble = await compiler.locate("shot_trouble", JSON.stringify(beginning.spec), at);
  compiler.destroy();
  return [located(trouble), notFinite(null)];
}"""


def test_the_page_names_the_row_where_numbers_stop_being_finite(compiling: Page) -> None:
    sentence, unknown = compiling.evaluate(BROKEN_GRADIENT)
    assert re.fullmatch(
        r"Not finite in the loss, after the last step: overflow of mul \(billiards\.py, line \d+\)\.",
        sentence,
    )
    assert unknown == "All positions are finite, but the loss or its gradient is not."


def test_a_descent_that_diverges_is_reported_with_a_remedy(billiards: Page) -> None:
    field(billiards, "rate").fill("1")
    place(billiards, velocity_x=2)
    billiards.locator(".optimise").click()
    expect(billiards.locator(".outcome")).to_contain_text(
        re.compile("Diverged|gradient is zero"), timeout=DESCENT_TIMEOUT_MS
    )
    expect(billiards.locator(".remedy")).to_be_visible()


def test_a_descent_ending_beside_the_goal_is_reported_with_a_new_start(
    billiards: Page, server_url: str
) -> None:
    page = billiards
    page.goto(f"{server_url}billiards.html#{BESIDE}")
    expect(field(page, "velocity-y")).to_have_value("\u22120.00343")  # the field shows no more digits
    below = page.locator(".setup").bounding_box()
    page.locator(".optimise").click()
    expect(page.locator(".outcome")).to_contain_text("the loss has no slope here", timeout=DESCENT_TIMEOUT_MS)
    assert number(page, "data.loss") > 1e-3
    assert page.locator(".setup").bounding_box() == below, "the panel jumped"
    x = field(page, "cue-x")
    ended = x.input_value()
    page.locator(".remedy").click()
    expect(x).not_to_have_value(ended, timeout=DESCENT_TIMEOUT_MS)

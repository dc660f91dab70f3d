"""The numbers of the page Billiards agree with a reference, and have the same bits as in wasmtime."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import eglantine as eg
from app.simulations.billiards import CUSHIONS, paths, shot
from app.simulations.tables import DEFAULT, GOAL, TARGET, table_of
from e2e.visitor import field, number
from tests.app.references import COLLISIONS, CUE, RACK, beyond, flat, of_billiards, of_descent

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

JET = ("loss", "by-x0", "by-x1", "by-v0", "by-v1")


def test_the_default_shot_has_the_published_loss_and_gradient(billiards: Page) -> None:
    shown = [number(billiards, f"data.{name}") for name in JET]
    assert shown[0] == pytest.approx(0.0453761, rel=0, abs=5e-8)  # half a unit of the last published digit
    assert shown[1:] == pytest.approx([-0.51885, 1.12967, -0.69752, 1.28105], rel=0, abs=5e-6)
    here = eg.compile(shot(table_of(DEFAULT)))(*CUE, RACK, list(GOAL), TARGET)
    assert shown == [here["loss"], *here["x"], *here["v"]]


def test_with_1023_steps_the_page_shows_the_references_loss_and_gradient(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    field(compiling, "steps").fill("1023")
    expect(compiling.locator(".cost")).to_contain_text("compiled here")
    shown = [number(compiling, f"data.{name}") for name in JET]
    assert beyond(shown, of_billiards()["the page's shot"]) == []


TWO_HUNDRED = """async () => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { DescentRun } = await from("pages/billiards/descent-run.js");
  const { Shot } = await from("pages/billiards/shot.js");
  const { Compiler } = await from("engine/compiler.js");
  const { loadManifest, loadTable } = await from("engine/presets.js");
  const manifest = await loadManifest();
  const { beginning } = await loadTable(manifest);
  const compiler = new Compiler(manifest, () => {}, () => ({}), () => {});
  compiler.start();
  const { artifact } = await compiler.compileTable(JSON.stringify({ ...beginning.spec, steps: 1023 }));
  compiler.destroy();
  const shot = new Shot(artifact);
  const { cue, goal, target, racks: { four: rack } } = beginning;
  const order = { task: { rack, goal, target }, cue: [...cue.x, ...cue.v], optimiser: "descent", rate: 0.01 };
  const run = new DescentRun(shot.gradient, { ...order, epoch: 0, most: 200 }, beginning.descents);
  const through = [];
  for (let k = 0; k < 200; k++) {
    const { losses, cue, slope } = run.slice(0);
    through.push(...losses, ...cue, ...slope);
  }
  const paths = shot.trace({ cue, rack, settings: { steps: 1023 } });
  through.push(...run.slice(0).cue);
  return { through, hits: paths.hits.map(({ step, ball }) => [step, ball]) };
}"""


def test_descent_in_the_browser_follows_the_reference_for_200_iterations(compiling: Page) -> None:
    """The shot has 1023 time steps, as in the reference. The page's own JavaScript computes the descent."""
    descent = compiling.evaluate(TWO_HUNDRED)
    assert beyond(descent["through"], of_descent()) == []
    struck = {(t + 1, ball) for t, i, j, *_ in COLLISIONS for ball in (i, j)}
    begins = {(step, ball) for step, ball in struck if (step - 1, ball) not in struck}
    assert {tuple(hit) for hit in descent["hits"]} == begins


BEST = """async () => {
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
  const order = { epoch: 0, task: null, cue: [1, 0, 2, 0], optimiser: "descent" };
  const told = (rate, most) => {
    const { outcome, best } = new DescentRun(bowl, { ...order, rate, most }, descents).slice(Infinity);
    return [outcome, best.iteration, best.loss, [...best.cue]];
  };
  return [told(1.1, 100), told(0.25, 3)];
}"""


def test_a_descent_returns_to_its_best_shot(billiards: Page) -> None:
    """The loss is x². A step with rate 1.1 multiplies x by −1.2, and a step with rate 0.25 halves x."""
    lost, paused = billiards.evaluate(BEST)
    assert lost == ["diverged", 0, 5, [1, 0, 2, 0]]
    assert paused == [None, 3, 5 / 64, [0.125, 0, 0.25, 0]]


def test_the_table_of_paths_has_the_place_of_every_ball_after_every_step(billiards: Page) -> None:
    with billiards.expect_download() as download:
        billiards.get_by_role("button", name="Paths as CSV").click()
    header, *lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert header == ",".join(["step", "time", *(f"{axis}{ball}" for ball in range(11) for axis in "xy")])
    moments = eg.compile(paths(table_of(DEFAULT)))(*CUE, RACK)
    expected = [flat([CUE[0], RACK]), *(flat(moment["x"]) for moment in moments)]
    assert [[float(number) for number in line.split(",")] for line in lines] == [
        [step, round(0.003 * step, 9), *places] for step, places in enumerate(expected)
    ]


def test_a_saved_picture_shows_every_ball_at_the_chosen_step(
    billiards: Page,
) -> None:
    field(billiards, "moment").fill("600")
    expect(billiards.locator(".clock")).to_contain_text("600/1024")
    with billiards.expect_download() as download:
        billiards.get_by_role("button", name="Picture as SVG").click()
    picture = Path(download.value.path()).read_text(encoding="utf-8")
    outline = re.search(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]* fill="none"', picture)
    assert outline is not None
    left, top, width = map(float, outline.groups())
    metre = width / (CUSHIONS[1] - CUSHIONS[0])
    drawn = {
        int(ball): [CUSHIONS[0] + (float(x) - left) / metre, CUSHIONS[3] - (float(y) - top) / metre]
        for x, y, ball in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(\d+)</text>', picture)
    }
    places = eg.compile(paths(table_of(DEFAULT)))(*CUE, RACK)[599]["x"]
    assert drawn.keys() == set(range(1, 11))
    for ball, place in drawn.items():
        assert place == pytest.approx(places[ball], rel=0, abs=2e-5), ball  # a step is ten times as long


PLAYED = """async () => {
  const { Player } = await import(new URL("page/player.js", document.scripts[0].src));
  let [nowMs, next] = [1000, null];
  performance.now = () => nowMs;
  globalThis.requestAnimationFrame = (tick) => ((next = tick), 1);
  globalThis.cancelAnimationFrame = () => (next = null);
  const player = new Player(0.003, () => {});
  const after = (ms) => {
    nowMs += ms;
    next?.(nowMs);
    return player.step;
  };
  player.setSteps(1024);
  player.toggle();
  const seen = [after(301), after(300)];
  player.setSpeed(0.25);
  seen.push(after(601));
  player.setSpeed(4);
  seen.push(after(301), after(10_000), player.playing);
  return seen;
}"""


def test_the_player_shows_the_step_of_the_elapsed_time_at_each_speed(tab: Page, server_url: str) -> None:
    """Each step lasts 3 ms, so the page shows step 100 after 301 ms. Then the speeds are 1/4 and 4."""
    tab.goto(f"{server_url}regression.html")
    assert tab.evaluate(PLAYED) == [100, 200, 250, 651, 1024, False]

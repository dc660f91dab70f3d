"""Robot: its modules, its training and its tables give the reference's numbers."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import eglantine as eg
from app.simulations.robot import HIDDEN, WAVES, motion
from app.simulations.robot import training as training_of
from app.simulations.walkers import PLANS, STEPS, robot_of, spec_of, world_of
from e2e.robot.conftest import loss, train
from tests.app.references import CALM, Held, beyond, flat, hexed, of_robot, of_training, start
from tools.gaits import shaped
from tools.presets import kept_gaits

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

TRAIN = """async ([name, first, iterations]) => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { loadManifest, loadRobot } = await from("engine/presets.js");
  const { Compiler } = await from("engine/compiler.js");
  const { Gait, Trainer } = await from("pages/robot/gait.js");
  const { TrainingRun } = await from("pages/robot/training-run.js");
  const { robotOf, shapeOf, specOf, worldOf } = await from("pages/robot/model.js");
  const manifest = await loadManifest();
  const { beginning, artifact: shipped } = await loadRobot(manifest);
  const robot = robotOf(beginning, name);
  let artifact = shipped;
  if (name !== beginning.first) {
    const compiler = new Compiler(manifest, () => {}, () => ({}), () => {});
    compiler.start();
    ({ artifact } = await compiler.compileRobot(specOf(robot)));
    compiler.destroy();
  }
  const shape = shapeOf(robot, beginning);
  const [world, weights] = [worldOf(robot, beginning), Float64Array.from(first)];
  const trainer = new Trainer(artifact.training, shape);
  const jet = [trainer.at(weights, world, false), ...trainer.slope];
  const { rate } = robot.settings;
  const order = { weights, world, reaches: false, rate, most: iterations - 1 };
  const run = new TrainingRun(trainer, new Gait(artifact.motion, shape), order, beginning.descent);
  return { world, jet, losses: run.slice(Infinity).losses };
}"""


@pytest.mark.parametrize("name", ["B", "D"])
def test_the_pages_modules_and_training_give_the_references_numbers(editable: Page, name: str) -> None:
    """The build has compiled the modules of robot B. The page compiles the modules of robot D."""
    measured: dict[str, Any] = editable.evaluate(TRAIN, [name, flat(start(name)), CALM[name]])
    assert beyond(measured["jet"], of_robot(name)["loss and gradient by every weight"]) == []
    assert beyond(measured["losses"], of_training(name)) == []
    here = eg.compile(training_of(robot_of(spec_of(PLANS[name]))))
    assert hexed(measured["jet"]) == hexed(here(*start(name), measured["world"], False))


def test_the_references_weights_come_from_a_file_and_train_to_its_losses(robot: Page, tmp_path: Path) -> None:
    file, expected = tmp_path / "weights.json", of_training("B")
    shape = {"hidden": HIDDEN, "waves": WAVES, "masses": len(PLANS["B"].points)}
    content = {"eglantine": "robot weights", "version": 1, **shape, "springs": len(PLANS["B"].ends)}
    file.write_text(json.dumps(content | {"weights": flat(start("B"))}), encoding="utf-8")
    robot.locator("[name=file]").set_input_files(file)
    expect(robot.locator(".notice")).to_contain_text("Weights loaded")
    assert beyond([loss(robot)], Held(expected.numbers[:1], expected.bounds[:1])) == []
    train(robot, CALM["B"] - 1)
    assert loss(robot) == pytest.approx(min(expected.numbers), rel=0, abs=max(expected.bounds))


def test_the_table_of_a_walk_has_every_mass_and_muscle_of_every_step(robot: Page) -> None:
    with robot.expect_download() as download:
        robot.locator(".csv").click()
    header, *lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    plan = PLANS["B"]
    masses, springs = len(plan.points), len(plan.ends)
    places = [f"{axis}{mass}" for mass in range(masses) for axis in "xy"]
    assert header == ",".join(["t", *places, *(f"muscle{spring}" for spring in range(springs))])
    moments = eg.compile(motion(robot_of(spec_of(plan))))(*first_weights("B"), world_of(plan))
    assert len(lines) == len(moments) == STEPS
    for step, (line, moment) in enumerate(zip(lines, moments, strict=True), start=1):
        expected = [round(0.004 * step, 6), *flat([moment["x"], moment["muscles"]])]
        assert [float(number) for number in line.split(",")] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_loss_is_computed_with_the_chosen_friction_gravity_and_goal(robot: Page) -> None:
    for name, value in {"friction": "0.3", "gravity": "-3", "goal-x": "0.7", "goal-y": "0.3"}.items():
        robot.locator(f"[name={name}]").fill(value)
    robot.locator("[name=aim]").select_option("goal")
    world = world_of(PLANS["B"]) | {"friction": 0.3, "gravity": -3.0, "goal": [0.7, 0.3]}
    value, _ = eg.compile(training_of(robot_of(spec_of(PLANS["B"]))))(*first_weights("B"), world, True)
    assert loss(robot) == pytest.approx(value, rel=1e-9)


def first_weights(name: str) -> list[Any]:
    """Return the initial weights of a robot's network. The robot uses them when the page opens."""
    plan = PLANS[name]
    return shaped(list(dict(kept_gaits())[name]), HIDDEN, WAVES + 4 * len(plan.points) + 2, len(plan.ends))


def test_weights_of_a_seed_are_spread_as_the_references_are(robot: Page) -> None:
    robot.get_by_role("button", name="Start over").click()
    with robot.expect_download() as download:
        robot.get_by_role("button", name="Save weights").click()
    content = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    inputs, springs = WAVES + 4 * content["masses"] + 2, content["springs"]
    w1, b1, w2, b2 = shaped(content["weights"], HIDDEN, inputs, springs)
    for weights, size in (
        (w1, 2 * math.sqrt(2 / (HIDDEN + inputs))),
        (w2, 3 * math.sqrt(2 / (HIDDEN + springs))),
    ):
        numbers = flat(weights)
        # four standard errors of the mean, in units of the standard deviation
        spread = 4 / math.sqrt(len(numbers))
        assert abs(statistics.fmean(numbers)) < spread * size
        assert statistics.pstdev(numbers) == pytest.approx(size, rel=spread)
        assert max(map(abs, numbers)) > 2.5 * size
    assert set(flat([b1, b2])) == {0.0}

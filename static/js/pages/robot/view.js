// Shows a robot and its training on the page "Robot".

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("./scene.js").RobotScene} RobotScene */
/** @typedef {import("../../page/journey.js").Journey<RobotDoc>} Journey */
/** @typedef {import("../../page/player.js").Player} Player */
/** @typedef {import("./building.js").RobotOptions} RobotOptions */
/** @typedef {import("./training.js").Training} Training */
/** The robot's compiled modules. `isCompiledHere`: true if they were compiled in this browser, not during the build.
 * @typedef {{artifact: {cost: import("../../page/simulation-view.js").Cost}, isCompiledHere: boolean}} Compiled */
/** @typedef {{robot: RobotDoc, training: Training, player: Player, options: RobotOptions, journey: Journey, source: Compiled}} RobotState */
/** @typedef {"friction" | "gravity" | "rate" | "seed" | "iterations" | "steps"} Setting */
/**
 * Functions that the view calls when you use its fields and handles.
 * @typedef {object} RobotEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(place: "goal" | "mass", axis: 0 | 1, value: number) => void} typed called when you have typed a coordinate
 * @property {(name: Setting, value: number) => void} set called when you have typed a setting
 * @property {() => void} done called when the focus leaves a field
 * @property {(element: HTMLElement, grip: import("./grips.js").Holdable) => void} newGrip called when the view has
 *   made a grip
 */

import { SimulationView } from "../../page/simulation-view.js";
import { CanvasPicture } from "../../widgets/canvas-picture.js";
import { Handles } from "../../widgets/handles.js";
import { LossCurve } from "../../widgets/loss-curve.js";
import { RobotCamera } from "./camera.js";
import { holdsOf } from "./grips.js";
import { isAsPlanned, keptGait } from "./model.js";
import { paintRobot } from "./scene.js";
import * as texts from "./texts.js";

/** The width and height of an exported picture, in pixels. On a wide screen, the robot's picture has the same ratio of width to
 * height. */
const EXPORT_SIZE = /** @type {const} */ ([1200, 522]);
const PLACES = /** @type {const} */ (["goal", "mass"]);
const SETTINGS = /** @type {const} */ (["friction", "gravity", "rate", "seed", "iterations"]);
const FIELDS = [...SETTINGS, "steps"];

export class RobotView extends SimulationView {
  /** @param {HTMLElement} root @param {RobotBeginning} beginning @param {RobotEvents} events */
  constructor(root, beginning, events) {
    super(root, texts.NO_PYTHON_ROBOT);
    this.beginning = beginning;
    /** @type {import("../../widgets/canvas-picture.js").Paint<RobotScene>} */
    const paint = (pen, frame, scene, inks) => paintRobot(pen, frame, scene, inks, beginning.ground);
    this.picture = new CanvasPicture(this.find(".place"), paint, [0, 1, 0, 0.5], EXPORT_SIZE, events.resized);
    this.grips = /** @type {Handles<import("./grips.js").Holdable>} */ (new Handles(this.find(".grips"), events.newGrip));
    this.curve = new LossCurve(this.find(".curve"), events.resized, false);
    this.pictures = [this.picture, this.curve];
    this.attachFields(PLACES, FIELDS, events);
    const robots = this.find("[name=robot]");
    for (const name of Object.keys(beginning.robots)) robots.add(new Option(texts.robotName(name), name));
    robots.add(new Option(texts.OWN_ROBOT, ""));
    this.camera = new RobotCamera(beginning.ground);
  }

  /** @param {RobotScene} scene @param {RobotState} state */
  draw(scene, state) {
    const { motion, editing } = scene;
    const { robot, training, player, options, journey, source } = state;
    this.picture.look(this.camera.look(scene, journey.isHeld, training.running, this.picture.frame.widthPx));
    this.picture.draw(scene);
    const handles = holdsOf(scene.robot, editing, this.picture.frame);
    this.grips.show(handles);
    this.find(".hint").style.visibility = editing ? "hidden" : "";
    this.curve.logarithmic = robot.settings.aim === "goal";
    const bestIteration = training.outcome === "done" ? training.report?.best.iteration : undefined;
    this.curve.draw(training.losses, this.picture.palette, training.planned, bestIteration);
    const loss = this.lossOf(robot, motion);
    this.data(".loss", loss);
    this.data(".slope", training.report?.norm ?? null);
    this.data(".iteration", training.iteration);
    this.showSettings(robot);
    const { wanted } = journey;
    this.showSetting("steps", wanted.steps);
    this.find("[name=robot]").value = isAsPlanned(wanted, this.beginning) ? wanted.name : "";
    this.showEditor(scene.robot, options);
    this.showJourney(journey);
    this.showMoment(player, editing ? 0 : player.step);
    this.showCost(source.artifact.cost, training.fastestMs, source.isCompiledHere);
    this.find(".kept").disabled = keptGait(robot, this.beginning) === null;
    const begun = training.follows && training.outcome !== null && training.outcome !== "diverged";
    this.text(".train", training.running ? texts.PAUSE : begun ? texts.CONTINUE : texts.TRAIN);
    const progress = this.find(".progress");
    progress.max = training.planned;
    progress.value = training.iteration;
    progress.hidden = !training.running;
    this.speak(handles, this.grips.focused, loss, training.iteration);
  }

  /** The loss as the model defines it. @param {RobotDoc} robot @param {Motion} motion @returns {number} */
  lossOf({ settings: { aim }, goal }, motion) {
    const [x, y] = motion.at(motion.steps, 0);
    return aim === "far" ? -x : (x - goal[0]) * (x - goal[0]) + (y - goal[1]) * (y - goal[1]);
  }

  /** @private @param {RobotDoc} robot */
  showSettings(robot) {
    const { goal, settings } = robot;
    this.show.get("goal-x")?.(goal[0]);
    this.show.get("goal-y")?.(goal[1]);
    for (const setting of SETTINGS) this.showSetting(setting, settings[setting]);
    this.text(".sticks", texts.frictionNote(settings.friction));
    this.find("[name=aim]").value = settings.aim;
  }

  /** @private @param {RobotDoc} robot @param {RobotOptions} options */
  showEditor({ masses, springs }, { editing, mass, spring, joining }) {
    this.find(".edit").setAttribute("aria-pressed", String(editing));
    this.text(".edit", editing ? texts.DONE_EDITING : texts.EDIT);
    this.find(".editor").hidden = !editing;
    if (!editing) return;
    fill(this.find("[name=mass]"), masses.map((_, k) => texts.massName(k)), mass);
    fill(this.find("[name=spring]"), springs.map(({ a, b, muscle }, k) => texts.springName(k, a, b, muscle)), spring);
    this.show.get("mass-x")?.(masses[mass][0]);
    this.show.get("mass-y")?.(masses[mass][1]);
    this.find("[name=muscle]").checked = springs[spring].muscle;
    this.find(".join").setAttribute("aria-pressed", String(joining));
    this.text(".join", joining ? texts.joinTo(mass) : texts.JOIN);
    this.find(".remove-mass").disabled = mass === 0 || masses.length <= 2;
    this.find(".remove-spring").disabled = springs.length <= 1;
  }
}

/** @param {HTMLSelectElement} select @param {readonly string[]} words @param {number} chosen */
function fill(select, words, chosen) {
  while (select.length > words.length) select.remove(select.length - 1);
  words.forEach((word, k) => {
    if (k === select.length) select.add(new Option(word, String(k)));
    else if (select.options[k].text !== word) select.options[k].text = word;
  });
  if (select.value !== String(chosen)) select.value = String(chosen);
}

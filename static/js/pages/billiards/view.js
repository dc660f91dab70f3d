// Shows a table and its shot on the page "Billiards".

/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("./scene.js").TableScene} TableScene */
/** @typedef {import("../../page/journey.js").Journey<Table>} Journey */
/** @typedef {import("../../page/player.js").Player} Player */
/** @typedef {import("./shooting.js").Shooting} Shooting */
/** The table's modules. `isCompiledHere`: true if they were compiled in the browser, and not by the build.
 * @typedef {{artifact: {cost: import("../../page/simulation-view.js").Cost}, isCompiledHere: boolean}} Compiled */
/** @typedef {"cue" | "velocity" | "goal" | "target"} Place a row of numbers */
/**
 * The functions that the view calls when you use its fields and handles.
 * @typedef {object} ViewEvents
 * @property {() => void} resized - called when the size of a picture has changed
 * @property {(place: Place, axis: 0 | 1, value: number) => void} typed - called with a new coordinate of a place
 * @property {(name: "friction" | "steps" | "rate", value: number) => void} set - called with a new value of a setting
 * @property {() => void} done - called when the focus leaves a field
 * @property {(element: HTMLElement, grip: import("./table.js").Grip) => void} newGrip - called with the new element of a grip
 */

import { SimulationView } from "../../page/simulation-view.js";
import { CanvasPicture } from "../../widgets/canvas-picture.js";
import { Handles } from "../../widgets/handles.js";
import { LossCurve } from "../../widgets/loss-curve.js";
import { handlesOf } from "./grips.js";
import { GOAL_RADII, paintTable } from "./scene.js";
import * as texts from "./texts.js";

const EXPORT_SIZE = /** @type {const} */ ([1168, 800]);
const PLACES = /** @type {const} */ (["cue", "velocity", "goal", "target"]);
const SETTINGS = /** @type {const} */ (["friction", "steps", "rate"]);

/** The height of the hint above the goal's ring. */
const HINT_PX = 23;

export class BilliardsView extends SimulationView {
  /** @param {HTMLElement} root @param {Beginning} beginning @param {ViewEvents} events */
  constructor(root, beginning, events) {
    super(root, texts.NO_PYTHON_TABLE);
    this.beginning = beginning;
    /** @type {import("../../widgets/canvas-picture.js").Paint<TableScene>} */
    const paint = (pen, frame, scene, inks) => paintTable(pen, frame, scene, inks, beginning);
    this.picture = new CanvasPicture(this.find(".place"), paint, beginning.cushions, EXPORT_SIZE, events.resized);
    this.grips = /** @type {Handles<import("./table.js").Grip>} */ (new Handles(this.find(".grips"), events.newGrip));
    this.curve = new LossCurve(this.find(".curve"), events.resized);
    this.pictures = [this.picture, this.curve];
    this.attachFields(PLACES, SETTINGS, events);
  }

  /** @param {TableScene} scene
   * @param {{journey: Journey, shooting: Shooting, player: Player, source: Compiled}} state */
  draw(scene, { journey, shooting, player, source }) {
    const { table, jet } = scene;
    this.picture.draw(scene);
    const handles = handlesOf(table, this.picture.frame);
    this.grips.show(handles, shooting.running ? ["cue", "tip"] : []);
    const [xPx, yPx] = this.picture.frame.toPx(table.goal);
    const hint = this.find(".hint");
    const [, topPx] = this.picture.frame.toPx([table.goal[0], table.goal[1] + GOAL_RADII * this.beginning.radius]);
    const isAbove = topPx > HINT_PX;
    hint.style.transform = `translate(${xPx}px, ${isAbove ? topPx - HINT_PX : yPx}px)`;
    hint.classList.toggle("is-above", isAbove);
    this.curve.draw(shooting.losses, this.picture.palette);
    this.data(".loss", jet.loss);
    this.data(".slope", Math.hypot(...jet.x, ...jet.v));
    this.data(".iteration", shooting.iteration);
    for (const k of /** @type {const} */ ([0, 1])) {
      this.data(`.by-x${k}`, jet.x[k], slopeDigits(jet.x[k]));
      this.data(`.by-v${k}`, jet.v[k], slopeDigits(jet.v[k]));
    }
    this.showPlaces(table);
    this.showControls(journey.wanted);
    this.showJourney(journey);
    this.showMoment(player, player.step);
    this.showCost(source.artifact.cost, shooting.fastestMs, source.isCompiledHere);
    this.text(".optimise", shooting.running ? texts.PAUSE : texts.OPTIMISE);
    this.speak(handles, this.grips.focused, jet.loss, shooting.iteration);
  }

  /** @private @param {Table} table */
  showPlaces({ cue, goal, rack, target }) {
    const points = { cue: cue.x, velocity: cue.v, goal, target: target === 0 ? cue.x : rack[target - 1] };
    for (const place of PLACES) {
      points[place].forEach((value, axis) => this.show.get(`${place}-${"xy"[axis]}`)?.(Number(Number(value.toPrecision(5)).toFixed(5))));
    }
    this.text(".target-number", String(target));
    const select = this.find("[name=target]");
    while (select.length > rack.length) select.remove(select.length - 1);
    while (select.length < rack.length) select.add(new Option(String(select.length + 1), String(select.length + 1)));
    select.value = String(target);
  }

  /** Shows a table's settings in the controls, even while the table's modules are still compiling.
   * @private @param {Table} table */
  showControls({ rack, target, settings }) {
    for (const name of SETTINGS) this.showSetting(name, settings[name]);
    this.find("[name=optimiser]").value = settings.optimiser;
    this.find("[name=cushions]").checked = settings.cushions;
    this.find("[name=impact]").checked = settings.timeOfImpact;
    const racks = Object.entries(this.beginning.racks);
    this.find("[name=rack]").value = racks.find(([, balls]) => JSON.stringify(balls) === JSON.stringify(rack))?.[0] ?? "own";
    this.find(".remove").disabled = rack.length === 1 || target === 0;
    this.find(".add").disabled = rack.length + 1 >= this.beginning.mostBalls;
  }
}

/** @param {number} slope @returns {number} the number of digits that fit beside the fields of a narrow screen */
function slopeDigits(slope) {
  return Math.abs(slope) < 0.01 ? 2 : 3;
}

// What the page "Robot" shows of a robot and its training.

/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("../model/motion.js").Motion} Motion */
/** @typedef {import("../model/types.js").Robot} RobotDoc */
/** @typedef {import("../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../widgets/robot-scene.js").RobotScene} RobotScene */
/** @typedef {import("./robot.js").Robot} Robot */
/** @typedef {"friction" | "gravity" | "rate" | "seed" | "iterations"} Setting */
/**
 * @typedef {object} RobotEvents
 * @property {() => void} resized
 * @property {(place: "goal" | "mass", axis: 0 | 1, value: number) => void} typed
 * @property {(name: Setting, value: number) => void} set
 * @property {() => void} done a field was left
 * @property {(element: HTMLElement, grip: import("../widgets/robot-grips.js").Holdable) => void} newGrip
 */

import { format, formatBytes, formatShort } from "../model/numbers.js";
import { keptGait } from "../model/robot.js";
import { numberField } from "../widgets/fields.js";
import { GaitCurve } from "../widgets/gait-curve.js";
import { RobotGrips } from "../widgets/robot-grips.js";
import { RobotPicture } from "../widgets/robot-picture.js";
import * as texts from "../texts.js";

const NOTICE_MS = 4000;
const SPEAK_MS = 2000;
const SETTINGS = /** @type {const} */ (["friction", "gravity", "rate", "seed", "iterations"]);
/** Metres: what is seen at least, in which steps that grows, and the room around a robot that is edited. */
const LEAST_AREA = /** @type {const} */ ([0, 1, 0.05, 0.4]);
const GROWTH = 0.25;
const ROOM = 0.1;
const EDIT_ROOM = 0.07;
/** Half the hint's width, and a little. */
const HINT_PX = 68;

export class RobotView {
  /** @param {HTMLElement} root @param {RobotBeginning} beginning @param {RobotEvents} events */
  constructor(root, beginning, events) {
    this.root = root;
    this.beginning = beginning;
    this.picture = new RobotPicture(this.find(".arena"), beginning.ground, events.resized);
    this.grips = new RobotGrips(this.find(".grips"), events.newGrip);
    this.curve = new GaitCurve(this.find(".curve"), events.resized);
    /** Shows a number, by its field's name. @type {Map<string, (value: number) => void>} */
    this.show = new Map();
    for (const place of /** @type {const} */ (["goal", "mass"])) {
      for (const axis of /** @type {const} */ ([0, 1])) {
        const name = `${place}-${"xy"[axis]}`;
        const input = this.find(`[name=${name}]`);
        input.setAttribute("aria-label", `${texts.TEXTS[place]}, ${"xy"[axis]}`);
        this.show.set(name, numberField(input, (value) => events.typed(place, axis, value), events.done));
      }
    }
    for (const name of SETTINGS) {
      this.show.set(name, numberField(this.find(`[name=${name}]`), (value) => events.set(name, value), events.done));
      const range = this.find(`[name=${name}-range]`);
      range?.addEventListener("input", () => events.set(name, Number(range.value)));
      range?.addEventListener("change", events.done);
    }
    const robots = this.find("[name=robot]");
    for (const name of Object.keys(beginning.robots)) robots.add(new Option(texts.robotName(name), name));
    /** While a robot is held, the picture does not move under it. @type {readonly number[] | null} */
    this.editArea = null;
    /** The same of a robot that is watched. @type {readonly number[] | null} */
    this.watchArea = null;
    this.noticeTimer = 0;
    this.spokenAtMs = 0;
    this.spoken = "";
  }

  /** @param {string} selector @returns {any} the element, which robot.html has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @param {RobotScene} scene @param {Robot} page */
  draw(scene, page) {
    const { robot, motion, editing } = scene;
    const { training, player, options } = page;
    this.picture.show(this.areaOf(scene, page.held !== null, training.running));
    this.picture.draw(scene);
    this.grips.show(robot, editing, this.picture.frame);
    const [xPx, yPx] = this.picture.frame.toPx(robot.goal);
    const hint = this.find(".hint");
    const fits = Math.min(xPx, this.picture.frame.widthPx - HINT_PX);
    hint.style.transform = `translate(${fits}px, ${yPx}px)`;
    hint.style.visibility = editing ? "hidden" : "";
    this.curve.draw(training.losses, training.planned, this.picture.palette);
    const loss = this.lossOf(robot, motion);
    this.data(".loss", loss);
    this.data(".slope", training.report?.norm ?? null);
    this.data(".iteration", training.iteration);
    this.showSettings(robot);
    this.showEditor(robot, options);
    this.showMoment(player, editing);
    this.showCost(page);
    this.find(".kept").disabled = keptGait(robot, this.beginning) === null;
    const begun = training.follows && training.outcome !== null && training.outcome !== "diverged";
    this.text(".train", training.running ? texts.PAUSE : begun ? texts.CONTINUE : texts.TRAIN);
    const progress = this.find(".progress");
    progress.max = training.planned;
    progress.value = training.iteration;
    progress.hidden = !training.running;
    this.speak(loss, training.iteration, training.running);
  }

  /** The loss as the model has it. @param {RobotDoc} robot @param {Motion} motion @returns {number} */
  lossOf({ settings: { aim }, goal }, motion) {
    const [x, y] = motion.at(motion.steps, 0);
    return aim === "far" ? -x : (x - goal[0]) * (x - goal[0]) + (y - goal[1]) * (y - goal[1]);
  }

  /** @private @param {RobotScene} scene @param {boolean} held @param {boolean} running @returns {readonly number[]} */
  areaOf({ robot, motion, editing }, held, running) {
    const xs = robot.masses.map(([x]) => x);
    const ys = robot.masses.map(([, y]) => y);
    if (editing) {
      if (held && this.editArea !== null) return this.editArea;
      this.editArea = [Math.min(...xs) - EDIT_ROOM, Math.max(...xs) + EDIT_ROOM, this.beginning.ground - 0.03, Math.max(...ys) + EDIT_ROOM];
      return this.editArea;
    }
    this.editArea = null;
    const [x0, x1, y0, y1] = LEAST_AREA;
    const farthest = Math.max(robot.goal[0], Number.isFinite(motion.farthest()) ? motion.farthest() : x1) + ROOM;
    const right = Math.min(5, GROWTH * Math.ceil(Math.max(x1, farthest) / GROWTH - 1e-9));
    const left = GROWTH * Math.floor((Math.min(x0, robot.goal[0] - ROOM, ...xs)) / GROWTH + 1e-9);
    const top = Math.max(y1, robot.goal[1] + ROOM, Math.max(...ys) + ROOM);
    const keeps = held || running;
    const before = this.watchArea ?? [left, right, y0, top];
    this.watchArea = keeps ? [before[0], Math.max(before[1], running ? right : before[1]), y0, before[3]] : [left, right, y0, top];
    return this.watchArea;
  }

  /** @private @param {RobotDoc} robot */
  showSettings({ name, goal, settings }) {
    this.show.get("goal-x")?.(goal[0]);
    this.show.get("goal-y")?.(goal[1]);
    for (const setting of SETTINGS) {
      this.show.get(setting)?.(settings[setting]);
      const range = this.find(`[name=${setting}-range]`);
      if (range !== null) range.value = String(settings[setting]);
    }
    this.text(".sticks", texts.frictionNote(settings.friction));
    this.find("[name=robot]").value = name;
    this.find("[name=aim]").value = settings.aim;
  }

  /** @private @param {RobotDoc} robot @param {Robot["options"]} options */
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

  /** @private @param {import("./player.js").Player} player @param {boolean} editing */
  showMoment({ step, steps, dt, playing }, editing) {
    const range = this.find("[name=moment]");
    range.max = String(steps);
    range.value = String(editing ? 0 : step);
    this.text(".clock", texts.clock(editing ? 0 : step, steps, (editing ? 0 : step) * dt));
    this.text(".play", playing ? texts.PAUSE : texts.PLAY);
  }

  /** @private @param {Robot} page */
  showCost({ source: { artifact, isCompiledHere }, training: { fastestMs } }) {
    const { ms, bytes, memory } = artifact.cost;
    const call = Number.isFinite(fastestMs) ? formatShort(fastestMs) : null;
    const mebibytes = `${(memory / 2 ** 20).toFixed(2)}\u00a0MiB`;
    this.text(".cost", texts.tableCost(formatShort(ms), formatBytes(bytes), mebibytes, call, isCompiledHere));
  }

  /** Shows how a training stands, and what may be done about it.
   * @param {string} outcome @param {string | null} remedy its button's words */
  showOutcome(outcome, remedy) {
    this.text(".outcome", outcome);
    this.find(".remedy").hidden = remedy === null;
    if (remedy !== null) this.text(".remedy", remedy);
  }

  /** Says the loss aloud, not too often. @private @param {number} loss @param {number} iteration @param {boolean} running */
  speak(loss, iteration, running) {
    const now = performance.now();
    const text = texts.lossSpoken(format(Number(loss.toPrecision(3))), iteration);
    if (text === this.spoken || (running && now - this.spokenAtMs < SPEAK_MS)) return;
    if (this.spoken !== "") this.text(".live", text);
    this.spoken = text;
    this.spokenAtMs = now;
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.root.dataset.python = status.phase;
    this.find(".retry").hidden = status.phase !== "failed";
    const text = { loading: () => texts.loading("share" in status ? status.share : 0), ready: () => "", failed: () => texts.NO_PYTHON_ROBOT };
    this.text(".python", text[status.phase]());
  }

  /** @param {string} message @param {boolean} stays until the next one */
  notify(message, stays = false) {
    this.text(".notice", message);
    clearTimeout(this.noticeTimer);
    if (!stays) this.noticeTimer = window.setTimeout(() => this.text(".notice", ""), NOTICE_MS);
  }

  /** @private @param {string} selector @param {number | null} value null for none yet */
  data(selector, value) {
    this.find(selector).value = value === null ? "" : String(value);
    this.text(selector, value === null ? "\u2013" : format(value));
  }

  /** @private @param {string} selector @param {string} text */
  text(selector, text) {
    const element = this.find(selector);
    if (element.textContent !== text) element.textContent = text;
  }

  destroy() {
    clearTimeout(this.noticeTimer);
    this.picture.destroy();
    this.curve.destroy();
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

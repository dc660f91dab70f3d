// Shows a network, its data and its training on the page Learn.

/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("./scene.js").LearnScene} LearnScene */
/** @typedef {import("./training.js").Training} Training */
/**
 * Functions that the view calls when you use its fields.
 * @typedef {object} LearnEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(name: any, value: any) => void} set called when you have typed a setting
 * @property {() => void} done called when the focus leaves a field
 * @property {(layer: number, by: 1 | -1) => void} units adds a unit to a layer or removes a unit
 */

import { formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { fit } from "../../widgets/canvas-picture.js";
import { numberField, valueField } from "../../widgets/fields.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { Speaker } from "../../widgets/speaker.js";
import * as texts from "./texts.js";
import { paintNetwork } from "./diagram.js";
import { OWN, mostOwn, mostUnits, readLine, taskOf } from "./lesson.js";
import { drawProgress } from "./progress.js";
import { paintLearned, regionOf } from "./scene.js";

const SETTINGS = ["rate", "l2", "noise", "seed"];

export class LearnView extends SimulationView {
  /** @param {HTMLElement} root @param {LessonBeginning} beginning @param {LearnEvents} events */
  constructor(root, beginning, events) {
    super(root, texts.NO_PYTHON_NETWORK);
    this.beginning = beginning;
    this.events = events;
    this.learned = new PlotPicture(this.find(".learned"), events.resized);
    this.network = /** @type {HTMLCanvasElement} */ (this.find(".network canvas"));
    this.curve = /** @type {HTMLCanvasElement} */ (this.find(".curve"));
    this.observer = new ResizeObserver(events.resized);
    this.observer.observe(this.network);
    this.observer.observe(this.curve);
    this.pictures = [this.learned, { destroy: () => this.observer.disconnect() }];
    this.attachFields([], SETTINGS, { ...events, typed: () => {} });
    for (const axis of ["x", "y"]) {
      const input = this.find(`[name=own-${axis}]`);
      this.show.set(`own-${axis}`, numberField(input, (value) => this.typed.set(axis, value), () => {}));
    }
    const form = { read: (/** @type {string} */ text) => readLine(text, beginning), write: (/** @type {string} */ line) => line };
    this.showLine = valueField(this.find("[name=line]"), form, "", { onChange: (line) => events.set("line", line), onDone: events.done });
    /** The place that you typed for a new point. */
    this.typed = new Map([["x", 0], ["y", 0]]);
    for (const [axis, value] of this.typed) this.show.get(`own-${axis}`)?.(value);
    this.spoken = new Speaker(this.find(".live"));
  }

  /** @param {LearnScene} scene @param {Training} training @param {{cost: {ms: number, bytes: number}, isCompiledHere: boolean}} made */
  draw(scene, training, made) {
    const { lesson, seen } = scene;
    const inks = this.learned.palette;
    this.learned.draw(regionOf(scene), (pen, frame, palette) => paintLearned(pen, frame, palette, scene));
    this.drawNetwork(scene);
    drawProgress(this.curve, training.progress, inks);
    const step = training.progress.marks.at(-1)?.step ?? 0;
    this.data(".iteration", step);
    this.data(".loss", seen.train.loss, 3);
    this.data(".test-loss", lesson.set === OWN ? null : seen.test.loss, 3);
    this.text(".right", texts.rightShare(seen.train.right));
    this.text(".test-right", lesson.set === OWN ? texts.NOTHING : texts.rightShare(seen.test.right));
    this.showControls(lesson);
    this.showMade(made, training);
    this.spoken.say(texts.learnedSpoken(step, texts.rightShare(seen.train.right), lesson.set === OWN ? null : texts.rightShare(seen.test.right)));
  }

  /** @private @param {LearnScene} scene */
  drawNetwork(scene) {
    const { network } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [network.clientWidth, network.clientHeight];
    fit(network, width * ratio, height * ratio);
    const pen = /** @type {CanvasRenderingContext2D} */ (network.getContext("2d"));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    paintNetwork(pen, width, height, this.learned.palette, scene);
  }

  /** @private @param {Lesson} lesson */
  showControls(lesson) {
    const { beginning } = this;
    const task = taskOf(lesson);
    this.root.dataset.task = task;
    for (const name of /** @type {const} */ (["rate", "l2", "noise", "seed"])) this.showSetting(name, lesson[name]);
    for (const name of /** @type {const} */ (["set", "activation", "optimiser", "batch"])) this.find(`[name=${name}]`).value = String(lesson[name]);
    this.showLine(lesson.line);
    for (const element of this.root.querySelectorAll("[data-only]")) {
      const only = String(/** @type {HTMLElement} */ (element).dataset.only).split(" ");
      /** @type {HTMLElement} */ (element).hidden = !only.includes(task);
    }
    this.find(".layers-more").disabled = lesson.hidden.length >= beginning.mostLayers;
    this.find(".layers-fewer").disabled = lesson.hidden.length === 0;
    this.text(".layers-count", texts.layerCount(lesson.hidden.length));
    this.showLayers(lesson);
    this.find(".add").disabled = lesson.own.length >= mostOwn(beginning);
    this.find(".remove").disabled = lesson.own.length === 0;
    const label = texts.networkLabel(task, lesson.hidden);
    if (this.network.getAttribute("aria-label") !== label) this.network.setAttribute("aria-label", label);
  }

  /** Shows a row of controls for each layer. Changes existing rows instead of replacing them, so that a pressed button keeps
   * the focus.
   * @private @param {Lesson} lesson */
  showLayers(lesson) {
    const list = /** @type {HTMLElement} */ (this.find(".layers"));
    while (list.children.length > lesson.hidden.length) list.lastElementChild?.remove();
    while (list.children.length < lesson.hidden.length) list.append(this.layerRow(list.children.length));
    lesson.hidden.forEach((units, k) => {
      const row = list.children[k];
      const [fewer, more] = row.querySelectorAll("button");
      const word = /** @type {HTMLElement} */ (row.querySelector("span"));
      const text = texts.layerUnits(k, units, taskOf(lesson));
      if (word.textContent !== text) word.textContent = text;
      fewer.disabled = units <= 1;
      more.disabled = units >= mostUnits(lesson, this.beginning);
    });
  }

  /** @private @param {number} layer @returns {HTMLElement} */
  layerRow(layer) {
    const row = document.createElement("li");
    const word = document.createElement("span");
    const buttons = /** @type {const} */ ([[-1, "\u2212"], [1, "+"]]).map(([by, sign]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", texts.unitsLabel(layer, by));
      button.addEventListener("click", () => this.events.units(layer, by));
      return button;
    });
    row.append(word, ...buttons);
    return row;
  }

  /** @private @param {{cost: {ms: number, bytes: number}, isCompiledHere: boolean}} made @param {Training} training */
  showMade({ cost, isCompiledHere }, { fastestMs }) {
    const perSecond = Number.isFinite(fastestMs) ? Math.round(Number((1000 / fastestMs).toPrecision(2))) : null;
    this.text(".cost", texts.networkCost(isCompiledHere ? formatShort(cost.ms) : null, formatBytes(cost.bytes), perSecond));
  }

  /** @override */
  destroy() {
    this.spoken.destroy();
    super.destroy();
  }
}

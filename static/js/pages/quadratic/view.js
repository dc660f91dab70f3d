// Shows a document and its kernel on the page "Quadratic".

/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").View} View */
/** @typedef {import("../../engine/compiler.js").Status} Status */
/** @typedef {import("../../engine/kernel-source.js").KernelSource} KernelSource */
/**
 * Functions that the view calls when you use its fields.
 * @typedef {object} Events
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(x: number) => void} typedX called when you have typed the point's x
 * @property {(y: number) => void} typedY called when you have typed the point's y
 * @property {() => void} done called when the focus leaves a field
 * @property {import("./look.js").Edit} edited called when a control changes the document
 */
/** @typedef {import("../../widgets/sliders.js").SliderEvents} SliderEvents */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { describe } from "../../model/point-kind.js";
import { Badge } from "../../widgets/badge.js";
import { numberField } from "../../widgets/fields.js";
import { readInks } from "../../widgets/palette.js";
import { Sliders } from "../../widgets/sliders.js";
import { Speaker } from "../../widgets/speaker.js";
import { Look } from "./look.js";
import { Pictures } from "./pictures.js";
import { Readout } from "./readout.js";
import * as texts from "./texts.js";

const NOTICE_MS = 4000;
const TIMED_BATCHES = 8;
const TIMED_CALLS = 1000;
/** During a drag, we change words and numbers only in every sixth frame, because their layout takes a fifth of a frame's
 * time. */
const WORDS_EVERY = 6;

export class QuadraticView {
  /** @param {HTMLElement} root @param {Events & SliderEvents} events */
  constructor(root, events) {
    this.root = root;
    this.pictures = new Pictures(root, events.resized);
    this.look = new Look(root, events.edited, events.done, () => this.pictures.mesh?.rangeZ ?? [-1, 1]);
    this.readout = new Readout(this.find(".values"), this.find(".kind"), this.find(".eigenvalues"));
    this.badge = new Badge(this.find(".badge"));
    this.sliders = new Sliders(this.find(".sliders"), events);
    this.showX = numberField(this.find("[name=x]"), events.typedX, events.done);
    this.showY = numberField(this.find("[name=y]"), events.typedY, events.done);
    this.results = new Float64Array(6);
    /** The timed kernel with its time per call. @type {{kernel: unknown, microseconds: number} | null} */
    this.timing = null;
    this.noticeTimer = 0;
    /** The number of frames that the present drag has changed so far. */
    this.moved = 0;
    this.speaker = new Speaker(this.find(".live"));
  }

  /** @param {string} selector @returns {any} the element, which quadratic.html has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** Draws the page for a document. @param {Doc} doc @param {View} view @param {KernelSource} source @param {boolean} isMoving
   * @param {import("./extras.js").Extras | null} extras the other pictures; null if extras.js has not loaded yet
   * @returns {import("../../engine/checker.js").Question} the numbers that are shown for the point */
  draw(doc, view, source, isMoving, extras) {
    const { point } = doc;
    const { kernel, artifact } = source;
    const args = argumentsOf(doc, source);
    const jetAt = (/** @type {number} */ x, /** @type {number} */ y) => {
      args[0] = x;
      args[1] = y;
      kernel.evaluate?.(args, this.results);
      return this.results;
    };
    const values = args.slice(2);
    const showing = { doc, view, jetAt, of: [kernel, ...values], isMoving, isEquation: artifact.equation === true };
    const built = this.pictures.prepare(showing);
    const { jet } = built;
    const seen = extras?.see(showing, built, artifact, values);
    const scenes = this.pictures.draw(showing, built, seen);
    if (seen !== undefined) extras?.draw(scenes);
    this.moved = isMoving && this.find("[data-dragging]") !== null ? this.moved + 1 : 0;
    if (this.moved === 0 || this.moved % WORDS_EVERY === 1) {
      const [x, y, z] = [point[0], point[1], jet.f].map(format);
      const place = texts.pointPlace(x, y, z);
      this.pictures.surface.label(texts.surfaceLabel(artifact.text), texts.pointLabel(place));
      if (seen !== undefined) extras?.show(showing, scenes, seen, artifact.text, place);
      this.speaker.say(place);
      this.showWords(doc, source, built);
    }
    return { artifact, values: argumentsOf(doc, source), shown: [...jetAt(point[0], point[1])] };
  }

  /** Shows the numbers, the fields and the formulas. @private
   * @param {Doc} doc @param {KernelSource} source @param {import("./pictures.js").Built} built */
  showWords(doc, source, { mesh, jet }) {
    const { point, params, region } = doc;
    const { artifact } = source;
    this.look.show(doc, mesh.rangeZ);
    this.showX(point[0]);
    this.showY(point[1]);
    this.sliders.show(params);
    this.find(".by-itself").hidden = params.every(({ own }) => own !== true);
    this.readout.show(jet, describe(jet, mesh.rangeZ[1] - mesh.rangeZ[0], region[1] - region[0]));
    if (artifact.tex !== null) this.readout.showFormulas(artifact.tex);
    else if (source.isEarly) this.readout.hideFormulas();
    this.showCost(source);
  }

  /** @private @param {KernelSource} source */
  showCost({ artifact, kernel, isCompiledHere, isEarly }) {
    const call = this.timing?.kernel === kernel ? formatShort(this.timing.microseconds) : null;
    const text = isEarly ? texts.interpreted(call) : texts.cost(isCompiledHere ? formatShort(artifact.cost.ms) : null, formatBytes(artifact.wasm.length), call);
    const place = this.find(".cost");
    if (place.textContent !== text) place.textContent = text;
  }

  /** Measures how long the kernel takes to compute its results at the point. We time several batches of calls and use the
   * fastest batch, because other work on the machine slows down some batches.
   * @param {KernelSource} source @param {Doc} doc */
  timeCalls(source, doc) {
    const { kernel } = source;
    const args = argumentsOf(doc, source);
    let best = Infinity;
    for (let batch = 0; batch < TIMED_BATCHES; batch++) {
      const start = performance.now();
      for (let k = 0; k < TIMED_CALLS; k++) kernel.evaluate?.(args, this.results);
      best = Math.min(best, performance.now() - start);
    }
    this.timing = { kernel, microseconds: (best * 1000) / TIMED_CALLS };
    this.showCost(source);
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    const share = status.phase === "loading" ? status.share : 1;
    const bar = this.find(".loading");
    bar.hidden = status.phase !== "loading";
    bar.value = share;
    this.find(".retry").hidden = status.phase !== "failed";
    this.root.dataset.python = status.phase;
    this.find(".python").textContent = status.phase === "loading" ? texts.loading(share) : "";
  }

  /** Returns everything that is needed to save the pictures in a file. Returns null if no frame has been drawn yet.
   * @param {string} text the formula @returns {import("./figure.js").Figure | null} */
  figure(text) {
    const { scenes, surface } = this.pictures;
    if (scenes === null) return null;
    const items = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".legend li")]).filter((item) => item.offsetParent !== null);
    const legend = items.map((item) => ({
      look: item.querySelector(".swatch")?.className.replace(/.*is-/, "") ?? "",
      words: item.textContent.trim(),
    }));
    return { scenes, title: texts.figureTitle(text), legend, palette: surface.palette, inks: readInks(this.find(".map")) };
  }

  /** @param {string} message shown for a while */
  notify(message) {
    this.find(".notice").textContent = message;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => this.find(".notice").replaceChildren(), NOTICE_MS);
  }

  destroy() {
    clearTimeout(this.noticeTimer);
    this.speaker.destroy();
    this.pictures.destroy();
  }
}

/** @param {Doc} doc @param {KernelSource} source @returns {number[]} the kernel's arguments at the point */
function argumentsOf({ point, params }, { artifact }) {
  const values = artifact.names.slice(2).map((name) => params.find((param) => param.name === name)?.value ?? 0);
  return [...point, ...values];
}

// The page "Quadratic": a document, what a person can do to it, and what follows from that.

/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Preset} Preset */
/** @typedef {import("../model/types.js").View} View */
/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../engine/compiler.js").Status} Status */

import { FormulaField } from "../editor/formula-field.js";
import { Checker } from "../engine/checker.js";
import { KernelSource } from "../engine/kernel-source.js";
import { attachKeys, attachUndoKeys, KEY_ZOOM } from "../gestures/keys.js";
import { attachPointer } from "../gestures/pointer.js";
import { limitView, START_VIEW } from "../model/camera.js";
import * as docs from "../model/doc.js";
import * as histories from "../model/history.js";
import { decode, encode } from "../model/link.js";
import { keyStep, tidy } from "../model/numbers.js";
import { pick } from "../model/pick.js";
import { attachEmbed, attachExport } from "../widgets/exports.js";
import { attachHint } from "../widgets/hint.js";
import { QuadraticView } from "./quadratic-view.js";
import { sharedFragment } from "../shell.js";
import * as texts from "../texts.js";

/** The value of the examples' list while another formula is shown. */
const OWN = "";
const DEBOUNCE_MS = 40;
const LINK_MS = 300;
const KEYS_SETTLE_MS = 800;
const DRAG = "drag";
const TIMING_MS = 250;
const TURN_PER_PX = 0.008;
const TURN_STEP = Math.PI / 36;

export class Quadratic {
  /** @param {HTMLElement} root @param {readonly Preset[]} presets the default first @param {Compiler} compiler */
  constructor(root, presets, compiler) {
    this.root = root;
    this.presets = presets;
    this.history = histories.begin(presets[0].doc);
    this.view = START_VIEW;
    /** What is being typed; null while the field shows the document's formula. @type {string | null} */
    this.draft = null;
    this.source = new KernelSource(
      compiler,
      presets.map((preset) => preset.artifact),
      () => this.onKernel(),
      (error) => this.field.showError(error),
      texts.BROKEN_MODULE,
    );
    /** The variables and the formula last asked for. */
    this.asked = "";
    this.frame = 0;
    this.timers = { compile: 0, link: 0, settle: 0, timing: 0 };
    this.field = new FormulaField(this.find(".formula"), (text) => this.type(text), () => this.settle());
    this.display = new QuadraticView(root, {
      resized: () => this.render(),
      typedX: (x) => this.change(docs.placePoint(this.doc, [x, this.doc.point[1]]), "x"),
      typedY: (y) => this.change(docs.placePoint(this.doc, [this.doc.point[0], y]), "y"),
      slid: (name, value) => this.change(docs.setParam(this.doc, name, value), `slider ${name}`),
      done: () => this.settle(),
    });
    this.checker = new Checker(compiler, (verdict) => this.display.badge.show(verdict));
    this.hideHint = attachHint(this.find(".hint"));
    this.detachers = [...this.attachPicture(), ...this.attachPanel()];
    this.openLink();
    this.refresh();
    this.render();
  }

  get doc() {
    return this.history.present;
  }

  get preset() {
    return this.presets.find((preset) => preset.id === this.doc.presetId) ?? this.presets[0];
  }

  /** @param {string} selector @returns {any} the element, which index.html has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @private @returns {(() => void)[]} detach */
  attachPicture() {
    const { frame, handle, canvas } = this.display.picture;
    const zoom = (/** @type {number} */ factor) => this.change(docs.zoom(this.doc, factor), "zoom");
    const pointer = attachPointer(frame, handle, {
      grab: () => this.settle(),
      drag: (xPx, yPx) => this.dragTo(xPx, yPx, this.doc.point, DRAG),
      release: () => this.settle(),
      turn: (dxPx, dyPx) => this.turn(dxPx * TURN_PER_PX, dyPx * TURN_PER_PX),
      place: (xPx, yPx) => this.dragTo(xPx, yPx, null, null),
      zoom,
    });
    const pointKeys = attachKeys(handle, {
      arrow: (dx, dy) => this.step(dx, dy),
      home: () => this.change(docs.placePoint(this.doc, this.preset.doc.point), "home"),
      zoom,
    });
    const viewKeys = attachKeys(canvas, {
      arrow: (dx, dy) => this.turn(dx * TURN_STEP, -dy * TURN_STEP),
      home: () => this.look(START_VIEW),
      zoom,
    });
    return [pointer, pointKeys, viewKeys];
  }

  /** @private @returns {(() => void)[]} detach */
  attachPanel() {
    const zoom = (/** @type {number} */ factor) => this.change(docs.zoom(this.doc, factor), "zoom");
    const actions = /** @type {[string, () => void][]} */ ([
      [".undo", () => this.undo()],
      [".redo", () => this.travel(histories.redo(this.history))],
      [".reset", () => this.reset()],
      [".share", () => this.share()],
      [".turn-left", () => this.turn(3 * TURN_STEP, 0)],
      [".turn-right", () => this.turn(-3 * TURN_STEP, 0)],
      [".tilt-up", () => this.turn(0, 2 * TURN_STEP)],
      [".tilt-down", () => this.turn(0, -2 * TURN_STEP)],
      [".zoom-in", () => zoom(KEY_ZOOM)],
      [".zoom-out", () => zoom(1 / KEY_ZOOM)],
    ]);
    for (const [selector, action] of actions) this.find(selector).addEventListener("click", action);

    const select = /** @type {HTMLSelectElement} */ (this.find("[name=preset]"));
    for (const { id, title } of this.presets) select.add(new Option(title, id));
    select.add(Object.assign(new Option(texts.OWN_FORMULA, OWN), { hidden: true }));
    select.addEventListener("change", () => {
      const preset = this.presets.find((candidate) => candidate.id === select.value);
      if (preset !== undefined) this.travel(histories.change(histories.seal(this.history), preset.doc, null));
    });

    const module = () => ({ formula: this.source.artifact });
    attachExport(this.find(".export"), "formula", module, (message) => this.display.notify(message));

    attachEmbed(this.find(".embed"), () => ({ artifact: this.source.artifact, doc: this.doc }), (message) => this.display.notify(message));

    const onHash = () => {
      this.openLink();
      this.refresh();
    };
    window.addEventListener("hashchange", onHash);
    return [
      () => window.removeEventListener("hashchange", onHash),
      attachUndoKeys(() => this.undo(), () => this.travel(histories.redo(this.history))),
    ];
  }

  // Actions: each makes the next document or view and lets `refresh` show it.

  /** @private @param {Doc} doc @param {string | null} tag changes with the same tag are undone together */
  change(doc, tag) {
    const before = this.history;
    this.history = histories.change(before, doc, tag);
    clearTimeout(this.timers.settle);
    if (tag !== DRAG) this.timers.settle = window.setTimeout(() => this.settle(), KEYS_SETTLE_MS); // a drag says its end
    if (this.history !== before) this.refresh();
  }

  /** Ends a run of changes that are undone together. @private */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** To another state altogether; what was being typed is dropped.
   * @private @param {histories.History} history */
  travel(history) {
    this.history = history;
    this.draft = null;
    this.refresh();
  }

  /** The first step back from a mistake in the field is to the last formula that compiled. @private */
  undo() {
    this.travel(this.draft === null ? histories.undo(this.history) : this.history);
  }

  /** @private */
  reset() {
    this.view = START_VIEW;
    this.travel(histories.change(histories.seal(this.history), this.preset.doc, null));
  }

  /** @private @param {number} xPx @param {number} yPx @param {Point | null} from @param {string | null} tag */
  dragTo(xPx, yPx, from, tag) {
    const { mesh, picture } = this.display;
    const found = mesh && pick(mesh, picture.camera(this.view), xPx, yPx, from);
    if (found === null) return;
    this.change(docs.movePoint(this.doc, found), tag);
    this.hideHint();
  }

  /** @private @param {number} dx @param {number} dy in steps */
  step(dx, dy) {
    const [x0, x1, y0, y1] = this.doc.region;
    const [x, y] = this.doc.point;
    const moved = /** @type {const} */ ([tidy(x + dx * keyStep(x1 - x0)), tidy(y + dy * keyStep(y1 - y0))]);
    this.change(docs.placePoint(this.doc, docs.clampToRegion(this.doc.region, moved)), "keys");
    this.hideHint();
  }

  /** @private @param {number} yaw @param {number} pitch in radians */
  turn(yaw, pitch) {
    this.look({ yaw: this.view.yaw - yaw, pitch: this.view.pitch + pitch });
  }

  /** @private @param {View} view */
  look(view) {
    this.view = limitView(view);
    this.refresh();
  }

  /** @private @param {string} text */
  type(text) {
    this.draft = text === this.doc.text ? null : text;
    this.refresh();
  }

  // What follows from a change.

  /** Brings field, kernel and picture into line with the document and the draft. */
  refresh() {
    const text = this.draft ?? this.doc.text;
    const names = docs.variableNames(this.doc);
    this.field.show(text);
    const asked = `${names} ${text}`;
    if (asked !== this.asked) {
      this.asked = asked;
      this.field.clear();
      clearTimeout(this.timers.compile);
      if (!this.source.recall(text, names)) {
        this.timers.compile = window.setTimeout(() => this.source.want(text, names), this.draft === null ? 0 : DEBOUNCE_MS);
      }
    }
    this.root.classList.toggle("is-stale", !this.source.isCurrent);
    this.find(".undo").disabled = this.history.past.length === 0 && this.draft === null;
    this.find(".redo").disabled = this.history.future.length === 0;
    this.find("[name=preset]").value = text === this.preset.doc.text ? this.doc.presetId : OWN;
    this.field.setQuietNote(this.quietNote(text));
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
    clearTimeout(this.timers.link);
    this.timers.link = window.setTimeout(() => this.writeLink(), LINK_MS);
  }

  /** What stands below a formula without a mistake. @private @param {string} text @returns {string} */
  quietNote(text) {
    if (this.root.dataset.python === "failed") return texts.NO_PYTHON;
    return text === this.preset.doc.text ? this.preset.note : texts.QUIET_NOTE;
  }

  /** The wanted formula's kernel is there. @private */
  onKernel() {
    const { draft } = this;
    this.draft = null;
    clearTimeout(this.timers.timing);
    this.timers.timing = window.setTimeout(() => this.display.timeCalls(this.source, this.doc), TIMING_MS);
    if (draft !== null) this.change(docs.setText(this.doc, draft), "text");
    this.refresh();
  }

  /** Draws the document as it is now. @private */
  render() {
    this.frame = 0;
    this.checker.want(this.display.draw(this.doc, this.view, this.source));
  }

  /** The theme has changed. */
  repaint() {
    this.display.picture.repalette();
    this.render();
  }

  // Links and messages.

  /** @private */
  writeLink() {
    const fragment = `#${encode(this.doc, this.view, this.preset)}`;
    if (this.source.isCurrent && location.hash !== fragment) history.replaceState(null, "", fragment);
  }

  /** @private */
  openLink() {
    const fragment = sharedFragment();
    if (fragment === "" || fragment === encode(this.doc, this.view, this.preset)) return;
    const opened = decode(fragment, this.presets);
    if ("refused" in opened) {
      this.display.notify(texts.REFUSED[opened.refused]);
      return;
    }
    this.view = opened.view === null ? START_VIEW : limitView(opened.view);
    this.history = histories.begin(opened.doc);
    this.draft = null;
    // Until the link's formula is compiled, the picture is that of its example.
    this.source.recall(this.preset.doc.text, docs.variableNames(opened.doc));
  }

  /** @private */
  async share() {
    this.writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      this.display.notify(texts.COPIED);
    } catch {
      this.display.notify(texts.NOT_COPIED);
    }
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.display.showStatus(status);
    this.field.setQuietNote(this.quietNote(this.field.input.value));
  }

  destroy() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.checker.destroy();
    this.display.destroy();
    this.source.kernel.destroy();
  }
}

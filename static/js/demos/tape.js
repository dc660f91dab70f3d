// The page "Tape": a formula, its rows, and how far their numbers have come.

/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("../model/history.js").History<TapeDoc>} History */
/** @typedef {import("../model/tape.js").Mode} Mode */
/** @typedef {import("../model/tape.js").Step} Step */
/** @typedef {import("../model/tape.js").TapeArtifact} TapeArtifact */
/** @typedef {import("../model/tape.js").TapeDoc} TapeDoc */
/** @typedef {import("../model/tape.js").TapePreset} TapePreset */

import { FormulaField } from "../editor/formula-field.js";
import { KernelSource } from "../engine/kernel-source.js";
import { attachUndoKeys } from "../gestures/keys.js";
import * as histories from "../model/history.js";
import { momentOf, setNumber, stepsOf } from "../model/tape.js";
import { decodeTape, encodeTape } from "../model/tape-link.js";
import { download } from "../widgets/downloads.js";
import { attachExport } from "../widgets/exports.js";
import { Player } from "./player.js";
import { Link } from "./share.js";
import { TapeView } from "./tape-view.js";
import * as texts from "../texts.js";

/** The value of the examples' list while another formula is shown. */
const OWN = "";
const DEBOUNCE_MS = 40;
const KEYS_SETTLE_MS = 800;
/** Seconds a step. */
const PACE = 1.1;

export class Tape {
  /** @param {HTMLElement} root @param {readonly TapePreset[]} presets the default first @param {Compiler} compiler */
  constructor(root, presets, compiler) {
    this.root = root;
    this.presets = presets;
    /** @type {History} */
    this.history = histories.begin(presets[0].doc);
    /** What is being typed; null while the field shows the document's formula. @type {string | null} */
    this.draft = null;
    this.source = new KernelSource(
      { compile: (text, names) => compiler.compileTape(text, names) },
      presets.map(({ artifact }) => artifact),
      () => this.onKernel(),
      (error) => this.field.showError(error),
      texts.BROKEN_MODULE,
    );
    this.names = presets[0].artifact.names;
    this.asked = "";
    /** The row a person chose; null to follow the steps. @type {number | null} */
    this.chosen = null;
    /** The steps, and what they are of. @type {{of: readonly unknown[], steps: Step[]}} */
    this.plan = { of: [], steps: [{ kind: "inputs" }] };
    this.frame = 0;
    this.timers = { compile: 0, settle: 0 };
    this.player = new Player(PACE, () => this.onStep());
    this.field = new FormulaField(root.querySelector(".formula") ?? root, (text) => this.type(text), () => this.settle());
    this.display = new TapeView(root, {
      resized: () => this.refresh(),
      chosen: (node) => this.choose(node),
      set: (what, axis, value) => this.change(setNumber(this.doc, what, axis, value), `${what} ${axis}`),
      done: () => this.settle(),
    });
    this.link = new Link({
      encode: () => encodeTape(this.doc, this.player.step),
      open: (fragment) => this.open(fragment),
      notify: (message) => this.display.notify(message),
    });
    this.detachers = this.attachPanel();
    this.follow();
    this.player.step = this.player.steps;
    this.link.open();
    this.refresh();
    this.render();
  }

  get doc() {
    return this.history.present;
  }

  get preset() {
    return this.presets.find(({ doc }) => doc.presetId === this.doc.presetId) ?? this.presets[0];
  }

  /** The rows of the formula that is shown. */
  get tape() {
    return /** @type {TapeArtifact} */ (this.source.artifact);
  }

  /** @private @returns {(() => void)[]} detach */
  attachPanel() {
    const { player, display } = this;
    const actions = /** @type {[string, () => void][]} */ ([
      [".play", () => player.toggle()],
      [".first", () => player.seek(0)],
      [".back", () => player.seek(player.step - 1)],
      [".forward", () => player.seek(player.step + 1)],
      [".last", () => player.seek(player.steps)],
      [".undo", () => this.undo()],
      [".redo", () => this.travel(histories.redo(this.history))],
      [".reset", () => this.reset()],
      [".share", () => this.link.share()],
      [".csv", () => download("tape.csv", new Blob([this.csv()], { type: "text/csv" }))],
    ]);
    for (const [selector, action] of actions) display.find(selector).addEventListener("click", action);
    attachExport(display.find(".export"), "tape", () => ({ tape: this.tape }), (message) => display.notify(message));
    const step = display.find("[name=step]");
    step.addEventListener("input", () => player.seek(Number(step.value)));
    display.find("[name=speed]").addEventListener("change", (/** @type {any} */ { target }) => player.setSpeed(Number(target.value)));
    for (const input of this.root.querySelectorAll("[name=mode]")) {
      input.addEventListener("change", () => this.setMode(/** @type {Mode} */ (/** @type {HTMLInputElement} */ (input).value)));
    }
    const select = display.find("[name=preset]");
    for (const { doc: { presetId } } of this.presets) select.add(new Option(texts.TAPES[presetId].title, presetId));
    select.add(Object.assign(new Option(texts.OWN_FORMULA, OWN), { hidden: true }));
    select.addEventListener("change", () => {
      const preset = this.presets.find(({ doc }) => doc.presetId === select.value);
      if (preset === undefined) return;
      this.travel(histories.change(histories.seal(this.history), { ...preset.doc, mode: this.doc.mode }, null));
    });
    const onKey = (/** @type {KeyboardEvent} */ event) => this.shortcut(event);
    document.addEventListener("keydown", onKey);
    return [
      () => document.removeEventListener("keydown", onKey),
      attachUndoKeys(() => this.undo(), () => this.travel(histories.redo(this.history))),
    ];
  }

  /** @private @param {KeyboardEvent} event */
  shortcut(event) {
    const { target } = event;
    const types = target instanceof HTMLInputElement && target.type === "text";
    if (types || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "p") this.player.toggle();
    else if (event.key === ",") this.player.seek(this.player.step - 1);
    else if (event.key === ".") this.player.seek(this.player.step + 1);
    else return;
    event.preventDefault();
  }

  // Actions: each makes the next document or moment and lets `refresh` show it.

  /** @private @param {TapeDoc} doc @param {string | null} tag changes with the same tag are undone together */
  change(doc, tag) {
    const before = this.history;
    this.history = histories.change(before, doc, tag);
    clearTimeout(this.timers.settle);
    this.timers.settle = window.setTimeout(() => this.settle(), KEYS_SETTLE_MS);
    if (this.history !== before) this.refresh();
  }

  /** Ends a run of changes that are undone together. @private */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** @private @param {History} history */
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
    this.player.seek(0);
    this.travel(histories.change(histories.seal(this.history), { ...this.preset.doc }, null));
  }

  /** @private @param {Mode} mode */
  setMode(mode) {
    this.travel(histories.change(histories.seal(this.history), { ...this.doc, mode }, null));
    this.follow();
    this.player.seek(this.player.steps);
  }

  /** @private @param {number} node */
  choose(node) {
    this.player.pause();
    this.chosen = node;
    this.refresh();
  }

  /** The player is at another step: the row is that of the step again. @private */
  onStep() {
    this.chosen = null;
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
    this.field.show(text);
    if (text !== this.asked) {
      this.asked = text;
      this.field.clear();
      clearTimeout(this.timers.compile);
      if (!this.source.recall(text, this.names)) {
        this.timers.compile = window.setTimeout(() => this.source.want(text, this.names), this.draft === null ? 0 : DEBOUNCE_MS);
      }
    }
    this.root.classList.toggle("is-stale", !this.source.isCurrent);
    const { display, preset } = this;
    display.find(".undo").disabled = this.history.past.length === 0 && this.draft === null;
    display.find(".redo").disabled = this.history.future.length === 0;
    display.find("[name=preset]").value = text === preset.doc.text ? this.doc.presetId : OWN;
    this.field.setQuietNote(this.quietNote(text));
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
    this.link.plan(this.source.isCurrent && !this.player.playing);
  }

  /** @private @param {string} text */
  quietNote(text) {
    if (this.root.dataset.python === "failed") return texts.NO_PYTHON;
    return text === this.preset.doc.text ? texts.TAPES[this.preset.doc.presetId].note : texts.QUIET_NOTE;
  }

  /** The wanted formula's module is there. @private */
  onKernel() {
    const { draft } = this;
    this.draft = null;
    this.chosen = null;
    if (draft !== null) this.change({ ...this.doc, text: draft }, "text");
    this.refresh();
  }

  /** The steps of what is shown; another formula is shown with all of them done. @private */
  follow() {
    const of = [this.tape, this.doc.mode];
    if (of.every((part, k) => part === this.plan.of[k])) return;
    const isOther = this.plan.of.length > 0;
    this.plan = { of, steps: stepsOf(this.tape, this.doc.mode) };
    this.player.setSteps(this.plan.steps.length - 1);
    if (isOther && !this.player.playing) this.player.step = this.player.steps;
  }

  /** Draws the moment as it is now. @private */
  render() {
    this.frame = 0;
    this.follow();
    const { tape, doc, player } = this;
    const count = tape.abi.result.leaves[0].dims[0];
    const numbers = new Float64Array(count);
    this.source.kernel.evaluate?.([...doc.point, ...doc.direction], numbers);
    const moment = momentOf(tape, this.plan.steps, player.step);
    const now = "node" in moment.step ? moment.step.node : 0;
    this.scene = { tape, numbers, moment, mode: doc.mode, chosen: this.chosen ?? now, share: this.underWay() };
    this.display.draw(doc, this.scene, player, this.source.isCompiledHere);
  }

  /** How far the step under way is; null at rest. @private @returns {number | null} */
  underWay() {
    const { began, speed, dt } = this.player;
    if (began === null) return null;
    const steps = (Math.max(0, performance.now() - began.atMs) / 1000) * (speed / dt);
    return steps - Math.floor(steps);
  }

  /** @private @returns {string} all numbers, also those that are not shown yet */
  csv() {
    if (this.scene === undefined) return "";
    const { tape, numbers } = this.scene;
    const at = (/** @type {number | null} */ place) => (place === null ? 0 : numbers[place]);
    const rows = tape.nodes.map((node) => [node.name, node.op, at(node.value), at(node.tangent), at(node.cotangent)].join(","));
    return ["row,operation,value,tangent,cotangent", ...rows, ""].join("\n");
  }

  /** What a link says. @private @param {string} fragment @returns {string | null} */
  open(fragment) {
    const opened = decodeTape(fragment, this.presets.map(({ doc }) => doc));
    if ("refused" in opened) return texts.REFUSED[opened.refused];
    this.history = histories.begin(opened.doc);
    this.draft = null;
    this.source.recall(this.doc.text, this.names);
    this.follow();
    this.player.step = Math.min(opened.step, this.player.steps);
    this.refresh();
    return null;
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
    this.player.pause();
    this.link.destroy();
    this.display.destroy();
    this.source.kernel.destroy();
  }
}

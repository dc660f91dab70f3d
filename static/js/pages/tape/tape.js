// The page "Tape": a formula, its rows, and the numbers computed so far.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../engine/compiler.js").Status} Status */
/** @typedef {import("./steps.js").Mode} Mode */
/** @typedef {import("./steps.js").Step} Step */
/** @typedef {import("./steps.js").TapeArtifact} TapeArtifact */
/** @typedef {import("./steps.js").TapeDoc} TapeDoc */
/** @typedef {import("./steps.js").TapePreset} TapePreset */

import { Checker } from "../../engine/checker.js";
import { attachControls } from "../../page/controls.js";
import { FormulaJourney } from "../../page/formula-journey.js";
import { Player } from "../../page/player.js";
import { Link } from "../../page/share.js";
import { download } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { decodeTape, encodeTape } from "./link.js";
import { momentOf, setNumber, stepsOf } from "./steps.js";
import { TapeView } from "./view.js";
import * as texts from "./texts.js";

/** Seconds per step. */
const PACE = 1.1;

export class Tape {
  /** @param {HTMLElement} root @param {readonly TapePreset[]} presets the default first @param {Compiler} compiler */
  constructor(root, presets, compiler) {
    this.root = root;
    this.presets = presets;
    /** @type {FormulaJourney<TapeDoc>} */
    this.formula = new FormulaJourney(root, presets, {
      compile: (text, names) => compiler.compileTape(text, names),
      namesOf: () => this.names,
      begin: (doc) => ({ ...doc, mode: this.doc.mode }),
      changed: () => this.changed(),
      arrived: () => {
        this.chosen = null;
      },
    });
    this.names = presets[0].artifact.names;
    /** The row that you chose; null to follow the steps. @type {number | null} */
    this.chosen = null;
    /** The steps of the tape. `of`: the tape and the mode that the steps belong to.
     * @type {{of: readonly unknown[], steps: Step[]}} */
    this.plan = { of: [], steps: [{ kind: "inputs" }] };
    this.frame = 0;
    this.player = new Player(PACE, () => this.onStep());
    this.display = new TapeView(root, {
      resized: () => this.changed(),
      chosen: (node) => this.choose(node),
      set: (pair, axis, value) => this.formula.change(setNumber(this.doc, pair, axis, value), `${pair} ${axis}`),
      done: () => this.formula.settle(),
    });
    this.checker = new Checker(compiler.tapeCheck, (verdict) => this.display.badge.show(verdict));
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
    return this.formula.doc;
  }

  get source() {
    return this.formula.source;
  }

  /** The rows of the formula shown. */
  get tape() {
    return /** @type {TapeArtifact} */ (this.source.artifact);
  }

  /** @private @returns {(() => void)[]} functions that remove the listeners */
  attachPanel() {
    const { player, display } = this;
    const [back, forward] = [() => player.seek(player.step - 1), () => player.seek(player.step + 1)];
    const notify = (/** @type {string} */ message) => display.notify(message);
    attachExport(display.find(".export"), "tape", () => ({ tape: this.tape }), notify, () => this.formula.compiledInstead);
    const step = display.find("[name=step]");
    step.addEventListener("input", () => player.seek(Number(step.value)));
    for (const input of this.root.querySelectorAll("[name=mode]")) {
      input.addEventListener("change", () => this.setMode(/** @type {Mode} */ (/** @type {HTMLInputElement} */ (input).value)));
    }
    return [attachControls({
      find: (selector) => display.find(selector),
      refresh: () => this.changed(),
      actions: {
        ".play": () => player.toggle(),
        ".first": () => player.seek(0),
        ".back": back,
        ".forward": forward,
        ".last": () => player.seek(player.steps),
        ".reset": () => this.reset(),
        ".share": () => this.link.share(this.formula.typedOver),
        ".csv": () => download("tape.csv", new Blob([this.csv()], { type: "text/csv" })),
      },
      changes: { speed: ({ value }) => player.setSpeed(Number(value)) },
      keys: { p: () => player.toggle(), ",": back, ".": forward },
    })];
  }

  // Your actions. Each makes the next document or moment, and then `refresh` shows it.

  /** @private */
  reset() {
    this.player.seek(0);
    this.formula.goTo({ ...this.formula.example.doc });
  }

  /** @private @param {Mode} mode */
  setMode(mode) {
    this.formula.goTo({ ...this.doc, mode });
    this.follow();
    this.player.seek(this.player.steps);
  }

  /** @private @param {number} node */
  choose(node) {
    this.player.pause();
    this.chosen = node;
    this.changed();
  }

  /** Shows the player's present step and the row of the step. @private */
  onStep() {
    this.chosen = null;
    this.changed();
  }

  // The consequences of a change.

  /** Updates the field, the kernel and the picture to match the document and the typed text. */
  refresh() {
    this.formula.refresh();
  }

  /** Draws in the next frame. Writes the link into the address after a pause without changes. @private */
  changed() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
    this.link.plan(this.source.isCurrent && !this.player.playing);
  }

  /** Updates the steps after a change of formula or mode. Then shows the last step, unless the steps are playing. @private */
  follow() {
    const of = [this.tape, this.doc.mode];
    if (of.every((part, k) => part === this.plan.of[k])) return;
    const isOther = this.plan.of.length > 0;
    this.plan = { of, steps: stepsOf(this.tape, this.doc.mode) };
    this.player.setSteps(this.plan.steps.length - 1);
    if (isOther && !this.player.playing) this.player.step = this.player.steps;
  }

  /** Draws the present moment. @private */
  render() {
    this.frame = 0;
    this.follow();
    const { tape, doc, player } = this;
    const count = tape.abi.result.leaves[0].dims[0];
    const numbers = new Float64Array(count);
    const values = [...doc.point, ...doc.direction];
    this.source.kernel.evaluate?.(values, numbers);
    this.checker.want({ artifact: tape, values, shown: [...numbers] });
    const moment = momentOf(tape, this.plan.steps, player.step);
    const now = "node" in moment.step ? moment.step.node : 0;
    this.scene = { tape, numbers, moment, mode: doc.mode, chosen: this.chosen ?? now, share: this.underWay() };
    this.display.draw(doc, this.scene, player, this.source.isCompiledHere);
  }

  /** Computes the progress of the present step, from 0 to 1. Returns null while the player is paused. @private
   * @returns {number | null} */
  underWay() {
    const { began, speed, dt } = this.player;
    if (began === null) return null;
    const steps = (Math.max(0, performance.now() - began.atMs) / 1000) * (speed / dt);
    return steps - Math.floor(steps);
  }

  /** @private @returns {string} all numbers, even those not shown yet */
  csv() {
    if (this.scene === undefined) return "";
    const { tape, numbers } = this.scene;
    const at = (/** @type {number | null} */ place) => (place === null ? 0 : numbers[place]);
    const rows = tape.nodes.map((node) => [node.name, node.op, at(node.value), at(node.tangent), at(node.cotangent)].join(","));
    return ["row,operation,value,tangent,cotangent", ...rows, ""].join("\n");
  }

  /** Opens a link. @private @param {string} fragment @returns {string | null} null, or why it cannot be opened */
  open(fragment) {
    const opened = decodeTape(fragment, this.presets.map(({ doc }) => doc));
    if ("refused" in opened) return texts.REFUSED[opened.refused];
    this.formula.begin(opened.doc);
    this.source.recall(this.doc.text, this.names);
    this.follow();
    this.player.step = Math.min(opened.step, this.player.steps);
    this.refresh();
    return null;
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.display.showStatus(status);
    this.formula.showNote();
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.player.pause();
    this.checker.destroy();
    this.link.destroy();
    this.display.destroy();
    this.formula.destroy();
  }
}

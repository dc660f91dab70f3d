// Manages a document with a formula: its history, the text in the formula's field, and the kernel of the formula. When a typed
// formula has been compiled, it becomes the document's formula. Until then, or if it has a mistake, the document's last formula
// stays in use.

/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @template D @typedef {import("../model/history.js").History<D>} History */
/** An example: its title, a note about it, its document, and its compiled formula.
 * @template D @typedef {{title: string, note: string, doc: D, artifact: Artifact}} Example */
/**
 * Functions that a page supplies for a formula with undo and redo.
 * @template D
 * @typedef {object} FormulaEvents
 * @property {Pick<Compiler, "compile">["compile"]} compile
 * @property {(text: string, names: readonly string[]) => Promise<import("../engine/first-tier.js").Early | null>} [early] -
 *   compiles a formula without Python (in the first tier), while Python loads
 * @property {(doc: D) => readonly string[]} namesOf - the variables that a document's formula may use
 * @property {(example: D) => D} begin - takes an example's document, and returns the document with which to begin
 * @property {((doc: D, letters: readonly string[]) => D) | null} [withLetters] - adds values for letters of the formula to the
 *   document
 * @property {boolean} [equations] - true if equations count as formulas
 * @property {() => boolean} [addsByItself] - returns true if new letters get values without asking the visitor
 * @property {(doc: D, used: readonly string[]) => D} [pruned] - removes the values of letters that the formula does not use
 * @property {() => void} changed - called when there is something new to draw
 * @property {() => void} arrived - called when the kernel of the formula in the field is ready
 */

import { KernelSource } from "../engine/kernel-source.js";
import { attachUndoKeys } from "../gestures/keys.js";
import { inMode, isPolar, typedPart } from "../model/formula/modes.js";
import * as histories from "../model/history.js";
import * as texts from "../formula-texts.js";
import { FormulaField } from "../widgets/formula-field.js";

/** All changes of a drag have this tag, so they become one step of the history. `settle` ends this step. */
export const DRAG = "drag";
/** The list of examples has this value if the formula is not an example. */
const OWN = "";
/** The letters that have a meaning in polar coordinates. */
const POLAR_LETTERS = new Set(["r", "theta", "θ"]);
const DEBOUNCE_MS = 40;
const KEYS_SETTLE_MS = 800;

/** @template {{presetId: string, text: string}} D */
export class FormulaJourney {
  /** @param {HTMLElement} root @param {readonly Example<D>[]} examples the default first @param {FormulaEvents<D>} events */
  constructor(root, examples, events) {
    this.root = root;
    this.examples = examples;
    this.events = events;
    this.history = histories.begin(examples[0].doc);
    /** The text that the visitor is typing, or null if the field shows the document's formula. @type {string | null} */
    this.draft = null;
    /** The variables and the formula requested last. */
    this.asked = "";
    this.timers = { compile: 0, settle: 0 };
    this.source = new KernelSource(
      { compile: events.compile },
      examples.map(({ artifact }) => artifact),
      () => this.onKernel(),
      (error) => this.onError(error),
      texts.BROKEN_MODULE,
      events.early,
    );
    const onLetters = events.withLetters ? (/** @type {readonly string[]} */ letters) => this.addLetters(letters) : null;
    const known = () => ({ names: events.namesOf(this.doc), equations: events.equations ?? false });
    this.field = new FormulaField(this.find(".formula"), (text) => this.type(text), () => this.settle(), onLetters, known);
    this.polar = this.attachPolar();
    this.select = this.attachExamples();
    this.find(".undo").addEventListener("click", () => this.undo());
    this.find(".redo").addEventListener("click", () => this.redo());
    this.detachKeys = attachUndoKeys(() => this.undo(), () => this.redo());
  }

  get doc() {
    return this.history.present;
  }

  /** The example from which the document began. */
  get example() {
    return this.examples.find(({ doc }) => doc.presetId === this.doc.presetId) ?? this.examples[0];
  }

  /** The document's formula if the field contains another text. Otherwise null. */
  get typedOver() {
    return this.draft === null ? null : this.doc.text;
  }

  /** The formula that the kernel computes if this is not the wanted formula. Otherwise null. */
  get compiledInstead() {
    return this.source.isCurrent ? null : this.source.artifact.text;
  }

  /** @private @param {string} selector @returns {any} the element, which the page has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @private @returns {HTMLSelectElement} */
  attachExamples() {
    const select = /** @type {HTMLSelectElement} */ (this.find("[name=preset]"));
    for (const { title, doc } of this.examples) select.add(new Option(title, doc.presetId));
    select.add(Object.assign(new Option(texts.OWN_FORMULA, OWN), { hidden: true }));
    select.addEventListener("change", () => {
      const example = this.examples.find(({ doc }) => doc.presetId === select.value);
      if (example !== undefined) this.goTo(this.events.begin(example.doc));
    });
    return select;
  }

  /** @private @returns {HTMLInputElement | null} the box for polar coordinates, if the page has one */
  attachPolar() {
    const box = /** @type {HTMLInputElement | null} */ (this.find("[name=polar]"));
    if (box === null) return null;
    box.addEventListener("change", () => this.setPolar(box.checked));
    this.field.onRefused = ({ free = [] }) => {
      if (!box.checked && free.some((letter) => POLAR_LETTERS.has(letter))) this.field.offer(texts.USE_POLAR, () => this.setPolar(true));
    };
    return box;
  }

  /** @private @param {boolean} polar */
  setPolar(polar) {
    this.want(inMode(this.draft ?? this.doc.text, polar));
  }

  /** @param {D} doc @param {string | null} tag changes with the same tag are undone together */
  change(doc, tag) {
    const before = this.history;
    this.history = histories.change(before, doc, tag);
    clearTimeout(this.timers.settle);
    if (tag !== DRAG) this.timers.settle = window.setTimeout(() => this.settle(), KEYS_SETTLE_MS);
    if (this.history !== before) this.refresh();
  }

  /** Ends a series of changes that are undone together. */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** Goes to another document in one step. @param {D} doc */
  goTo(doc) {
    this.travel(histories.change(histories.seal(this.history), doc, null));
  }

  /** Begins a new history, but does not refresh. The caller chooses the kernel to show until the document's formula is
   * compiled. @param {D} doc */
  begin(doc) {
    this.history = histories.begin(doc);
    this.draft = null;
  }

  /** Changes to another history, and discards the text that the visitor is typing. @private @param {History<D>} history */
  travel(history) {
    this.history = history;
    this.draft = null;
    this.refresh();
  }

  /** Undoes a step. If the field contains a text that has not entered the history, only discards this text.
   * @private */
  undo() {
    this.travel(this.draft === null ? histories.undo(this.history) : this.history);
  }

  /** @private */
  redo() {
    this.travel(histories.redo(this.history));
  }

  /** @private @param {string} text */
  type(text) {
    this.want(inMode(text, isPolar(this.draft ?? this.doc.text)));
  }

  /** @private @param {string} text with its mode */
  want(text) {
    this.draft = text === this.doc.text ? null : text;
    this.refresh();
  }

  /** Updates the field and the kernel to match the document and the typed text. */
  refresh() {
    const text = this.draft ?? this.doc.text;
    const names = this.events.namesOf(this.doc);
    this.field.show(typedPart(text));
    if (this.polar !== null) this.polar.checked = isPolar(text);
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
    this.select.value = text === this.example.doc.text ? this.doc.presetId : OWN;
    this.showNote();
    this.events.changed();
  }

  /** Shows the note below a formula without a mistake. */
  showNote() {
    const { doc, note } = this.example;
    const { artifact, isCurrent } = this.source;
    const known = this.field.input.value === doc.text ? note : isCurrent && artifact.equation === true ? texts.EQUATION_NOTE : texts.QUIET_NOTE;
    this.field.setQuietNote(this.root.dataset.python === "failed" ? texts.NO_PYTHON : known);
    if (this.root.dataset.python === "ready") this.field.withHelp().then((help) => help.typeset(), () => {});
    else this.field.help?.then((help) => help.typeset(), () => {});
  }

  /** Called when the kernel of the wanted formula is ready. The typed text then becomes the document's formula. @private */
  onKernel() {
    const { draft } = this;
    this.draft = null;
    this.events.arrived();
    if (draft !== null) this.change({ ...this.doc, text: draft }, "text");
    this.prune();
    this.refresh();
  }

  /** Removes the values of letters that the formula does not use. @private */
  prune() {
    const { text, used } = this.source.artifact;
    if (used === undefined || text !== this.doc.text) return;
    const doc = this.events.pruned?.(this.doc, used) ?? this.doc;
    if (doc !== this.doc) this.history = histories.amend(this.history, doc);
  }

  /** @private @param {import("../model/types.js").Diagnostic} error */
  onError(error) {
    if (error.free !== undefined && this.events.addsByItself?.()) this.addLetters(error.free);
    else this.field.showError(error);
  }

  /** Gives values to these letters of the formula in the field. @private @param {readonly string[]} letters */
  addLetters(letters) {
    const text = this.draft ?? this.doc.text;
    this.draft = null;
    const doc = this.events.withLetters?.({ ...this.doc, text }, letters) ?? this.doc;
    this.change(doc, "text");
  }

  destroy() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.detachKeys();
    this.source.kernel.destroy();
  }
}

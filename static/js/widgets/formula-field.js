// A text field for a formula. Behind the field is a copy of its text, in which mistakes are underlined and the brackets at the
// caret are marked. The typeset formula, completions and corrections are in formula-help.js, which we load when the field needs
// them.

/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("./formula-help.js").FormulaHelp} FormulaHelp */
/** The formulas that the page accepts. `names`: the variables that a formula may contain. `equations`: true if a formula may be
 * an equation.
 * @typedef {{names: readonly string[], equations: boolean}} Known */
/** A marked part of the text. `look`: the CSS class of the mark. @typedef {{start: number, end: number, look: string}} Mark */

import * as texts from "../formula-texts.js";

/** Matches a variable followed by a digit, such as x2. We read x2 as a separate name, but people often mean x². */
const SQUARES = /\b([xy])([2-9])\b/g;

export class FormulaField {
  /** @param {HTMLElement} root an element that contains the field, the copy with marks, and the note
   * @param {(text: string) => void} onInput called when the text has changed
   * @param {() => void} onDone called when the focus leaves the field
   * @param {((letters: readonly string[]) => void) | null} onLetters gives unknown letters values by sliders; null if the page
   *   has no such sliders @param {() => Known} known returns what the page accepts */
  constructor(root, onInput, onDone, onLetters, known) {
    this.root = root;
    this.onLetters = onLetters;
    this.known = known;
    this.input = /** @type {HTMLTextAreaElement} */ (root.querySelector("textarea"));
    this.marks = /** @type {HTMLElement} */ (root.querySelector(".formula-marks"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".note"));
    this.onInput = onInput;
    this.quiet = texts.QUIET_NOTE;
    /** The mistakes in the text. @type {readonly Diagnostic[]} */
    this.mistakes = [];
    /** The brackets at the caret. @type {readonly Mark[]} */
    this.brackets = [];
    /** More offers for a refused text. @type {((diagnostic: Diagnostic) => void) | null} */
    this.onRefused = null;
    /** @type {Promise<FormulaHelp> | null} */
    this.help = null;
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("blur", onDone);
    this.input.addEventListener("focus", () => this.withHelp());
    for (const event of ["scroll", "keyup", "click", "input"]) this.input.addEventListener(event, () => this.follow());
    this.clear();
  }

  /** @param {string} text */
  show(text) {
    if (this.input.value === text) return;
    this.input.value = text;
    this.fit();
  }

  /** Removes the underlines and the error message, and restores the usual note below the field. */
  clear() {
    this.mistakes = [];
    this.paint();
    this.input.removeAttribute("aria-invalid");
    this.note.classList.remove("is-error");
    if (this.note.textContent !== this.quiet) this.note.textContent = this.quiet;
  }

  /** @param {string} note the text below the field while there is no mistake */
  setQuietNote(note) {
    this.quiet = note;
    if (!this.input.hasAttribute("aria-invalid")) this.clear();
  }

  /** @param {Diagnostic} diagnostic about the text now in the field */
  showError(diagnostic) {
    const { suggestion, free, others = [] } = diagnostic;
    this.mistakes = [diagnostic, ...others];
    this.paint();
    this.input.setAttribute("aria-invalid", "true");
    this.note.classList.add("is-error");
    const { onLetters } = this;
    if (free !== undefined && onLetters !== null) {
      this.note.replaceChildren(texts.freeLetters(free));
      this.offer(texts.addSliders(free), () => onLetters(free));
      const powers = this.input.value.replace(SQUARES, "$1^$2");
      if (powers !== this.input.value) this.offer(texts.useInstead(powers), () => this.replace(0, this.input.value.length, powers));
    } else {
      this.note.replaceChildren(...this.mistakes.map((mistake) => this.lineOf(mistake)));
      if (suggestion !== null && suggestion !== undefined) this.offer(texts.useInstead(suggestion), () => this.mend(diagnostic));
      this.withHelp().then((help) => help.offerMend(diagnostic), () => {});
    }
    this.onRefused?.(diagnostic);
    this.follow();
  }

  /** Makes a line of text that describes a mistake and gives its place. @private @param {Diagnostic} diagnostic */
  lineOf({ column, message }) {
    const before = this.input.value.slice(0, column).split("\n");
    const line = document.createElement("span");
    line.className = "mistake-line";
    const isAlone = !this.input.value.includes("\n");
    line.textContent = isAlone ? texts.atColumn(column, message) : texts.atLineAndColumn(before.length, before[before.length - 1].length, message);
    return line;
  }

  /** The text with the mistakes' suggestions in place. */
  withSuggestions() {
    const { value } = this.input;
    const written = (/** @type {string} */ text, /** @type {Diagnostic} */ { column, end_column, suggestion }) => (
      suggestion === null ? text : text.slice(0, column) + suggestion + text.slice(end_column)
    );
    return [...this.mistakes].sort((one, other) => other.column - one.column).reduce(written, value);
  }

  /** @private @param {Diagnostic} diagnostic */
  mend({ column, end_column, suggestion }) {
    this.input.setRangeText(suggestion ?? "", column, end_column, "end");
    this.input.focus();
    this.typed();
  }

  /** Offers a correction below the field. @param {string} text @param {() => void} act */
  offer(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    this.note.append(" ", button);
  }

  /** Replaces a part of the text, as if the visitor had typed it.
   * @param {number} start @param {number} end @param {string} text */
  replace(start, end, text) {
    this.input.setRangeText(text, start, end, "end");
    this.input.focus();
    this.typed();
  }

  /** @private */
  typed() {
    this.fit();
    this.onInput(this.input.value);
  }

  /** The field is as high as its text. @private */
  fit() {
    this.input.rows = this.input.value.split("\n").length;
  }

  /** Loads the script that completes names, suggests corrections, and shows the formula below the field as mathematics.
   * @returns {Promise<FormulaHelp>} */
  withHelp() {
    this.help ??= import("./formula-help.js").then(({ attachHelp }) => attachHelp(this));
    this.help.catch(() => (this.help = null));
    return this.help;
  }

  /** Paints the marks under the text. */
  paint() {
    const text = this.input.value;
    const mistakes = this.mistakes.map(({ column, end_column }) => {
      const start = Math.max(0, Math.min(column, text.length));
      return { start, end: Math.max(start, Math.min(end_column, text.length)), look: "mistake" };
    });
    const brackets = this.brackets.filter(({ start }) => start < text.length && mistakes.every((mark) => start < mark.start || start >= mark.end));
    let at = 0;
    /** @type {(string | HTMLElement)[]} */
    const parts = [];
    for (const { start, end, look } of [...mistakes, ...brackets].sort((one, other) => one.start - other.start)) {
      if (start < at) continue;
      const mark = document.createElement("span");
      mark.className = look;
      if (look === "mistake") mark.dataset.column = String(start);
      mark.textContent = text.slice(start, end) || "\u00a0\u00a0";
      parts.push(text.slice(at, start), mark);
      at = end;
    }
    this.marks.replaceChildren(...parts, ...(parts.length > 0 ? [text.slice(at)] : []));
  }

  /** Scrolls the marks together with the field, so that they stay below their letters. @private */
  follow() {
    requestAnimationFrame(() => {
      this.marks.scrollLeft = this.input.scrollLeft;
    });
  }
}

// Helps you while you type a formula. It shows the formula in mathematical notation below the field, suggests names, marks the
// pair of brackets at the caret, and suggests a formula instead of a text that is not one. A page loads this script when its
// formula field is first used.

/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("../model/formula/grammar.js").Grammar} Grammar */
/** A marked part of the text. @typedef {{start: number, end: number, look: string}} Mark */
/** The formula field that the help works for (formula-field.js).
 * @typedef {object} Field
 * @property {HTMLElement} root
 * @property {HTMLTextAreaElement} input
 * @property {HTMLElement} note
 * @property {readonly Diagnostic[]} mistakes
 * @property {readonly Mark[]} brackets the marks of the brackets at the caret
 * @property {() => {names: readonly string[], equations: boolean}} known returns what the page
 *   accepts: the variables that a formula may contain, and whether it may be an equation
 * @property {() => void} paint paints the marks under the text
 * @property {() => string} withSuggestions returns the text with all suggested corrections
 * @property {(text: string, act: () => void) => void} offer adds a button below the field. A click calls `act`
 * @property {(start: number, end: number, text: string) => void} replace
 */

import { loadGrammar } from "../engine/formula-grammar.js";
import { bracketsAt } from "../model/formula/brackets.js";
import { completionsAt } from "../model/formula/completions.js";
import { texLines } from "../model/formula/lines.js";
import { isFormula, mended } from "../model/formula/mends.js";
import * as texts from "../formula-texts.js";
import { loadKatex } from "./katex.js";

/** A longer text is offered without being quoted. */
const LONGEST_QUOTE = 40;

export class FormulaHelp {
  /** @param {Field} field @param {Grammar} grammar @param {Awaited<ReturnType<typeof loadKatex>>} katex */
  constructor(field, grammar, katex) {
    this.field = field;
    this.grammar = grammar;
    this.katex = katex;
    this.shown = /** @type {HTMLElement} */ (field.root.querySelector(".formula-shown"));
    this.list = /** @type {HTMLElement} */ (field.root.querySelector(".formula-names"));
    this.written = "";
    /** The suggested names. `start` and `end`: the beginning and the end of the part of the text that a chosen name replaces.
     * `at`: the index of the selected name, or −1 if none is selected. */
    this.offered = { names: /** @type {readonly import("../model/formula/completions.js").Completion[]} */ ([]), start: 0, end: 0, at: -1 };
    const { input } = field;
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", this.list.id);
    input.addEventListener("input", () => this.complete());
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("blur", () => this.close());
    document.addEventListener("selectionchange", () => this.match());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      if (item !== null) this.take([...this.list.children].indexOf(item));
    });
    this.typeset();
    this.match();
  }

  /** Shows the text of the field as mathematics. */
  typeset() {
    const { names } = this.field.known();
    const text = this.field.input.value;
    const key = `${names} ${text}`;
    if (key === this.written) return;
    this.written = key;
    const rows = texLines(this.grammar, text, names).map((tex, k) => {
      const row = document.createElement("div");
      if (tex === null) row.textContent = text.split(/[\n;]/).filter((line) => line.replace(/#.*/, "").trim() !== "")[k] ?? "";
      else this.katex.render(`\\displaystyle ${tex}`, row, { throwOnError: false, output: "htmlAndMathml", maxExpand: 100, errorColor: "currentColor" });
      return row;
    });
    this.shown.replaceChildren(...rows);
  }

  /** Marks the brackets at the caret. @private */
  match() {
    const { input } = this.field;
    const isHere = document.activeElement === input && input.selectionStart === input.selectionEnd;
    const marks = isHere ? bracketsAt(input.value, input.selectionStart) : [];
    if (JSON.stringify(marks) === JSON.stringify(this.field.brackets)) return;
    this.field.brackets = marks;
    this.field.paint();
  }

  /** Suggests names that complete the word before the caret. @private */
  complete() {
    const { input } = this.field;
    const found = completionsAt(this.grammar, input.value, input.selectionStart, this.field.known().names);
    this.offered = { ...found, at: -1 };
    this.showNames();
  }

  /** @private */
  showNames() {
    const { names, at } = this.offered;
    this.list.hidden = names.length === 0;
    this.list.replaceChildren(...names.map(({ shown }, k) => {
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.id = `${this.list.id}-${k}`;
      item.setAttribute("aria-selected", String(k === at));
      const code = document.createElement("code");
      code.textContent = shown;
      item.append(code);
      return item;
    }));
    if (at >= 0) this.field.input.setAttribute("aria-activedescendant", `${this.list.id}-${at}`);
    else this.field.input.removeAttribute("aria-activedescendant");
    this.list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  /** @private @param {KeyboardEvent} event */
  press(event) {
    const { names, at } = this.offered;
    if (names.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.offered.at = ((at + step + 1 + names.length + 1) % (names.length + 1)) - 1;
      this.showNames();
    } else if (event.key === "Escape") {
      this.close();
    } else if ((event.key === "Enter" || event.key === "Tab") && at >= 0) {
      this.take(at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Writes a name into the field. @private @param {number} k */
  take(k) {
    const { names, start, end } = this.offered;
    const { insert } = names[k];
    const isCalled = this.field.input.value.slice(end).startsWith("(");
    this.field.replace(start, end, isCalled ? insert.replace(/\($/, "") : insert);
    this.close();
  }

  /** @private */
  close() {
    this.offered = { names: [], start: 0, end: 0, at: -1 };
    this.showNames();
  }

  /** Suggests the formula that the visitor probably meant. Does nothing if the text has only one mistake and the note already
   * suggests a correct formula.
   * @param {Diagnostic} diagnostic */
  offerMend(diagnostic) {
    const { field, grammar } = this;
    if (field.mistakes[0] !== diagnostic) return;
    const { names, equations } = field.known();
    const text = field.withSuggestions();
    const isEnough = diagnostic.suggestion !== null && field.mistakes.length === 1 && isFormula(grammar, text, names, equations);
    if (isEnough) return;
    const formula = mended(grammar, text, names, equations) ?? mended(grammar, field.input.value, names, equations);
    if (formula === null) return;
    for (const button of field.note.querySelectorAll("button")) button.remove();
    const quoted = formula.length > LONGEST_QUOTE || formula.includes("\n") ? texts.USE_MENDED : texts.useInstead(formula);
    field.offer(quoted, () => field.replace(0, field.input.value.length, formula));
  }
}

/** @param {Field} field @returns {Promise<FormulaHelp>} */
export async function attachHelp(field) {
  const [grammar, katex] = await Promise.all([loadGrammar(), loadKatex()]);
  return new FormulaHelp(field, grammar, katex);
}

// The formula as a plain text field. A copy of the text beneath it underlines the mistake.

/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */

import * as texts from "../texts.js";

export class FormulaField {
  /** @param {HTMLElement} root with the input, the marks under it and the note
   * @param {(text: string) => void} onInput @param {() => void} onDone */
  constructor(root, onInput, onDone) {
    this.input = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.marks = /** @type {HTMLElement} */ (root.querySelector(".formula-marks"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".note"));
    this.onInput = onInput;
    this.quiet = texts.QUIET_NOTE;
    this.input.addEventListener("input", () => onInput(this.input.value));
    this.input.addEventListener("blur", onDone);
    for (const event of ["scroll", "keyup", "click", "input"]) this.input.addEventListener(event, () => this.follow());
    this.clear();
  }

  /** @param {string} text */
  show(text) {
    if (this.input.value !== text) this.input.value = text;
  }

  /** Removes the underline and the error message. The note then says what you can type. */
  clear() {
    this.marks.replaceChildren();
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
    const text = this.input.value;
    const start = Math.max(0, Math.min(diagnostic.column, text.length));
    const end = Math.max(start, Math.min(diagnostic.end_column, text.length));
    const mark = document.createElement("span");
    mark.className = "mistake";
    mark.dataset.column = String(diagnostic.column);
    mark.textContent = text.slice(start, end) || "\u00a0\u00a0";
    this.marks.replaceChildren(text.slice(0, start), mark, text.slice(end));
    this.input.setAttribute("aria-invalid", "true");
    this.note.classList.add("is-error");
    this.note.replaceChildren(texts.atColumn(diagnostic.column, diagnostic.message));
    if (diagnostic.suggestion !== null && diagnostic.suggestion !== undefined) {
      const { suggestion } = diagnostic;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = texts.useInstead(suggestion);
      button.addEventListener("click", () => this.replace(start, end, suggestion));
      this.note.append(" ", button);
    }
    this.follow();
  }

  /** @private @param {number} start @param {number} end @param {string} text */
  replace(start, end, text) {
    this.input.setRangeText(text, start, end, "end");
    this.input.focus();
    this.onInput(this.input.value);
  }

  /** Keeps the underline below its letters when the field scrolls.
   * @private */
  follow() {
    requestAnimationFrame(() => {
      this.marks.scrollLeft = this.input.scrollLeft;
    });
  }
}

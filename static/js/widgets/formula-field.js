// The formula as a plain text field. A copy of the text beneath it underlines the mistake.

/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */

import * as texts from "../formula-texts.js";

export class FormulaField {
  /** @param {HTMLElement} root with the input, the marks under it and the note
   * @param {(text: string) => void} onInput @param {() => void} onDone
   * @param {((letters: readonly string[]) => void) | null} onLetters gives letters values; null if the page cannot */
  constructor(root, onInput, onDone, onLetters = null) {
    this.onLetters = onLetters;
    this.input = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.marks = /** @type {HTMLElement} */ (root.querySelector(".formula-marks"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".note"));
    this.onInput = onInput;
    this.quiet = texts.QUIET_NOTE;
    this.input.addEventListener("input", () => onInput(this.input.value));
    this.input.addEventListener("blur", onDone);
    this.input.addEventListener("paste", (event) => this.paste(event));
    for (const event of ["scroll", "keyup", "click", "input"]) this.input.addEventListener(event, () => this.follow());
    this.clear();
  }

  /** @param {string} text */
  show(text) {
    if (this.input.value !== text) this.input.value = text;
  }

  /** Removes the underline and the error message. Then the note tells you what you can type. */
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
    const { suggestion, free, message, column } = diagnostic;
    const { onLetters } = this;
    if (free !== undefined && onLetters !== null) {
      this.note.replaceChildren(texts.freeLetters(free));
      this.offer(texts.addSliders(free), () => onLetters(free));
    } else {
      this.note.replaceChildren(texts.atColumn(column, message));
    }
    if (suggestion !== null && suggestion !== undefined) {
      this.offer(texts.useInstead(suggestion), () => this.replace(start, end, suggestion));
    }
    this.follow();
  }

  /** Offers a correction below the field. @private @param {string} text @param {() => void} mend */
  offer(text, mend) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", mend);
    this.note.append(" ", button);
  }

  /** Pastes several lines as one, with semicolons in between, because the field has only one line.
   * @private @param {ClipboardEvent} event */
  paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "");
    if (!text.includes("\n") || lines.length === 0) return;
    event.preventDefault();
    this.replace(this.input.selectionStart ?? 0, this.input.selectionEnd ?? 0, lines.join("; "));
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

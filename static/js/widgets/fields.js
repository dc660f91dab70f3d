// Fields for numbers.

import { format, parseNumber } from "../model/numbers.js";

/** A text field for a number. It never rewrites the text while you type.
 * @param {HTMLInputElement} input @param {(value: number) => void} onChange @param {() => void} onDone
 * @returns {(value: number) => void} shows a value */
export function numberField(input, onChange, onDone) {
  input.type = "text";
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.spellcheck = false;
  let shown = NaN;
  /** True if the field shows typed text. The text stays, even if the page has clamped its number, until the number changes for
   * another reason. */
  let isTyped = false;
  /** The number that the page uses for the typed text, perhaps a clamped one. @type {number | null} */
  let takenFor = null;
  const show = (/** @type {number} */ value) => {
    shown = value;
    const isMeant = isTyped && document.activeElement === input;
    if (isMeant && input.ariaInvalid === "true") return;
    if (isMeant && value === (takenFor ??= value)) return;
    isTyped = false;
    const text = fullText(value);
    if (input.value !== text) input.value = text;
    input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", () => {
    isTyped = true;
    takenFor = null;
    const value = parseNumber(input.value);
    if (value === null) {
      input.setAttribute("aria-invalid", "true");
    } else {
      input.removeAttribute("aria-invalid");
      onChange(value);
    }
  });
  input.addEventListener("blur", () => {
    isTyped = false;
    input.removeAttribute("aria-invalid");
    // By the next frame `shown` includes the text that was typed last.
    requestAnimationFrame(() => {
      if (document.activeElement !== input) input.value = fullText(shown);
    });
    onDone();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.ctrlKey || event.metaKey) isTyped = false;
    if (event.key !== "Enter") return;
    show(shown);
    input.select();
  });
  return show;
}

/** @param {number} value @returns {string} with up to twelve digits */
function fullText(value) {
  const short = Number(value.toPrecision(12));
  return format(short) === "undefined" ? "" : String(short).replace("-", "\u2212");
}

// Fields for numbers and other short texts.

import { format, parseNumber } from "../model/numbers.js";

/** Makes a text field for a number. The field never changes the text while you type.
 * @param {HTMLInputElement} input @param {(value: number) => void} onChange called with each number that you type
 * @param {() => void} onDone called when the focus leaves the field
 * @returns {(value: number) => void} a function that shows a number in the field */
export function numberField(input, onChange, onDone) {
  input.inputMode = "decimal";
  return valueField(input, { read: parseNumber, write: fullText }, NaN, { onChange, onDone });
}

/** Makes a text field for a value. The field never changes the text while you type.
 * @template V @param {HTMLInputElement} input
 * @param {{read: (text: string) => V | null, write: (value: V) => string}} form converts texts to values and back; `read`
 *   returns null if the text is not a value
 * @param {V} first the value at the start @param {{onChange: (value: V) => void, onDone: () => void}} events
 * @returns {(value: V) => void} a function that shows a value in the field */
export function valueField(input, { read, write }, first, { onChange, onDone }) {
  input.type = "text";
  input.autocomplete = "off";
  input.spellcheck = false;
  let shown = first;
  /** True while the field shows typed text. If the typed value is out of range, the page uses a different value. */
  let isTyped = false;
  /** The value that the page uses for the typed text: the typed value, or the nearest allowed value. @type {V | null} */
  let takenFor = null;
  const show = (/** @type {V} */ value) => {
    shown = value;
    const isMeant = isTyped && document.activeElement === input;
    if (isMeant && input.ariaInvalid === "true") return;
    if (isMeant && value === (takenFor ??= value)) return;
    isTyped = false;
    const text = write(value);
    if (input.value !== text) input.value = text;
    input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", () => {
    isTyped = true;
    takenFor = null;
    const value = read(input.value);
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
      if (document.activeElement !== input) input.value = write(shown);
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

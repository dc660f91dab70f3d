// Fields for numbers, and sliders that each have such a field.

/** @typedef {import("../model/types.js").Param} Param */

import { format, parseNumber } from "../model/numbers.js";
import * as texts from "../texts.js";

/** A text field for a number. It never rewrites the text while you type.
 * @param {HTMLInputElement} input @param {(value: number) => void} onChange @param {() => void} onDone
 * @returns {(value: number) => void} shows a value */
export function numberField(input, onChange, onDone) {
  input.type = "text";
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.spellcheck = false;
  let shown = NaN;
  /** Whether the field shows typed text. The text stays, even if the page has clamped its number, until the number changes for
   * another reason. */
  let isTyped = false;
  /** The number that the page made of the typed text. @type {number | null} */
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

/** The sliders of a formula's parameters. */
export class Sliders {
  /** @param {HTMLElement} place @param {(name: string, value: number) => void} onChange @param {() => void} onDone */
  constructor(place, onChange, onDone) {
    this.place = place;
    this.onChange = onChange;
    this.onDone = onDone;
    this.names = "";
    /** @type {{range: HTMLInputElement, show: (value: number) => void}[]} */
    this.rows = [];
  }

  /** @param {readonly Param[]} params */
  show(params) {
    const names = params.map((param) => param.name).join(" ");
    if (names !== this.names) {
      this.names = names;
      this.place.replaceChildren();
      this.rows = params.map((param) => this.addRow(param.name));
    }
    params.forEach((param, k) => {
      const { range, show } = this.rows[k];
      range.min = String(param.min);
      range.max = String(param.max);
      range.step = String(param.step);
      range.value = String(param.value);
      show(param.value);
    });
  }

  /** @private @param {string} name */
  addRow(name) {
    const row = document.createElement("div");
    row.className = "slider";
    const label = document.createElement("i");
    label.textContent = name;
    const range = document.createElement("input");
    range.type = "range";
    range.setAttribute("aria-label", texts.sliderLabel(name));
    range.addEventListener("input", () => this.onChange(name, Number(range.value)));
    range.addEventListener("change", this.onDone);
    const number = document.createElement("input");
    number.setAttribute("aria-label", texts.sliderNumberLabel(name));
    const show = numberField(number, (value) => this.onChange(name, value), this.onDone);
    row.append(label, range, number);
    this.place.append(row);
    return { range, show };
  }
}

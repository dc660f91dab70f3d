// Draw tapes and diagrams, by putting numbers into their marks, the same as templates.py.

import { spot } from "./frames.js";
import { number, pixel } from "./numbers.js";

/**
 * A mark with placeholders for numbers, and the number of the first step that shows the mark's text.
 * @typedef {[string, Record<string, string>, string, number]} Template
 */

/**
 * The marks and the sentence of a template, with the kernel's numbers `row` in place of the placeholders. `turn` is the step.
 * @param {{ marks?: Template[], told?: string }} spec @param {number} turn @param {ArrayLike<number>} row
 */
export function filled({ marks = [], told = "" }, turn, row) {
  let k = 0;
  /** @param {string} text */
  const fill = (text) => text.replace(/[\ufdd0\ufdd1]/g, (sign) => (sign === "\ufdd0" ? pixel(spot(row[k++])) : number(row[k++])));
  return {
    behind: marks.map(([tag, attributes, text, step]) => {
      const whole = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fill(value)]));
      const shown = fill(text);
      return /** @type {import("./frames.js").Mark} */ ([tag, whole, turn >= step ? shown : ""]);
    }),
    told: fill(told),
  };
}

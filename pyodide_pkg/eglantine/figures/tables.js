// Draw a table of numbers, the same as tables.py.

import { LEFT, RIGHT } from "./frames.js";
import { number, pixel } from "./numbers.js";

/** Rows have this height in pixels. */
const LINE = 34;

/**
 * A row for each place, with the value and the slope of each function.
 * @param {import("./drawing.js").Spec} spec @param {import("./drawing.js").At} at @returns {import("./drawing.js").Picture}
 */
export function table({ axes: [{ name, lo, hi }], labels }, at) {
  /** @type {import("./frames.js").Mark[]} */
  const behind = [];
  /** @param {string} kind @param {number} y @param {string[]} texts */
  const line = (kind, y, texts) => texts.forEach((text, k) => {
    const x = pixel(LINE + ((RIGHT - LEFT) * (k + 1)) / texts.length);
    behind.push(["text", { class: kind, x, y: pixel(y), "text-anchor": "end" }, text]);
  });
  line("name", 20, [name, ...labels.flatMap((label) => [label, "slope"])]);
  for (let i = 1; i < 10; i++) {
    const x = lo + ((hi - lo) * (i - 1)) / 8;
    const row = at(x);
    line("tick", LINE * i + 20, [x, ...labels.flatMap((_, k) => [row[3 * k], row[3 * k + 1]])].map(number));
  }
  return { behind, plot: [], above: [], told: "" };
}

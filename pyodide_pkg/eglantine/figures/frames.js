// Scales, ticks and axes of a flat picture, the same as in frames.py.

import { exponentOf, number, pixel } from "./numbers.js";

export const LEFT = 56;
export const RIGHT = 544;
export const TOP = 34;
export const BOTTOM = 340;
const TICKS = 5;
const LETTER = 9.5;

/**
 * An element of SVG: its tag, its attributes, and its text if it has one.
 * @typedef {[string, Record<string, string>, string?]} Mark
 * @typedef {{ lowX: number, highX: number, lowY: number, highY: number }} Frame
 */

/** The pixel of x. @param {Frame} frame @param {number} x */
export const across = (frame, x) =>
  LEFT + ((x - frame.lowX) / (frame.highX - frame.lowX)) * (RIGHT - LEFT);

/** The pixel of y. @param {Frame} frame @param {number} y */
export const down = (frame, y) =>
  BOTTOM - ((y - frame.lowY) / (frame.highY - frame.lowY)) * (BOTTOM - TOP);

/** The frame of a flat picture. @param {import("./drawing.js").Spec} spec @returns {Frame} */
export function frameOf({ axes: [x, y], range: [low, high] }) {
  return { lowX: x.lo, highX: x.hi, lowY: y?.lo ?? low, highY: y?.hi ?? high };
}

/** Round numbers within a range. @param {number} low @param {number} high */
function ticks(low, high) {
  const rough = (high - low) / TICKS;
  const power = Number(`1e${exponentOf(rough)}`);
  const ratio = rough / power;
  const step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
  const places = [];
  for (let i = Math.ceil(low / step); i <= Math.floor(high / step); i++) places.push(i * step);
  return places;
}

/** The ticks, their numbers and the axes' names. @param {Frame} frame @param {string[]} names */
export function axes(frame, names) {
  /** @type {Mark[]} */
  const marks = [];
  for (const x of ticks(frame.lowX, frame.highX)) {
    const at = pixel(across(frame, x));
    marks.push(["line", { class: "grid", x1: at, x2: at, y1: "34", y2: "340" }]);
    marks.push(["text", { class: "tick", x: at, y: "357", "text-anchor": "middle" }, number(x)]);
  }
  for (const y of ticks(frame.lowY, frame.highY)) {
    const at = pixel(down(frame, y));
    marks.push(["line", { class: "grid", x1: "56", x2: "544", y1: at, y2: at }]);
    marks.push(["text", { class: "tick", x: "50", y: pixel(down(frame, y) + 4), "text-anchor": "end" }, number(y)]);
  }
  marks.push(["rect", { class: "frame", x: "56", y: "34", width: "488", height: "306" }]);
  marks.push(["text", { class: "name", x: "300", y: "375", "text-anchor": "middle" }, names[0]]);
  marks.push(["text", { class: "name", x: "8", y: "20" }, names[1]]);
  return marks;
}

/** The words of the colours, in a row above the picture. @param {string[][]} entries */
export function legend(entries) {
  /** @type {Mark[]} */
  const marks = [];
  let right = RIGHT;
  for (const [kind, word] of [...entries].reverse()) {
    right -= [...word].length * LETTER;
    marks.push(["text", { class: `key ${kind}`, x: pixel(right), y: "20" }, word]);
    right -= 8;
    marks.push(["line", { class: kind, x1: pixel(right - 14), x2: pixel(right), y1: "16", y2: "16" }]);
    right -= 26;
  }
  return marks;
}

/** A pixel, or one far outside if the value is not a number. @param {number} value */
export const spot = (value) => (Number.isFinite(value) ? value : -999);

/**
 * The mark of a point that readers drag, or move by keys. `told` is the text that a screen reader speaks for it.
 * @param {string} label @param {string} name @param {number} x @param {number} y @param {string} told @returns {Mark}
 */
export function grip(label, name, x, y, told) {
  return ["circle", {
    class: "held", "data-name": name, cx: pixel(spot(x)), cy: pixel(spot(y)), r: "8",
    tabindex: "0", role: "slider", "aria-label": label, "aria-valuenow": "0", "aria-valuetext": told,
  }];
}

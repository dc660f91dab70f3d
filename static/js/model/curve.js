// Builds a curve y = f(x) over an interval from pieces of line, with gaps where f is undefined or jumps.

/** @typedef {import("./types.js").Point} Point */
/** @typedef {{pieces: readonly Point[][], rangeY: readonly [number, number]}} Curve */
/** @typedef {(x: number) => number} Sample NaN if undefined */

import { shownRange } from "./mesh.js";

/** The least difference in height between two neighbouring points for which we look for a jump between them, as a fraction of
 * the picture's height. */
const STEEP = 0.02;
/** The number of times that we halve a piece of the curve to find a jump or an edge in it. After 10 halvings, the remaining
 * part is about a thousandth of the piece. */
const HALVINGS = 10;
/** A piece of the curve has a jump if, after all halvings, the heights at the ends of the remaining part differ by more than
 * this fraction of the difference between the heights at the ends of the piece. */
const GAP_LEFT = 0.5;

/** @param {Sample} f @param {number} from @param {number} to @param {number} n the number of pieces @returns {Curve} */
export function buildCurve(f, from, to, n) {
  const at = (/** @type {number} */ x) => /** @type {Point} */ ([x, finite(f(x))]);
  const points = Array.from({ length: n + 1 }, (_, k) => at(from + ((to - from) * k) / n));
  const rangeY = shownRange(Float64Array.from(points, (point) => point[1]));
  const steep = STEEP * (rangeY[1] - rangeY[0]);
  /** @type {Point[][]} */
  const pieces = [[]];
  const add = (/** @type {Point} */ point) => {
    if (!Number.isNaN(point[1])) pieces[pieces.length - 1].push(point);
  };
  points.forEach((point, k) => {
    const before = points[k - 1];
    if (k > 0 && gap(before, point) > steep) {
      const [left, right] = narrowed(at, before, point);
      if (gap(left, right) > GAP_LEFT * gap(before, point) || gap(left, right) === Infinity) {
        add(left);
        pieces.push([]);
        add(right);
      }
    }
    add(point);
  });
  return { pieces: pieces.filter((piece) => piece.length > 1), rangeY };
}

/** The difference of two points' heights. @param {Point} a @param {Point} b @returns {number} infinite if one is undefined */
function gap([, a], [, b]) {
  if (Number.isNaN(a) && Number.isNaN(b)) return 0;
  return Number.isNaN(a + b) ? Infinity : Math.abs(b - a);
}

/** Halves a piece of the curve repeatedly. Each time, keeps the half with the larger difference in height between its ends.
 * Returns the ends of the last half.
 * @param {(x: number) => Point} at @param {Point} left @param {Point} right
 * @returns {[Point, Point]} */
function narrowed(at, left, right) {
  let [a, b] = [left, right];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = at((a[0] + b[0]) / 2);
    if (gap(a, middle) > gap(middle, b)) b = middle;
    else a = middle;
  }
  return [a, b];
}

/** @param {number} y */
function finite(y) {
  return Number.isFinite(y) ? y : NaN;
}

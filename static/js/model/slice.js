// A slice through the surface: the line through the point in one direction, and the curve of heights above it.

/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {import("./types.js").Heights} Heights */
/** @typedef {import("./types.js").Jet} Jet */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Region} Region */
/**
 * A slice through the surface, along a line through the point.
 * @typedef {object} Slice
 * @property {Point} direction - a vector of length 1
 * @property {readonly [number, number]} reach - how far the line goes backwards (a negative number) and forwards from the point
 * @property {Point} from - the point where the line begins
 * @property {Point} to - the point where the line ends
 * @property {Curve} curve - the heights along the line, as a function of the distance from the point
 * @property {{f: number, slope: number, bend: number}} jet - the height at the point, and the first and the
 *   second derivative of the height along the line
 * @property {(s: number) => number} [along] - takes a distance from the point, and returns the height of the approximation
 *   there
 * @property {readonly (readonly [number, number, number])[]} [area] - the proven band around the approximation. Each
 *   entry has a distance from the point, the lowest possible height and the highest possible height
 */

import { buildCurve } from "./curve.js";

const PIECES = 240;
/** The length on each side of the point that a slice has at least, as a fraction of the sum of the region's width and height.
 * If the point is at a corner of the region, a slice that ends at the region's border may have length 0.
 */
const LEAST_SHARE = 0.01;

/** @param {(x: number, y: number) => number} sample @param {Region} region @param {Point} point @param {Jet} jet
 * @param {number} angle in degrees @returns {Slice} */
export function buildSlice(sample, region, point, jet, angle) {
  const direction = directionOf(angle);
  const [ux, uy] = direction;
  const [x, y] = point;
  const reach = reachOf(region, point, direction);
  const at = (/** @type {number} */ s) => /** @type {Point} */ ([x + s * ux, y + s * uy]);
  return {
    direction,
    reach,
    from: at(reach[0]),
    to: at(reach[1]),
    curve: buildCurve((s) => sample(x + s * ux, y + s * uy), reach[0], reach[1], PIECES),
    // The derivatives along a direction u are ∇f·u and u·Hu.
    jet: { f: jet.f, slope: jet.fx * ux + jet.fy * uy, bend: jet.fxx * ux * ux + 2 * jet.fxy * ux * uy + jet.fyy * uy * uy },
  };
}

/** @param {number} angle in degrees @returns {Point} exact for multiples of 90° */
export function directionOf(angle) {
  const radians = (angle * Math.PI) / 180;
  const whole = (/** @type {number} */ value) => (Math.abs(value) < 1e-15 ? 0 : value);
  return [whole(Math.cos(radians)), whole(Math.sin(radians))];
}

/** Computes the angle of a direction. It is above −180° and at most 180°. @param {number} dx @param {number} dy
 * @returns {number} in degrees */
export function angleOf(dx, dy) {
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  return angle === -180 ? 180 : angle;
}

/** Returns how far we can go from the point before we leave the region: against the direction (as a negative number), and along
 * the direction.
 * @param {Region} region @param {Point} point inside @param {Point} direction @returns {[number, number]} */
function reachOf([x0, x1, y0, y1], [x, y], [ux, uy]) {
  let [back, forth] = [-Infinity, Infinity];
  for (const [from, to, at, u] of [[x0, x1, x, ux], [y0, y1, y, uy]]) {
    if (u === 0) continue;
    const ends = [(from - at) / u, (to - at) / u];
    back = Math.max(back, Math.min(...ends));
    forth = Math.min(forth, Math.max(...ends));
  }
  // At a corner of the region, the line may only touch the region.
  const least = LEAST_SHARE * (x1 - x0 + y1 - y0);
  return forth - back > least ? [back, forth] : [-least, least];
}

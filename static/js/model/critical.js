// The critical points of a region, from the ends of many searches that a kernel made (app/formulas/survey.py).

/** @typedef {import("./types.js").Jet} Jet */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Region} Region */
/** @typedef {"minimum" | "maximum" | "saddle" | "undecided"} CriticalKind */
/** @typedef {{at: Point, f: number, kind: CriticalKind}} Critical */
/** The result of a search for a critical point. `at`: the point where the search ended. `off`: the estimated distance between
 * `at` and the critical point, as a fraction of the region's size.
 * @typedef {{at: Point, jet: Jet, off: number}} End */

import { tidy } from "./numbers.js";
import { describe } from "./point-kind.js";

/** The largest distance between the ends of two searches that count as the same point, as a fraction of the region's size.
 * Searches are inexact where second derivatives vanish, so with a smaller number we would count such a point twice. */
const SAME = 2e-4;
/** The size below which a number counts as 0, as a fraction of the region's width or of the range of z. */
const NOTHING = 1e-9;

/** @param {readonly End[]} ends @param {Region} region @param {number} scaleZ the range of z in the picture
 * @returns {Critical[]} by height */
export function criticalPoints(ends, [x0, x1, y0, y1], scaleZ) {
  /** @type {End[]} */
  const distinct = [];
  for (const end of [...ends].sort((a, b) => a.off - b.off)) {
    const isNew = distinct.every(({ at: [x, y] }) => Math.hypot((x - end.at[0]) / (x1 - x0), (y - end.at[1]) / (y1 - y0)) > SAME);
    if (isNew) distinct.push(end);
  }
  const round = (/** @type {number} */ value, /** @type {number} */ width) => (Math.abs(value) < NOTHING * width ? 0 : tidy(value));
  return distinct.map(({ at, jet }) => {
    const { kind } = describe({ ...jet, fx: 0, fy: 0 }, scaleZ, Math.max(x1 - x0, y1 - y0));
    return {
      at: /** @type {const} */ ([round(at[0], x1 - x0), round(at[1], y1 - y0)]),
      f: Math.abs(jet.f) < NOTHING * scaleZ ? 0 : jet.f,
      kind: kind === "none" ? /** @type {const} */ ("undecided") : kind,
    };
  }).sort((a, b) => a.f - b.f || a.at[0] - b.at[0] || a.at[1] - b.at[1]);
}

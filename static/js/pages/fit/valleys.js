// Computes a valley: the sum of squares as a function of two parameters, and the path of the solver. While a point is being
// dragged, the previous valley stays. For a new formula, we compute the valley one frame after the fit, so that the fit appears
// sooner.

/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("./fitter.js").Solution} Solution */
/** @typedef {import("./fitter.js").Fitter} Fitter */
/** @typedef {import("./follower.js").Found} Found */
/** @typedef {import("./scene.js").Valley} Valley */

import { lossContours } from "../../model/loss-contours.js";

/** The number of places along each side of a valley. */
const CELLS = 41;
/** The distance from the fitted parameter to each end of the picture. ERRORS_SHOWN: as a number of standard errors.
 * SHARE_SHOWN: as a fraction of the parameter's value, if the standard error is unknown or 0. */
const ERRORS_SHOWN = 4;
const SHARE_SHOWN = 0.4;
/** The picture also includes the solver's steps. We ignore steps that are farther from the fit than this many times the
 * picture's normal extent. */
const FARTHEST = 10;
/** The path shows at most this many rounds of the solver. If there are more than FEW_POINTS points, it shows at most SHORT_PATH
 * rounds. */
const LONGEST_PATH = 40;
const SHORT_PATH = 12;
const FEW_POINTS = 64;

export class Valleys {
  constructor() {
    /** The two parameters that the visitor has chosen as axes, or null for the first two.
     * @type {readonly [string, string] | null} */
    this.pair = null;
    /** @type {{of: Solution, fitter: Fitter, pair: string, valley: Valley} | null} */
    this.seen = null;
    /** The kernels of a new formula, while the page still shows the valley of the previous formula.
     * @type {Fitter | null} */
    this.late = null;
  }

  /** @param {Found} found @param {boolean} isHeld whether a point is being dragged
   * @returns {Valley | null} null if fewer than two parameters are free */
  of({ doc, fitter, solution, start }, isHeld) {
    const { late } = this;
    this.late = null;
    const free = fitter.names.filter((name) => !(name in doc.held));
    if (free.length < 2) {
      this.seen = null;
      return null;
    }
    const names = this.pair !== null && this.pair.every((name) => free.includes(name)) && this.pair[0] !== this.pair[1] ? this.pair : /** @type {const} */ ([free[0], free[1]]);
    const { seen } = this;
    if (seen !== null && seen.pair === names.join(" ") && (isHeld || seen.of === solution)) return seen.valley;
    if (seen !== null && seen.fitter !== fitter && late !== fitter) {
      this.late = fitter;
      return seen.valley;
    }
    const pair = /** @type {const} */ ([fitter.names.indexOf(names[0]), fitter.names.indexOf(names[1])]);
    const path = fitter.path(doc, start, doc.points.length > FEW_POINTS ? SHORT_PATH : LONGEST_PATH);
    const region = /** @type {Region} */ ([...around(solution, pair[0], path), ...around(solution, pair[1], path)]);
    const valley = {
      names,
      region,
      contours: lossContours(sumsOver(fitter.residualsOf(doc), solution.x, pair, region, CELLS), CELLS),
      cells: CELLS,
      path: path.map((x) => /** @type {const} */ ([x[pair[0]], x[pair[1]]])),
      end: /** @type {const} */ ([solution.x[pair[0]], solution.x[pair[1]]]),
    };
    this.seen = { of: solution, fitter, pair: names.join(" "), valley };
    return valley;
  }
}

/** Computes the sum of squares at each place of a grid. Two parameters vary over the grid, and the other parameters keep their
 * values in `x`. If a sum is not finite, we replace it by the largest finite sum.
 * @param {(x: ArrayLike<number>) => ArrayLike<number>} residuals @param {ArrayLike<number>} x @param {readonly [number, number]} pair
 * the positions of the parameters across and up @param {Region} region @param {number} cells along each side
 * @returns {Float64Array} by rows */
export function sumsOver(residuals, x, [across, up], [a0, a1, b0, b1], cells) {
  const at = Float64Array.from(x);
  const sums = new Float64Array(cells * cells);
  for (let k = 0; k < sums.length; k++) {
    at[up] = b0 + (b1 - b0) * (Math.floor(k / cells) / (cells - 1));
    at[across] = a0 + (a1 - a0) * ((k % cells) / (cells - 1));
    const all = residuals(at);
    for (let i = 0; i < all.length; i++) sums[k] += all[i] * all[i];
  }
  const most = sums.reduce((size, sum) => (Number.isFinite(sum) ? Math.max(size, sum) : size), 0);
  return sums.map((sum) => (Number.isFinite(sum) ? sum : most));
}

/** Chooses the range of a parameter in the picture of a valley. The range contains the values of the parameter along the
 * solver's path, except values that are far from the fitted one.
 * @param {Solution} solution @param {number} k the parameter @param {readonly Float64Array[]} path @returns {[number, number]} */
function around({ x, deviations }, k, path) {
  const error = deviations[k];
  const half = Number.isFinite(error) && error > 0 ? ERRORS_SHOWN * error : SHARE_SHOWN * Math.abs(x[k]) || 1;
  const near = path.map((step) => step[k]).filter((value) => Math.abs(value - x[k]) < FARTHEST * half);
  return [Math.min(x[k] - half, ...near.map((value) => value - half / 2)), Math.max(x[k] + half, ...near.map((value) => value + half / 2))];
}

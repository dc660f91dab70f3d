// Finds contours of equal loss over the plane of slope and intercept, where each point is a line.

/** @typedef {import("./contours.js").Segment} Segment */

import { contoursOf, refined } from "./contours.js";

const LEVELS = 13;
/** A contour line's loss is the smallest loss plus a difference. From each line to the next higher one, the difference grows by
 * this factor. */
const RATIO = 1.9;
/** We refine the grid of losses by this factor, because the valley of small losses is narrow. */
const FINER = 2;

/** Finds contour lines of the loss, the highest first. The nearer a line is to the smallest loss, the less its loss differs
 * from the next line's loss. We interpolate √(loss − smallest loss) and not the loss. The loss is nearly a parabola, so its
 * root is nearly linear.
 * @param {ArrayLike<number>} losses row by row @param {number} cells per row @returns {Segment[][]} */
export function lossContours(losses, cells) {
  const fine = refined(losses, cells, FINER);
  let [least, most] = [Infinity, -Infinity];
  for (const loss of fine.values) {
    least = Math.min(least, loss);
    most = Math.max(most, loss);
  }
  if (!(most > least)) return [];
  const roots = fine.values.map((loss) => Math.sqrt(loss - least));
  const highest = Math.sqrt(most - least);
  const levels = Array.from({ length: LEVELS }, (_, k) => highest * RATIO ** (-(k + 1) / 2 - 0.2));
  return contoursOf(roots, fine.cells, levels).map((segments) =>
    segments.map(([x0, y0, x1, y1]) => /** @type {const} */ ([x0 / FINER, y0 / FINER, x1 / FINER, y1 / FINER])));
}

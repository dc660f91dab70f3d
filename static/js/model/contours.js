// Lines of equal height over a grid of values: marching squares.

/** @typedef {import("./types.js").Point} Point */
/** Where a line crosses a cell, in cells from the first place: x and y of both ends.
 * @typedef {readonly [number, number, number, number]} Segment */

/** For each of the 16 ways in which corners can be above a level, the sides that are crossed: 0 below, 1 right,
 * 2 above, 3 left. Saddles are cut so that what is low stays together. */
const CROSSED = /** @type {const} */ ([
  [], [3, 0], [0, 1], [3, 1], [1, 2], [3, 0, 1, 2], [0, 2], [3, 2],
  [2, 3], [2, 0], [0, 1, 2, 3], [2, 1], [1, 3], [1, 0], [0, 3], [],
]);

/** @param {ArrayLike<number>} values by row, `cells` to a row @param {number} cells @param {number} level
 * @returns {Segment[]} */
export function contour(values, cells, level) {
  /** @type {Segment[]} */
  const segments = [];
  for (let row = 0; row + 1 < cells; row++) {
    for (let column = 0; column + 1 < cells; column++) {
      const at = row * cells + column;
      const corners = [values[at], values[at + 1], values[at + cells + 1], values[at + cells]];
      const kind = corners.reduce((found, value, k) => found + (value >= level ? 1 << k : 0), 0);
      const sides = CROSSED[kind];
      for (let k = 0; k < sides.length; k += 2) {
        const [x0, y0] = crossing(sides[k], corners, level);
        const [x1, y1] = crossing(sides[k + 1], corners, level);
        segments.push([column + x0, row + y0, column + x1, row + y1]);
      }
    }
  }
  return segments;
}

/** Where a level crosses one side of a cell. @param {number} side @param {readonly number[]} corners @param {number} level
 * @returns {Point} */
function crossing(side, corners, level) {
  const [from, to] = [corners[side], corners[(side + 1) % 4]];
  const share = (level - from) / (to - from);
  return /** @type {const} */ ([[share, 0], [1, share], [1 - share, 1], [0, 1 - share]])[side];
}

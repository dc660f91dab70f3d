// Marching squares: lines of equal height over a grid of values. Also refines a grid for them.

/** @typedef {import("./types.js").Point} Point */
/** The piece of a contour line inside one cell, as (x of one end, y of this end, x of the other end, y of the other end). The
 * unit is the side of a cell, and the origin is the first grid point.
 * @typedef {readonly [number, number, number, number]} Segment */

/** For each kind of cell, the sides that a contour line crosses. There are 16 kinds, because each of the four corners can be
 * above or below the line's level. The sides are 0 (lower), 1 (right), 2 (upper) and 3 (left). If only two opposite corners are
 * above the level, two lines cut off these corners. */
const CROSSED = /** @type {const} */ ([
  [], [3, 0], [0, 1], [3, 1], [1, 2], [3, 0, 1, 2], [0, 2], [3, 2],
  [2, 3], [2, 0], [0, 1, 2, 3], [2, 1], [1, 3], [1, 0], [0, 3], [],
]);

/** @param {ArrayLike<number>} values by row @param {number} cells values per row @param {readonly number[]} levels
 * @returns {Segment[][]} for each level */
export function contoursOf(values, cells, levels) {
  /** @type {Segment[][]} */
  const contours = levels.map(() => []);
  for (let row = 0; row + 1 < cells; row++) {
    for (let column = 0; column + 1 < cells; column++) {
      const at = row * cells + column;
      const a = values[at], b = values[at + 1], c = values[at + cells + 1], d = values[at + cells];
      const low = Math.min(a, b, c, d);
      const high = Math.max(a, b, c, d);
      for (let k = 0; k < levels.length; k++) {
        const level = levels[k];
        if (low < level && level <= high) cross(contours[k], column, row, [a, b, c, d], level);
      }
    }
  }
  return contours;
}

/** Adds the segments of one cell. @param {Segment[]} segments @param {number} column @param {number} row
 * @param {readonly number[]} corners @param {number} level */
function cross(segments, column, row, corners, level) {
  const sides = CROSSED[corners.reduce((kind, value, k) => kind + (value >= level ? 1 << k : 0), 0)];
  for (let k = 0; k < sides.length; k += 2) {
    const [x0, y0] = crossing(sides[k], corners, level);
    const [x1, y1] = crossing(sides[k + 1], corners, level);
    segments.push([column + x0, row + y0, column + x1, row + y1]);
  }
}

/** Refines a grid of values. Each new value is on the cubic polynomial through four neighbours. This is exact for a parabola.
 * @param {ArrayLike<number>} values by row @param {number} cells values per row, at least four
 * @param {number} times the number of new cells along one old cell @returns {{values: Float64Array, cells: number}} */
export function refined(values, cells, times) {
  const fine = (cells - 1) * times + 1;
  const stencils = Array.from({ length: fine }, (_, k) => stencilAt(k / times, cells));
  const across = new Float64Array(cells * fine);
  for (let row = 0; row < cells; row++) {
    stencils.forEach(({ first, weights: [p, q, r, s] }, k) => {
      const at = row * cells + first;
      across[row * fine + k] = p * values[at] + q * values[at + 1] + r * values[at + 2] + s * values[at + 3];
    });
  }
  const refinedValues = new Float64Array(fine * fine);
  stencils.forEach(({ first, weights: [p, q, r, s] }, k) => {
    for (let column = 0; column < fine; column++) {
      const at = first * fine + column;
      refinedValues[k * fine + column] = p * across[at] + q * across[at + fine] + r * across[at + 2 * fine] + s * across[at + 3 * fine];
    }
  });
  return { values: refinedValues, cells: fine };
}

/** Lagrange weights of four values.
 * @param {number} place from 0 @param {number} cells @returns {{first: number, weights: number[]}} */
function stencilAt(place, cells) {
  const first = Math.min(Math.max(Math.floor(place) - 1, 0), cells - 4);
  const t = place - first;
  const weights = [0, 1, 2, 3].map((k) => [0, 1, 2, 3].reduce((product, other) => (other === k ? product : (product * (t - other)) / (k - other)), 1));
  return { first, weights };
}

/** Finds the point on one side of a cell where a contour line crosses the side.
 * @param {number} side @param {readonly number[]} corners @param {number} level @returns {Point} */
function crossing(side, corners, level) {
  const [from, to] = [corners[side], corners[(side + 1) % 4]];
  const share = (level - from) / (to - from);
  return /** @type {const} */ ([[share, 0], [1, share], [1 - share, 1], [0, 1 - share]])[side];
}

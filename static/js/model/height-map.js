// The contour map of a surface. It has the heights on a grid with their contour lines, and the gradients on a coarser grid. It
// also has the contour lines of the quadratic approximation inside a disc around the point.

/** @typedef {import("./contours.js").Segment} Segment */
/** @typedef {import("./types.js").Heights} Heights */
/** @typedef {import("./types.js").Jet} Jet */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Region} Region */
/** A piece of a contour line inside one cell of the grid: x and y of its start, then x and y of its end.
 * @typedef {readonly [number, number, number, number]} Stroke */
/** @typedef {{at: Point, slope: Point}} Arrow */
/**
 * The contour map of a region.
 * @typedef {object} HeightMap
 * @property {Region} region
 * @property {Heights} rangeZ - the lowest and the highest height that the map shows
 * @property {number} cells - the number of cells along each side
 * @property {Float64Array} heights - (cells + 1)² heights, row by row; NaN where the formula is undefined
 * @property {readonly {level: number, strokes: readonly Stroke[]}[]} contours
 * @property {readonly Stroke[]} roots - the contour line of height 0 if the formula is an equation. Otherwise an empty list
 * @property {readonly Arrow[]} arrows - the gradients on a coarser grid, without the places where the formula has no gradient
 */
/** An ellipse around the point `at`. `radius`: its half axes along x and y. @typedef {{at: Point, radius: Point}} Disc */

import { contoursOf } from "./contours.js";
import { ticks } from "./numbers.js";

const LEVELS = 12;
const ARROWS = 11;
/** To find contour lines of the quadratic approximation, we use a grid with this many cells along each side. */
const DISC_CELLS = 32;

/** Builds the contour map of a region.
 * @param {(x: number, y: number) => ArrayLike<number>} jetAt returns a list that begins with f, fx and fy
 * @param {Region} region
 * @param {Heights} rangeZ @param {number} cells along each side @param {boolean} isEquation @returns {HeightMap} */
export function buildMap(jetAt, region, rangeZ, cells, isEquation) {
  const [x0, x1, y0, y1] = region;
  const heights = gridOf((x, y) => jetAt(x, y)[0], region, cells);
  const levels = ticks(rangeZ[0], rangeZ[1], LEVELS);
  /** @type {Arrow[]} */
  const arrows = [];
  for (let j = 0; j < ARROWS; j++) {
    for (let i = 0; i < ARROWS; i++) {
      const at = /** @type {const} */ ([x0 + ((x1 - x0) * (i + 0.5)) / ARROWS, y0 + ((y1 - y0) * (j + 0.5)) / ARROWS]);
      const jet = jetAt(at[0], at[1]);
      if (Number.isFinite(jet[0] + jet[1] + jet[2])) arrows.push({ at, slope: [jet[1], jet[2]] });
    }
  }
  const roots = isEquation ? strokesOf(heights, region, cells, [0])[0].strokes : [];
  return { region, rangeZ, cells, heights, contours: strokesOf(heights, region, cells, levels), roots, arrows };
}

/** Computes the values of a function at the points of a grid. Returns them row by row. A value that is not finite becomes NaN.
 * @param {(x: number, y: number) => number} f @param {Region} region @param {number} cells along each side */
export function gridOf(f, [x0, x1, y0, y1], cells) {
  const values = new Float64Array((cells + 1) ** 2);
  for (let j = 0, k = 0; j <= cells; j++) {
    const y = y0 + ((y1 - y0) * j) / cells;
    for (let i = 0; i <= cells; i++, k++) {
      const value = f(x0 + ((x1 - x0) * i) / cells, y);
      values[k] = Number.isFinite(value) ? value : NaN;
    }
  }
  return values;
}

/** @param {Float64Array} values @param {Region} region @param {number} cells @param {readonly number[]} levels */
function strokesOf(values, [x0, x1, y0, y1], cells, levels) {
  const toX = (/** @type {number} */ column) => x0 + ((x1 - x0) * column) / cells;
  const toY = (/** @type {number} */ row) => y0 + ((y1 - y0) * row) / cells;
  return contoursOf(values, cells + 1, levels).map((segments, k) => ({
    level: levels[k],
    strokes: segments.map(([a, b, c, d]) => /** @type {const} */ ([toX(a), toY(b), toX(c), toY(d)])),
  }));
}

/** Makes a function that computes the height of the quadratic approximation around a point. The jet has the surface's value and
 * derivatives at the point. @param {Jet} jet @param {Point} point
 * @returns {(x: number, y: number) => number} */
export function quadraticAt({ f, fx, fy, fxx, fxy, fyy }, [px, py]) {
  return (x, y) => {
    const [dx, dy] = [x - px, y - py];
    return f + fx * dx + fy * dy + (fxx * dx * dx + 2 * fxy * dx * dy + fyy * dy * dy) / 2;
  };
}

/** Finds the contour lines of the quadratic approximation, at the same heights as the map's contour lines. Returns the pieces
 * that lie both in the disc and in the region.
 * @param {HeightMap} map @param {(x: number, y: number) => number} quadratic @param {Disc} disc @returns {Stroke[]} */
export function discContours(map, quadratic, { at: [x, y], radius: [across, up] }) {
  if (Number.isNaN(quadratic(x, y))) return [];
  const around = /** @type {const} */ ([x - across, x + across, y - up, y + up]);
  const [x0, x1, y0, y1] = map.region;
  const levels = map.contours.map(({ level }) => level);
  const all = strokesOf(gridOf(quadratic, around, DISC_CELLS), around, DISC_CELLS, levels);
  return all.flatMap(({ strokes }) => strokes.filter(([a, b, c, d]) => {
    const [middleX, middleY] = [(a + c) / 2, (b + d) / 2];
    const isInside = middleX >= x0 && middleX <= x1 && middleY >= y0 && middleY <= y1;
    return isInside && Math.hypot((middleX - x) / across, (middleY - y) / up) <= 1;
  }));
}

/** Returns the largest difference between the surface and its quadratic approximation at the grid points inside the disc.
 * @param {HeightMap} map @param {(x: number, y: number) => number} quadratic @param {Disc} disc
 * @returns {number} NaN if no point has a height */
export function largestError({ region: [x0, x1, y0, y1], cells, heights }, quadratic, { at, radius }) {
  let largest = NaN;
  for (let k = 0; k < heights.length; k++) {
    const x = x0 + ((x1 - x0) * (k % (cells + 1))) / cells;
    const y = y0 + ((y1 - y0) * Math.floor(k / (cells + 1))) / cells;
    if (Math.hypot((x - at[0]) / radius[0], (y - at[1]) / radius[1]) > 1) continue;
    const error = Math.abs(heights[k] - quadratic(x, y));
    if (!(error <= largest) && !Number.isNaN(error)) largest = error;
  }
  return largest;
}

// Builds the mesh of a surface z = f(x, y) over a region. The mesh consists of cells, each with its pieces of contour lines. We
// cut off the parts outside the shown heights. The mesh has holes where f is undefined. We build it once for a formula and a
// region, and can then draw it from any side.

/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./camera.js").Box} Box */
/** A corner of a polygon: its x, y and z in the box. A caller may add further numbers. @typedef {number[]} Vertex */
/**
 * One cell of the grid. `polygon` is the part of the surface in this cell that is within the shown heights.
 * @typedef {object} Cell
 * @property {Vertex[]} polygon - the corners of this part; empty if there is nothing to draw
 * @property {readonly [number, number, number]} normal - a vector of length 1 that points upwards, at right angles to the
 *   polygon
 * @property {readonly (readonly [Vertex, Vertex])[]} levels - the pieces of contour lines in this cell
 *
 * The surface over a region.
 * @typedef {object} Mesh
 * @property {number} n - the number of cells along each side
 * @property {Box} box
 * @property {import("./types.js").Heights} rangeZ - the lowest and the highest height that is shown, in the formula's units
 * @property {Float64Array} heights - (n + 1)² heights in the box's units, row by row. NaN where the formula is undefined
 * @property {Cell[]} cells - the n² cells, row by row
 */

import { boxOf, HEIGHT, toBoxZ } from "./camera.js";
import { ticks } from "./numbers.js";

const LEVELS = 12;
/** The number of halvings of a cell's side by which we find the edge of a hole in the surface. With 10 halvings, the error is
 * less than a thousandth of the side. */
const EDGE_HALVINGS = 10;

/** Builds the mesh of the surface z = `sample`(x, y) with n × n cells.
 * @param {(x: number, y: number) => number} sample @param {Region} region @param {number} n
 * @param {import("./types.js").Heights | null} wanted the heights to show, or null to choose them from the surface
 * @returns {Mesh} */
export function buildMesh(sample, region, n, wanted = null) {
  const [x0, x1, y0, y1] = region;
  const heights = new Float64Array((n + 1) ** 2);
  for (let j = 0, k = 0; j <= n; j++) {
    const y = y0 + ((y1 - y0) * j) / n;
    for (let i = 0; i <= n; i++, k++) {
      const z = sample(x0 + ((x1 - x0) * i) / n, y);
      heights[k] = Number.isFinite(z) ? z : NaN;
    }
  }
  const rangeZ = wanted ?? shownRange(heights);
  const box = boxOf(region, rangeZ);
  for (let k = 0; k < heights.length; k++) heights[k] = toBoxZ(box, heights[k]);
  const levels = ticks(rangeZ[0], rangeZ[1], LEVELS).map((z) => toBoxZ(box, z));
  /** @type {(x: number, y: number) => number} */
  const sampleBox = (x, y) => toBoxZ(box, sample(x0 + (x + 1) / box.sx, y0 + (y + 1) / box.sy));

  /** @type {Cell[]} */
  const cells = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) cells.push(cellAt(i, j, n, heights, levels, sampleBox));
  }
  return { n, box, rangeZ, heights, cells };
}

/** Chooses the range of heights to show. A few extreme heights may lie outside the range, because
 * they would make the rest of the surface look flat.
 * @param {Float64Array} heights NaN if undefined @returns {[number, number]} */
export function shownRange(heights) {
  const sorted = heights.filter((z) => !Number.isNaN(z)).sort();
  if (sorted.length === 0) return [-1, 1];
  const at = (/** @type {number} */ share) => sorted[Math.round(share * (sorted.length - 1))];
  const spread = at(0.93) - at(0.07);
  let lo = Math.max(at(0), at(0.07) - 0.6 * spread);
  let hi = Math.min(at(1), at(0.93) + 0.6 * spread);
  if (!(spread > 0)) [lo, hi] = [at(0), at(1)];
  const least = 1e-9 * Math.max(Math.abs(lo), Math.abs(hi), 1e-3);
  if (!(hi - lo > least)) return [lo - 1, hi + 1];
  const margin = 0.03 * (hi - lo);
  return [lo - margin, hi + margin];
}

/**
 * @param {number} i @param {number} j @param {number} n @param {Float64Array} heights
 * @param {readonly number[]} levels @param {(x: number, y: number) => number} sampleBox @returns {Cell}
 */
function cellAt(i, j, n, heights, levels, sampleBox) {
  const corners = cornersOf(i, j, n, heights);
  const [a, b, c, d] = corners.map((corner) => corner[2]);
  const whole = !Number.isNaN(a + b + c + d);
  const polygon = whole ? corners : definedPart(corners, sampleBox);
  return {
    polygon: clipHeight(polygon),
    normal: normalOf(polygon),
    levels: whole ? levelPieces(corners, levels) : [],
  };
}

/** @param {number} i @param {number} j @param {number} n @param {Float64Array} heights
 * @returns {Vertex[]} the four corners of a cell, anticlockwise from above */
export function cornersOf(i, j, n, heights) {
  const k = j * (n + 1) + i;
  const x0 = (2 * i) / n - 1;
  const x1 = (2 * (i + 1)) / n - 1;
  const y0 = (2 * j) / n - 1;
  const y1 = (2 * (j + 1)) / n - 1;
  return [
    [x0, y0, heights[k]],
    [x1, y0, heights[k + 1]],
    [x1, y1, heights[k + n + 2]],
    [x0, y1, heights[k + n + 1]],
  ];
}

/** @param {Vertex[]} polygon anticlockwise from above @returns {[number, number, number]} unit length (Newell 1972) */
export function normalOf(polygon) {
  const sum = [0, 0, 1e-12];
  for (let k = 0; k < polygon.length; k++) {
    const [x, y, z] = polygon[k];
    const [nextX, nextY, nextZ] = polygon[(k + 1) % polygon.length];
    sum[0] += (y - nextY) * (z + nextZ);
    sum[1] += (z - nextZ) * (x + nextX);
    sum[2] += (x - nextX) * (y + nextY);
  }
  const length = Math.hypot(sum[0], sum[1], sum[2]);
  return [sum[0] / length, sum[1] / length, sum[2] / length];
}

/** Returns the corners of the part of a cell where f is defined. Finds the edge of this part by halving sides of the cell.
 * @param {Vertex[]} corners @param {(x: number, y: number) => number} sampleBox @returns {Vertex[]} */
function definedPart(corners, sampleBox) {
  const part = [];
  for (let k = 0; k < 4; k++) {
    const from = corners[k];
    const to = corners[(k + 1) % 4];
    const fromDefined = !Number.isNaN(from[2]);
    if (fromDefined) part.push(from);
    if (fromDefined === !Number.isNaN(to[2])) continue;
    let [inside, outside] = fromDefined ? [from, to] : [to, from];
    for (let step = 0; step < EDGE_HALVINGS; step++) {
      const x = (inside[0] + outside[0]) / 2;
      const y = (inside[1] + outside[1]) / 2;
      const z = sampleBox(x, y);
      if (Number.isFinite(z)) inside = [x, y, z];
      else outside = [x, y, NaN];
    }
    part.push(inside);
  }
  return part.length < 3 ? [] : part;
}

/** @param {Vertex[]} corners @param {readonly number[]} levels @returns {[Vertex, Vertex][]} */
function levelPieces(corners, levels) {
  const zs = corners.map((corner) => corner[2]);
  const lo = Math.min(...zs);
  const hi = Math.max(...zs);
  /** @type {[Vertex, Vertex][]} */
  const pieces = [];
  for (const level of levels) {
    if (level <= lo || level > hi) continue;
    /** @type {Vertex[]} */
    const ends = [];
    for (let k = 0; k < 4; k++) {
      const from = corners[k];
      const to = corners[(k + 1) % 4];
      if (from[2] < level !== to[2] < level) ends.push(between(from, to, (level - from[2]) / (to[2] - from[2])));
    }
    for (let k = 0; k + 1 < ends.length; k += 2) pieces.push([ends[k], ends[k + 1]]);
  }
  return pieces;
}

/** @param {Vertex[]} polygon @returns {Vertex[]} the part within the heights shown */
export function clipHeight(polygon) {
  if (polygon.every((vertex) => vertex[2] <= HEIGHT && vertex[2] >= -HEIGHT)) return polygon;
  return clip(clip(polygon, (vertex) => HEIGHT - vertex[2]), (vertex) => vertex[2] + HEIGHT);
}

/** Returns the part of a polygon where an affine function is not negative (Sutherland and Hodgman 1974).
 * @param {Vertex[]} polygon @param {(vertex: Vertex) => number} inside the affine function
 * @returns {Vertex[]} */
export function clip(polygon, inside) {
  /** @type {Vertex[]} */
  const part = [];
  for (let k = 0; k < polygon.length; k++) {
    const from = polygon[k];
    const to = polygon[(k + 1) % polygon.length];
    const fromInside = inside(from);
    const toInside = inside(to);
    if (fromInside >= 0) part.push(from);
    if (fromInside >= 0 !== toInside >= 0) part.push(between(from, to, fromInside / (fromInside - toInside)));
  }
  return part;
}

/** @param {Vertex} from @param {Vertex} to @param {number} share @returns {Vertex} */
function between(from, to, share) {
  return from.map((value, k) => value + (to[k] - value) * share);
}

/** Returns the height of the drawn surface above x and y. All three numbers are in the box's units.
 * @param {Mesh} mesh @param {number} x @param {number} y
 * @returns {number} NaN if the place is outside the box or f is undefined there */
export function heightAt(mesh, x, y) {
  const { n, heights } = mesh;
  const u = ((x + 1) * n) / 2;
  const v = ((y + 1) * n) / 2;
  if (!(u >= 0 && v >= 0 && u <= n && v <= n)) return NaN;
  const i = Math.min(n - 1, Math.floor(u));
  const j = Math.min(n - 1, Math.floor(v));
  const k = j * (n + 1) + i;
  const p = u - i;
  const q = v - j;
  const near = heights[k] + (heights[k + 1] - heights[k]) * p;
  const far = heights[k + n + 1] + (heights[k + n + 2] - heights[k + n + 1]) * p;
  return near + (far - near) * q;
}

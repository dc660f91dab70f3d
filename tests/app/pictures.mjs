// Prints the numbers from which the pages' pictures are drawn, as JSON.

import { buildCurve } from "../../static/js/model/curve.js";
import { meantAt, placesAt } from "../../static/js/pages/playground/provenance.js";
import { contoursOf, refined } from "../../static/js/model/contours.js";
import { lossContours } from "../../static/js/model/loss-contours.js";
import { isCurve } from "../../static/js/plot/plot-module.js";

const CELLS = 49;

/** @param {number} cells @param {(x: number, y: number) => number} f of shares of the way @returns {Float64Array} */
function grid(cells, f) {
  return Float64Array.from({ length: cells ** 2 }, (_, k) => f((k % cells) / (cells - 1), Math.floor(k / cells) / (cells - 1)));
}

const valley = (/** @type {number} */ x, /** @type {number} */ y) => 400 * (x - 0.5) ** 2 + 380 * (x - 0.5) * (y - 0.5) + 100 * (y - 0.5) ** 2 + 3;
const fine = refined(grid(CELLS, valley), CELLS, 3);
const exact = grid(fine.cells, valley);
const circle = contoursOf(grid(CELLS, (x, y) => Math.hypot(x - 0.5, y - 0.5)), CELLS, [0.3])[0];
const ellipses = lossContours(grid(CELLS, valley), CELLS);
const losses = ellipses.map((segments) => segments.map(([x, y]) => valley(x / (CELLS - 1), y / (CELLS - 1))));
const ends = (/** @type {(x: number) => number} */ f, /** @type {number} */ from, /** @type {number} */ to) => {
  const { pieces, rangeY } = buildCurve(f, from, to, 400);
  return { pieces: pieces.map((piece) => [piece[0], piece[piece.length - 1]]), rangeY };
};

console.log(JSON.stringify({
  refinedError: Math.max(...fine.values.map((value, k) => Math.abs(value - exact[k]))),
  ends: circle.flatMap(([x0, y0, x1, y1]) => [`${x0.toFixed(6)} ${y0.toFixed(6)}`, `${x1.toFixed(6)} ${y1.toFixed(6)}`]),
  radii: circle.map(([x, y]) => Math.hypot(x / (CELLS - 1) - 0.5, y / (CELLS - 1) - 0.5)),
  losses,
  flat: lossContours(grid(CELLS, () => 1), CELLS).length,
  parabola: ends((x) => x * x, -2, 2),
  pole: ends((x) => 1 / x, -2, 2.1),
  steps: ends(Math.floor, -1.5, 1.5),
  edge: ends(Math.log, -1, 3),
  steep: ends((x) => Math.tanh(1000 * x), -1, 1),
  nothing: ends(() => NaN, 0, 1),
  curves: ["sin(x)", "hypot(x, 2) + polygamma(1, x)", "x^k", "x + y", "xy", "hypot(x, y)"].map(isCurve),
  meant: [
    meantAt([[4, 5, [7]], [10, 16, [1, 2]]], 4, 4), meantAt([[4, 5, [7]], [10, 16, [1, 2]]], 11, 12),
    meantAt([[4, 5, [7]], [10, 16, [1, 2]]], 0, 20), meantAt([[4, 5, [7]], [10, 16, [1, 2]]], 7, 8),
  ],
  places: placesAt([[0, 10], [2, 5], [2, 5]], 3, 3),
}));

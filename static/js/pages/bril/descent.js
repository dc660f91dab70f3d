// Gradient descent on a program's value, as in the blog post about Bril's derivatives, and its picture for one or two floats.

/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("../../model/contours.js").Segment} Segment */
/** @typedef {{x: readonly number[], value: number}} Row */
/** The picture of a descent. It shows the descent's steps (`rows`). It also shows the program's result as a function of its
 * float parameters. For one float, this is the curve `curve`. For two floats, it is the contour lines `contours`.
 * @typedef {{region: Region, rows: readonly Row[], names: readonly string[], curve: readonly Point[], contours: readonly (readonly Segment[])[], cells: number}} DescentScene */

import { lossContours } from "../../model/loss-contours.js";
import { paintAxes } from "../../widgets/plot-picture.js";
import * as texts from "./texts.js";

const PLACES = 161;
const CELLS = 33;
const MARGIN = 0.25;
const FARTHEST = 1e6;
const POINT_PX = 3.5;

/** Makes the steps of a gradient descent.
 * @param {Kernel} kernel computes the program's result and its gradient @param {readonly number[]} start
 * @param {{step: number, decay: number, count: number}} how
 * @returns {Row[]} for each step, x and the result before the step. The list ends early if a number is not finite or an x is
 * very large */
export function descend(kernel, start, { step, decay, count }) {
  const results = new Float64Array(1 + start.length);
  const rows = [];
  let x = [...start];
  for (let k = 0; k < count; k++) {
    evaluate(kernel, x, results);
    rows.push({ x, value: results[0] });
    if (!results.every(Number.isFinite) || x.some((one) => Math.abs(one) > FARTHEST)) break;
    x = x.map((one, i) => one - step * decay ** k * results[1 + i]);
  }
  return rows;
}

/** @param {Kernel} kernel @param {readonly number[]} x @param {Float64Array} results value, then gradient */
export function evaluate(kernel, x, results) {
  if (kernel.evaluate !== null) kernel.evaluate(x, results);
  else kernel.run(...x).forEach((leaf, k) => results.set([leaf[0]], k));
}

/** @param {Kernel} kernel @param {readonly Row[]} rows @param {readonly string[]} names one or two @returns {DescentScene} */
export function sceneOf(kernel, rows, names) {
  const results = new Float64Array(1 + names.length);
  const [x0, x1] = reach(rows.map(({ x }) => x[0]));
  const at = (/** @type {readonly number[]} */ x) => {
    evaluate(kernel, x, results);
    return results[0];
  };
  if (names.length === 1) {
    const curve = Array.from({ length: PLACES }, (_, k) => x0 + ((x1 - x0) * k) / (PLACES - 1)).map((x) => /** @type {const} */ ([x, at([x])]));
    const [y0, y1] = reach([...curve.map(([, y]) => y), ...rows.map(({ value }) => value)].filter(Number.isFinite));
    return { region: [x0, x1, y0, y1], rows, names, curve, contours: [], cells: CELLS };
  }
  const [y0, y1] = reach(rows.map(({ x }) => x[1]));
  const values = Array.from({ length: CELLS * CELLS }, (_, k) => at([x0 + ((x1 - x0) * (k % CELLS)) / (CELLS - 1), y0 + ((y1 - y0) * Math.floor(k / CELLS)) / (CELLS - 1)]));
  const most = values.reduce((size, value) => (Number.isFinite(value) ? Math.max(size, value) : size), -Infinity);
  const contours = lossContours(values.map((value) => (Number.isFinite(value) ? value : most)), CELLS);
  return { region: [x0, x1, y0, y1], rows, names, curve: [], contours, cells: CELLS };
}

/** @param {readonly number[]} values @returns {[number, number]} */
function reach(values) {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const width = most > least ? most - least : Math.abs(least) || 1;
  return [least - MARGIN * width, most + MARGIN * width];
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {DescentScene} scene */
export function paintDescent(pen, frame, palette, { rows, names, curve, contours, cells }) {
  paintAxes(pen, frame, palette, names[0], names[1] ?? texts.RESULT);
  pen.strokeStyle = palette.strong;
  pen.lineWidth = 1;
  const [stepX, stepY] = [(frame.right - frame.left) / (cells - 1), (frame.bottom - frame.top) / (cells - 1)];
  for (const segments of contours) {
    pen.beginPath();
    for (const [x0, y0, x1, y1] of segments) {
      pen.moveTo(frame.left + x0 * stepX, frame.bottom - y0 * stepY);
      pen.lineTo(frame.left + x1 * stepX, frame.bottom - y1 * stepY);
    }
    pen.stroke();
  }
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  line(pen, frame, curve);
  pen.strokeStyle = palette.leaf;
  pen.lineWidth = 1.5;
  const path = rows.map(({ x, value }) => /** @type {const} */ ([x[0], x[1] ?? value]));
  line(pen, frame, path);
  path.forEach((point, k) => {
    const [x, y] = frame.toPx(point);
    if (!frame.contains(x, y)) return;
    pen.fillStyle = k === 0 ? palette.rose : palette.leaf;
    pen.beginPath();
    pen.arc(x, y, k === 0 ? POINT_PX + 1.5 : POINT_PX, 0, 2 * Math.PI);
    pen.fill();
  });
}

/** Paints the pieces inside the plot. @param {Pen} pen @param {PlotFrame} frame @param {readonly Point[]} points */
function line(pen, frame, points) {
  pen.beginPath();
  let isDown = false;
  for (const point of points) {
    const [x, y] = frame.toPx(point);
    if (!frame.contains(x, y)) {
      isDown = false;
    } else {
      if (isDown) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      isDown = true;
    }
  }
  pen.stroke();
}

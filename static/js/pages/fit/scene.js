// Paints the fit page's plots: the points with their curve and its bands, the residuals, and the valley of two parameters.

/** @typedef {import("../../model/contours.js").Segment} Segment */
/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Solution} Solution */
/** @typedef {{values: Float64Array, confidence: Float64Array, prediction: Float64Array}} Curve */
/**
 * A contour map of the sum of squares as a function of two parameters, with the path of the solver.
 * @typedef {object} Valley
 * @property {readonly [string, string]} names the names of the horizontal and the vertical parameter
 * @property {Region} region the ranges of the two parameters
 * @property {readonly (readonly Segment[])[]} contours the contour lines, the highest first
 * @property {number} cells the number of cells along each side
 * @property {readonly Point[]} path the two parameters at the start and after each round of the solver
 * @property {Point} end the fitted values of the two parameters
 */
/**
 * Everything that the plots of a fit show.
 * @typedef {object} FitScene
 * @property {Doc} doc
 * @property {Region} region the ranges of x and y in the plot of the points
 * @property {Solution} solution
 * @property {Curve} curve
 * @property {number} chosen the number of the chosen point
 * @property {{confidence: boolean, prediction: boolean}} bands the bands to draw
 * @property {Valley | null} valley null if fewer than two parameters are free
 */

import { paintAxes } from "../../widgets/plot-picture.js";
import * as texts from "./texts.js";

const POINT_PX = 4.5;
const CHOSEN_PX = 1;
const RING_PX = 4.5;
const BAR_PX = 4;
const MANY_POINTS = 80;

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
export function paintPoints(pen, frame, palette, scene) {
  const { curve, bands, doc } = scene;
  paintAxes(pen, frame, palette, texts.AXES.x, texts.AXES.y);
  if (bands.prediction) paintBand(pen, frame, palette.line, curve.values, curve.prediction, 1);
  if (bands.confidence) paintBand(pen, frame, palette.strong, curve.values, curve.confidence, 0.6);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2.5;
  paintLine(pen, frame, curve.values);
  paintBars(pen, frame, palette, doc);
  doc.points.forEach((_, k) => paintPoint(pen, frame, palette, scene, k));
}

/** @param {PlotFrame} frame @param {number} k @param {number} count @returns {number} pixels from the left of place k */
function across(frame, k, count) {
  return frame.left + (k / (count - 1)) * (frame.right - frame.left);
}

/** @param {PlotFrame} frame @param {number} y @returns {number} pixels from the top, within the plot */
function height(frame, y) {
  const [, px] = frame.toPx([frame.region[0], y]);
  return Math.min(Math.max(px, frame.top), frame.bottom);
}

/** @param {Pen} pen @param {PlotFrame} frame @param {string} ink @param {Float64Array} values @param {Float64Array} half
 * @param {number} alpha */
function paintBand(pen, frame, ink, values, half, alpha) {
  pen.fillStyle = ink;
  pen.globalAlpha = alpha;
  const edge = (/** @type {number} */ k, /** @type {number} */ side) => height(frame, values[k] + side * half[k]);
  const isDrawn = (/** @type {number} */ k) => Number.isFinite(values[k] + half[k]);
  for (let from = 0; from < values.length; from++) {
    if (!isDrawn(from)) continue;
    let to = from;
    while (to + 1 < values.length && isDrawn(to + 1)) to += 1;
    pen.beginPath();
    pen.moveTo(across(frame, from, values.length), edge(from, 1));
    for (let k = from + 1; k <= to; k++) pen.lineTo(across(frame, k, values.length), edge(k, 1));
    for (let k = to; k >= from; k--) pen.lineTo(across(frame, k, values.length), edge(k, -1));
    pen.closePath();
    pen.fill();
    from = to;
  }
  pen.globalAlpha = 1;
}

/** Paints the parts of a curve inside the plot. @param {Pen} pen @param {PlotFrame} frame @param {Float64Array} values */
function paintLine(pen, frame, values) {
  pen.beginPath();
  let isDown = false;
  for (let k = 0; k < values.length; k++) {
    const [, y] = frame.toPx([frame.region[0], values[k]]);
    if (!(y >= frame.top - 1 && y <= frame.bottom + 1)) {
      isDown = false;
    } else {
      const x = across(frame, k, values.length);
      if (isDown) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      isDown = true;
    }
  }
  pen.stroke();
}

/** Paints the standard deviations of the points. @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {Doc} doc */
function paintBars(pen, frame, palette, { points }) {
  pen.strokeStyle = palette.soft;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const [x, y, sigma] of points) {
    if (!(sigma > 0)) continue;
    const [px] = frame.toPx([x, y]);
    const [low, high] = [height(frame, y - sigma), height(frame, y + sigma)];
    pen.moveTo(px, low);
    pen.lineTo(px, high);
    for (const end of [low, high]) {
      pen.moveTo(px - BAR_PX, end);
      pen.lineTo(px + BAR_PX, end);
    }
  }
  pen.stroke();
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene @param {number} k */
function paintPoint(pen, frame, palette, { doc: { points }, chosen }, k) {
  const [x, y, , out] = points[k];
  const [xPx, yPx] = frame.toPx([x, y]);
  const radius = (points.length > MANY_POINTS ? POINT_PX * 0.7 : POINT_PX) + (k === chosen ? CHOSEN_PX : 0);
  pen.fillStyle = out ? palette.paper : palette.rose;
  pen.strokeStyle = out ? palette.soft : palette.paper;
  pen.lineWidth = 1.5;
  circle(pen, xPx, yPx, radius);
  pen.fill();
  pen.stroke();
  if (k !== chosen) return;
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.25;
  circle(pen, xPx, yPx, radius + RING_PX);
  pen.stroke();
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} radius */
function circle(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

/** @param {FitScene} scene @returns {Region} the region of the picture of the residuals */
export function residualRegion({ solution, region }) {
  const most = solution.residuals.reduce((/** @type {number} */ size, r) => (r !== null && Number.isFinite(r) ? Math.max(size, Math.abs(r)) : size), 0) || 1;
  return [region[0], region[1], -1.15 * most, 1.15 * most];
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
export function paintResiduals(pen, frame, palette, { doc: { points }, solution, chosen }) {
  paintAxes(pen, frame, palette, texts.AXES.x, texts.RESIDUAL);
  const zero = height(frame, 0);
  pen.strokeStyle = palette.soft;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(frame.left, zero);
  pen.lineTo(frame.right, zero);
  pen.stroke();
  pen.strokeStyle = palette.strong;
  pen.lineWidth = 1.5;
  pen.beginPath();
  points.forEach(([x], k) => {
    const r = solution.residuals[k];
    if (r === null || !Number.isFinite(r)) return;
    const [px] = frame.toPx([x, 0]);
    pen.moveTo(px, zero);
    pen.lineTo(px, height(frame, r));
  });
  pen.stroke();
  points.forEach(([x], k) => {
    const r = solution.residuals[k];
    if (r === null || !Number.isFinite(r)) return;
    const [px, py] = frame.toPx([x, r]);
    pen.fillStyle = k === chosen ? palette.ink : palette.rose;
    circle(pen, px, py, POINT_PX * 0.7);
    pen.fill();
  });
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
export function paintValley(pen, frame, palette, { valley }) {
  if (valley === null) return;
  const { names, contours, cells, path, end } = valley;
  paintAxes(pen, frame, palette, names[0], names[1]);
  const stepX = (frame.right - frame.left) / (cells - 1);
  const stepY = (frame.bottom - frame.top) / (cells - 1);
  pen.lineWidth = 1;
  pen.strokeStyle = palette.strong;
  contours.forEach((segments, k) => {
    pen.globalAlpha = 0.35 + (0.65 * (k + 1)) / contours.length;
    pen.beginPath();
    for (const [x0, y0, x1, y1] of segments) {
      pen.moveTo(frame.left + x0 * stepX, frame.bottom - y0 * stepY);
      pen.lineTo(frame.left + x1 * stepX, frame.bottom - y1 * stepY);
    }
    pen.stroke();
  });
  pen.globalAlpha = 1;
  paintPath(pen, frame, palette, path);
  const [x, y] = frame.toPx(end);
  pen.fillStyle = palette.rose;
  pen.strokeStyle = palette.paper;
  pen.lineWidth = 1.5;
  circle(pen, x, y, POINT_PX);
  pen.fill();
  pen.stroke();
}

/** Paints the solver's steps that lie in the picture. @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette
 * @param {readonly Point[]} path */
function paintPath(pen, frame, palette, path) {
  pen.strokeStyle = palette.leaf;
  pen.fillStyle = palette.leaf;
  pen.lineWidth = 1.75;
  const places = path.map((point) => frame.toPx(point));
  const inside = places.map(([x, y]) => frame.contains(x, y));
  pen.beginPath();
  for (let k = 1; k < places.length; k++) {
    if (!inside[k] || !inside[k - 1]) continue;
    pen.moveTo(...places[k - 1]);
    pen.lineTo(...places[k]);
  }
  pen.stroke();
  places.forEach(([x, y], k) => {
    if (!inside[k]) return;
    circle(pen, x, y, 2.5);
    pen.fill();
  });
}

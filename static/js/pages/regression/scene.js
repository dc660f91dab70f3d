// Paints the regression page's plots: the points with their line, and the loss over all lines with the path of the descent.

/** @typedef {import("./fitting.js").FitJet} FitJet */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").Line} Line */
/** @typedef {import("../../model/contours.js").Segment} Segment */
/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/**
 * Everything that the plots of a line and its points show.
 * @typedef {object} FitScene
 * @property {Fit} fit
 * @property {number} origin the x at which the intercept is measured
 * @property {FitJet} jet the loss of the line and its derivatives
 * @property {Line | null} exact the exact line of least squares, or null
 * @property {readonly Line[]} path the lines that the descent has passed through
 * @property {number} chosen the number of the chosen point
 * @property {boolean} residuals true to draw the residuals
 * @property {boolean} showsExact true to draw the exact line
 * @property {Region} region the ranges of slope and intercept in the picture of the losses
 * @property {readonly Segment[][]} contours the contour lines of the loss, the highest first
 * @property {number} cells the number of cells along each side of the picture of the losses
 */

import { paintAxes } from "../../widgets/plot-picture.js";
import * as texts from "./texts.js";

const POINT_PX = 5.5;
const STEP_PX = 1.6;
/** Dots mark the steps of a descent's path. There are at most about this many dots. */
const MOST_DOTS = 400;
/** The arrow for a very large gradient is this many pixels longer than the arrow for a very small gradient. */
const LONGEST_ARROW = 90;
/** The arrow for a gradient of this length is half of LONGEST_ARROW longer than the shortest arrow. */
const HALF_SLOPE = 6;
const HEAD_PX = 8;

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
export function paintScatter(pen, frame, palette, scene) {
  const { fit, origin, exact, chosen } = scene;
  paintAxes(pen, frame, palette, texts.AXES.x, texts.AXES.y);
  if (scene.residuals) paintResiduals(pen, frame, palette, scene);
  if (exact !== null && scene.showsExact) {
    pen.strokeStyle = palette.soft;
    pen.lineWidth = 1.5;
    pen.setLineDash([2, 5]);
    paintLine(pen, frame, exact, origin);
    pen.setLineDash([]);
  }
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2.5;
  paintLine(pen, frame, fit.line, origin);
  fit.points.forEach((point, k) => {
    const [x, y] = frame.toPx(point);
    dot(pen, x, y, k === chosen ? POINT_PX + 1 : POINT_PX, palette);
    if (k !== chosen) return;
    pen.strokeStyle = palette.ink;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.arc(x, y, POINT_PX + 4.5, 0, 2 * Math.PI);
    pen.stroke();
  });
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
function paintResiduals(pen, frame, palette, { fit: { points, line: [slope, intercept] }, origin }) {
  pen.strokeStyle = palette.strong;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [x, y] of points) {
    const [, y0, y1] = [0, frame.region[2], frame.region[3]];
    const onLine = Math.min(Math.max(slope * (x - origin) + intercept, y0), y1);
    pen.moveTo(...frame.toPx([x, y]));
    pen.lineTo(...frame.toPx([x, onLine]));
  }
  pen.stroke();
}

/** Paints the part of a line inside the plot.
 * @param {Pen} pen @param {PlotFrame} frame @param {Line} line @param {number} origin */
function paintLine(pen, frame, [slope, intercept], origin) {
  const [x0, x1, y0, y1] = frame.region;
  const at = (/** @type {number} */ x) => slope * (x - origin) + intercept;
  const crossings = slope === 0 ? [] : [y0, y1].map((y) => origin + (y - intercept) / slope);
  const inside = [x0, x1, ...crossings].filter((x) => x >= x0 && x <= x1 && at(x) >= y0 - 1e-9 && at(x) <= y1 + 1e-9);
  if (inside.length < 2) return;
  const [from, to] = [Math.min(...inside), Math.max(...inside)];
  pen.beginPath();
  pen.moveTo(...frame.toPx([from, at(from)]));
  pen.lineTo(...frame.toPx([to, at(to)]));
  pen.stroke();
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
export function paintSurface(pen, frame, palette, scene) {
  const { fit, exact, jet, path } = scene;
  paintAxes(pen, frame, palette, texts.AXES.slope, texts.intercept(scene.origin));
  paintContours(pen, frame, palette, scene);
  if (exact !== null) {
    const [x, y] = frame.toPx(exact);
    pen.strokeStyle = palette.ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [dx, dy] of [[5, 5], [5, -5]]) {
      pen.moveTo(x - dx, y - dy);
      pen.lineTo(x + dx, y + dy);
    }
    pen.stroke();
  }
  paintPath(pen, frame, palette, path);
  const [x, y] = frame.toPx(fit.line);
  if (!frame.contains(x, y)) return;
  paintArrow(pen, frame, palette, jet, x, y);
  dot(pen, x, y, POINT_PX + 0.5, palette);
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitScene} scene */
function paintContours(pen, frame, palette, { contours, cells }) {
  const across = (frame.right - frame.left) / (cells - 1);
  const up = (frame.bottom - frame.top) / (cells - 1);
  pen.lineWidth = 1;
  contours.forEach((segments, k) => {
    pen.globalAlpha = 0.35 + (0.65 * (k + 1)) / contours.length;
    pen.strokeStyle = palette.strong;
    pen.beginPath();
    for (const [x0, y0, x1, y1] of segments) {
      pen.moveTo(frame.left + x0 * across, frame.bottom - y0 * up);
      pen.lineTo(frame.left + x1 * across, frame.bottom - y1 * up);
    }
    pen.stroke();
  });
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {readonly Line[]} path */
function paintPath(pen, frame, palette, path) {
  if (path.length < 2) return;
  const every = Math.max(1, Math.floor(path.length / MOST_DOTS));
  const places = path.filter((_, k) => k < MOST_DOTS / 4 || k % every === 0 || k === path.length - 1).map((line) => frame.toPx(line));
  pen.strokeStyle = palette.ink;
  pen.fillStyle = palette.ink;
  pen.lineWidth = 1;
  for (let k = 1; k < places.length; k++) {
    const [[x0, y0], [x1, y1]] = [places[k - 1], places[k]];
    if (!frame.contains(x0, y0) || !frame.contains(x1, y1)) continue;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    if (Math.hypot(x1 - x0, y1 - y0) < 1) continue;
    pen.beginPath();
    pen.arc(x1, y1, STEP_PX, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** Paints an arrow in the direction in which the loss decreases fastest. The larger the gradient, the longer the arrow.
 * @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {FitJet} jet @param {number} x @param {number} y */
function paintArrow(pen, frame, palette, { slope: [bySlope, byIntercept] }, x, y) {
  const size = Math.hypot(bySlope, byIntercept);
  const [u, v] = frame.toPx([frame.region[0] - bySlope, frame.region[2] - byIntercept]);
  const [dx, dy] = [u - frame.left, v - frame.bottom];
  const longPx = Math.hypot(dx, dy);
  if (!(longPx > 0) || !Number.isFinite(longPx) || size < 1e-3) return;
  const drawn = 14 + (LONGEST_ARROW * size) / (size + HALF_SLOPE);
  const [ux, uy] = [dx / longPx, dy / longPx];
  pen.strokeStyle = palette.leaf;
  pen.fillStyle = palette.leaf;
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + ux * (drawn - HEAD_PX), y + uy * (drawn - HEAD_PX));
  pen.stroke();
  const [tipX, tipY] = [x + ux * drawn, y + uy * drawn];
  pen.beginPath();
  pen.moveTo(tipX, tipY);
  pen.lineTo(tipX - ux * HEAD_PX - uy * HEAD_PX * 0.55, tipY - uy * HEAD_PX + ux * HEAD_PX * 0.55);
  pen.lineTo(tipX - ux * HEAD_PX + uy * HEAD_PX * 0.55, tipY - uy * HEAD_PX - ux * HEAD_PX * 0.55);
  pen.closePath();
  pen.fill();
}

/** Paints the filled dot of a grip.
 * @param {Pen} pen @param {number} x @param {number} y @param {number} r @param {Inks} palette */
function dot(pen, x, y, r, palette) {
  pen.fillStyle = palette.rose;
  pen.strokeStyle = palette.paper;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

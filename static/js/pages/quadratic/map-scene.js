// Paints the contour map: shades for the heights, contour lines, arrows for the gradients, the slice, the path of the descent
// and the critical points. In the disc, also paints the contour lines of the approximation.

/** @typedef {import("../../model/height-map.js").Disc} Disc */
/** @typedef {import("../../model/height-map.js").HeightMap} HeightMap */
/** @typedef {import("../../model/height-map.js").Stroke} Stroke */
/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/slice.js").Slice} Slice */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("../../model/critical.js").Critical} Critical */
/**
 * Everything that the contour map shows.
 * @typedef {object} MapScene
 * @property {HeightMap} map
 * @property {Point} point
 * @property {Point} slope the gradient at the point
 * @property {Disc} disc
 * @property {readonly Stroke[]} quadratic the contour lines of the approximation, inside the disc
 * @property {Slice | null} slice
 * @property {readonly Point[]} path the path of the descent
 * @property {readonly Critical[]} critical
 * @property {((x: number, y: number) => number) | null} error the approximation, if the map shows its error; else null
 * @property {number} largest the error that gets the strongest colour
 */

import { clamp, format } from "../../model/numbers.js";
import { paintAxes } from "../../widgets/plot-picture.js";
import { paintCritical } from "../../widgets/scene-marks.js";
import * as texts from "./texts.js";

const SHADES = 12;
const DEEPEST = 0.6;
const ARROW = { longest: 0.8, headPx: 5, shortestPx: 3 };
const POINT_ARROW_PX = 44;
const CIRCLE_POINTS = 72;
const LABEL_PX = 11;
/** A contour line gets a number if it has at least this many pieces. */
const LABELLED = 14;
const DIGIT_PX = 6.2;

/** Paints the parts of the contour map that do not change while you drag the point. @param {Pen} pen @param {PlotFrame} frame
 * @param {MapScene} scene @param {Inks} inks */
export function paintGround(pen, frame, { map, error }, inks) {
  if (error === null) paintShades(pen, frame, map, inks);
  paintAxes(pen, frame, inks, texts.AXES.x, texts.AXES.y);
  pen.lineCap = "round";
  pen.strokeStyle = inks.soft;
  pen.globalAlpha = 0.75;
  pen.lineWidth = 1;
  for (const { strokes } of map.contours) stroke(pen, frame, strokes);
  pen.globalAlpha = 1;
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 3;
  stroke(pen, frame, map.roots);
  paintArrows(pen, frame, map, inks);
  paintLabels(pen, frame, map, inks);
}

/** Paints the parts that follow the point. @param {Pen} pen @param {PlotFrame} frame @param {MapScene} scene @param {Inks} inks */
export function paintFollowing(pen, frame, scene, inks) {
  const { slice, path, critical, disc, point } = scene;
  pen.lineCap = "round";
  pen.strokeStyle = inks.rose;
  pen.lineWidth = 1.4;
  stroke(pen, frame, scene.quadratic);
  pen.lineWidth = 2;
  paintRim(pen, frame, disc);
  if (slice !== null) {
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 1.5;
    pen.setLineDash([6, 4]);
    stroke(pen, frame, [[...slice.from, ...slice.to]]);
    pen.setLineDash([]);
  }
  paintPath(pen, frame, path, inks);
  const steepest = Math.hypot(...scene.slope);
  if (steepest > 0 && Number.isFinite(steepest)) {
    pen.lineWidth = 3;
    pen.strokeStyle = pen.fillStyle = inks.leaf;
    paintArrow(pen, frame.toPx(point), upwards(frame, scene.slope), POINT_ARROW_PX, 10);
  }
  for (const { at, kind } of critical) paintCritical(pen, frame.toPx(at), kind, inks);
}

/** @param {Pen} pen @param {PlotFrame} frame @param {readonly Stroke[]} strokes */
function stroke(pen, frame, strokes) {
  if (strokes.length === 0) return;
  pen.beginPath();
  for (const [a, b, c, d] of strokes) {
    pen.moveTo(...frame.toPx([a, b]));
    pen.lineTo(...frame.toPx([c, d]));
  }
  pen.stroke();
}

/** Paints the cells of a map with shades. Neighbouring cells with the same shade are painted together. @param {Pen} pen
 * @param {PlotFrame} frame
 * @param {HeightMap} map @param {(k: number) => number} shadeOf returns a grid point's shade, which is an integer; returns NaN
 *   if nothing is painted there @param {(shade: number) => void} choose sets the pen's colour for a shade */
function paintCells(pen, frame, { region: [x0, x1, y0, y1], cells }, shadeOf, choose) {
  const toPx = (/** @type {number} */ i, /** @type {number} */ j) => frame.toPx([x0 + ((x1 - x0) * i) / cells, y0 + ((y1 - y0) * j) / cells]);
  for (let j = 0; j < cells; j++) {
    for (let i = 0, next; i < cells; i = next) {
      const shade = shadeOf(j * (cells + 1) + i);
      for (next = i + 1; next < cells && Object.is(shadeOf(j * (cells + 1) + next), shade); ) next++;
      if (Number.isNaN(shade)) continue;
      choose(shade);
      const [left, bottom] = toPx(i, j);
      const [right, top] = toPx(next, j + 1);
      pen.fillRect(Math.round(left), Math.round(top), Math.round(right) - Math.round(left), Math.round(bottom) - Math.round(top));
    }
  }
}

/** @param {Pen} pen @param {PlotFrame} frame @param {HeightMap} map @param {Inks} inks */
function paintShades(pen, frame, map, inks) {
  const [z0, z1] = map.rangeZ;
  pen.fillStyle = inks.shade;
  paintCells(pen, frame, map, (k) => clamp(Math.floor((SHADES * (z1 - map.heights[k])) / (z1 - z0)), 0, SHADES - 1), (shade) => {
    pen.globalAlpha = (DEEPEST * shade) / (SHADES - 1);
  });
  pen.globalAlpha = 1;
}

/** Paints the error of the approximation. One colour shows where the surface is above the approximation. Another colour shows
 * where the surface is below it. A larger error has a stronger colour.
 * @param {Pen} pen @param {PlotFrame} frame @param {MapScene} scene @param {Inks} inks */
export function paintError(pen, frame, { map, error, largest }, inks) {
  if (error === null || !(largest > 0)) return;
  const { region: [x0, x1, y0, y1], cells, heights } = map;
  const shades = heights.map((height, k) => {
    const x = x0 + ((x1 - x0) * (k % (cells + 1))) / cells;
    const y = y0 + ((y1 - y0) * Math.floor(k / (cells + 1))) / cells;
    return clamp(Math.round((SHADES * (height - error(x, y))) / largest), -SHADES, SHADES) + 0;
  });
  paintCells(pen, frame, map, (k) => (shades[k] === 0 ? NaN : shades[k]), (shade) => {
    pen.fillStyle = shade > 0 ? inks.short : inks.long;
    pen.globalAlpha = (DEEPEST * Math.abs(shade)) / SHADES;
  });
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {PlotFrame} frame @param {HeightMap} map @param {Inks} inks */
function paintArrows(pen, frame, { region: [x0, x1], rangeZ, arrows }, inks) {
  const slopes = arrows.map(({ slope }) => Math.hypot(...slope)).sort((a, b) => a - b);
  const usual = slopes[Math.floor(slopes.length / 2)] || (rangeZ[1] - rangeZ[0]) / (x1 - x0);
  const longestPx = (ARROW.longest * Math.min(frame.right - frame.left, frame.bottom - frame.top)) / Math.max(1, Math.sqrt(arrows.length));
  pen.strokeStyle = pen.fillStyle = inks.leaf;
  pen.lineWidth = 1.2;
  for (const { at, slope } of arrows) {
    const steep = Math.hypot(...slope);
    const lengthPx = (longestPx * steep) / (steep + usual);
    if (lengthPx > ARROW.shortestPx) paintArrow(pen, frame.toPx(at), upwards(frame, slope), lengthPx, ARROW.headPx);
  }
}

/** Converts a gradient to a direction on the screen, of length 1. @param {PlotFrame} frame @param {Point} slope
 * @returns {Point} */
function upwards(frame, [gx, gy]) {
  const [x0, x1, y0, y1] = frame.region;
  const dx = (gx * (frame.right - frame.left)) / (x1 - x0);
  const dy = (-gy * (frame.bottom - frame.top)) / (y1 - y0);
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** @param {Pen} pen @param {Point} from @param {Point} direction @param {number} lengthPx @param {number} headPx */
function paintArrow(pen, [x, y], [ux, uy], lengthPx, headPx) {
  const head = Math.min(headPx, lengthPx * 0.6);
  const [tipX, tipY] = [x + ux * lengthPx, y + uy * lengthPx];
  const [neckX, neckY] = [tipX - ux * head, tipY - uy * head];
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(neckX, neckY);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(tipX, tipY);
  pen.lineTo(neckX - uy * head * 0.5, neckY + ux * head * 0.5);
  pen.lineTo(neckX + uy * head * 0.5, neckY - ux * head * 0.5);
  pen.closePath();
  pen.fill();
}

/** Writes on each long contour the contour's height. @param {Pen} pen @param {PlotFrame} frame @param {HeightMap} map
 * @param {Inks} inks */
function paintLabels(pen, frame, { contours }, inks) {
  pen.font = `${LABEL_PX}px ${inks.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  /** @type {Point[]} */
  const taken = [];
  for (const { level, strokes } of contours) {
    if (strokes.length < LABELLED) continue;
    const text = format(level);
    const [halfX, halfY] = [(text.length * DIGIT_PX) / 2 + 3, LABEL_PX / 2 + 2];
    const free = [0.5, 0.25, 0.75, 0.35, 0.65, 0.15, 0.85].map((share) => {
      const [a, b] = strokes[Math.floor(share * strokes.length)];
      return frame.toPx([a, b]);
    }).find(([x, y]) => {
      const isInside = frame.contains(x - halfX, y - halfY) && frame.contains(x + halfX, y + halfY);
      return isInside && taken.every(([ofX, ofY]) => Math.abs(x - ofX) > 3 * halfX || Math.abs(y - ofY) > 3 * halfY);
    });
    if (free === undefined) continue;
    taken.push(free);
    pen.globalAlpha = 0.85;
    pen.fillStyle = inks.paper;
    pen.fillRect(free[0] - halfX, free[1] - halfY, 2 * halfX, 2 * halfY);
    pen.globalAlpha = 1;
    pen.fillStyle = inks.soft;
    pen.fillText(text, ...free);
  }
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Disc} disc */
function paintRim(pen, frame, { at, radius }) {
  const [x0, x1, y0, y1] = frame.region;
  let isDrawing = false;
  pen.beginPath();
  for (let k = 0; k <= CIRCLE_POINTS; k++) {
    const angle = (2 * Math.PI * k) / CIRCLE_POINTS;
    const [x, y] = [at[0] + radius[0] * Math.cos(angle), at[1] + radius[1] * Math.sin(angle)];
    const isInside = x >= x0 && x <= x1 && y >= y0 && y <= y1;
    if (isInside && isDrawing) pen.lineTo(...frame.toPx([x, y]));
    else if (isInside) pen.moveTo(...frame.toPx([x, y]));
    isDrawing = isInside;
  }
  pen.stroke();
}

/** @param {Pen} pen @param {PlotFrame} frame @param {readonly Point[]} path @param {Inks} inks */
function paintPath(pen, frame, path, inks) {
  if (path.length < 2) return;
  const places = path.map((point) => frame.toPx(point));
  for (const [colour, widthPx] of /** @type {const} */ ([[inks.paper, 5], [inks.long, 2.5]])) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = widthPx;
    pen.beginPath();
    places.forEach((place, k) => (k === 0 ? pen.moveTo(...place) : pen.lineTo(...place)));
    pen.stroke();
    pen.beginPath();
    for (const [x, y] of places) {
      pen.moveTo(x + widthPx, y);
      pen.arc(x, y, widthPx, 0, 2 * Math.PI);
    }
    pen.fill();
  }
}

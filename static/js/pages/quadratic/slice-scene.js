// Paints a slice: the curve of heights along the line through the point, its tangent, and its Taylor polynomial.

/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/slice.js").Slice} Slice */
/** @typedef {import("../../model/types.js").Heights} Heights */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */

import { paintAxes } from "../../widgets/plot-picture.js";
import { paintBandArea } from "./band-scene.js";
import * as texts from "./texts.js";

const PARABOLA_PIECES = 160;
const POINT_PX = 5;

/** @param {Pen} pen @param {PlotFrame} frame its region is the reach of the slice and the heights @param {Slice} slice @param {Inks} inks */
export function paintSlice(pen, frame, { reach: [from, to], curve, jet: { f, slope, bend }, along, area }, inks) {
  paintAxes(pen, frame, inks, texts.AXES.along, texts.AXES.z);
  const over = (/** @type {(s: number) => number} */ height, /** @type {number} */ n) =>
    Array.from({ length: n + 1 }, (_, k) => {
      const s = from + ((to - from) * k) / n;
      return /** @type {Point} */ ([s, height(s)]);
    });
  paintBandArea(pen, frame, area ?? [], inks.ink);
  paintLines(pen, frame, curve.pieces, inks.ink, 2);
  if (!Number.isFinite(f)) return;
  paintLines(pen, frame, [over((s) => f + slope * s, 1)], inks.leaf, 1.5);
  paintLines(pen, frame, [over(along ?? ((s) => f + s * (slope + (s * bend) / 2)), PARABOLA_PIECES)], inks.rose, 2.5);
  const [, , lowest, highest] = frame.region;
  if (f < lowest || f > highest) return;
  const [x, y] = frame.toPx([0, f]);
  pen.fillStyle = inks.rose;
  pen.beginPath();
  pen.arc(x, y, POINT_PX, 0, 2 * Math.PI);
  pen.fill();
}

/** Paints lines, clipped to the plot's range of y. Along a line, x must increase.
 * @param {Pen} pen @param {PlotFrame} frame @param {readonly (readonly Point[])[]} lines @param {string} colour @param {number} widthPx */
function paintLines(pen, frame, lines, colour, widthPx) {
  const [, , lowest, highest] = frame.region;
  pen.strokeStyle = colour;
  pen.lineWidth = widthPx;
  pen.beginPath();
  for (const line of lines) {
    for (let k = 0; k + 1 < line.length; k++) {
      const piece = cut(line[k], line[k + 1], lowest, highest);
      if (piece === null) continue;
      pen.moveTo(...frame.toPx(piece[0]));
      pen.lineTo(...frame.toPx(piece[1]));
    }
  }
  pen.stroke();
}

/** Cuts the line from `a` to `b` to the part between two heights. Returns null if no part is left.
 * @param {Point} a @param {Point} b @param {number} lowest @param {number} highest @returns {readonly [Point, Point] | null} */
function cut(a, b, lowest, highest) {
  if (!(Math.min(a[1], b[1]) <= highest && Math.max(a[1], b[1]) >= lowest)) return null;
  const at = (/** @type {Point} */ from, /** @type {Point} */ to) => {
    const y = Math.min(Math.max(from[1], lowest), highest);
    return /** @type {Point} */ (y === from[1] ? from : [from[0] + ((to[0] - from[0]) * (y - from[1])) / (to[1] - from[1]), y]);
  };
  return [at(a, b), at(b, a)];
}

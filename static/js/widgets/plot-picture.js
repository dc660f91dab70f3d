// The canvas of one plot and its frame. It has the screen's full resolution.

/** @typedef {import("../model/types.js").Region} Region */
/** @typedef {import("./svg-pen.js").Pen} Pen */
/** @typedef {import("./palette.js").Inks} Inks */
/** @typedef {(pen: Pen, frame: PlotFrame, inks: Inks) => void} Paint */

import { format, ticks } from "../model/numbers.js";
import { PlotFrame } from "../model/plot-frame.js";
import { fit } from "./canvas-picture.js";
import { readInks } from "./palette.js";

export const MARGINS = { left: 34, right: 10, top: 22, bottom: 34 };
const FONT_PX = 12;
/** The width of a digit, and the smallest gap between two numbers, in pixels. */
const DIGIT_PX = 7.5;
const GAP_PX = 6;
const NARROW_PX = 360;
const TICK_PX = 4;

export class PlotPicture {
  /** @param {HTMLElement} place with a canvas @param {() => void} onResize @param {import("../model/plot-frame.js").Margins} margins */
  constructor(place, onResize, margins = MARGINS) {
    this.place = place;
    this.margins = margins;
    this.canvas = /** @type {HTMLCanvasElement} */ (place.querySelector("canvas"));
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.palette = readInks(place);
    /** The scale of everything in the picture. The usual scale is 1. */
    this.scale = 1;
    this.frame = this.frameOf([0, 1, 0, 1]);
    this.observer = new ResizeObserver(onResize);
    this.observer.observe(place);
  }

  /** Reads the colours again after the theme has changed. */
  repalette() {
    this.palette = readInks(this.place);
  }

  /** @param {Region} region @returns {PlotFrame} */
  frameOf(region) {
    return new PlotFrame(region, this.place.clientWidth / this.scale, this.place.clientHeight / this.scale, this.margins);
  }

  /** @param {Region} region @param {Paint} paint */
  draw(region, paint) {
    const { ctx, canvas } = this;
    this.frame = this.frameOf(region);
    const { widthPx, heightPx } = this.frame;
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    fit(canvas, widthPx * ratio, heightPx * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, widthPx, heightPx);
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    paint(ctx, this.frame, this.palette);
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** Returns true if there is enough space between the numbers below a plot. @param {PlotFrame} frame
 * @param {readonly number[]} xs at equal steps @returns {boolean} */
function isClear(frame, xs) {
  if (xs.length < 2) return true;
  const [from] = frame.toPx([xs[0], 0]);
  const [to] = frame.toPx([xs[1], 0]);
  return to - from > DIGIT_PX * Math.max(...xs.map((x) => format(x).length)) + GAP_PX;
}

/** Paints the plot's box with its numbers. @param {Pen} pen @param {PlotFrame} frame @param {Inks} palette @param {string} xName
 * @param {string} yName */
export function paintAxes(pen, frame, palette, xName, yName) {
  const [x0, x1, y0, y1] = frame.region;
  const wanted = frame.widthPx < NARROW_PX ? 4 : 6;
  pen.lineWidth = 1;
  pen.strokeStyle = palette.line;
  pen.strokeRect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  pen.fillStyle = palette.soft;
  pen.font = `${FONT_PX}px ${palette.font}`;
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.beginPath();
  const xs = ticks(x0, x1, wanted);
  for (const x of isClear(frame, xs) ? xs : ticks(x0, x1, wanted / 2)) {
    const [at] = frame.toPx([x, y0]);
    pen.moveTo(at, frame.bottom);
    pen.lineTo(at, frame.bottom - TICK_PX);
    pen.fillText(format(x), Math.max(at, frame.left + (DIGIT_PX * format(x).length) / 2 - GAP_PX), frame.bottom + 10);
  }
  pen.textAlign = "right";
  for (const y of ticks(y0, y1, wanted)) {
    const [, at] = frame.toPx([x0, y]);
    pen.moveTo(frame.left, at);
    pen.lineTo(frame.left + TICK_PX, at);
    pen.fillText(format(y), frame.left - 6, at);
  }
  pen.strokeStyle = palette.strong;
  pen.stroke();
  pen.fillText(xName, frame.right, frame.bottom + 25);
  pen.textAlign = "start";
  pen.fillText(yName, frame.left, frame.top - 11);
}

// The loss against the iteration, on a logarithmic or a linear scale.

/** @typedef {Pick<import("./palette.js").Inks, "line" | "soft" | "ink" | "font">} CurveInks */
/** @typedef {{low: number, high: number, ticks: number[], word: (tick: number) => string}} Scale */

import { ticks } from "../model/numbers.js";
import { fit } from "./canvas-picture.js";
import * as texts from "../texts.js";

const LEFT_PX = 38;
const RIGHT_PX = 8;
const BOTTOM_PX = 16;
const TOP_PX = 6;
const FONT_PX = 11;
const WORDS_PX = 13;
const MOST_POWERS = 5;
/** The axis has space for at least this many iterations. */
const LEAST_ITERATIONS = 50;

export class LossCurve {
  /** @param {HTMLCanvasElement} canvas @param {() => void} onResize @param {boolean} logarithmic */
  constructor(canvas, onResize, logarithmic = true) {
    this.canvas = canvas;
    this.logarithmic = logarithmic;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.observer = new ResizeObserver(onResize);
    this.observer.observe(canvas);
  }

  /** @param {readonly number[]} losses @param {CurveInks} palette @param {number} planned iterations
   * @param {number} marked the iteration with the dot */
  draw(losses, palette, planned = LEAST_ITERATIONS, marked = losses.length - 1) {
    const { ctx, canvas, logarithmic } = this;
    const ratio = window.devicePixelRatio || 1;
    const [widthPx, heightPx] = [canvas.clientWidth, canvas.clientHeight];
    fit(canvas, widthPx * ratio, heightPx * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, widthPx, heightPx);
    if (losses.length === 0) {
      this.drawNothing(palette);
      return;
    }
    // One point per pixel is enough.
    const every = Math.max(1, Math.floor(losses.length / Math.max(1, widthPx)));
    const shown = losses.filter((_, k) => k % every === 0 || k === losses.length - 1);
    const valueOf = logarithmic ? Math.log10 : (/** @type {number} */ loss) => loss;
    const values = shown.map(valueOf);
    const scale = logarithmic ? powersOf(values) : spanOf(values);
    const last = Math.max(planned, losses.length - 1);
    const toX = (/** @type {number} */ iteration) => LEFT_PX + ((widthPx - LEFT_PX - RIGHT_PX) * iteration) / last;
    const toY = (/** @type {number} */ value) => {
      return TOP_PX + ((heightPx - TOP_PX - BOTTOM_PX) * (scale.high - value)) / (scale.high - scale.low);
    };
    this.drawAxes(scale, last, palette, toX, toY);
    this.drawCurve(values.map((value, k) => [toX(Math.min(k * every, losses.length - 1)), toY(value)]), palette);
    this.drawDot(toX(marked), toY(valueOf(losses[marked])), palette);
  }

  /** Draws the empty axis with a sentence that says what will appear. @private @param {CurveInks} palette */
  drawNothing(palette) {
    const { ctx, canvas: { clientWidth: widthPx, clientHeight: heightPx } } = this;
    const y = heightPx - BOTTOM_PX + 0.5;
    ctx.strokeStyle = palette.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(widthPx, y);
    ctx.stroke();
    ctx.fillStyle = palette.soft;
    ctx.font = `${WORDS_PX}px ${palette.font}`;
    ctx.textAlign = "start";
    ctx.textBaseline = "alphabetic";
    ctx.fillText(texts.NO_LOSSES, 0, y - TOP_PX);
  }

  /** @private @param {Scale} scale @param {number} last @param {CurveInks} palette @param {(iteration: number) => number} toX
   * @param {(value: number) => number} toY */
  drawAxes(scale, last, palette, toX, toY) {
    const { ctx, canvas: { clientWidth: widthPx, clientHeight: heightPx } } = this;
    ctx.strokeStyle = palette.line;
    ctx.fillStyle = palette.soft;
    ctx.font = `${FONT_PX}px ${palette.font}`;
    ctx.lineWidth = 1;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    for (const tick of scale.ticks) {
      const y = Math.round(toY(tick)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(LEFT_PX, y);
      ctx.lineTo(widthPx - RIGHT_PX, y);
      ctx.stroke();
      ctx.fillText(scale.word(tick).replace("-", "\u2212"), LEFT_PX - 5, y);
    }
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    for (const tick of ticks(0, last, 4)) if (tick > 0 && tick < 0.97 * last) ctx.fillText(String(tick), toX(tick), heightPx - 3);
  }

  /** @private @param {number[][]} points @param {CurveInks} palette */
  drawCurve(points, palette) {
    const { ctx } = this;
    ctx.strokeStyle = palette.ink;
    ctx.lineWidth = 1.5;
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (const [x, y] of points) if (Number.isFinite(y)) ctx.lineTo(x, y);
    ctx.stroke();
  }

  /** @private @param {number} x @param {number} y @param {CurveInks} palette */
  drawDot(x, y, palette) {
    if (!Number.isFinite(y)) return;
    const { ctx } = this;
    ctx.fillStyle = palette.ink;
    ctx.beginPath();
    ctx.arc(x, y, 2.5, 0, 2 * Math.PI);
    ctx.fill();
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** @param {readonly number[]} logs @returns {Scale} whole powers of ten around them */
function powersOf(logs) {
  const [least, most] = extent(logs);
  const [low, high] = least > most ? [-4, 0] : [Math.floor(least - 0.05), Math.ceil(most + 0.05)];
  const stride = Math.ceil((high - low) / MOST_POWERS);
  const powers = [];
  for (let power = low; power <= high; power += stride) powers.push(power);
  return { low, high, ticks: powers, word: (power) => `1e${power}` };
}

/** @param {readonly number[]} losses @returns {Scale} their range with some room */
function spanOf(losses) {
  const [least, most] = extent(losses);
  const room = Math.max(0.02, 0.08 * (most - least));
  const [low, high] = least > most ? [-0.5, 0] : [least - room, most + room];
  return { low, high, ticks: ticks(low, high, 3), word: String };
}

/** @param {readonly number[]} values @returns {[number, number]} the least and the greatest finite value */
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

// The loss of a training against the iteration.

import { ticks } from "../model/numbers.js";

const LEFT_PX = 38;
const RIGHT_PX = 8;
const BOTTOM_PX = 16;
const TOP_PX = 6;
const FONT_PX = 11;

export class GaitCurve {
  /** @param {HTMLCanvasElement} canvas @param {() => void} onResize */
  constructor(canvas, onResize) {
    this.canvas = canvas;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.observer = new ResizeObserver(onResize);
    this.observer.observe(canvas);
  }

  /** @param {readonly number[]} losses @param {number} planned iterations
   * @param {import("./robot-scene.js").RobotPalette} palette */
  draw(losses, planned, palette) {
    const { ctx, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [widthPx, heightPx] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(widthPx * ratio)) canvas.width = Math.round(widthPx * ratio);
    if (canvas.height !== Math.round(heightPx * ratio)) canvas.height = Math.round(heightPx * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, widthPx, heightPx);

    const [low, high] = spanOf(losses);
    const last = Math.max(planned, losses.length - 1);
    const toX = (/** @type {number} */ iteration) => LEFT_PX + ((widthPx - LEFT_PX - RIGHT_PX) * iteration) / last;
    const toY = (/** @type {number} */ loss) => TOP_PX + ((heightPx - TOP_PX - BOTTOM_PX) * (high - loss)) / (high - low);
    ctx.strokeStyle = palette.line;
    ctx.fillStyle = palette.soft;
    ctx.font = `${FONT_PX}px ${palette.font}`;
    ctx.lineWidth = 1;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    for (const tick of ticks(low, high, 3)) {
      const y = Math.round(toY(tick)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(LEFT_PX, y);
      ctx.lineTo(widthPx - RIGHT_PX, y);
      ctx.stroke();
      ctx.fillText(String(tick).replace("-", "\u2212"), LEFT_PX - 5, y);
    }
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    for (const tick of ticks(0, last, 4)) if (tick > 0 && tick < 0.97 * last) ctx.fillText(String(tick), toX(tick), heightPx - 3);

    ctx.strokeStyle = palette.ink;
    ctx.lineWidth = 1.5;
    ctx.lineJoin = "round";
    ctx.beginPath();
    losses.forEach((loss, iteration) => {
      if (Number.isFinite(loss)) ctx.lineTo(toX(iteration), toY(loss));
    });
    ctx.stroke();
    const end = losses.at(-1);
    if (end === undefined || !Number.isFinite(end)) return;
    ctx.fillStyle = palette.ink;
    ctx.beginPath();
    ctx.arc(toX(losses.length - 1), toY(end), 2.5, 0, 2 * Math.PI);
    ctx.fill();
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** @param {readonly number[]} losses @returns {[number, number]} the values to show, with some room */
function spanOf(losses) {
  let [low, high] = [Infinity, -Infinity];
  for (const loss of losses) {
    if (!Number.isFinite(loss)) continue;
    low = Math.min(low, loss);
    high = Math.max(high, loss);
  }
  if (low > high) return [-0.5, 0];
  const room = Math.max(0.02, 0.08 * (high - low));
  return [low - room, high + room];
}

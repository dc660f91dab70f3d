// The loss against the iteration, on a logarithmic scale.

import { ticks } from "../model/numbers.js";

const LEFT_PX = 34;
const BOTTOM_PX = 16;
const TOP_PX = 6;
const FONT_PX = 11;
const MOST_POWERS = 5;

export class LossCurve {
  /** @param {HTMLCanvasElement} canvas @param {() => void} onResize */
  constructor(canvas, onResize) {
    this.canvas = canvas;
    this.ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.observer = new ResizeObserver(onResize);
    this.observer.observe(canvas);
  }

  /** @param {readonly number[]} losses @param {import("./table-scene.js").TablePalette} palette */
  draw(losses, palette) {
    const { ctx, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [widthPx, heightPx] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(widthPx * ratio)) canvas.width = Math.round(widthPx * ratio);
    if (canvas.height !== Math.round(heightPx * ratio)) canvas.height = Math.round(heightPx * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, widthPx, heightPx);

    // A point for each pixel is enough.
    const every = Math.max(1, Math.floor(losses.length / Math.max(1, widthPx)));
    const logs = losses.filter((_, k) => k % every === 0 || k === losses.length - 1).map((loss) => Math.log10(loss));
    let [low, high] = [Infinity, -Infinity];
    for (const value of logs) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    [low, high] = low > high ? [-4, 0] : [Math.floor(low - 0.05), Math.ceil(high + 0.05)];
    const last = Math.max(50, losses.length - 1);
    const toX = (/** @type {number} */ iteration) => LEFT_PX + ((widthPx - LEFT_PX - 8) * iteration) / last;
    const toY = (/** @type {number} */ log) => TOP_PX + ((heightPx - TOP_PX - BOTTOM_PX) * (high - log)) / (high - low);

    ctx.strokeStyle = palette.line;
    ctx.fillStyle = palette.soft;
    ctx.font = `${FONT_PX}px ${palette.font}`;
    ctx.lineWidth = 1;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const powers = Math.ceil((high - low) / MOST_POWERS);
    for (let power = low; power <= high; power += powers) {
      const y = Math.round(toY(power)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(LEFT_PX, y);
      ctx.lineTo(widthPx - 8, y);
      ctx.stroke();
      ctx.fillText(`1e${power}`.replace("-", "\u2212"), LEFT_PX - 5, y);
    }
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    for (const tick of ticks(0, last, 4)) if (tick > 0) ctx.fillText(String(tick), toX(tick), heightPx - 3);

    ctx.strokeStyle = palette.ink;
    ctx.lineWidth = 1.5;
    ctx.lineJoin = "round";
    ctx.beginPath();
    logs.forEach((log, k) => {
      if (Number.isFinite(log)) ctx.lineTo(toX(Math.min(k * every, losses.length - 1)), toY(log));
    });
    ctx.stroke();
    const end = logs.at(-1);
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

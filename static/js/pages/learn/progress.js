// The loss against the steps, on a logarithmic scale: a full line for the examples and a dashed one for the tests.

/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {{step: number, train: number, test: number}} Mark */

import { fit } from "../../widgets/canvas-picture.js";
import * as texts from "./texts.js";

const LEFT_PX = 40;
const TOP_PX = 6;
const BOTTOM_PX = 16;
const RIGHT_PX = 6;
const FONT_PX = 11;
const LEAST = 1e-6;
/** If the curves have more marks than this, we remove every second mark. */
const MOST_MARKS = 600;

/** The losses so far. */
export class Progress {
  constructor() {
    /** @type {Mark[]} */
    this.marks = [];
    /** Neighbouring marks are at least this many training steps apart. If the last mark is closer, the next mark replaces
     * it. */
    this.every = 1;
  }

  /** @param {Mark} mark */
  note(mark) {
    const { marks } = this;
    const before = marks.at(-2);
    if (before !== undefined && mark.step - before.step < this.every) marks.pop();
    if (marks.at(-1)?.step === mark.step) marks.pop();
    marks.push(mark);
    if (marks.length <= MOST_MARKS) return;
    this.marks = marks.filter((_, k) => k % 2 === 0 || k === marks.length - 1);
    this.every = Math.max(1, (2 * mark.step) / MOST_MARKS);
  }

  clear() {
    this.marks = [];
    this.every = 1;
  }
}

/** @param {HTMLCanvasElement} canvas @param {Progress} progress @param {Inks} inks */
export function drawProgress(canvas, { marks }, inks) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  fit(canvas, width * ratio, height * ratio);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `${FONT_PX}px ${inks.font}`;
  pen.textBaseline = "middle";
  pen.fillStyle = inks.soft;
  if (marks.length < 2) {
    pen.textAlign = "start";
    pen.fillText(texts.NO_LOSSES, 0, height / 2);
    return;
  }
  const logs = marks.flatMap(({ train, test }) => [train, test]).filter(Number.isFinite).map((loss) => Math.log10(Math.max(LEAST, loss)));
  const low = Math.floor(Math.min(...logs, -1));
  const high = Math.ceil(Math.max(...logs, 0));
  const last = marks[marks.length - 1].step;
  const toX = (/** @type {number} */ step) => LEFT_PX + ((width - LEFT_PX - RIGHT_PX) * step) / Math.max(1, last);
  const toY = (/** @type {number} */ log) => TOP_PX + ((height - TOP_PX - BOTTOM_PX) * (high - log)) / (high - low);
  pen.textAlign = "right";
  pen.strokeStyle = inks.line;
  pen.lineWidth = 1;
  for (let power = low; power <= high; power++) {
    const y = Math.round(toY(power)) + 0.5;
    pen.beginPath();
    pen.moveTo(LEFT_PX, y);
    pen.lineTo(width - RIGHT_PX, y);
    pen.stroke();
    pen.fillText(`1e${power}`.replace("-", "\u2212"), LEFT_PX - 5, y);
  }
  pen.fillText(texts.stepCount(last), width - RIGHT_PX, height - 6);
  for (const [key, colour, dash] of /** @type {const} */ ([["test", inks.soft, [4, 3]], ["train", inks.ink, []]])) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash([...dash]);
    pen.beginPath();
    for (const mark of marks) if (Number.isFinite(mark[key])) pen.lineTo(toX(mark.step), toY(Math.log10(Math.max(LEAST, mark[key]))));
    pen.stroke();
  }
  pen.setLineDash([]);
}

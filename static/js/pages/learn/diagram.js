// Paints a network: a tile with a picture of the output of each unit, and a line for each weight.

/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("./scene.js").LearnScene} LearnScene */
/** The centre of a tile, in pixels. @typedef {readonly [number, number]} Place */

import * as texts from "./texts.js";
import { isRecurrent, taskOf } from "./lesson.js";
import { paintCells, paintImage } from "./scene.js";

const LARGEST_TILE = 46;
const GAP_PX = 6;
const MARGIN_PX = 6;
const HEAD_PX = 20;
const FONT_PX = 12;
const THICKEST_PX = 4;
/** A weight of this size is drawn half as thick as the thickest line. */
const HALF_WEIGHT = 1.5;
/** The number of cells along each side of a unit's small picture. */
const TILE_CELLS = 20;

/** @param {Pen} pen @param {number} width @param {number} height @param {Inks} inks @param {LearnScene} scene */
export function paintNetwork(pen, width, height, inks, scene) {
  if (isRecurrent(taskOf(scene.lesson))) paintMemory(pen, width, height, inks, scene);
  else paintLayers(pen, width, height, inks, scene);
}

/** @param {Pen} pen @param {number} width @param {number} height @param {Inks} inks @param {LearnScene} scene */
function paintLayers(pen, width, height, inks, scene) {
  const { lesson: { hidden, activation }, beginning: { tasks, pieces }, weights } = scene;
  const task = tasks[taskOf(scene.lesson)];
  const isImage = task.inputs > 2;
  const counts = [isImage ? 1 : task.inputs, ...hidden, task.classes];
  const size = Math.min(LARGEST_TILE, (height - HEAD_PX - MARGIN_PX) / Math.max(...counts) - GAP_PX, (0.62 * (width - 2 * MARGIN_PX)) / counts.length);
  const columns = counts.map((count, k) => column(count, MARGIN_PX + size / 2 + (k * (width - 2 * MARGIN_PX - size)) / (counts.length - 1), height, size));
  let first = 0;
  let inputs = task.inputs;
  [...hidden, task.classes].forEach((units, k) => {
    const each = activation === "maxout" && k < hidden.length ? pieces : 1;
    if (!(isImage && k === 0)) paintWeights(pen, inks, columns[k], columns[k + 1], (from, to) => largest(weights, first + to * each * inputs + from, each, inputs));
    if (isImage && k === 0) paintFan(pen, inks, columns[0], columns[1]);
    first += units * each * (inputs + 1);
    inputs = units;
  });
  paintTiles(pen, inks, columns, size, scene);
  paintHeads(pen, inks, columns);
}

/** @param {Pen} pen @param {Inks} inks @param {readonly Place[][]} columns */
function paintHeads(pen, inks, columns) {
  pen.fillStyle = inks.soft;
  pen.font = `${FONT_PX}px ${inks.font}`;
  pen.textBaseline = "middle";
  columns.forEach((places, k) => {
    const isLast = k === columns.length - 1;
    pen.textAlign = k === 0 ? "left" : "right";
    const x = places[0][0] + (k === 0 ? -14 : 0) + (isLast ? 14 : 0);
    if (k === 0 || isLast) pen.fillText(k === 0 ? texts.NETWORK_INPUT : texts.NETWORK_OUTPUT, Math.max(MARGIN_PX, x), HEAD_PX / 2);
  });
}

/** @param {number} count @param {number} x @param {number} height @param {number} size @returns {Place[]} */
function column(count, x, height, size) {
  const middle = HEAD_PX + (height - HEAD_PX) / 2;
  return Array.from({ length: count }, (_, k) => [x, middle + (k - (count - 1) / 2) * (size + GAP_PX)]);
}

/** Chooses the weight that a line shows. A maxout unit has several pieces, and each piece has its own weight for an input.
 * @param {Float64Array} weights @param {number} at the position of the first piece's weight @param {number} pieces
 * @param {number} stride the distance between the weights of two pieces
 * @returns {number} the piece's weight that has the largest magnitude */
function largest(weights, at, pieces, stride) {
  let most = weights[at];
  for (let k = 1; k < pieces; k++) if (Math.abs(weights[at + k * stride]) > Math.abs(most)) most = weights[at + k * stride];
  return most;
}

/** @param {Pen} pen @param {Inks} inks @param {readonly Place[]} from @param {readonly Place[]} to
 * @param {(from: number, to: number) => number} weight */
function paintWeights(pen, inks, from, to, weight) {
  to.forEach(([x1, y1], j) => {
    from.forEach(([x0, y0], i) => {
      const value = weight(i, j);
      const size = Math.abs(value);
      pen.strokeStyle = value < 0 ? inks.short : inks.long;
      pen.lineWidth = Math.max(0.4, (THICKEST_PX * size) / (size + HALF_WEIGHT));
      pen.globalAlpha = 0.25 + (0.6 * size) / (size + HALF_WEIGHT);
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    });
  });
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {Inks} inks @param {readonly Place[]} from @param {readonly Place[]} to */
function paintFan(pen, inks, [[x0, y0]], to) {
  pen.strokeStyle = inks.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const [x1, y1] of to) {
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
  }
  pen.stroke();
}

/** @param {Pen} pen @param {Inks} inks @param {readonly Place[][]} columns @param {number} size @param {LearnScene} scene */
function paintTiles(pen, inks, columns, size, scene) {
  const { lesson: { hidden }, seen } = scene;
  const isPlane = taskOf(scene.lesson) === "plane";
  let unit = 0;
  columns.forEach((places, k) => places.forEach(([x, y], j) => {
    const box = /** @type {const} */ ([x - size / 2, y - size / 2, size, size]);
    pen.fillStyle = inks.raised;
    pen.fillRect(...box);
    const isHidden = k > 0 && k <= hidden.length;
    if (isPlane) paintPlaneTile(pen, inks, box, k, j, isHidden ? unit : -1, scene);
    else if (k === 0) paintImage(pen, inks, [box[0], box[1], size], (pixel) => scene.data.tests.x[0][pixel]);
    else if (k === 1) paintFilter(pen, inks, [box[0], box[1], size], j, scene);
    if (!isPlane && k === columns.length - 1) paintWord(pen, inks, x, y, size, String(j), seen.guesses?.[j] ?? 0);
    if (isHidden) unit += 1;
    pen.strokeStyle = inks.strong;
    pen.lineWidth = 1;
    pen.strokeRect(...box);
  }));
}

/** Paints a small map of the plane with a unit's output at each point. The network's inputs are the point's coordinates.
 * @param {Pen} pen @param {Inks} inks @param {readonly [number, number, number, number]} box @param {number} layer @param {number} k
 * @param {number} unit the unit's number among all hidden units; −1 for an input or an output @param {LearnScene} scene */
function paintPlaneTile(pen, inks, box, layer, k, unit, { lesson: { hidden }, beginning: { cells }, seen }) {
  const units = Math.max(1, hidden.reduce((total, count) => total + count, 0));
  const every = cells / TILE_CELLS;
  const cell = (/** @type {number} */ tile) => Math.floor(tile / TILE_CELLS) * every * cells + (tile % TILE_CELLS) * every;
  const half = (TILE_CELLS - 1) / 2;
  const surface = seen.surface ?? new Float64Array(cells * cells);
  /** @type {(tile: number) => number} */
  let at = (tile) => (2 * surface[cell(tile)] - 1) * (k === 0 ? -1 : 1) * 0.9;
  if (unit >= 0) at = (tile) => 0.9 * seen.neurons[cell(tile) * units + unit];
  else if (layer === 0) at = (tile) => (0.9 * ((k === 0 ? tile % TILE_CELLS : Math.floor(tile / TILE_CELLS)) - half)) / half;
  paintCells(pen, inks, box, TILE_CELLS, at);
}

/** Paints the weights of a unit of the first layer as a picture: one weight for each pixel of a digit. For a maxout unit,
 * paints the weights of its first piece. @param {Pen} pen @param {Inks} inks
 * @param {readonly [number, number, number]} box @param {number} unit @param {LearnScene} scene */
function paintFilter(pen, inks, box, unit, { lesson: { activation, hidden }, beginning: { tasks, pieces }, weights }) {
  const { inputs } = tasks.digits;
  const each = activation === "maxout" && hidden.length > 0 ? pieces : 1;
  const own = weights.subarray(unit * each * inputs, (unit * each + 1) * inputs);
  const most = Math.max(...own.map(Math.abs), 1e-9);
  paintImage(pen, inks, box, (pixel) => own[pixel] / most);
}

/** @param {Pen} pen @param {Inks} inks @param {number} x @param {number} y @param {number} size @param {string} word
 * @param {number} share */
function paintWord(pen, inks, x, y, size, word, share) {
  pen.globalAlpha = share;
  pen.fillStyle = inks.long;
  pen.fillRect(x - size / 2, y - size / 2, size, size);
  pen.globalAlpha = 1;
  pen.fillStyle = inks.ink;
  pen.font = `600 ${FONT_PX}px ${inks.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(word, x, y);
}

/** Paints the output of each unit of an LSTM over time.
 * @param {Pen} pen @param {number} width @param {number} height @param {Inks} inks @param {LearnScene} scene */
function paintMemory(pen, width, height, inks, { lesson, beginning, seen }) {
  const { hidden: [units] } = lesson;
  const [heard, continued] = taskOf(lesson) === "text" ? [1, [...lesson.line].length] : [beginning.heard, beginning.continued];
  const columns = width > height ? 4 : 2;
  const rows = Math.ceil(units / columns);
  const [across, down] = [(width - 2 * MARGIN_PX) / columns, (height - HEAD_PX - MARGIN_PX) / rows];
  pen.fillStyle = inks.soft;
  pen.font = `${FONT_PX}px ${inks.font}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(texts.MEMORY_UNITS, MARGIN_PX, HEAD_PX / 2);
  for (let unit = 0; unit < units; unit++) {
    const x = MARGIN_PX + (unit % columns) * across;
    const y = HEAD_PX + Math.floor(unit / columns) * down;
    const [w, h] = [across - GAP_PX, down - GAP_PX];
    pen.fillStyle = inks.raised;
    pen.fillRect(x, y, w, h);
    pen.strokeStyle = inks.strong;
    pen.lineWidth = 1;
    pen.strokeRect(x, y, w, h);
    pen.strokeStyle = inks.line;
    pen.beginPath();
    pen.moveTo(x + (w * heard) / continued, y);
    pen.lineTo(x + (w * heard) / continued, y + h);
    pen.stroke();
    pen.strokeStyle = inks.long;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let t = 0; t < continued; t++) {
      const [xPx, yPx] = [x + (w * (t + 0.5)) / continued, y + (h * (1 - 0.92 * seen.neurons[t * units + unit])) / 2];
      if (t === 0) pen.moveTo(xPx, yPx);
      else pen.lineTo(xPx, yPx);
    }
    pen.stroke();
  }
}

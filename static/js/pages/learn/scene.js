// Paints what a network has learned: the plane, the digits or the wave.

/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("./data.js").Examples} Examples */
/** @typedef {import("./data.js").LessonData} LessonData */
/** @typedef {import("./pupil.js").Seen} Seen */
/** @typedef {{lesson: Lesson, beginning: LessonBeginning, data: LessonData, seen: Seen, weights: Float64Array, tests: boolean}} LearnScene
 * Everything that the picture of a network shows. `tests`: true to draw the test points. */

import { paintAxes } from "../../widgets/plot-picture.js";
import * as texts from "./texts.js";
import { blend } from "./colours.js";
import { lettersOf, taskOf } from "./lesson.js";

const POINT_PX = 4;
const SIDE = 8;
const COLUMNS = 8;
/** The largest opacity of the plane's colours. It is less than 1 so that the points remain easy to see. */
const TINT = 0.62;
const WAVE_HEIGHT = 1.2;
/** The letters in a row of a text. */
const TEXT_COLUMNS = 18;
/** The height of the words above a text. */
const HEADING_PX = 44;

/** @param {LearnScene} scene @returns {Region} the region of the plot */
export function regionOf({ lesson, beginning }) {
  const { reach, continued } = beginning;
  return taskOf(lesson) === "sine" ? [0, continued, -WAVE_HEIGHT, WAVE_HEIGHT] : [-reach, reach, -reach, reach];
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} inks @param {LearnScene} scene */
export function paintLearned(pen, frame, inks, scene) {
  const task = taskOf(scene.lesson);
  if (task === "plane") paintPlane(pen, frame, inks, scene);
  else if (task === "sine") paintWave(pen, frame, inks, scene);
  else if (task === "text") paintText(pen, frame, inks, scene);
  else paintDigits(pen, frame, inks, scene);
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} inks @param {LearnScene} scene */
function paintPlane(pen, frame, inks, { beginning: { cells }, data, seen, tests }) {
  const { left, right, top, bottom } = frame;
  const surface = seen.surface ?? new Float64Array(cells * cells);
  paintCells(pen, inks, [left, top, right - left, bottom - top], cells, (cell) => (2 * surface[cell] - 1) * TINT);
  paintAxes(pen, frame, inks, texts.AXES.x, texts.AXES.y);
  if (tests) paintPoints(pen, frame, inks, data.tests, true);
  paintPoints(pen, frame, inks, data.examples, false);
}

/** Paints a grid of coloured cells. The cells are numbered row by row, and the lowest row comes first.
 * @param {Pen} pen @param {Inks} inks
 * @param {readonly [number, number, number, number]} box x, y, width and height in pixels @param {number} cells along each side
 * @param {(cell: number) => number} at returns the value of a cell, from −1 to 1 */
export function paintCells(pen, inks, [x, y, width, height], cells, at) {
  const [across, down] = [width / cells, height / cells];
  for (let row = 0; row < cells; row++) {
    const y0 = Math.round(y + height - (row + 1) * down);
    const y1 = Math.round(y + height - row * down);
    for (let column = 0; column < cells; column++) {
      const x0 = Math.round(x + column * across);
      pen.fillStyle = blend(inks, at(row * cells + column));
      pen.fillRect(x0, y0, Math.round(x + (column + 1) * across) - x0, y1 - y0);
    }
  }
}

/** Paints points of class 0 as discs and points of class 1 as squares. `hollow`: true for test points. @param {Pen} pen
 * @param {PlotFrame} frame @param {Inks} inks
 * @param {Examples} examples @param {boolean} hollow */
function paintPoints(pen, frame, inks, { x, label, count }, hollow) {
  pen.lineWidth = 1.25;
  for (let k = 0; k < count; k++) {
    const [xPx, yPx] = frame.toPx([x[k][0], x[k][1]]);
    if (!frame.contains(xPx, yPx)) continue;
    const colour = label[k] === 0 ? inks.short : inks.long;
    pen.fillStyle = hollow ? inks.paper : colour;
    pen.strokeStyle = hollow ? colour : inks.paper;
    pen.beginPath();
    if (label[k] === 0) pen.arc(xPx, yPx, POINT_PX, 0, 2 * Math.PI);
    else square(pen, xPx, yPx, 0.9 * POINT_PX);
    pen.fill();
    pen.stroke();
  }
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} half */
function square(pen, x, y, half) {
  pen.moveTo(x - half, y - half);
  pen.lineTo(x + half, y - half);
  pen.lineTo(x + half, y + half);
  pen.lineTo(x - half, y + half);
  pen.closePath();
}

/** Paints tests with the guesses below them. @param {Pen} pen @param {PlotFrame} frame @param {Inks} inks @param {LearnScene} scene */
function paintDigits(pen, frame, inks, { beginning: { shown, tasks: { digits: { classes } } }, data: { tests }, seen }) {
  const rows = Math.ceil(shown / COLUMNS);
  const { left, right, top, bottom } = frame;
  const [across, down] = [(right - left) / COLUMNS, (bottom - top) / rows];
  const size = Math.min(across, down - 16) * 0.86;
  pen.font = `600 13px ${inks.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let k = 0; k < Math.min(shown, tests.count); k++) {
    const x = left + (k % COLUMNS) * across + (across - size) / 2;
    const y = top + Math.floor(k / COLUMNS) * down;
    paintImage(pen, inks, [x, y, size], (pixel) => tests.x[k][pixel]);
    const guesses = seen.guesses?.subarray(classes * k, classes * (k + 1)) ?? new Float64Array(classes);
    const guess = guesses.indexOf(Math.max(...guesses));
    const isRight = guess === tests.label[k];
    pen.fillStyle = isRight ? inks.soft : inks.ink;
    pen.fillText(isRight ? String(guess) : texts.wrongGuess(guess, tests.label[k]), x + size / 2, y + size + 9);
    if (isRight) continue;
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 2;
    pen.strokeRect(x, y, size, size);
  }
}

/** Paints a picture of 8 × 8 pixels. The pixels are numbered row by row, and the highest row comes first.
 * @param {Pen} pen @param {Inks} inks @param {readonly [number, number, number]} box x, y, size
 * @param {(pixel: number) => number} at returns the value of a pixel, from −1 to 1 */
export function paintImage(pen, inks, [x, y, size], at) {
  paintCells(pen, inks, [x, y, size, size], SIDE, (cell) => at((SIDE - 1 - Math.floor(cell / SIDE)) * SIDE + (cell % SIDE)));
}

/** @param {Pen} pen @param {PlotFrame} frame @param {Inks} inks @param {LearnScene} scene */
function paintWave(pen, frame, inks, { beginning: { heard, continued }, data: { tests }, seen }) {
  paintAxes(pen, frame, inks, texts.AXES.t, texts.AXES.x);
  const [from] = frame.toPx([heard, 0]);
  pen.strokeStyle = inks.strong;
  pen.lineWidth = 1;
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(from, frame.top);
  pen.lineTo(from, frame.bottom);
  pen.stroke();
  pen.setLineDash([]);
  // The prediction at t is for the next value.
  for (const [first, last, colour] of /** @type {const} */ ([[0, heard, inks.soft], [heard - 1, continued - 1, inks.long]])) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.beginPath();
    for (let t = first; t < last; t++) {
      const [x, y] = frame.toPx([t + 1, seen.wave?.[t] ?? 0]);
      if (t === first) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.stroke();
  }
  const wave = tests.x[0];
  for (let t = 0; t < wave.length; t++) {
    const [x, y] = frame.toPx([t, wave[t]]);
    pen.fillStyle = t < heard ? inks.short : inks.paper;
    pen.strokeStyle = inks.short;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.arc(x, y, POINT_PX - 0.5, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}

/** Paints the line of text to learn, in several rows. Below each row, paints the letters that the network writes, and draws a
 * box around each wrong letter.
 * @param {Pen} pen @param {PlotFrame} frame @param {Inks} inks @param {LearnScene} scene */
function paintText(pen, { left, right, top, bottom }, inks, { lesson, seen }) {
  const [line, letters] = [[...lesson.line], lettersOf(lesson.line)];
  const rows = Math.ceil(line.length / TEXT_COLUMNS);
  const across = (right - left) / TEXT_COLUMNS;
  const down = (bottom - top - HEADING_PX) / rows;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.font = `12px ${inks.font}`;
  pen.fillStyle = inks.soft;
  pen.fillText(texts.GIVEN_LINE, left, top + 10);
  pen.fillStyle = inks.long;
  pen.fillText(texts.WRITTEN_LINE, left, top + 28);
  pen.textAlign = "center";
  const size = Math.round(Math.min(22, across * 1.1, down / 3));
  for (let t = 0; t < line.length; t++) {
    const x = left + ((t % TEXT_COLUMNS) + 0.5) * across;
    const y = top + HEADING_PX + size / 2 + Math.floor(t / TEXT_COLUMNS) * Math.min(down, 4 * size);
    const letter = letters[seen.written?.[t] ?? 0] ?? texts.UNUSED_LETTER;
    pen.font = `${size}px ui-monospace, monospace`;
    pen.fillStyle = inks.soft;
    pen.fillText(line[t], x, y);
    pen.fillStyle = inks.long;
    pen.fillText(letter, x, y + 1.4 * size);
    if (letter === line[t]) continue;
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(x - 0.42 * across, y + 0.75 * size, 0.84 * across, 1.3 * size);
  }
}

// Draw functions of two variables, the same as solids.py.

import { across, axes, down, frameOf, grip, legend } from "./frames.js";
import { number, pixel } from "./numbers.js";
import { pathEntries } from "./paths.js";

const COLUMNS = 48;
const ROWS = 36;
const LEVELS = 12;
const SHADES = 8;
const ARROWS_ACROSS = 13;
const ARROWS_DOWN = 9;
const CELLS = 20;
const PATCH = 8;
const DESCENT_STEPS = 300;

/**
 * @typedef {import("./frames.js").Mark} Mark
 * @typedef {import("./frames.js").Frame} Frame
 * @typedef {import("./drawing.js").Spec} Spec
 * @typedef {import("./drawing.js").State} State
 * @typedef {import("./drawing.js").At} At
 * @typedef {import("./drawing.js").Picture} Picture
 */

/** The i-th of n + 1 places from low to high. @param {number} low @param {number} high @param {number} i @param {number} n */
const mix = (low, high, i, n) => low + ((high - low) * i) / n;

/** The shade of a value within the range, or -1 if it is not a number. @param {Spec} spec @param {number} value */
function shade(spec, value) {
  const [low, high] = spec.range;
  const part = ((value - low) / (high - low)) * SHADES;
  return Number.isNaN(part) ? -1 : Math.floor(Math.min(Math.max(part, 0), SHADES - 1));
}

/** The names of both axes. @param {Spec} spec */
const names = (spec) => [spec.axes[0].name, spec.axes[1].name];

/** Lines of equal value, with gradients and steepest descent. @param {Spec} spec @param {State} state @param {At} at @returns {Picture} */
export function contour(spec, state, at) {
  const frame = frameOf(spec);
  const plot = levels(spec, frame, at);
  const entries = [["level", spec.labels[0]]];
  if (spec.show.includes("gradient")) {
    plot.push(["path", { class: "arrows", d: arrows(frame, at, 1) }]);
    entries.push(["arrows", "gradient"]);
  }
  if (spec.show.includes("descent")) {
    plot.push(["path", { class: "descent", d: descent(frame, state, at) }]);
    entries.push(["descent", "descent"]);
  }
  return onMap(spec, state, frame, { plot, entries, told: spoken(spec, state, at) });
}

/** Arrows of a vector field. @param {Spec} spec @param {State} state @param {At} at @returns {Picture} */
export function field(spec, state, at) {
  const frame = frameOf(spec);
  const [x, y] = /** @type {number[]} */ (state.place);
  const here = at(x, y);
  const [first, second] = names(spec);
  const told = `${first} = ${number(x)}, ${second} = ${number(y)}: (${number(here[0])}, ${number(here[1])})`;
  /** @type {Mark[]} */
  const plot = [["path", { class: "arrows", d: arrows(frame, at, 0) }]];
  return onMap(spec, state, frame, { plot, entries: [["arrows", spec.labels[0]]], told });
}

/** Cells shaded by the value at their centres. @param {Spec} spec @param {State} state @param {At} at @returns {Picture} */
export function image(spec, state, at) {
  const frame = frameOf(spec);
  const shapes = Array.from({ length: SHADES }, () => "");
  const wide = (across(frame, frame.highX) - across(frame, frame.lowX)) / COLUMNS;
  const high = 306 / ROWS;
  for (let j = 0; j < ROWS; j++) {
    const y = mix(frame.lowY, frame.highY, 2 * j + 1, 2 * ROWS);
    const top = pixel(down(frame, y) - high / 2);
    let run = 0;
    let before = -1;
    for (let i = 0; i <= COLUMNS; i++) { // neighbours of one shade are one shape
      const x = mix(frame.lowX, frame.highX, 2 * i + 1, 2 * COLUMNS);
      const k = i < COLUMNS ? shade(spec, at(x, y)[0]) : -1;
      if (k !== before) {
        const length = pixel(wide * run + 0.3);
        const left = pixel(across(frame, x) - wide * (run + 0.5));
        if (before >= 0) shapes[before] += `M${left} ${top}h${length}v${pixel(high + 0.3)}h-${length}z`;
        run = 0;
        before = k;
      }
      run++;
    }
  }
  /** @type {Mark[]} */
  const plot = shapes.map((shape, k) => ["path", { class: `s${k}`, d: shape }]);
  const entries = [["s1", number(spec.range[0])], ["s7", number(spec.range[1])]];
  return onMap(spec, state, frame, { plot, entries, told: spoken(spec, state, at) });
}

/**
 * A picture seen from above (a map), with its axes, its legend and the points that readers drag.
 * @param {Spec} spec @param {State} state @param {Frame} frame
 * @param {{ plot: Mark[], entries: string[][], told: string }} drawn @returns {Picture}
 */
function onMap(spec, state, frame, { plot, entries, told }) {
  const [x, y] = /** @type {number[]} */ (state.place);
  const above = [grip(`point on ${spec.labels[0]}`, "place", across(frame, x), down(frame, y), told)];
  for (const { kind, name } of spec.controls) {
    if (kind !== "point") continue;
    const [px, py] = /** @type {number[]} */ (state.values[name]);
    const said = `${name} = (${number(px)}, ${number(py)})`;
    above.push(grip(`point ${name}`, name, across(frame, px), down(frame, py), said));
  }
  return { behind: [...axes(frame, names(spec)), ...legend([...entries, ...pathEntries(spec)])], plot, above, told };
}

/** The sentence about the held point. @param {Spec} spec @param {State} state @param {At} at */
function spoken(spec, state, at) {
  const [x, y] = /** @type {number[]} */ (state.place);
  const here = at(x, y);
  const [first, second] = names(spec);
  const told = `${first} = ${number(x)}, ${second} = ${number(y)}: ${spec.labels[0]} = ${number(here[0])}`;
  return `${told}, gradient (${number(here[1])}, ${number(here[2])})`;
}

/** The lines of equal value, by marching squares. @param {Spec} spec @param {Frame} frame @param {At} at */
function levels(spec, frame, at) {
  const [low, high] = spec.range;
  const values = Array.from({ length: ROWS + 1 }, (_, j) =>
    Array.from({ length: COLUMNS + 1 }, (_i, i) =>
      at(mix(frame.lowX, frame.highX, i, COLUMNS), mix(frame.lowY, frame.highY, j, ROWS))[0]));
  /** @type {Mark[]} */
  const marks = [];
  for (let k = 0; k < LEVELS; k++) {
    const level = mix(low, high, 2 * k + 1, 2 * LEVELS);
    let path = "";
    for (let j = 0; j < ROWS; j++) {
      for (let i = 0; i < COLUMNS; i++) path += crossing(frame, values, i, j, level);
    }
    const opacity = number(0.45 + (0.55 * k) / (LEVELS - 1));
    marks.push(["path", { class: "level", "stroke-opacity": opacity, d: path }]);
  }
  return marks;
}

/**
 * The SVG path of a contour line within the cell (i, j) of a grid of values. The function has the value `level` on the line.
 * @param {Frame} frame @param {number[][]} values @param {number} i @param {number} j @param {number} level
 */
function crossing(frame, values, i, j, level) {
  const heights = [
    values[j][i] - level, values[j][i + 1] - level, values[j + 1][i + 1] - level, values[j + 1][i] - level,
  ];
  const below = Number(heights[0] < 0) + Number(heights[1] < 0) + Number(heights[2] < 0) + Number(heights[3] < 0);
  if (below % 4 === 0 || !heights.every(Number.isFinite)) return "";
  const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
  const ends = [];
  for (let k = 0; k < 4; k++) {
    const here = heights[k];
    const there = heights[(k + 1) % 4];
    if (here < 0 === there < 0) continue;
    const part = here / (here - there);
    const a = corners[k];
    const b = corners[(k + 1) % 4];
    const x = frame.lowX + ((frame.highX - frame.lowX) * (a[0] + (b[0] - a[0]) * part)) / COLUMNS;
    const y = frame.lowY + ((frame.highY - frame.lowY) * (a[1] + (b[1] - a[1]) * part)) / ROWS;
    ends.push([across(frame, x), down(frame, y)]);
  }
  let path = "";
  for (let k = 0; k < ends.length; k += 2) {
    const [[x, y], [toX, toY]] = ends.slice(k);
    path += `M${pixel(x)} ${pixel(y)}l${pixel(toX - x)} ${pixel(toY - y)}`;
  }
  return path;
}

/** Arrows along two outputs of the kernel, on a grid. @param {Frame} frame @param {At} at @param {number} first */
function arrows(frame, at, first) {
  const found = [];
  let longest = 0;
  for (let j = 0; j < ARROWS_DOWN; j++) {
    for (let i = 0; i < ARROWS_ACROSS; i++) {
      const x = mix(frame.lowX, frame.highX, 2 * i + 1, 2 * ARROWS_ACROSS);
      const y = mix(frame.lowY, frame.highY, 2 * j + 1, 2 * ARROWS_DOWN);
      const row = at(x, y);
      const right = (row[first] * 488) / (frame.highX - frame.lowX);
      const low = (-row[first + 1] * 306) / (frame.highY - frame.lowY);
      const size = Math.sqrt(right * right + low * low);
      if (!(size > 0 && size < Infinity)) continue;
      longest = Math.max(longest, size);
      found.push([across(frame, x), down(frame, y), right, low, size]);
    }
  }
  let path = "";
  for (const [x, y, right, low, size] of found) {
    const length = 4 + 28 * (size / longest);
    const u = right / size;
    const v = low / size;
    const head = [-5 * u - 3 * v, 3 * u - 5 * v];
    const moves = [u * length, v * length, ...head, -head[0], -head[1], 3 * v - 5 * u, -5 * v - 3 * u];
    path += `M${pixel(x - (u * length) / 2)} ${pixel(y - (v * length) / 2)}l${moves.map(pixel).join(" ")}`;
  }
  return path;
}

/** The path of steepest descent from the held point. @param {Frame} frame @param {State} state @param {At} at */
function descent(frame, state, at) {
  let [x, y] = /** @type {number[]} */ (state.place);
  let [value, slopeX, slopeY] = Array.from(at(x, y));
  let path = `M${pixel(across(frame, x))} ${pixel(down(frame, y))}`;
  const wide = frame.highX - frame.lowX;
  const high = frame.highY - frame.lowY;
  for (let step = 0; step < DESCENT_STEPS; step++) {
    const right = slopeX * wide;
    const low = slopeY * high;
    const size = Math.sqrt(right * right + low * low);
    if (!(size > 0 && size < Infinity)) break;
    x -= 0.01 * wide * (right / size);
    y -= 0.01 * high * (low / size);
    const row = at(x, y);
    if (!(row[0] < value)) break;
    [value, slopeX, slopeY] = Array.from(row);
    path += `L${pixel(across(frame, x))} ${pixel(down(frame, y))}`;
  }
  return path;
}

/**
 * The function (x, y, z) → [right, low], which maps a point of a surface to its place on the screen.
 * @param {Spec} spec @param {number} turn in degrees
 */
export function projection(spec, turn) {
  const [ax, ay] = spec.axes;
  const [low, high] = spec.range;
  const angle = (turn * Math.PI) / 180;
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  return (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    const u = ((x - ax.lo) / (ax.hi - ax.lo)) * 2 - 1;
    const v = 1 - ((y - ay.lo) / (ay.hi - ay.lo)) * 2;
    const w = Math.min(Math.max((z - low) / (high - low), -0.2), 1.2) * 2 - 1;
    return [300 + 175 * (u * cosine - v * sine), 195 + 76 * (u * sine + v * cosine) - 70 * w];
  };
}

/** A surface, with the quadratic around the held point. @param {Spec} spec @param {State} state @param {At} at @returns {Picture} */
export function surface(spec, state, at) {
  const [ax, ay] = spec.axes;
  const seen = projection(spec, state.turn);
  const sight = { seen, turn: state.turn };
  const plot = cells(sight, [ax.lo, ax.hi, ay.lo, ay.hi], CELLS, (x, y) => at(x, y)[0], (z) => `cell s${shade(spec, z)}`);
  const [x0, y0] = /** @type {number[]} */ (state.place);
  const [z0, fx, fy, fxx, fxy, fyy] = Array.from(at(x0, y0));
  const entries = [["s6", spec.labels[0]]];
  if (spec.show.includes("quadratic")) {
    const wide = (ax.hi - ax.lo) / 5;
    const deep = (ay.hi - ay.lo) / 5;
    plot.push(...cells(sight, [x0 - wide, x0 + wide, y0 - deep, y0 + deep], PATCH, (x, y) => {
      const dx = x - x0;
      const dy = y - y0;
      return z0 + fx * dx + fy * dy + (fxx / 2) * dx * dx + fxy * dx * dy + (fyy / 2) * dy * dy;
    }, () => "patch"));
    entries.push(["quadratic", "quadratic"]);
  }
  const told = spoken(spec, state, at);
  const [right, low] = seen(x0, y0, z0);
  const above = [grip(`point on ${spec.labels[0]}`, "place", right, low, told)];
  return { behind: [...legend(entries), ...floor(spec, seen)], plot, above, told };
}

/**
 * The cells of a grid over a rectangle, from the farthest to the nearest. Neighbours in a row become one polygon if they have
 * the same kind and turn the same side to the reader. So there are fewer shapes: a browser needs about 25 µs for each.
 * @param {{ seen: (x: number, y: number, z: number) => number[], turn: number }} sight
 * @param {number[]} rectangle @param {number} n
 * @param {(x: number, y: number) => number} height @param {(z: number) => string} kind
 */
function cells({ seen, turn }, [x0, x1, y0, y1], n, height, kind) {
  const angle = (turn * Math.PI) / 180;
  const isRight = Math.sin(angle) >= 0;
  const isDown = Math.cos(angle) >= 0;
  const grid = Array.from({ length: n + 1 }, (_, j) => {
    const y = mix(y0, y1, j, n);
    return Array.from({ length: n + 1 }, (_i, i) => {
      const x = mix(x0, x1, i, n);
      const z = height(x, y);
      const [right, low] = seen(x, y, z);
      return { z, right, low, text: `${pixel(right)} ${pixel(low)} ` };
    });
  });
  /** @type {Mark[]} */
  const marks = [];
  for (let b = 0; b < n; b++) {
    const j = isDown ? n - 1 - b : b;
    const [one, other] = [grid[j], grid[j + 1]];
    let last = { shown: "", isFront: false };
    let [there, back] = ["", ""];
    const end = () => last.shown && marks.push(["polygon", { class: last.shown, points: (there + back).trimEnd() }]);
    for (let a = 0; a < n; a++) {
      const i = isRight ? a : n - 1 - a;
      const [from, to] = isRight ? [i, i + 1] : [i + 1, i];
      const middle = (one[i].z + one[i + 1].z + other[i + 1].z + other[i].z) / 4;
      const cell = { shown: Number.isFinite(middle) ? kind(middle) : "", isFront: isFront(one, other, i) };
      if (cell.shown === last.shown && cell.isFront === last.isFront) {
        back = other[from].text + one[from].text + back; // back to this side of the last cell, and along it
      } else {
        end();
        last = cell;
        [there, back] = [one[from].text, other[from].text];
      }
      there += one[to].text;
      back = other[to].text + back;
    }
    end();
  }
  return marks;
}

/**
 * True if cell i between two neighbouring rows of a grid turns its front to the reader.
 * @param {{ right: number, low: number }[]} one @param {{ right: number, low: number }[]} other @param {number} i
 */
function isFront(one, other, i) {
  const [a, b, c, d] = [one[i], one[i + 1], other[i + 1], other[i]];
  return (c.right - a.right) * (d.low - b.low) < (c.low - a.low) * (d.right - b.right);
}

/**
 * The border of the floor below a surface, with the names and ranges of both axes along it.
 * @param {Spec} spec @param {(x: number, y: number, z: number) => number[]} seen
 */
function floor(spec, seen) {
  const [ax, ay] = spec.axes;
  const corners = [[ax.lo, ay.lo], [ax.hi, ay.lo], [ax.hi, ay.hi], [ax.lo, ay.hi]];
  const ends = corners.map(([x, y]) => seen(x, y, spec.range[0]));
  const path = ends.map(([right, low]) => `${pixel(right)} ${pixel(low)}`).join("L");
  /** @type {Mark[]} */
  const marks = [["path", { class: "frame", d: `M${path}Z` }]];
  [ax, ay].forEach((axis, k) => {
    const right = (ends[k][0] + ends[k + 1][0]) / 2;
    const low = (ends[k][1] + ends[k + 1][1]) / 2;
    const word = `${axis.name}: ${number(axis.lo)} to ${number(axis.hi)}`;
    const place = { class: "name", x: pixel(right + (right - 300) * 0.35), y: pixel(low + 26) };
    marks.push(["text", { ...place, "text-anchor": "middle" }, word]);
  });
  return marks;
}

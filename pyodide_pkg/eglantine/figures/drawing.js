// Draw a figure as marks, the same as drawing.py.

import { across, axes, down, frameOf, grip, legend } from "./frames.js";
import { number, pixel } from "./numbers.js";
import { drawn, joined, pathEntries, sentence } from "./paths.js";
import { contour, field, image, surface } from "./solids.js";
import { table } from "./tables.js";
import { filled } from "./templates.js";

const STEPS = 200;
const COLOURS = 6;

/**
 * @typedef {import("./frames.js").Mark} Mark
 * @typedef {import("./frames.js").Frame} Frame
 * @typedef {{ name: string, lo: number, hi: number }} Axis
 * @typedef {{ name: string, kind: "slider" | "point" | "choice" | "picture", lo: number, hi: number,
 *   step?: number, size: number, on: string | null,
 *   bools: boolean, options: number[] }} Control
 * @typedef {{ kind: string, axes: Axis[], range: number[], labels: string[], show: string[], value: string,
 *   controls: Control[], turn?: [string, number], marks?: import("./templates.js").Template[], told?: string,
 *   aside?: import("./paths.js").Aside }} Spec
 * @typedef {{ place: number[] | null, turn: number, values: Record<string, number | number[]> }} State
 * @typedef {(...place: number[]) => ArrayLike<number>} At
 * @typedef {{ behind: Mark[], plot: Mark[], above: Mark[], told: string }} Picture
 */

/**
 * Draw a figure for given values of its controls. `beside` holds the numbers that the figure's second kernel computed, or null.
 * @param {Spec} spec @param {State} state @param {At} at @param {import("./paths.js").Said | null} beside @returns {Picture}
 */
export function draw(spec, state, at, beside) {
  const picture = plainPicture(spec, state, at);
  if (!spec.aside || !beside) return picture;
  const plot = [...picture.plot, ...drawn(spec, beside.paths)];
  return { ...picture, plot, told: joined(picture.told, sentence(spec.aside, beside.numbers)) };
}

/** Draw a figure's functions. @param {Spec} spec @param {State} state @param {At} at @returns {Picture} */
function plainPicture(spec, state, at) {
  if (spec.marks) {
    return { ...filled(spec, state.turn, at()), plot: [], above: points(spec, state, frameOf(spec)) };
  }
  if (spec.kind === "surface") return surface(spec, state, at);
  if (spec.kind === "contour") return contour(spec, state, at);
  if (spec.kind === "field") return field(spec, state, at);
  if (spec.kind === "scatter") return scatter(spec, state);
  if (spec.kind === "table") return table(spec, at);
  return spec.kind === "image" ? image(spec, state, at) : curve(spec, state, at);
}

/** Draw curves, and what the held point shows of the first one. @param {Spec} spec @param {State} state @param {At} at */
function curve(spec, state, at) {
  const [axis] = spec.axes;
  const { show, labels } = spec;
  const frame = frameOf(spec);
  const isSingle = labels.length === 1;
  const xs = Array.from({ length: STEPS + 1 }, (_, i) => axis.lo + ((axis.hi - axis.lo) * i) / STEPS);
  /** @type {number[][]} */
  const columns = labels.map(() => []);
  for (const one of xs) {
    const row = at(one);
    for (let k = 0; k < labels.length; k++) columns[k].push(row[3 * k]);
  }
  const entries = isSingle ? [] : labels.map((label, k) => [`c${k % COLOURS}`, label]);
  /** @type {Mark[]} */
  const plot = [];
  /** @type {Mark[]} */
  const above = [];
  let told = "";
  if (state.place) {
    const [x] = state.place;
    const [y, slope, bend] = Array.from(at(x));
    told = `${axis.name} = ${number(x)}: ${labels[0]} = ${number(y)}`;
    if (show.includes("area")) {
      const { shape, size } = area(frame, axis.lo, x, at);
      plot.push(["path", { class: "area", d: shape }]);
      told += `, area ${number(size)}`;
      entries.push(["area", "area"]);
    }
    if (show.includes("quadratic")) {
      const near = xs.map((one) => y + slope * (one - x) + (bend / 2) * (one - x) * (one - x));
      plot.push(["path", { class: "quadratic", d: line(frame, xs, near) }]);
      told += `, second derivative ${number(bend)}`;
      entries.push(["quadratic", "quadratic"]);
    }
    if (show.includes("tangent")) {
      const ends = [xs[0], xs[STEPS]];
      plot.push(["path", { class: "tangent", d: line(frame, ends, ends.map((one) => y + slope * (one - x))) }]);
      told += `, slope ${number(slope)}`;
      entries.push(["tangent", "tangent"]);
    }
    above.push(grip(`point on ${labels[0]}`, "place", across(frame, x), down(frame, y), told));
  }
  columns.forEach((ys, k) => {
    plot.push(["path", { class: `curve ${isSingle ? "ink" : `c${k % COLOURS}`}`, d: line(frame, xs, ys) }]);
  });
  above.push(...points(spec, state, frame));
  const words = legend([...entries, ...pathEntries(spec)]);
  return { behind: [...axes(frame, [axis.name, spec.value]), ...words], plot, above, told };
}

/** The axes of paths, and the points that are controls. @param {Spec} spec @param {State} state @returns {Picture} */
function scatter(spec, state) {
  const frame = frameOf(spec);
  const behind = [...axes(frame, spec.axes.map(({ name }) => name)), ...legend(pathEntries(spec))];
  return { behind, plot: [], above: points(spec, state, frame), told: "" };
}

/** The points that readers drag as controls. @param {Spec} spec @param {State} state @param {Frame} frame */
function points(spec, state, frame) {
  return spec.controls.filter(({ kind }) => kind === "point").map(({ name }) => {
    const [x, y] = /** @type {number[]} */ (state.values[name]);
    const said = `${name} = (${number(x)}, ${number(y)})`;
    return grip(`point ${name}`, name, across(frame, x), down(frame, y), said);
  });
}

/**
 * The SVG path through points. The line has a gap where a y is not finite, and where it jumps from above the picture to below
 * it, or from below to above.
 * @param {Frame} frame @param {number[]} xs @param {number[]} ys
 */
function line(frame, xs, ys) {
  let path = "";
  let pen = "M";
  let before = 0;
  xs.forEach((x, i) => {
    const y = ys[i];
    const side = y > frame.highY ? 1 : y < frame.lowY ? -1 : 0;
    if (!Number.isFinite(y)) {
      pen = "M";
      before = 0;
      return;
    }
    if (side * before < 0) pen = "M";
    path += `${pen}${pixel(across(frame, x))} ${pixel(down(frame, y))}`;
    pen = "L";
    before = side;
  });
  return path;
}

/**
 * The shape between the first curve and the line y = 0, from x = low to x = high, and the shape's area by Simpson's rule.
 * @param {Frame} frame @param {number} low @param {number} high @param {At} at
 */
function area(frame, low, high, at) {
  let total = 0;
  let edge = "";
  for (let i = 0; i <= STEPS; i++) {
    const x = low + ((high - low) * i) / STEPS;
    const [y] = Array.from(at(x));
    edge += `L${pixel(across(frame, x))} ${pixel(down(frame, y))}`;
    total += y * (i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2);
  }
  const size = (total * (high - low)) / (3 * STEPS);
  const zero = pixel(down(frame, 0));
  const shape = `M${pixel(across(frame, low))} ${zero}${edge}L${pixel(across(frame, high))} ${zero}Z`;
  return { shape: Number.isFinite(total) ? shape : "", size };
}

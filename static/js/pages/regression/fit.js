// Points with the line that is being fitted to them, and all changes to both, as pure functions from Fit to Fit.

/** @typedef {import("../../model/types.js").FitBeginning} FitBeginning */
/** @typedef {import("../../model/types.js").FitSetting} FitSetting */
/** @typedef {import("../../model/types.js").Fit} Fit */
/** @typedef {import("../../model/types.js").Line} Line */
/** @typedef {import("../../model/types.js").LossName} LossName */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Region} Region */

import { clamp, snap } from "../../model/numbers.js";

/** The area for points: x from, x to, y from, y to. @type {Region} */
export const AREA = [0, 20, 0, 14];
/** A dragged point is rounded to multiples of this. */
const GRID = 0.01;
const LARGEST_LINE = 1000;
const LARGEST_RATE = 10;
const THRESHOLDS = /** @type {const} */ ([0.05, 10]);
/** The surface always shows these ranges of slopes and intercepts. They contain the exact solution of every set of points. */
const SLOPES = /** @type {const} */ ([-0.5, 1.5]);
const INTERCEPTS = /** @type {const} */ ([-2, 8]);
const CENTRED_INTERCEPTS = /** @type {const} */ ([2.5, 12.5]);
/** If the surface must show more than the usual ranges, we add a margin. The margin is this share of the range. */
const MARGIN = 0.12;

/** @param {FitBeginning} beginning @returns {Fit} */
export function firstFit({ sets }) {
  const [name] = Object.keys(sets);
  const settings = /** @type {FitSetting} */ ({ loss: "squared", optimiser: "descent", rate: 0, threshold: 1, centred: false });
  return { set: name, points: sets[name], line: [0, 1], settings: { ...settings, rate: usualRate(settings) } };
}

/** Returns a step size that suits the method: on every set of points, the descent is fast and does not diverge.
 * @param {FitSetting} settings */
function usualRate({ optimiser, centred }) {
  if (optimiser === "adam") return 0.05;
  return centred ? 0.05 : 0.008;
}

/** @param {Fit} fit @param {FitBeginning} beginning @returns {number} the x at which the intercept is measured */
export function originOf({ settings }, { meanX }) {
  return settings.centred ? meanX : 0;
}

/** @param {Fit} fit @param {string} name @param {FitBeginning} beginning @returns {Fit} */
export function setData(fit, name, { sets }) {
  return Object.hasOwn(sets, name) ? { ...fit, set: name, points: sets[name] } : fit;
}

/** @param {Fit} fit @param {number} k @param {Point} to @returns {Fit} with point k there, or as near as the area allows */
export function movePoint(fit, k, to) {
  const [x, y] = inArea(to);
  const [oldX, oldY] = fit.points[k];
  if (x === oldX && y === oldY) return fit;
  return { ...fit, points: fit.points.map((point, i) => (i === k ? [x, y] : point)) };
}

/** @param {Fit} fit @param {Point} at @param {FitBeginning} beginning @returns {Fit} with one more point, the last */
export function addPoint(fit, at, { mostPoints }) {
  return fit.points.length < mostPoints ? { ...fit, points: [...fit.points, inArea(at)] } : fit;
}

/** @param {Fit} fit @param {number} k @returns {Fit} without point k; the last one stays */
export function removePoint(fit, k) {
  if (fit.points.length < 2 || k < 0 || k >= fit.points.length) return fit;
  return { ...fit, points: fit.points.filter((_, i) => i !== k) };
}

/** @param {Fit} fit @param {Line} line @returns {Fit} */
export function setLine(fit, line) {
  const [slope, intercept] = line.map((value) => clamp(value, -LARGEST_LINE, LARGEST_LINE));
  return slope === fit.line[0] && intercept === fit.line[1] ? fit : { ...fit, line: [slope, intercept] };
}

/** @param {Fit} fit @returns {boolean} whether the line has reached its limits, which means that the descent has diverged */
export function isLost({ line }) {
  return line.some((value) => Math.abs(value) >= LARGEST_LINE);
}

/** Changes settings, but does not move the line. The line's intercept is its height at the origin. So if the origin moves to
 * another x, the intercept changes. If the descent's method or the origin changes, the step size becomes the usual one for
 * these settings, unless `changes` contains a step size.
 * @param {Fit} fit @param {Partial<FitSetting>} changes @param {FitBeginning} beginning @returns {Fit} */
export function set(fit, changes, beginning) {
  const settings = { ...fit.settings, ...changes };
  const isOther = settings.optimiser !== fit.settings.optimiser || settings.centred !== fit.settings.centred;
  if (isOther && changes.rate === undefined) settings.rate = usualRate(settings);
  settings.rate = clamp(settings.rate, 0, LARGEST_RATE);
  settings.threshold = clamp(settings.threshold, ...THRESHOLDS);
  const next = { ...fit, settings };
  const [slope, intercept] = fit.line;
  const line = /** @type {Line} */ ([slope, intercept + slope * (originOf(next, beginning) - originOf(fit, beginning))]);
  return JSON.stringify(settings) === JSON.stringify(fit.settings) ? fit : { ...next, line };
}

/** @param {Fit} fit @param {Line | null} exact @returns {Region} the region of the surface: slope from, to, intercept from, to */
export function surfaceRegion({ line, settings }, exact) {
  const shown = exact === null ? [] : [exact];
  if (line.every((value) => Math.abs(value) < LARGEST_LINE / 10)) shown.push(line);
  return [
    ...reach(SLOPES, shown.map(([slope]) => slope)),
    ...reach(settings.centred ? CENTRED_INTERCEPTS : INTERCEPTS, shown.map(([, intercept]) => intercept)),
  ];
}

/** @param {readonly [number, number]} usual @param {readonly number[]} values @returns {[number, number]} contains all */
function reach([lo, hi], values) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return [least < lo ? least - MARGIN * (hi - least) : lo, most > hi ? most + MARGIN * (most - lo) : hi];
}

/** @param {Point} point @returns {Point} */
function inArea([x, y]) {
  const [x0, x1, y0, y1] = AREA;
  return [clamp(snap(x, GRID), x0, x1), clamp(snap(y, GRID), y0, y1)];
}

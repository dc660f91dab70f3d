// Points, the formula that is fitted to them, and all changes to both, as pure functions from document to document.

/** A data point. `sigma`: the standard deviation of y, or 0 if it is not known. `out`: true if the fit ignores the point.
 * @typedef {readonly [x: number, y: number, sigma: number, out: boolean]} Datum */
/** Numbers for some of the parameters. The keys are the names of the parameters.
 * @typedef {Readonly<Record<string, number>>} ByName */
/** A set of points that the visitor can choose. `text`: the formula to fit. `start`: start values of the parameters.
 * `certified` and `deviations`: the fitted parameters and their standard errors that NIST has published, for a set from NIST.
 * @typedef {{name: string, text: string, points: readonly (readonly [number, number])[], start: ByName, certified?: ByName, deviations?: ByName}} DataSet */
/**
 * The data that the page loads first. tools/fits.py makes them.
 * @typedef {object} Beginning
 * @property {readonly DataSet[]} sets all sets; the page begins with the first set
 * @property {Readonly<Record<string, string>>} forms the formulas that the visitor can choose, by name
 * @property {Readonly<Record<string, string>>} compiled the names of the files with compiled kernels, by formula; Python
 *   compiles any other formula
 * @property {readonly number[]} capacities for each solver size, the largest number of points, in ascending order
 * @property {number} mostParameters the largest number of parameters of a formula
 */
/**
 * The state that undo, redo and a link restore.
 * @typedef {object} Doc
 * @property {string} set the name of the set that the points come from
 * @property {string} text the formula
 * @property {readonly Datum[]} points
 * @property {ByName} start the known start values of parameters; the page searches for the other start values
 * @property {ByName} held the values of the fixed parameters, by name
 * @property {ByName} lower the lower bounds of parameters
 * @property {ByName} upper the upper bounds of parameters
 */

import { clamp, gridStep, snap } from "../../model/numbers.js";

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Region} Region */

/** The margin on each side of the data, as a share of the data's width. */
const MARGIN = 0.06;
export const LARGEST_NUMBER = 1e12;

/** @param {DataSet} set @returns {Doc} */
export function docOf({ name, text, points, start }) {
  return { set: name, text, points: points.map(([x, y]) => [x, y, 0, false]), start, held: {}, lower: {}, upper: {} };
}

/** @param {Doc} doc @param {Beginning} beginning @returns {DataSet | null} the document's set, if its points have not been
 * changed */
export function ownSet({ set, points }, { sets }) {
  const known = sets.find(({ name }) => name === set);
  const isSame = known?.points.length === points.length && points.every(([x, y, sigma], k) => x === known.points[k][0] && y === known.points[k][1] && sigma === 0);
  return isSame ? /** @type {DataSet} */ (known) : null;
}

/** Returns the smallest capacity that `count` points fit into. If no capacity is large enough, returns the largest capacity.
 * @param {number} count @param {Beginning} beginning */
export function capacityFor(count, { capacities }) {
  return capacities.find((capacity) => capacity >= count) ?? capacities[capacities.length - 1];
}

/** @param {Doc} doc @param {Beginning} beginning @returns {string} the spec of the kernels that a document needs */
export function specOf({ text, points }, beginning) {
  return `${capacityFor(points.length, beginning)} ${text}`;
}

/** @param {string} spec as `specOf` writes it @returns {{capacity: number, text: string}} */
export function readSpec(spec) {
  const at = spec.indexOf(" ");
  return { capacity: Number(spec.slice(0, at)), text: spec.slice(at + 1) };
}

/** @param {Beginning} beginning */
export function mostPoints({ capacities }) {
  return capacities[capacities.length - 1];
}

/** @param {Doc} doc @param {string} text @returns {Doc} with another formula. Its letters start again. */
export function setText(doc, text) {
  return text === doc.text ? doc : { ...doc, text, start: {}, held: {}, lower: {}, upper: {} };
}

/** Replaces the points of a document. The page then searches for new start parameters.
 * @param {Doc} doc @param {readonly Datum[]} points at least one point @param {string} set the name of the new points' set
 * @returns {Doc} */
export function setPoints(doc, points, set) {
  return { ...doc, points, set, start: {} };
}

/** @param {Doc} doc @param {number} k @param {Point} to @param {Region} region the picture's @returns {Doc} */
export function movePoint(doc, k, [x, y], [x0, x1, y0, y1]) {
  const placed = [clamp(snap(x, gridStep(x1 - x0)), x0, x1), clamp(snap(y, gridStep(y1 - y0)), y0, y1)];
  return change(doc, k, ([, , sigma, out]) => [placed[0], placed[1], sigma, out]);
}

/** @param {Doc} doc @param {number} k @param {(datum: Datum) => Datum} how @returns {Doc} */
export function change(doc, k, how) {
  if (k < 0 || k >= doc.points.length) return doc;
  const next = how(doc.points[k]);
  if (next.every((part, i) => part === doc.points[k][i])) return doc;
  return { ...doc, points: doc.points.map((datum, i) => (i === k ? next : datum)) };
}

/** @param {Doc} doc @param {Point} at @returns {Doc} with one more point, the last */
export function addPoint(doc, [x, y]) {
  return { ...doc, points: [...doc.points, [x, y, typicalSigma(doc), false]] };
}

/** Chooses a new point's standard deviation. If all points have one, returns the largest. Otherwise returns 0.
 * @param {Doc} doc */
function typicalSigma({ points }) {
  return points.every(([, , sigma]) => sigma > 0) ? Math.max(...points.map(([, , sigma]) => sigma)) : 0;
}

/** @param {Doc} doc @param {number} k @returns {Doc} without point k. The last point stays. */
export function removePoint(doc, k) {
  return doc.points.length < 2 ? doc : { ...doc, points: doc.points.filter((_, i) => i !== k) };
}

/** @param {Doc} doc @param {string} name @param {number | null} value null lets the parameter go @returns {Doc} */
export function hold(doc, name, value) {
  return { ...doc, held: changed(doc.held, name, value) };
}

/** @param {Doc} doc @param {"lower" | "upper"} side @param {string} name @param {number | null} value null removes the bound
 * @returns {Doc} */
export function bound(doc, side, name, value) {
  return { ...doc, [side]: changed(doc[side], name, value) };
}

/** @param {ByName} values @param {string} name @param {number | null} value @returns {ByName} */
function changed(values, name, value) {
  const rest = Object.entries(values).filter(([key]) => key !== name);
  return Object.fromEntries(value === null ? rest : [...rest, [name, value]]);
}

/** Returns true if the fit uses at least one point and all used points have a standard deviation. @param {Doc} doc */
export function hasSigmas({ points }) {
  return points.some(([, , , out]) => !out) && points.every(([, , sigma, out]) => out || sigma > 0);
}

/** @param {readonly Datum[]} points @returns {Region} a region that shows all of them */
export function regionOf(points) {
  const [x0, x1] = reach(points.map(([x]) => x));
  const [y0, y1] = reach(points.flatMap(([, y, sigma]) => [y - sigma, y + sigma]));
  return [x0, x1, y0, y1];
}

/** @param {readonly number[]} values @returns {[number, number]} */
function reach(values) {
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const width = most > least ? most - least : Math.abs(most) || 1;
  return [least - MARGIN * width, most + MARGIN * width];
}

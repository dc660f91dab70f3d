// All changes that you can make to a document, as pure functions from Doc to Doc.

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Shown} Shown */

import { isShown } from "./fragment.js";
import { clamp, gridStep, snap, tidy } from "./numbers.js";

/** The initial values of three fields. Presets do not contain these fields. */
export const PLAIN = /** @type {Pick<Doc, "heights" | "shown" | "saved">} */ ({
  heights: null,
  shown: { layout: "surface", slice: false, angle: 30, critical: false, descent: false, error: false, order: 2, band: false },
  saved: [],
});

/** The highest order of a Taylor polynomial (app/formulas/orders.py). */
export const HIGHEST_ORDER = 8;

/** A region is wider and higher than NARROWEST times the largest of its coordinates. It is less than WIDEST wide and high. */
const NARROWEST = 1e-9;
const WIDEST = 1e9;

/** @param {Region} region @param {Point} point @returns {Point} the nearest point of the region */
export function clampToRegion([x0, x1, y0, y1], [x, y]) {
  return [clamp(x, x0, x1), clamp(y, y0, y1)];
}

/** Moves the point. The coordinates are clamped to the region and rounded, so that the fields can show them.
 * @param {Doc} doc @param {Point} point @returns {Doc} */
export function movePoint(doc, point) {
  const [x0, x1, y0, y1] = doc.region;
  const snapped = /** @type {const} */ ([snap(point[0], gridStep(x1 - x0)), snap(point[1], gridStep(y1 - y0))]);
  const inside = clampToRegion(doc.region, snapped);
  return samePoint(inside, doc.point) ? doc : { ...doc, point: inside };
}

/** Puts the point exactly at `point`. If `point` is outside the region, moves the region so that it contains `point`.
 * @param {Doc} doc @param {Point} point @returns {Doc} */
export function placePoint(doc, point) {
  if (samePoint(point, doc.point)) return doc;
  const [x0, x1, y0, y1] = doc.region;
  const dx = point[0] - clamp(point[0], x0, x1);
  const dy = point[1] - clamp(point[1], y0, y1);
  const region = /** @type {const} */ ([x0 + dx, x1 + dx, y0 + dy, y1 + dy]);
  if (!(region[1] > region[0] && region[3] > region[2])) return doc;
  return { ...doc, point, region };
}

/** Scales the region by `factor`. The place `about` does not move in the picture.
 * @param {Doc} doc @param {number} factor below 1 zooms in @param {Point} about @returns {Doc} */
export function zoom(doc, factor, about = doc.point) {
  const [x, y] = about;
  const [x0, x1, y0, y1] = doc.region;
  const region = /** @type {const} */ ([
    x + (x0 - x) * factor,
    x + (x1 - x) * factor,
    y + (y0 - y) * factor,
    y + (y1 - y) * factor,
  ]);
  return setRegion(doc, region);
}

/** Shows another region. If the point is outside, it moves to the nearest place in the region. @param {Doc} doc
 * @param {Region} region
 * @returns {Doc} the same document if the region is empty, too narrow or too wide */
export function setRegion(doc, region) {
  const widths = [region[1] - region[0], region[3] - region[2]];
  const size = Math.max(...region.map(Math.abs), 1);
  if (!(Math.min(...widths) > NARROWEST * size && Math.max(...widths) < WIDEST)) return doc;
  if (region.every((end, k) => end === doc.region[k])) return doc;
  const point = clampToRegion(region, doc.point);
  return { ...doc, region, point: samePoint(point, doc.point) ? doc.point : point };
}

/** Moves the region. @param {Doc} doc @param {number} dx @param {number} dy @returns {Doc} */
export function pan(doc, dx, dy) {
  const [x0, x1, y0, y1] = doc.region;
  return setRegion(doc, [tidy(x0 + dx), tidy(x1 + dx), tidy(y0 + dy), tidy(y1 + dy)]);
}

/** @param {Doc} doc @param {import("./types.js").Heights | null} heights null if they follow the surface @returns {Doc} */
export function setHeights(doc, heights) {
  if (heights === doc.heights || (heights !== null && doc.heights?.every((end, k) => end === heights[k]))) return doc;
  return heights === null || heights[1] > heights[0] ? { ...doc, heights } : doc;
}

/** @param {Doc} doc @param {Partial<Shown>} changes @returns {Doc} */
export function setShown(doc, changes) {
  const shown = { ...doc.shown, ...changes };
  const names = /** @type {(keyof Shown)[]} */ (Object.keys(changes));
  return names.every((name) => shown[name] === doc.shown[name]) ? doc : { ...doc, shown };
}

/** @param {Doc} doc @param {number} order @returns {Doc} with the whole order from 1 to HIGHEST_ORDER that is nearest */
export function setOrder(doc, order) {
  return setShown(doc, { order: clamp(Math.round(order), 1, HIGHEST_ORDER) });
}

/** @param {number} angle in degrees @returns {number} the same direction, from −180 (not included) to 180 */
export function wholeTurn(angle) {
  return tidy(angle - 360 * Math.ceil((angle - 180) / 360));
}

/** @param {Doc} doc @param {string} name @param {number} value @returns {Doc} */
export function setParam(doc, name, value) {
  const params = doc.params.map((param) => {
    if (param.name !== name || param.value === value) return param;
    return { ...param, value, min: Math.min(param.min, value), max: Math.max(param.max, value) };
  });
  return params.every((param, i) => param === doc.params[i]) ? doc : { ...doc, params };
}

/** The slider of a new letter. */
const NEW_SLIDER = { value: 1, min: -5, max: 5, step: 0.1, own: true };
const MOST_SLIDERS = 20;

/** Adds a slider for each letter that has none. @param {Doc} doc @param {readonly string[]} letters @returns {Doc} */
export function addLetters(doc, letters) {
  const known = new Set(variableNames(doc));
  const added = letters.filter((name) => !known.has(name)).map((name) => ({ name, ...NEW_SLIDER }));
  return { ...doc, params: [...doc.params, ...added].slice(0, MOST_SLIDERS) };
}

/** Removes sliders that the page added for letters, if the formula does not use these letters any more.
 * @param {Doc} doc @param {readonly string[]} used @returns {Doc} */
export function dropUnused(doc, used) {
  const params = doc.params.filter(({ name, own }) => own !== true || used.includes(name));
  return params.length === doc.params.length ? doc : { ...doc, params };
}

/** Changes the range or the step of a slider. A value outside of the new range becomes the nearest end of the range.
 * @param {Doc} doc @param {string} name @param {"min" | "max" | "step"} field @param {number} value @returns {Doc} */
export function setSliderField(doc, name, field, value) {
  const params = doc.params.map((param) => {
    if (param.name !== name) return param;
    const next = { ...param, [field]: value };
    if (!(next.min < next.max && next.step > 0)) return param;
    return { ...next, value: clamp(next.value, next.min, next.max) };
  });
  return params.every((param, i) => param === doc.params[i]) ? doc : { ...doc, params };
}

export const LONGEST_NAME = 60;

/** Adds the document and the view to the end of the list of saved views. @param {Doc} doc
 * @param {import("./types.js").View} view
 * @param {string} name @returns {Doc} */
export function saveView(doc, view, name) {
  return { ...doc, saved: [...doc.saved, { name, doc: { ...doc, saved: [] }, view }] };
}

/** @param {Doc} doc @param {number} k @param {string} name @returns {Doc} the same document if the name cannot be shown */
export function renameView(doc, k, name) {
  const plain = name.trim().slice(0, LONGEST_NAME);
  if (plain === "" || !isShown(plain) || doc.saved[k]?.name === plain) return doc;
  return { ...doc, saved: doc.saved.map((saved, i) => (i === k ? { ...saved, name: plain } : saved)) };
}

/** @param {Doc} doc @param {number} k @param {number} by @returns {Doc} */
export function moveView(doc, k, by) {
  if (!(k + by >= 0 && k + by < doc.saved.length)) return doc;
  const saved = doc.saved.toSpliced(k, 1);
  return { ...doc, saved: saved.toSpliced(k + by, 0, doc.saved[k]) };
}

/** @param {Doc} doc @param {number} k @returns {Doc} */
export function removeView(doc, k) {
  return { ...doc, saved: doc.saved.toSpliced(k, 1) };
}

/** @param {Doc} doc @param {string} text @returns {Doc} */
export function setText(doc, text) {
  return text === doc.text ? doc : { ...doc, text };
}

/** @param {Doc} doc @returns {string[]} the variables a formula of this doc may use */
export function variableNames(doc) {
  return ["x", "y", ...doc.params.map((param) => param.name)];
}

/** @param {Point} a @param {Point} b */
function samePoint(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

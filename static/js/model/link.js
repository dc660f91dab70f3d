// Writes a document as the fragment of a link, and reads such a fragment. Anybody can make a link. So the reader returns either
// a valid document or a reason to refuse the link.

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Preset} Preset */
/** @typedef {"long" | "version" | "broken" | "formula" | "number" | "region" | "preset" | "saved"} Refusal */
/** @typedef {{doc: Doc, view: View | null}} Opened */

import { START_VIEW } from "./camera.js";
import { clampToRegion, HIGHEST_ORDER, LONGEST_NAME, PLAIN, wholeTurn } from "./doc.js";
import { isShown, numbersIn, readFields, resolved } from "./fragment.js";

const VERSION = "1";
/** The largest number of characters in a link's fragment. Links with many saved views almost reach this number. */
const LONGEST_FRAGMENT = 32_000;
const LONGEST_FORMULA = 2000;
const LARGEST_NUMBER = 1e12;
const KEYS = ["v", "preset", "f", "at", "region", "heights", "params", "sliders", "show", "angle", "order", "view", "saved"];
/** The words of the field `show`. */
const LAYOUTS = /** @type {const} */ (["map", "both"]);
const PARTS = /** @type {const} */ (["slice", "critical", "descent", "error", "band"]);
const MOST_SAVED = 40;
const NO_PRESET = /** @type {Preset} */ (/** @type {unknown} */ ({ id: "", doc: { ...PLAIN, text: "", params: [] } }));
const LETTER = /^\p{L}[\p{L}\d_]{0,19}$/u;
const MOST_SLIDERS = 20;

/** @param {Doc} doc @param {View} view @param {readonly Preset[]} presets @returns {string} the fragment, without the # */
export function encode(doc, view, presets) {
  const own = written([["v", VERSION], ...fieldsOf(doc, view, presets)]);
  if (doc.saved.length === 0) return own;
  // Each saved view is written as its name and its fragment. The marks ; and : are escaped inside of both.
  const views = doc.saved.map(({ name, doc: of, view: from }) => `${encodeURIComponent(name)}:${written(fieldsOf(of, from, presets))}`);
  return `${own}&${writtenViews(views.join(";"))}`;
}

/** True if a document's saved views fit into a link. @param {Doc} doc @returns {boolean} */
export function canSave(doc) {
  // Any preset will do, because another one can only make the link longer.
  return doc.saved.length <= MOST_SAVED && encode(doc, START_VIEW, [NO_PRESET]).length <= LONGEST_FRAGMENT;
}

/** @param {readonly string[][]} fields @returns {string} */
function written(fields) {
  return fields.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&");
}

/** @param {string} views @returns {string} the field with the fewest escapes */
function writtenViews(views) {
  return `saved=${encodeURIComponent(views).replaceAll(/%(?:2C|3A|3B|3D)/g, decodeURIComponent)}`;
}

/** @param {Doc} doc @param {View} view @param {readonly Preset[]} presets @returns {string[][]} */
function fieldsOf(doc, view, presets) {
  const preset = presets.find(({ id }) => id === doc.presetId) ?? presets[0];
  const fields = [["preset", doc.presetId]];
  if (doc.text !== preset.doc.text) fields.push(["f", doc.text]);
  fields.push(["at", doc.point.join(",")], ["region", doc.region.map(short).join(",")]);
  if (doc.heights !== null) fields.push(["heights", doc.heights.map(short).join(",")]);
  const { params } = preset.doc;
  const ofPreset = doc.params.filter(({ own }) => own !== true);
  if (ofPreset.length > 0) fields.push(["params", ofPreset.map((param) => param.value).join(",")]);
  // A slider that the preset does not have, or whose range or step was changed.
  const others = doc.params.filter((param) => param.own === true || !params.some((like) => hasRangeOf(param, like)));
  if (others.length > 0) fields.push(["sliders", others.map(({ name, value, min, max, step }) => [name, value, min, max, step].join(",")).join(",")]);
  const { shown } = doc;
  const words = [...LAYOUTS.filter((layout) => layout === shown.layout), ...PARTS.filter((part) => shown[part])];
  if (words.length > 0) fields.push(["show", words.join(",")]);
  if (shown.angle !== PLAIN.shown.angle) fields.push(["angle", String(shown.angle)]);
  if (shown.order !== PLAIN.shown.order) fields.push(["order", String(shown.order)]);
  fields.push(["view", [view.yaw, view.pitch].map((angle) => Number(angle.toFixed(3))).join(",")]);
  return fields;
}

/** @param {string} fragment without the # @param {readonly Preset[]} presets
 * @returns {Opened | {refused: Refusal}} */
export function decode(fragment, presets) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const opened = openedFrom(read.fields, presets);
  const views = read.fields.get("saved");
  if ("refused" in opened || views === undefined) return opened;
  const saved = savedFrom(views, presets);
  return "refused" in saved ? saved : { ...opened, doc: { ...opened.doc, saved: saved.views } };
}

/** @param {string} text @param {readonly Preset[]} presets
 * @returns {{views: import("./types.js").Saved[]} | {refused: Refusal}} */
function savedFrom(text, presets) {
  /** @type {import("./types.js").Saved[]} */
  const views = [];
  const parts = text.split(";");
  if (parts.length > MOST_SAVED) return { refused: "saved" };
  for (const part of parts) {
    const [escaped, fragment, ...rest] = part.split(":");
    const name = resolved(escaped);
    if (name === null || fragment === undefined || rest.length > 0) return { refused: "broken" };
    const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS.filter((key) => key !== "saved") });
    if ("refused" in read) return read;
    const opened = openedFrom(read.fields, presets);
    if ("refused" in opened) return opened;
    if (name.length > LONGEST_NAME || !isShown(name)) return { refused: "saved" };
    views.push({ name, doc: opened.doc, view: opened.view ?? START_VIEW });
  }
  return { views };
}

/** @param {Map<string, string>} fields @param {readonly Preset[]} presets @returns {Opened | {refused: Refusal}} */
function openedFrom(fields, presets) {
  const id = fields.get("preset") ?? presets[0].id;
  const preset = presets.find((candidate) => candidate.id === id);
  if (preset === undefined) return { refused: "preset" };
  const text = fields.get("f") ?? preset.doc.text;
  if (text.length > LONGEST_FORMULA || !isShown(text.replaceAll("\n", ""))) return { refused: "formula" };

  const region = numbers(fields.get("region"), 4) ?? preset.doc.region;
  const at = numbers(fields.get("at"), 2) ?? preset.doc.point;
  const { params } = preset.doc;
  const values = numbers(fields.get("params"), params.length) ?? params.map((param) => param.value);
  const angles = numbers(fields.get("view"), 2);
  const heights = numbers(fields.get("heights"), 2);
  const angle = numbers(fields.get("angle"), 1) ?? [PLAIN.shown.angle];
  const order = numbers(fields.get("order"), 1) ?? [PLAIN.shown.order];
  if (heights === "bad" || angle === "bad" || order === "bad" || !isOrder(order[0])) return { refused: "number" };
  if (heights !== null && !wide(heights[0], heights[1])) return { refused: "region" };
  const shown = shownFrom(fields.get("show"), wholeTurn(angle[0]), order[0]);
  if (shown === null) return { refused: "broken" };
  if (region === "bad" || at === "bad" || values === "bad" || angles === "bad") return { refused: "number" };
  const [x0, x1, y0, y1] = region;
  if (!(wide(x0, x1) && wide(y0, y1))) return { refused: "region" };

  const sliders = slidersOf(fields.get("sliders"));
  if (sliders === null) return { refused: "number" };
  const ofPreset = params.map((param, i) => ({
    ...param,
    value: values[i],
    min: Math.min(param.min, values[i]),
    max: Math.max(param.max, values[i]),
    ...sliders.find(({ name }) => name === param.name),
  }));
  const own = sliders.filter(({ name }) => !params.some((param) => param.name === name)).map((slider) => ({ ...slider, own: true }));

  const doc = {
    ...PLAIN,
    presetId: preset.id,
    text,
    params: [...ofPreset, ...own],
    region: /** @type {const} */ ([x0, x1, y0, y1]),
    heights: heights === null ? null : /** @type {const} */ ([heights[0], heights[1]]),
    point: clampToRegion([x0, x1, y0, y1], [at[0], at[1]]),
    shown,
  };
  return { doc, view: angles === null ? null : { yaw: angles[0], pitch: angles[1] } };
}

/** @param {number} order */
function isOrder(order) {
  return Number.isInteger(order) && order >= 1 && order <= HIGHEST_ORDER;
}

/** @param {string | undefined} text words @param {number} angle @param {number} order
 * @returns {import("./types.js").Shown | null} null if it has another word */
function shownFrom(text, angle, order) {
  const words = text === undefined ? [] : text.split(",");
  const layout = LAYOUTS.find((name) => words.includes(name)) ?? "surface";
  if (!words.every((word) => word === layout || PARTS.some((part) => part === word))) return null;
  const parts = Object.fromEntries(PARTS.map((part) => [part, words.includes(part)]));
  return { ...PLAIN.shown, ...parts, layout, angle, order };
}

/** @param {import("./types.js").Param} param @param {import("./types.js").Param} like */
function hasRangeOf({ name, value, min, max, step }, like) {
  return name === like.name && step === like.step && min === Math.min(like.min, value) && max === Math.max(like.max, value);
}

/** @param {string | undefined} text name, value, from, to and step of each slider
 * @returns {import("./types.js").Param[] | null} null if it cannot be read */
function slidersOf(text) {
  if (text === undefined) return [];
  const parts = text.split(",");
  /** @type {import("./types.js").Param[]} */
  const sliders = [];
  for (let at = 0; at < parts.length; at += 5) {
    const name = parts[at];
    const read = numbers(parts.slice(at + 1, at + 5).join(","), 4);
    if (read === null || read === "bad" || !LETTER.test(name) || ["x", "y"].includes(name)) return null;
    const [value, min, max, step] = read;
    if (!(min < max && step > 0 && min <= value && value <= max) || sliders.some((slider) => slider.name === name)) return null;
    sliders.push({ name, value, min, max, step });
  }
  return sliders.length <= MOST_SLIDERS ? sliders : null;
}

/** @param {string | undefined} text @param {number} count @returns {number[] | null | "bad"} null if absent */
function numbers(text, count) {
  if (text === undefined) return null;
  const parsed = numbersIn(text);
  const usable = parsed.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER);
  return usable && parsed.length === count ? parsed : "bad";
}

/** @param {number} lo @param {number} hi */
function wide(lo, hi) {
  return hi - lo > 1e-9 * Math.max(1, Math.abs(lo), Math.abs(hi));
}

/** @param {number} value */
function short(value) {
  return Number(value.toPrecision(12));
}

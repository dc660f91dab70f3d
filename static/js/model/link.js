// Writes a document as the fragment of a URL and reads it back. Reading any fragment gives a valid document or a reason to
// refuse it.

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Preset} Preset */
/** @typedef {"long" | "version" | "broken" | "formula" | "number" | "region" | "preset"} Refusal */

import { clampToRegion } from "./doc.js";
import { isShown, numbersIn, readFields } from "./fragment.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 8000;
const LONGEST_FORMULA = 2000;
const LARGEST_NUMBER = 1e12;
const KEYS = ["v", "preset", "f", "at", "region", "params", "sliders", "view"];
const LETTER = /^\p{L}[\p{L}\d_]{0,19}$/u;
const MOST_SLIDERS = 20;

/** @param {Doc} doc @param {View} view @param {Preset} preset of the doc @returns {string} without the # */
export function encode(doc, view, preset) {
  const fields = [["v", VERSION], ["preset", doc.presetId]];
  if (doc.text !== preset.doc.text) fields.push(["f", doc.text]);
  fields.push(["at", doc.point.join(",")], ["region", doc.region.map(short).join(",")]);
  const { params } = preset.doc;
  const ofPreset = doc.params.filter(({ own }) => own !== true);
  if (ofPreset.length > 0) fields.push(["params", ofPreset.map((param) => param.value).join(",")]);
  // A slider that the preset does not have, or whose range or step was changed.
  const others = doc.params.filter((param) => param.own === true || !params.some((like) => hasRangeOf(param, like)));
  if (others.length > 0) fields.push(["sliders", others.map(({ name, value, min, max, step }) => [name, value, min, max, step].join(",")).join(",")]);
  fields.push(["view", [view.yaw, view.pitch].map((angle) => Number(angle.toFixed(3))).join(",")]);
  return fields.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&");
}

/** @param {string} fragment without the # @param {readonly Preset[]} presets
 * @returns {{doc: Doc, view: View | null} | {refused: Refusal}} */
export function decode(fragment, presets) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const id = fields.get("preset") ?? presets[0].id;
  const preset = presets.find((candidate) => candidate.id === id);
  if (preset === undefined) return { refused: "preset" };
  const text = fields.get("f") ?? preset.doc.text;
  if (text.length > LONGEST_FORMULA || !isShown(text)) return { refused: "formula" };

  const region = numbers(fields.get("region"), 4) ?? preset.doc.region;
  const at = numbers(fields.get("at"), 2) ?? preset.doc.point;
  const { params } = preset.doc;
  const values = numbers(fields.get("params"), params.length) ?? params.map((param) => param.value);
  const angles = numbers(fields.get("view"), 2);
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
    presetId: preset.id,
    text,
    params: [...ofPreset, ...own],
    region: /** @type {const} */ ([x0, x1, y0, y1]),
    point: clampToRegion([x0, x1, y0, y1], [at[0], at[1]]),
  };
  return { doc, view: angles === null ? null : { yaw: angles[0], pitch: angles[1] } };
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

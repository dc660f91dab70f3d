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
const KEYS = ["v", "preset", "f", "at", "region", "params", "view"];

/** @param {Doc} doc @param {View} view @param {Preset} preset of the doc @returns {string} without the # */
export function encode(doc, view, preset) {
  const fields = [["v", VERSION], ["preset", doc.presetId]];
  if (doc.text !== preset.doc.text) fields.push(["f", doc.text]);
  fields.push(["at", doc.point.join(",")], ["region", doc.region.map(short).join(",")]);
  if (doc.params.length > 0) fields.push(["params", doc.params.map((param) => param.value).join(",")]);
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

  const doc = {
    presetId: preset.id,
    text,
    params: params.map((param, i) => ({
      ...param,
      value: values[i],
      min: Math.min(param.min, values[i]),
      max: Math.max(param.max, values[i]),
    })),
    region: /** @type {const} */ ([x0, x1, y0, y1]),
    point: clampToRegion([x0, x1, y0, y1], [at[0], at[1]]),
  };
  return { doc, view: angles === null ? null : { yaw: angles[0], pitch: angles[1] } };
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

// Writes a tape at one moment as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So the
// reader returns either a document or the reason why it refuses the link.

/** @typedef {import("./steps.js").TapeDoc} TapeDoc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {"long" | "version" | "broken" | "formula" | "number" | "preset"} Refusal */

import { isShown, nameOr, numbersOr, readFields } from "../../model/fragment.js";
import { MODES } from "./steps.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 8000;
const LONGEST_FORMULA = 2000;
const LARGEST_NUMBER = 1e12;
const MOST_STEPS = 1000;
const KEYS = ["v", "preset", "f", "at", "to", "mode", "step"];

/** @param {TapeDoc} doc @param {number} step @returns {string} the fragment, without the # */
export function encodeTape({ presetId, text, point, direction, mode }, step) {
  const fields = [VERSION, presetId, encodeURIComponent(text), point.join(","), direction.join(","), mode, step];
  return KEYS.map((key, k) => `${key}=${fields[k]}`).join("&");
}

/** @param {string} fragment without the # @param {readonly TapeDoc[]} presets
 * @returns {{doc: TapeDoc, step: number} | {refused: Refusal}} */
export function decodeTape(fragment, presets) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const id = fields.get("preset") ?? presets[0].presetId;
  const preset = presets.find(({ presetId }) => presetId === id);
  if (preset === undefined) return { refused: "preset" };
  const text = fields.get("f") ?? preset.text;
  if (text === "" || text.length > LONGEST_FORMULA || !isShown(text)) return { refused: "formula" };
  const [point, direction] = [pair(numbersOr(fields, "at", preset.point)), pair(numbersOr(fields, "to", preset.direction))];
  const [step, ...more] = numbersOr(fields, "step", [MOST_STEPS]);
  if (point === null || direction === null || more.length > 0 || !Number.isInteger(step) || step < 0 || step > MOST_STEPS) return { refused: "number" };
  const mode = nameOr(fields, "mode", MODES, preset.mode);
  return mode === undefined ? { refused: "broken" } : { doc: { presetId: preset.presetId, text, point, direction, mode }, step };
}

/** @param {readonly number[]} numbers @returns {Point | null} */
function pair(numbers) {
  const isUsable = numbers.length === 2 && numbers.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER);
  return isUsable ? [numbers[0], numbers[1]] : null;
}

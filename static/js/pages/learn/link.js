// Writes a lesson as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So the reader returns
// either a lesson or the reason why it refuses the link. The weights are not in the link, because training from the seed gives
// the same weights again.

/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {"long" | "version" | "broken" | "number" | "lesson"} Refusal */

import { nameOr, numbersOr, readFields } from "../../model/fragment.js";
import { BATCHES, TEXT, addPoint, adjust, isRecurrent, mostUnits, readLine, setData, setsOf, taskOf } from "./lesson.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 6000;
const LARGEST_NUMBER = 1e6;
const KEYS = ["v", "set", "layers", "unit", "by", "rate", "batch", "l2", "noise", "seed", "points", "line"];

/** @param {Lesson} lesson @returns {string} the fragment, without the # */
export function encodeLesson({ set, hidden, activation, optimiser, rate, batch, l2, noise, seed, own, line }) {
  const fields = [VERSION, set, hidden.length === 0 ? 0 : hidden, activation, optimiser, rate, batch, l2, noise, seed];
  const parts = fields.map((field, k) => `${KEYS[k]}=${[field].flat().join(",")}`);
  if (own.length > 0) parts.push(`points=${own.flat().join(",")}`);
  if (set === TEXT) parts.push(`line=${encodeURIComponent(line)}`);
  return parts.join("&");
}

/** @param {string} fragment without the # @param {LessonBeginning} beginning @param {Lesson} first
 * @returns {{lesson: Lesson} | {refused: Refusal}} */
export function decodeLesson(fragment, beginning, first) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const set = nameOr(fields, "set", setsOf(beginning), first.set);
  if (set === undefined) return { refused: "lesson" };
  const base = setData(first, set); // a link that leaves out the layers gets those that suit its data
  const layers = numbersOr(fields, "layers", base.hidden);
  const places = fields.has("points") ? numbersOr(fields, "points", []) : [];
  const single = /** @type {const} */ (["rate", "batch", "l2", "noise", "seed"]).map((key) => numbersOr(fields, key, [base[key]]));
  const isUsable = (/** @type {number} */ value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER;
  if (![...layers, ...places, ...single.flat()].every(isUsable)) return { refused: "number" };
  if (single.some((numbers) => numbers.length !== 1) || places.length % 3 !== 0) return { refused: "lesson" };
  const activation = nameOr(fields, "unit", beginning.activations, first.activation);
  const optimiser = nameOr(fields, "by", beginning.optimisers, first.optimiser);
  const [[rate], [batch], [l2], [noise], [seed]] = single;
  const isBatch = BATCHES.some((known) => known === batch);
  const line = readLine(fields.get("line") ?? first.line, beginning);
  if (activation === undefined || optimiser === undefined || !isBatch || line === null) return { refused: "lesson" };
  const hidden = layers.length === 1 && layers[0] === 0 ? [] : layers;
  /** @type {Lesson} */
  let lesson = { ...base, hidden, activation, optimiser, batch, line, own: [] };
  if (!fitsLayers(lesson, beginning)) return { refused: "lesson" };
  lesson = adjust(lesson, { rate, l2, noise, seed });
  for (let k = 0; k < places.length; k += 3) {
    const [x, y, label] = places.slice(k, k + 3);
    if (label !== 0 && label !== 1) return { refused: "lesson" };
    lesson = addPoint(lesson, [x, y, label], beginning);
  }
  return { lesson };
}

/** @param {Lesson} lesson @param {LessonBeginning} beginning @returns {boolean} whether its network can be made */
function fitsLayers(lesson, beginning) {
  const { hidden } = lesson;
  const most = mostUnits(lesson, beginning);
  if (isRecurrent(taskOf(lesson)) && hidden.length !== 1) return false;
  return hidden.length <= beginning.mostLayers && hidden.every((units) => Number.isInteger(units) && units >= 1 && units <= most);
}

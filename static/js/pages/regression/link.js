// Writes points and their line as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So the
// reader returns either a fit or the reason why it refuses the link.

/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {"long" | "version" | "broken" | "number" | "fit"} Refusal */

import { nameOr, numbersOr, readFields } from "../../model/fragment.js";
import { OPTIMISERS } from "../../model/optimisers.js";
import { addPoint, set, setLine } from "./fit.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 4000;
const LARGEST_NUMBER = 1e6;
const KEYS = ["v", "set", "points", "line", "loss", "threshold", "centred", "by", "rate"];

/** @param {Fit} fit @returns {string} the fragment, without the # */
export function encodeFit({ set: name, points, line, settings: { loss, threshold, centred, optimiser, rate } }) {
  const fields = [VERSION, name, points.flat().map(short), line.map(short), loss, threshold, Number(centred), optimiser, rate];
  return KEYS.map((key, k) => `${key}=${[fields[k]].flat().join(",")}`).join("&");
}

/** @param {string} fragment without the # @param {FitBeginning} beginning @param {Fit} first
 * @returns {{fit: Fit} | {refused: Refusal}} */
export function decodeFit(fragment, beginning, first) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const { settings } = first;
  const name = nameOr(fields, "set", Object.keys(beginning.sets), first.set);
  const places = numbersOr(fields, "points", beginning.sets[name ?? first.set].flat());
  const line = numbersOr(fields, "line", first.line);
  const rest = [
    ...numbersOr(fields, "threshold", [settings.threshold]),
    ...numbersOr(fields, "centred", [Number(settings.centred)]),
    ...numbersOr(fields, "rate", []), // the method's usual rate
  ];
  const isUsable = (/** @type {number} */ value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER;
  if (![...places, ...line, ...rest].every(isUsable)) return { refused: "number" };
  const loss = nameOr(fields, "loss", beginning.losses, settings.loss);
  const optimiser = nameOr(fields, "by", OPTIMISERS, settings.optimiser);
  const count = places.length / 2;
  const fits = Number.isInteger(count) && count >= 1 && count <= beginning.mostPoints && line.length === 2 && rest.length === (fields.has("rate") ? 3 : 2);
  if (!fits || name === undefined || loss === undefined || optimiser === undefined) return { refused: "fit" };

  const [threshold, centred, rate] = rest;
  /** @type {Fit} */
  let fit = { ...first, set: name, points: [] };
  for (let k = 0; k < count; k++) fit = addPoint(fit, [places[2 * k], places[2 * k + 1]], beginning);
  const changes = { loss, optimiser, threshold, centred: centred !== 0 };
  fit = set(fit, rate === undefined ? changes : { ...changes, rate }, beginning);
  return { fit: setLine(fit, [line[0], line[1]]) };
}

/** @param {number} value */
function short(value) {
  return Number(value.toPrecision(12));
}

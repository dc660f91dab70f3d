// Writes points and their formula as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So
// the reader returns either a document or the reason why it refuses the link.

/** @typedef {import("./doc.js").Beginning} Beginning */
/** @typedef {import("./doc.js").ByName} ByName */
/** @typedef {import("./doc.js").Datum} Datum */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {"long" | "version" | "broken" | "number" | "formula" | "points"} Refusal */

import { isShown, numbersIn, numbersOr, readFields } from "../../model/fragment.js";
import { LARGEST_NUMBER, docOf, mostPoints, ownSet } from "./doc.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 16_000;
const LONGEST_FORMULA = 2000;
const KEYS = ["v", "set", "f", "points", "sigma", "out", "at", "held", "from", "to"];
/** In a link, this name of a data set means that the points are the visitor's own. */
const OWN = "own";
const LETTER = /^[\p{L}][\p{L}\p{N}_]{0,11}$/u;

/** Writes a document into the fragment of a link (the part after #). `isWhole`: false if the link leaves out the points because
 * there are too many.
 * @param {Doc} doc @param {ByName} at the fitted parameters @param {Beginning} beginning @returns {{fragment: string, isWhole: boolean}} */
export function encodeFit(doc, at, beginning) {
  const { set, text, points, held, lower, upper } = doc;
  const isOwn = ownSet(doc, beginning) !== null;
  const hasSigma = points.some(([, , sigma]) => sigma > 0);
  const out = points.flatMap(([, , , left], k) => (left ? [k] : []));
  const data = isOwn ? [] : [["points", points.flatMap(([x, y]) => [short(x), short(y)])], ...(hasSigma ? [["sigma", points.map(([, , sigma]) => short(sigma))]] : [])];
  const rest = /** @type {[string, unknown][]} */ ([["at", listed(at)], ["held", listed(held)], ["from", listed(lower)], ["to", listed(upper)]]);
  const head = /** @type {[string, unknown][]} */ ([["v", VERSION], ["set", isOwn ? set : OWN], ["f", encodeURIComponent(text)]]);
  const written = (/** @type {unknown[][]} */ fields) =>
    fields.filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)).map(([key, value]) => `${key}=${[value].flat().join(",")}`).join("&");
  const whole = written([...head, ...data, ["out", out], ...rest]);
  return whole.length <= LONGEST_FRAGMENT ? { fragment: whole, isWhole: true } : { fragment: written([...head, ...rest]), isWhole: false };
}

/** A number that is too large for a link is left out. @param {ByName} values */
function listed(values) {
  return Object.entries(values).filter(([, value]) => Math.abs(value) <= LARGEST_NUMBER).flatMap(([name, value]) => [encodeURIComponent(name), value]);
}

/** @param {string} fragment without the # @param {Beginning} beginning @returns {{doc: Doc} | {refused: Refusal}} */
export function decodeFit(fragment, beginning) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const name = fields.get("set") ?? beginning.sets[0].name;
  const known = beginning.sets.find((set) => set.name === name);
  if (known === undefined && !fields.has("points")) return { refused: "points" };
  const of = docOf(known ?? beginning.sets[0]);
  const text = fields.get("f") ?? of.text;
  if (text.trim() === "" || text.length > LONGEST_FORMULA || !isShown(text)) return { refused: "formula" };

  const flat = numbersOr(fields, "points", of.points.flatMap(([x, y]) => [x, y]));
  const count = flat.length / 2;
  const sigmas = numbersOr(fields, "sigma", Array(Math.max(0, Math.floor(count))).fill(0));
  const out = numbersOr(fields, "out", []);
  const isUsable = (/** @type {number} */ value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER;
  if (![...flat, ...sigmas, ...out].every(isUsable)) return { refused: "number" };
  const isRight = Number.isInteger(count) && count >= 1 && count <= mostPoints(beginning) && sigmas.length === count && sigmas.every((sigma) => sigma >= 0) && out.length < count;
  if (!isRight) return { refused: "points" };

  const [at, held, lower, upper] = ["at", "held", "from", "to"].map((key) => valuesOf(fields.get(key)));
  if (at === null || held === null || lower === null || upper === null) return { refused: "number" };
  const left = new Set(out);
  const points = Array.from({ length: count }, (_, k) => /** @type {Datum} */ ([flat[2 * k], flat[2 * k + 1], sigmas[k], left.has(k)]));
  const start = fields.has("at") || text !== of.text || fields.has("points") ? at : of.start;
  return { doc: { set: known?.name ?? OWN, text, points, start, held, lower, upper } };
}

/** @param {string | undefined} text names and their numbers @returns {ByName | null} null if it cannot be read */
function valuesOf(text) {
  if (text === undefined) return {};
  const parts = text.split(",");
  /** @type {Map<string, number>} */
  const values = new Map();
  for (let k = 0; k < parts.length; k += 2) {
    const [value] = numbersIn(parts[k + 1]);
    if (!LETTER.test(parts[k]) || values.has(parts[k]) || !(Math.abs(value) <= LARGEST_NUMBER)) return null;
    values.set(parts[k], value);
  }
  return Object.fromEntries(values);
}

/** @param {number} value */
function short(value) {
  return Number(value.toPrecision(12));
}

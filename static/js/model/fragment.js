// The fragment of a link, as all pages write it: `v=1&key=value&…`. Somebody who writes one by hand may leave out any field,
// also the version; the page has a value for it. A link may come from anyone, so whatever was not written like that is
// refused, by a name that the page has a sentence for.

/** @typedef {"long" | "version" | "broken"} Refusal */

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/;
/** Control characters, half characters, line and paragraph separators, and characters that do not show or that turn the way
 * text reads. The four at the end are Hangul fillers: letters to Unicode, and blank. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** @param {string} fragment without the # @param {{longest: number, version: string, keys: readonly string[]}} format
 * @returns {{fields: Map<string, string>} | {refused: Refusal}} values with their %-codes resolved */
export function readFields(fragment, { longest, version, keys }) {
  if (fragment.length > longest) return { refused: "long" };
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const part of fragment.split("&")) {
    const at = part.indexOf("=");
    const key = part.slice(0, Math.max(0, at));
    const value = resolved(part.slice(at + 1));
    if (key === "" || value === null || fields.has(key)) return { refused: "broken" };
    fields.set(key, value);
  }
  // Another version may have other keys.
  if (fields.has("v") && fields.get("v") !== version) return { refused: "version" };
  return [...fields.keys()].every((key) => keys.includes(key)) ? { fields } : { refused: "broken" };
}

/** @param {string | undefined} text with commas @returns {number[]} NaN for what is no number as we write them */
export function numbersIn(text = "") {
  return text.split(",").map((part) => (NUMBER.test(part) ? Number(part) : NaN));
}

/** The numbers of a field, or those that stand for it where it is absent.
 * @param {Map<string, string>} fields @param {string} key @param {readonly number[]} absent @returns {readonly number[]} */
export function numbersOr(fields, key, absent) {
  return fields.has(key) ? numbersIn(fields.get(key)) : absent;
}

/** One of several names that a field may say, or the one that stands for it where it is absent.
 * @template {string} N @param {Map<string, string>} fields @param {string} key @param {readonly N[]} names @param {N} absent
 * @returns {N | undefined} undefined for another name */
export function nameOr(fields, key, names, absent) {
  return fields.has(key) ? names.find((name) => name === fields.get(key)) : absent;
}

/** @param {string} text @returns {boolean} whether a person sees all of it, as one line */
export function isShown(text) {
  return !UNSHOWN.test(text);
}

/** @param {string} text @returns {string | null} null if it has a % that means nothing */
function resolved(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

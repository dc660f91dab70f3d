// The fragment of a link, in the form that all pages write: `v=1&key=value&…`. A link written by hand may leave out any field,
// even the version, and the page then uses its own value. Anybody can make a link, so a fragment in any other form is refused.
// The refusal is a name for which the page has a sentence.

/** @typedef {"long" | "version" | "broken"} Refusal */

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/;
/** Characters that are invisible or change the direction of text: control and format characters, unpaired surrogates, line and
 * paragraph separators. The last four are Hangul fillers, which Unicode counts as letters and fonts show as blanks. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** @param {string} fragment without the # @param {{longest: number, version: string, keys: readonly string[]}} format
 * @returns {{fields: Map<string, string>} | {refused: Refusal}} values with %-codes decoded */
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
  // A link of another version may have other keys, so the version is checked first.
  if (fields.has("v") && fields.get("v") !== version) return { refused: "version" };
  return [...fields.keys()].every((key) => keys.includes(key)) ? { fields } : { refused: "broken" };
}

/** @param {string | undefined} text with commas @returns {number[]} NaN for each part that is not written like our numbers */
export function numbersIn(text = "") {
  return text.split(",").map((part) => (NUMBER.test(part) ? Number(part) : NaN));
}

/** The numbers of a field, or `absent` if the field is missing.
 * @param {Map<string, string>} fields @param {string} key @param {readonly number[]} absent @returns {readonly number[]} */
export function numbersOr(fields, key, absent) {
  return fields.has(key) ? numbersIn(fields.get(key)) : absent;
}

/** The name that a field holds, one of `names`, or `absent` if the field is missing.
 * @template {string} N @param {Map<string, string>} fields @param {string} key @param {readonly N[]} names @param {N} absent
 * @returns {N | undefined} undefined if the field holds another name */
export function nameOr(fields, key, names, absent) {
  return fields.has(key) ? names.find((name) => name === fields.get(key)) : absent;
}

/** @param {string} text @returns {boolean} whether all of the text is visible, on one line */
export function isShown(text) {
  return !UNSHOWN.test(text);
}

/** True if a text holds only what a program may contain: tabs, line ends, and the joiners that some scripts need, but no other
 * invisible characters. @param {string} text */
export function isProgram(text) {
  return isShown(text.replaceAll(/[\n\t\u200c\u200d]/g, ""));
}

/** @param {string} text @returns {string | null} null if a % does not begin a valid code */
export function resolved(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

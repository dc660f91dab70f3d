// The fragment of a link, in the form that all pages write: `v=1&key=value&…`. A link written by hand may leave out any field,
// even the version, and the page then uses its own value. Anybody can make a link, so a fragment in any other form is refused.
// The refusal is a name for which the page has a sentence.

/** @typedef {"long" | "version" | "broken"} Refusal */

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/;
/** Matches characters that are invisible or change the direction of text: control and format characters, unpaired surrogates,
 * and separators of lines and paragraphs. The last four are Hangul fillers. Unicode calls them letters, but they look like
 * blanks. */
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

/** Reads the numbers of a link's field. Returns `absent` if the link does not have the field.
 * @param {Map<string, string>} fields @param {string} key @param {readonly number[]} absent @returns {readonly number[]} */
export function numbersOr(fields, key, absent) {
  return fields.has(key) ? numbersIn(fields.get(key)) : absent;
}

/** Reads a link's field. Its value must be one of `names`. Returns `absent` if the link does not have the field.
 * @template {string} N @param {Map<string, string>} fields @param {string} key @param {readonly N[]} names @param {N} absent
 * @returns {N | undefined} undefined if the field is none of the names */
export function nameOr(fields, key, names, absent) {
  return fields.has(key) ? names.find((name) => name === fields.get(key)) : absent;
}

/** @param {string} text @returns {boolean} whether all of the text is visible, on one line */
export function isShown(text) {
  return !UNSHOWN.test(text);
}

/** True if a text may be a program. It may contain tabs, line ends and the joiners of some scripts, but no other invisible
 * characters.
 * @param {string} text */
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

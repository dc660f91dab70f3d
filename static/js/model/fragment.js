// Reads the fragment of a link. All pages write it in the form `v=1&key=value&…`. A link written by hand may leave out any
// field, even the version. The page then uses its own value for this field. Anybody can make a link, so we refuse a fragment in
// any other form. A refusal is a word, such as "broken", and the page shows a sentence for it.

/** @typedef {"long" | "version" | "broken"} Refusal */

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/;
/** Matches characters that are invisible or change the direction of text: control and format characters, unpaired surrogates,
 * and separators of lines and paragraphs. The last four are Hangul fillers. Unicode calls them letters, but they look like
 * blanks. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** Reads all fields of a link's fragment, or returns the reason to refuse the link.
 * @param {string} fragment without the # @param {{longest: number, version: string, keys: readonly string[]}} format
 * @returns {{fields: Map<string, string>} | {refused: Refusal}} the fields' values, in which codes such as %20 are decoded */
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

/** Reads a field of a link whose value must be one of `names`. Returns `absent` if the link does not have the field.
 * @template {string} N @param {Map<string, string>} fields @param {string} key @param {readonly N[]} names @param {N} absent
 * @returns {N | undefined} undefined if the field's value is not one of `names` */
export function nameOr(fields, key, names, absent) {
  return fields.has(key) ? names.find((name) => name === fields.get(key)) : absent;
}

/** @param {string} text @returns {boolean} whether all of the text is visible, on one line */
export function isShown(text) {
  return !UNSHOWN.test(text);
}

/** True if a text has only characters that a program may have. Of the invisible characters, a program may have tabs, line ends,
 * and the two characters (U+200C and U+200D) that join or separate letters in some scripts.
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

// Writes a program as the fragment of a link, and reads such a fragment. A program from a link is shown as text. It does not run
// until you press Run.

/** @typedef {"long" | "version" | "broken" | "program"} Refusal */

import { isProgram, readFields } from "../../model/fragment.js";

const VERSION = "1";
export const LONGEST_PROGRAM = 20_000;
const LONGEST_FRAGMENT = 3 * LONGEST_PROGRAM + 100;
const KEYS = ["v", "code"];

/** @param {string} text @returns {string | null} the fragment, without the #; null if the program does not fit into a link */
export function encode(text) {
  if (text.length > LONGEST_PROGRAM) return null;
  try {
    const fragment = `v=${VERSION}&code=${encodeURIComponent(text)}`;
    return fragment.length > LONGEST_FRAGMENT ? null : fragment;
  } catch {
    return null; // half a surrogate pair, which an address cannot hold
  }
}

/** @param {string} fragment without the # @returns {{text: string} | {refused: Refusal}} */
export function decode(fragment) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const text = read.fields.get("code");
  if (text === undefined) return { refused: "broken" };
  return text.length <= LONGEST_PROGRAM && isProgram(text) ? { text } : { refused: "program" };
}

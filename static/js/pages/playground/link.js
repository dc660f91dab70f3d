// A program as the fragment of a URL, and back. A program that came by a link is text: it is shown, and runs when
// somebody who has read it says so.

/** @typedef {"long" | "version" | "broken" | "program"} Refusal */

import { isShown, readFields } from "../../model/fragment.js";

const VERSION = "1";
export const LONGEST_PROGRAM = 20_000;
const LONGEST_FRAGMENT = 3 * LONGEST_PROGRAM + 100;
const KEYS = ["v", "code"];

/** @param {string} text @returns {string | null} without the #; null if no link can hold the program */
export function encode(text) {
  if (text.length > LONGEST_PROGRAM) return null;
  try {
    const fragment = `v=${VERSION}&code=${encodeURIComponent(text)}`;
    return fragment.length > LONGEST_FRAGMENT ? null : fragment;
  } catch {
    return null; // half a character, which no address can hold
  }
}

/** @param {string} fragment without the # @returns {{text: string} | {refused: Refusal}} */
export function decode(fragment) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const text = read.fields.get("code");
  if (text === undefined) return { refused: "broken" };
  // Tabs and line ends are a program's, and so is what joins letters of some scripts; nothing else that does not show.
  return text.length <= LONGEST_PROGRAM && isShown(text.replaceAll(/[\n\t\u200c\u200d]/g, "")) ? { text } : { refused: "program" };
}

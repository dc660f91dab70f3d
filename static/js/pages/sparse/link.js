// Writes a net as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So the reader returns
// either a document or the reason why it refuses the link.

/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** @typedef {import("./doc.js").NetDoc} NetDoc */
/** @typedef {"long" | "version" | "broken" | "number"} Refusal */

import { numbersOr, readFields } from "../../model/fragment.js";
import { firstNet } from "./doc.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 8000;
const FURTHEST = 100;
const KEYS = ["v", "cuts", "node", "at"];
const RANGE = /^(\d{1,4})(?:-(\d{1,4}))?$/;

/** @param {NetDoc} doc @returns {string} the fragment, without the # */
export function encodeNet({ cuts, node, at }) {
  const place = at === null ? "" : `&at=${at.map((part) => Number(part.toFixed(4))).join(",")}`;
  return `v=${VERSION}${cuts.length === 0 ? "" : `&cuts=${rangesOf(cuts)}`}&node=${node}${place}`;
}

/** @param {string} fragment without the # @param {NetBeginning} beginning @returns {{doc: NetDoc} | {refused: Refusal}} */
export function decodeNet(fragment, beginning) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const first = firstNet(beginning);
  const cuts = fields.has("cuts") ? numbersOfRanges(/** @type {string} */ (fields.get("cuts")), beginning.springs.length) : [];
  const [node, ...more] = numbersOr(fields, "node", [first.node]);
  const at = numbersOr(fields, "at", []);
  const isNode = more.length === 0 && Number.isInteger(node) && node >= 0 && node < beginning.side ** 2;
  const isPlace = at.length === 0 || (at.length === 2 && at.every((part) => Math.abs(part) <= FURTHEST));
  if (cuts === null || !isNode || !isPlace) return { refused: "number" };
  return { doc: { cuts, node, at: at.length === 0 ? null : [at[0], at[1]] } };
}

/** @param {readonly number[]} numbers in order @returns {string} such as 3-7,12 */
function rangesOf(numbers) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}

/** @param {string} text @param {number} end @returns {number[] | null} the numbers below `end`, or null if the text is wrong */
function numbersOfRanges(text, end) {
  /** @type {Set<number>} */
  const numbers = new Set();
  for (const part of text.split(",")) {
    const match = RANGE.exec(part);
    if (match === null) return null;
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (from > to || to >= end) return null;
    for (let number = from; number <= to; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}

// Tables that are pasted or dropped: columns of x, y and perhaps the standard deviation of y, as spreadsheets and files write them.

/** @typedef {import("./doc.js").Datum} Datum */

import { LARGEST_NUMBER } from "./doc.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a table of points. Leaves out a row whose x or y is not a number, such as a heading. If a row has only one number, it
 * is y, and x is then the point's position in the list of points: 1, 2, 3, and so on.
 * @param {string} text @returns {{points: Datum[], left: number}} the points, and the number of lines that were left out */
export function readTable(text) {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  const split = splitter(lines);
  /** @type {Datum[]} */
  const points = [];
  for (const line of lines) {
    const numbers = split(line).map(numberOf);
    const row = numbers.length === 1 ? [points.length + 1, ...numbers] : numbers;
    const [x, y, sigma = 0] = row;
    if ([x, y].every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER)) {
      points.push([x, y, sigma > 0 && sigma <= LARGEST_NUMBER ? sigma : 0, false]);
    }
  }
  return { points, left: lines.length - points.length };
}

/** Returns a function that divides a line into its columns. The lines decide whether tabs, semicolons, commas or blanks
 * separate the columns. If something other than commas separates them, a comma is a decimal comma.
 * @param {readonly string[]} lines @returns {(line: string) => string[]} */
function splitter(lines) {
  const text = lines.join("\n");
  for (const divider of ["\t", ";"]) if (text.includes(divider)) return (line) => line.split(divider).map((part) => part.trim());
  const hasBlanks = lines.some((line) => /\d\s+[-+.\d]/.test(line));
  const hasListCommas = lines.some((line) => /,\s|\d\.\d*,|,\s*[-+]?\d*\.\d/.test(line));
  if (text.includes(",") && (hasListCommas || !hasBlanks)) return (line) => line.split(",").map((part) => part.trim());
  return (line) => line.split(/\s+/);
}

/** @param {string} text @returns {number} NaN if the text is no number */
function numberOf(text) {
  const plain = text.replace(/^"(.*)"$/, "$1").replace("\u2212", "-").replace(",", ".");
  return NUMBER.test(plain) ? Number(plain) : NaN;
}

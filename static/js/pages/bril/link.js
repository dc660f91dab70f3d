// Writes a Bril program as the fragment of a link, and reads such a fragment. Anybody can make a link. So the reader returns
// either a document or a reason to refuse the link.

/** @typedef {import("./doc.js").BrilProgram} BrilProgram */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {"long" | "version" | "broken" | "number" | "program"} Refusal */

import { isShown, numbersIn, readFields } from "../../model/fragment.js";
import { docOf } from "./doc.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 12_000;
const LARGEST_NUMBER = 1e12;
const MOST_VALUES = 64;
const KEYS = ["v", "program", "text", "at"];
const OWN = "own";

/** @param {Doc} doc @param {readonly BrilProgram[]} programs @returns {string} the fragment, without the # */
export function encodeBril({ id, text, values }, programs) {
  const known = programs.find((program) => program.id === id && program.text === text);
  const body = known === undefined ? `program=${OWN}&text=${encodeURIComponent(text)}` : `program=${encodeURIComponent(id)}`;
  const written = values.map((value) => (typeof value === "boolean" ? String(value) : Number(value.toPrecision(15))));
  return `v=${VERSION}&${body}${written.length === 0 ? "" : `&at=${written.join(",")}`}`;
}

/** @param {string} fragment without the # @param {readonly BrilProgram[]} programs
 * @returns {{doc: Doc} | {refused: Refusal}} */
export function decodeBril(fragment, programs) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const id = fields.get("program") ?? (fields.has("text") ? OWN : programs[0].id);
  const known = programs.find((program) => program.id === id);
  const text = fields.get("text") ?? known?.text;
  if (text === undefined || text.trim() === "" || !text.split(/[\n\t]/).every(isShown)) return { refused: "program" };
  const parts = fields.has("at") ? /** @type {string} */ (fields.get("at")).split(",") : null;
  const values = parts === null ? (known === undefined ? [] : docOf(known).values) : parts.map(valueOf);
  const isUsable = (/** @type {number | boolean} */ value) => typeof value === "boolean" || Math.abs(value) <= LARGEST_NUMBER;
  if (values.length > MOST_VALUES || !values.every(isUsable)) return { refused: "number" };
  return { doc: { id: known === undefined ? OWN : id, text, values } };
}

/** @param {string} part @returns {number | boolean} NaN if it cannot be read */
function valueOf(part) {
  if (part === "true" || part === "false") return part === "true";
  return numbersIn(part)[0];
}

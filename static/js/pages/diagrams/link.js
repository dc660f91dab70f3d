// Writes a diagram's layout as the fragment of a link, and reads such a fragment. Anybody can make a link. So the reader
// returns either a document or a reason to refuse the link.

/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {"long" | "version" | "broken" | "number" | "diagram"} Refusal */

import { isProgram, isShown, nameOr, numbersIn, readFields } from "../../model/fragment.js";
import { isPenrose } from "./registry.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 16_000;
const LONGEST_NAME = 100;
const LARGEST_NUMBER = 1e5;
const LARGEST_SEED = 1e9;
/** The parts of a trio. */
const PARTS = /** @type {const} */ (["domain", "substance", "style", "variation"]);
const KEYS = ["v", "diagram", "seed", "at", "pin", "part", "to", "stays", "program", ...PARTS];
/** A link contains the unknowns with this many decimals. The page solves the layout again from these rounded values. */
const DECIMALS = 3;

/** @param {DiagramDoc} doc @returns {string} the fragment, without the # */
export function encodeDiagram({ id, seed, x, pin, program, trio }) {
  if (trio !== null) return joined([["v", VERSION], ...PARTS.map((part) => [part, trio[part]])]);
  const fields = [["v", VERSION], ["diagram", id]];
  if (seed !== null) fields.push(["seed", String(seed)]);
  if (program !== null) fields.push(["program", program]);
  else if (x !== null) fields.push(["at", x.map(short).join(",")]);
  if (pin !== null && program === null) {
    fields.push(["pin", pin.shape], ["to", pin.at.map(short).join(",")]);
    if (pin.part !== "") fields.push(["part", pin.part]);
    if (pin.stays !== null) fields.push(["stays", pin.stays.map(short).join(",")]);
  }
  return joined(fields);
}

/** @param {readonly string[][]} fields each a key and a value @returns {string} */
function joined(fields) {
  return fields.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&");
}

/** @param {string} fragment without the # @param {readonly string[]} ids of the gallery, the default first
 * @returns {{doc: DiagramDoc} | {refused: Refusal}} */
export function decodeDiagram(fragment, ids) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const named = fields.get("diagram") ?? "";
  const id = isPenrose(named) && isShown(named) ? named : nameOr(fields, "diagram", ids, ids[0]);
  const [seed] = fields.has("seed") ? numbersIn(fields.get("seed")) : [null];
  const x = fields.has("at") ? numbersIn(fields.get("at")) : null;
  const to = fields.has("to") ? numbersIn(fields.get("to")) : null;
  const stays = fields.has("stays") ? numbersIn(fields.get("stays")) : null;
  const shape = fields.get("pin") ?? null;
  const part = fields.get("part") ?? "";
  const program = fields.get("program") ?? null;
  const isUsable = (/** @type {number} */ value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER;
  if (![...(x ?? []), ...(to ?? []), ...(stays ?? [])].every(isUsable)) return { refused: "number" };
  if (seed !== null && !(Number.isInteger(seed) && seed >= 0 && seed <= LARGEST_SEED)) return { refused: "number" };
  if (program !== null && !isProgram(program)) return { refused: "diagram" };
  if (id === undefined || (shape !== null && (shape.length > LONGEST_NAME || !isShown(shape))) || part.length > LONGEST_NAME || !isShown(part)) return { refused: "diagram" };
  // A pin needs a layout to hold.
  const kept = stays?.length === 2 ? /** @type {const} */ ([stays[0], stays[1]]) : null;
  const pin = shape === null || to?.length !== 2 || x === null ? null : { shape, part, at: /** @type {const} */ ([to[0], to[1]]), stays: kept };
  const texts = PARTS.map((name) => [name, fields.get(name) ?? ""]);
  if (!texts.every(([, text]) => isProgram(text))) return { refused: "diagram" };
  if (fields.has("style")) {
    const trio = /** @type {import("../../model/types.js").Trio} */ (Object.fromEntries(texts));
    return { doc: { id: ids[0], seed: null, x: null, pin: null, program: null, trio, data: null, warm: null } };
  }
  return { doc: { id, seed, x, pin, program, trio: null, data: null, warm: null } };
}

/** @param {number} value */
function short(value) {
  return Number(value.toFixed(DECIMALS));
}

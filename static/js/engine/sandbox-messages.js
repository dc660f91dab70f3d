// Checks messages from the sandbox. They can be anything, because a visitor's program can send them. Only messages of the
// shapes in `Heard` pass, and they contain only text, numbers and bytes.

/** The largest sizes of a message's parts. The first three are numbers of characters: in an answer's JSON, in a note's JSON,
 * and in a sentence. The last is the number of bytes in an answer's modules. */
const LONGEST_ANSWER = 1 << 25;
const LONGEST_NOTE = 1 << 21;
const LONGEST_WORDS = 1000;
const MOST_BYTES = 1 << 26;

/** @typedef {{kind: "ready", start: "snapshot" | "files", refusal: string} | {kind: "begun", id: number} |
 *   {kind: "answer", id: number, answer: any, modules: ArrayBuffer[]} | {kind: "note", id: number, note: any} |
 *   {kind: "interrupted", id: number} | {kind: "want", name: string} | {kind: "failed"} | {kind: "gone"}} Heard */

/** @param {any} data @returns {Heard | null} null if the data have none of these shapes */
export function heard(data) {
  switch (data?.kind) {
    case "ready":
      return ["snapshot", "files"].includes(data.start) ? { kind: "ready", start: data.start, refusal: words(data.reason) } : null;
    case "begun":
    case "interrupted":
      return Number.isSafeInteger(data.id) ? { kind: data.kind, id: data.id } : null;
    case "answer":
      return answerOf(data);
    case "note": {
      const note = parsed(data.json, LONGEST_NOTE);
      return note === null || !Number.isSafeInteger(data.id) ? null : { kind: "note", id: data.id, note };
    }
    case "want":
      return typeof data.name === "string" && data.name.length <= LONGEST_WORDS ? { kind: "want", name: data.name } : null;
    case "failed":
    case "gone":
      return { kind: data.kind };
    default:
      return null;
  }
}

/** @param {any} data @returns {Heard | null} */
function answerOf({ id, json, modules }) {
  const answer = parsed(json, LONGEST_ANSWER);
  const isBytes = Array.isArray(modules) && modules.every((bytes) => bytes instanceof ArrayBuffer);
  if (answer === null || !Number.isSafeInteger(id) || !isBytes) return null;
  const size = modules.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return size <= MOST_BYTES ? { kind: "answer", id, answer, modules } : null;
}

/** @param {unknown} json @param {number} longest @returns {any} the object or list in it, or null */
function parsed(json, longest) {
  if (typeof json !== "string" || json.length > longest) return null;
  try {
    const value = JSON.parse(json);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** @param {unknown} text @returns {string} */
function words(text) {
  return typeof text === "string" ? text.slice(0, LONGEST_WORDS) : "";
}

// The bracket at the caret and the bracket that belongs to it.

const CLOSING = new Map([["(", ")"], ["[", "]"], ["{", "}"]]);
const OPENING = new Map([...CLOSING].map(([open, close]) => [close, open]));

/** Finds a bracket at the caret and its partner, to highlight both. If there is no bracket before the caret, uses
 * the bracket after it. A bracket without a partner of the same kind is highlighted alone.
 * @param {string} text @param {number} caret
 * @returns {{start: number, end: number, look: "pair" | "unpaired"}[]} */
export function bracketsAt(text, caret) {
  const at = [caret - 1, caret].find((k) => CLOSING.has(text[k]) || OPENING.has(text[k]));
  if (at === undefined) return [];
  const partner = partnerOf(text, at);
  if (partner === null) return [{ start: at, end: at + 1, look: "unpaired" }];
  return [at, partner].map((start) => ({ start, end: start + 1, look: /** @type {const} */ ("pair") }));
}

/** @param {string} text @param {number} at @returns {number | null} */
function partnerOf(text, at) {
  const step = CLOSING.has(text[at]) ? 1 : -1;
  const [enters, leaves] = step === 1 ? [CLOSING, OPENING] : [OPENING, CLOSING];
  /** @type {string[]} */
  const open = [];
  for (let k = at; k >= 0 && k < text.length; k += step) {
    const wanted = enters.get(text[k]);
    if (wanted !== undefined) open.push(wanted);
    else if (leaves.has(text[k])) {
      if (open.pop() !== text[k]) return null;
      if (open.length === 0) return k;
    }
  }
  return null;
}

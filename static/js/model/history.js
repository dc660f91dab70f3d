// Undo and redo over immutable documents.

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {{past: readonly Doc[], present: Doc, future: readonly Doc[], tag: string | null}} History */

const LONGEST = 200;

/** @param {Doc} doc @returns {History} */
export function begin(doc) {
  return { past: [], present: doc, future: [], tag: null };
}

/** Changes that share a tag (one drag, one burst of keys) become one step.
 * @param {History} history @param {Doc} doc @param {string | null} tag @returns {History} */
export function change(history, doc, tag) {
  if (doc === history.present) return history;
  if (tag !== null && tag === history.tag) return { ...history, present: doc, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST), present: doc, future: [], tag };
}

/** Ends a run of merged changes.
 * @param {History} history @returns {History} */
export function seal(history) {
  return history.tag === null ? history : { ...history, tag: null };
}

/** @param {History} history @returns {History} */
export function undo(history) {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future], tag: null };
}

/** @param {History} history @returns {History} */
export function redo(history) {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, tag: null };
}

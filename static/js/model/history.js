// Undo and redo over immutable documents.

/** @typedef {import("./types.js").Doc} Doc */
/** @template [D=Doc] @typedef {{past: readonly D[], present: D, future: readonly D[], tag: string | null}} History */

const LONGEST = 200;

/** @template D @param {D} doc @returns {History<D>} */
export function begin(doc) {
  return { past: [], present: doc, future: [], tag: null };
}

/** Changes the document. Successive changes with the same tag, such as the moves of a drag, are undone together.
 * @template D @param {History<D>} history @param {D} doc @param {string | null} tag @returns {History<D>} */
export function change(history, doc, tag) {
  if (doc === history.present) return history;
  if (tag !== null && tag === history.tag) return { ...history, present: doc, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST), present: doc, future: [], tag };
}

/** Changes the document without adding a step to undo. A running descent or training changes the document in this way.
 * @template D @param {History<D>} history @param {D} doc @returns {History<D>} */
export function amend(history, doc) {
  return { ...history, present: doc };
}

/** Ends the current step of the history. The next change begins a new step, even if it has the same tag as the last change. One
 * undo takes back one step.
 * @template D @param {History<D>} history @returns {History<D>} */
export function seal(history) {
  return history.tag === null ? history : { ...history, tag: null };
}

/** @template D @param {History<D>} history @returns {History<D>} */
export function undo(history) {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future], tag: null };
}

/** @template D @param {History<D>} history @returns {History<D>} */
export function redo(history) {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, tag: null };
}

// Undo and redo over immutable documents.

/** @typedef {import("./types.js").Doc} Doc */
/** @template [D=Doc] @typedef {{past: readonly D[], present: D, future: readonly D[], tag: string | null}} History */

const LONGEST = 200;

/** @template D @param {D} doc @returns {History<D>} */
export function begin(doc) {
  return { past: [], present: doc, future: [], tag: null };
}

/** Changes the document. Consecutive changes with the same tag (one drag, one burst of keys) become one step.
 * @template D @param {History<D>} history @param {D} doc @param {string | null} tag @returns {History<D>} */
export function change(history, doc, tag) {
  if (doc === history.present) return history;
  if (tag !== null && tag === history.tag) return { ...history, present: doc, future: [] };
  return { past: [...history.past, history.present].slice(-LONGEST), present: doc, future: [], tag };
}

/** Replaces the present without adding a step, for changes that a descent or a training makes by itself.
 * @template D @param {History<D>} history @param {D} doc @returns {History<D>} */
export function amend(history, doc) {
  return { ...history, present: doc };
}

/** Ends a series of changes that share a tag, so that the next change begins a new step.
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

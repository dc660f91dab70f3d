// A Bril program with the values of its arguments, and all changes to both, as pure functions from document to document.

/** @typedef {import("../../model/types.js").BrilAnalysis} Analysis */
/** @typedef {import("../../model/types.js").BrilFunction} BrilFunction */
/** @typedef {import("../../model/types.js").BrilParameter} Parameter */
/** @typedef {import("../../model/types.js").BrilProgram} BrilProgram */
/** @typedef {import("../../model/types.js").BrilStep} Step */
/** The state that undo, redo and a link restore. The values are those of the main function’s parameters, in order.
 * @typedef {{id: string, text: string, values: readonly (number | boolean)[]}} Doc */

/** @param {BrilProgram} program @returns {Doc} */
export function docOf({ id, text, analysis }) {
  return { id, text, values: analysis.parameters.map(({ value }) => value) };
}

/** @param {Doc} doc @param {string} text @returns {Doc} */
export function setText(doc, text) {
  return text === doc.text ? doc : { ...doc, text };
}

/** @param {Doc} doc @param {number} k @param {number | boolean} value @returns {Doc} */
export function setValue(doc, k, value) {
  if (doc.values[k] === value) return doc;
  return { ...doc, values: Array.from({ length: Math.max(doc.values.length, k + 1) }, (_, i) => (i === k ? value : doc.values[i] ?? 1)) };
}

// A Bril program with the values of its arguments, and all changes to both, as pure functions from document to document.

/** @typedef {import("../../model/types.js").BrilAnalysis} Analysis */
/** @typedef {import("../../model/types.js").BrilFunction} BrilFunction */
/** @typedef {import("../../model/types.js").BrilParameter} Parameter */
/** @typedef {import("../../model/types.js").BrilProgram} BrilProgram */
/** @typedef {import("../../model/types.js").BrilStep} Step */
/** The state of the page Bril that undo, redo and a link restore. `id`: the name of the example. `text`: the program. `values`:
 * the values of the main function's parameters, in order.
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

/** A mistake in a program. `line`: counted from 1, or 0 if the line is not known. `column`: counted from 0.
 * @typedef {{message: string, line: number, column: number}} Mistake */

/** @param {string} text @param {number} line from 1 @returns {[from: number, to: number] | null} its place in the text */
export function lineOf(text, line) {
  const lines = text.split("\n");
  if (line < 1 || line > lines.length) return null;
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return [from, from + lines[line - 1].length];
}

/** Finds the place of the word that begins where the mistake is. If the text has no line with the mistake's number, returns a
 * place at the beginning of the text.
 * @param {string} text @param {Mistake} mistake @returns {{from: number, to: number, message: string}} */
export function spanOf(text, { message, line, column }) {
  const [start, end] = lineOf(text, line) ?? [0, Math.min(1, text.length)];
  const from = Math.min(start + column, end);
  const [word] = /^[^\s;,:=#]*/.exec(text.slice(from, end)) ?? [""];
  return { from, to: from + word.length, message };
}

// Names that complete the word before the caret.

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** A suggested name. `shown`: the text in the list. `insert`: the text that is inserted when you choose the name.
 * @typedef {{name: string, shown: string, insert: string}} Completion */

const SHORTEST = 2;
const MOST = 8;
const WORD_BEFORE = /[\p{L}_][\p{L}\p{N}_]*$/u;
const LINE_NAMES = /(?:^|[\n;])[ ]*([\p{L}_][\p{L}\p{N}_]*)[ ]*(\([^()=]*\))?[ ]*:?=(?!=)/gu;

/** Finds names that begin with the word before the caret. Leaves out a name that equals the word.
 * @param {Grammar} grammar @param {string} text @param {number} caret @param {readonly string[]} variables
 * @returns {{names: readonly Completion[], start: number, end: number}} */
export function completionsAt(grammar, text, caret, variables) {
  const [word] = WORD_BEFORE.exec(text.slice(0, caret)) ?? [""];
  const [start, end] = [caret - word.length, caret];
  const isInside = /^[\p{L}\p{N}_]/u.test(text.slice(caret));
  if ([...word].length < SHORTEST || isInside) return { names: [], start, end };
  const beginning = word.toLowerCase();
  const names = known(grammar, text, variables).filter(({ name }) => name !== word && (name.startsWith(word) || name.startsWith(beginning)));
  names.sort((one, other) => one.name.length - other.name.length || (one.name < other.name ? -1 : 1));
  return { names: names.slice(0, MOST), start, end };
}

/** @param {Grammar} grammar @param {string} text @param {readonly string[]} variables @returns {Completion[]} */
function known(grammar, text, variables) {
  const defined = [...text.matchAll(LINE_NAMES)].map(([, name, parameters]) => (parameters === undefined ? plain(name) : called(name)));
  const functions = [...grammar.functions.keys()].filter((name) => /^[a-z][a-z0-9]+$/.test(name)).map(called);
  const letters = [...variables, ...grammar.greek.keys(), "pi"].filter((name) => name.length >= SHORTEST).map(plain);
  const all = [...defined, ...functions, ...letters];
  return all.filter(({ name }, k) => all.findIndex((other) => other.name === name) === k);
}

/** @param {string} name @returns {Completion} */
function called(name) {
  return { name, shown: `${name}(`, insert: `${name}(` };
}

/** @param {string} name @returns {Completion} */
function plain(name) {
  return { name, shown: name, insert: name };
}

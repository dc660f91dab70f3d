// Reads the text of a formula: its nodes, or its mistake with the columns.

/** @typedef {import("./grammar.js").Formula} Formula */
/** @typedef {import("./grammar.js").Grammar} Grammar */

import { BLANKS, naturally } from "./grammar.js";
import { lex } from "./lexer.js";
import { Mistake } from "./mistakes.js";
import { parsePasted } from "./pasted.js";
import { readTokens } from "./parser.js";
import { Vocabulary } from "./vocabulary.js";

/** Matches each text that has a definition, LaTeX, a comment or the name of a module. Only a text that matches is searched for
 * these parts. Some other texts also match, for example a condition such as x <= 1. */
const PASTED = /[=\\#\n∫₀-₉]|[_^]\{|[A-Za-z]\.[A-Za-z]|\|\|/u;
const DIVIDED = new RegExp(`/[${BLANKS}]*d`, "u");

/** Reads the text of a formula. If `free` is a list, letters without a meaning become variables and are added to this list. If
 * `free` is null, such letters are mistakes. If `equations` is true, an equation f = g is read as f − g.
 * @param {Grammar} grammar @param {string} text @param {readonly string[]} names @param {string[] | null} free
 * @param {boolean} equations
 * @returns {Formula} @throws {Mistake} */
export function parse(grammar, text, names, free = null, equations = false) {
  const words = new Vocabulary(grammar, names, grammar.functions, [], free);
  const isPasted = PASTED.test(text) || DIVIDED.test(text);
  const nodes = isPasted ? parsePasted(text, words, equations) : readTokens(lex(text, words), words);
  const { kind, start, end } = nodes[nodes.length - 1];
  if (grammar.conditions.has(kind)) {
    nodes.push({ kind: "real", name: "", number: 0, isWhole: false, operands: [nodes.length - 1], start, end });
  }
  return { names: [...names, ...(free ?? [])], nodes };
}

/** Returns the letters of a formula that have no value yet, in natural order (a2 before a10). Returns an empty list if the text
 * has another mistake. @param {Grammar} grammar @param {string} text @param {readonly string[]} names
 * @param {boolean} equations @returns {string[]} */
export function freeNames(grammar, text, names, equations = false) {
  /** @type {string[]} */
  const free = [];
  try {
    parse(grammar, text, names, free, equations);
  } catch (mistake) {
    if (mistake instanceof Mistake) return [];
    throw mistake;
  }
  return free.sort(naturally);
}

/** Returns the formula of a function that the grammar's table defines by a formula.
 * @param {Grammar} grammar
 * @param {string} name
 * @returns {Formula} */
export function definition(grammar, name) {
  const known = grammar.read.get(name) ?? readDefinition(grammar, name);
  grammar.read.set(name, known);
  return known;
}

/** @param {Grammar} grammar @param {string} name @returns {Formula} */
function readDefinition(grammar, name) {
  const [parameters, text] = /** @type {[string, string]} */ (grammar.definitions.get(name));
  const names = parameters.split(" ");
  const inner = new Map([...grammar.definitions].map(([other, [of]]) => {
    const { length } = of.split(" ");
    return [other, { maths: other, least: length, most: length }];
  }));
  const words = new Vocabulary(grammar, names).extended({ functions: inner, bound: names.includes("k") ? [] : ["k"] });
  return { names, nodes: readTokens(lex(text, words), words) };
}

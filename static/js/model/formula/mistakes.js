// The mistakes in formulas. Each message says what was found. Python's message begins with the same sentence and then says what
// to do.

/** @typedef {import("./grammar.js").Token} Token */

import { quoted } from "./grammar.js";

export const NO_CONDITION = "This is a number, but a condition was expected.";

/** @typedef {"FormulaError" | "LimitError"} MistakeKind */

const WANTED = "where a number, a name or `(` was expected";

/** A text that is no formula. */
export class Mistake extends Error {
  /** @param {string} message @param {number} start @param {number} end columns in UTF-16 units @param {MistakeKind} kind */
  constructor(message, start, end, kind = "FormulaError") {
    super(message);
    this.start = start;
    this.end = end;
    this.kind = kind;
    /** The mistakes in other lines. @type {readonly Mistake[]} */
    this.others = [];
  }
}

/** @param {Pick<Token, "start" | "end">} at @param {string} message @returns {never} */
export function refuse(at, message) {
  throw new Mistake(message, at.start, at.end);
}

/** @param {number} n */
function grouped(n) {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** @param {"depth" | "terms" | "nodes"} limit @param {number} most @param {Pick<Token, "start" | "end">} at @returns {never} */
export function refuseLimit(limit, most, at) {
  const message = {
    depth: `The formula nests deeper than ${most} brackets, signs, powers and functions.`,
    terms: `The formula has more than ${most} terms (numbers and names).`,
    nodes: `With its sums and definitions written out, the formula has more than ${grouped(most)} operations.`,
  }[limit];
  throw new Mistake(message, at.start, at.end, "LimitError");
}

/** @param {string} text @param {number} most */
export function checkLength(text, most) {
  const characters = [...text];
  if (characters.length <= most) return;
  const start = characters.slice(0, most).join("").length;
  const message = `The formula has ${grouped(characters.length)} characters, but it may have at most ${grouped(most)}.`;
  throw new Mistake(message, start, text.length, "LimitError");
}

/** @param {number} lines @param {number} most @param {number} start @param {number} end @returns {never} */
export function refuseLines(lines, most, start, end) {
  throw new Mistake(`The text has ${lines} lines, but it may have at most ${most}.`, start, end, "LimitError");
}

/** @param {Token} token @param {number} value @returns {never} */
export function refuseSize(token, value) {
  const size = value === 0 ? "closer to zero than any Real (about 4.9e-324)" : "larger than any Real (about 1.8e308)";
  return refuse(token, `The number ${quoted(token.text)} is ${size}.`);
}

/** @param {string} text @param {number} at @returns {never} */
export function refuseCharacter(text, at) {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const place = { start: at, end: at + character.length };
  if ("∫∬∭∮".includes(character)) return refuse(place, "Formulas have no integrals.");
  if ("&~‖".includes(character)) return refuse(place, `A formula has no ${quoted(character)}.`);
  return refuse(place, `The character ${quoted(character)} has no meaning in a formula.`);
}

/** @param {{variables: readonly string[], functions: Map<string, unknown>, grammar: import("./grammar.js").Grammar}} words
 * @param {string} word @param {Pick<Token, "start" | "end">} at @param {boolean} isCalled @returns {never} */
export function refuseWord(words, word, at, isCalled) {
  const stem = word.replace(/[0-9]+$/, "");
  if (stem !== word && words.variables.includes(stem)) return refuse(at, `${quoted(word)} is no name here.`);
  if (words.functions.has(word)) return refuseArgument(word, at);
  if (words.grammar.commands.has(word.toLowerCase())) {
    return refuse(at, `${quoted(word)} is not needed, because every formula is drawn anyway.`);
  }
  return refuse(at, `There is no ${isCalled ? "function" : "name"} ${quoted(word)} here.`);
}

/** @param {string} word @param {Pick<Token, "start" | "end">} at @returns {never} */
export function refuseArgument(word, at) {
  return refuse(at, `The function \`${word}\` has no argument.`);
}

/** @param {Token} token @param {import("./grammar.js").Callable} called @param {number} count @param {number} end @returns {never} */
export function refuseCount(token, { least, most }, count, end) {
  const wanted = least === most ? String(least) : `at least ${least}`;
  const plural = wanted === "1" ? "" : "s";
  const message = `The function \`${token.text}\` takes ${wanted} argument${plural}, but it has ${count || "none"}.`;
  return refuse({ start: token.start, end }, message);
}

/** @param {Token | undefined} before @param {Token} token @param {boolean} isOpen whether a bracket is open @returns {never} */
export function refuseOperand(before, token, isOpen) {
  if (token.name === "if") return refuse(token, "`if` needs brackets, or a number before it.");
  if (token.kind === "close" && before?.kind === "open") return refuse(token, `There is nothing between the brackets, ${WANTED}.`);
  if (token.kind === "close" && !isOpen) return refuse(token, strayMessage(token));
  if (token.kind === "superscript") return refuse(token, `The exponent ${quoted(token.text)} has no base, ${WANTED}.`);
  if (token.name === "/" && before?.name === "/") return refuse(token, "`//` has no meaning in a formula.");
  return refuse(token, `${quoted(token.text)} stands ${WANTED}.`);
}

/** @param {Token} before @param {Token} end @returns {never} */
export function refuseEnd(before, end) {
  return refuse(end, `The formula ends after ${quoted(before.text)}, ${WANTED}.`);
}

/** @param {string} name @param {Token} after @param {Token} found @returns {never} */
export function refuseMissing(name, after, found) {
  const next = found.kind === "end" ? "the formula ends" : `there is ${quoted(found.text)}`;
  return refuse(found, `After ${quoted(after.text)}, \`${name}\` was expected, but ${next}.`);
}

/** @param {Token | undefined} before @param {Token} token @param {Token | undefined} after @returns {never} */
export function refuseStray(before, token, after) {
  const isDecimal = before !== undefined && after !== undefined && [before, after].every(({ text }) => /^[0-9]+$/.test(text));
  if (token.kind === "comma" && isDecimal && before.end === token.start && token.end === after.start) {
    return refuse({ start: before.start, end: after.end }, strayMessage(token));
  }
  return refuse(token, strayMessage(token));
}

/** @param {Token} token */
function strayMessage(token) {
  if (token.kind === "comma") return "A comma only separates the arguments of a function.";
  if (token.kind === "mark" && token.name === "=") return "A formula has no `=` here.";
  if (token.kind === "mark" && token.name === ":") return "A colon only stands in pieces, as in {x > 0: x, -x}.";
  if (["mark", "not", "operator"].includes(token.kind)) return `${quoted(token.text)} cannot stand here.`;
  return `The ${quoted(token.text)} closes no bracket.`;
}

/** Refuses an equation such as `x^2 + y^2 = 1`. @param {string} left @param {string} right @param {number} start @param {number} end
 * @returns {never} */
export function refuseEquation(left, right, start, end) {
  if (left === "" || right === "") return refuse({ start, end }, "One side of this equation is missing.");
  const difference = /^[\p{L}\p{N}_.]+$/u.test(right) ? `${left} - ${right}` : `${left} - (${right})`;
  return refuse({ start, end }, `This equation is an implicit curve, the contour at height 0 of ${quoted(difference)}.`);
}

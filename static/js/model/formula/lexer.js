// Turns a formula's characters into numbers, names, operators and brackets, as eglantine/formulas/lexer.py does.

/** @typedef {import("./grammar.js").Token} Token */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */

import { BLANKS, SUPERSCRIPTS, WORD } from "./grammar.js";
import { checkLength, refuseCharacter, refuseSize } from "./mistakes.js";
import { operator } from "./vocabulary.js";

const TOKEN = new RegExp([
  `[${BLANKS}]*(?:(?<word>${WORD})`,
  "(?<number>(?:[0-9]+(?:\\.(?!\\.)[0-9]*)?|\\.[0-9]+)(?:[eE][+\\-]?[0-9]+)?)",
  "(?<operator>\\*\\*|[<>=!]=|&&|\\.\\.\\.?|[\\-+*/^%<>?=:·×∙⋅÷−–≤≥≠∧∨¬…])",
  "(?<open>[(\\[])",
  "(?<brace>\\{)",
  "(?<close>[)\\]}])",
  "(?<bar>\\|)",
  "(?<comma>,)",
  "(?<superscript>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
  "(?<root>√)",
  "(?<factorial>!)",
  "(?<end>$))",
].join("|"), "uy");
const LEADING_BLANKS = new RegExp(`^[${BLANKS}]*`, "u");

/** Splits a formula into tokens. The last token marks the end.
 * @param {string} text @param {Vocabulary} words @returns {Token[]} @throws {import("./mistakes.js").Mistake} */
export function lex(text, words) {
  const { grammar, kinds } = words;
  checkLength(text, grammar.limits.characters);
  /** @type {Token[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return refuseCharacter(text, at + (LEADING_BLANKS.exec(text.slice(at))?.[0].length ?? 0));
    const [kind, written] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ["end", ""];
    const end = at + match[0].length;
    const start = end - written.length;
    const known = kinds.get(written);
    if (kind === "word" && (known === undefined || grammar.withBracket.has(written))) tokens.push(...words.pieces(text, start, end));
    else if (kind === "word" && known !== undefined) tokens.push({ kind: known[0], name: known[1], text: written, start, end });
    else tokens.push(symbol(words, kind, written, start, end));
    if (kind === "end") return tokens;
  }
}

/** @param {Vocabulary} words @param {string} kind @param {string} text @param {number} start @param {number} end
 * @returns {Token} */
function symbol({ grammar }, kind, text, start, end) {
  if (kind === "operator") {
    const [found, name] = operator(grammar, text);
    return { kind: found, name, text, start, end };
  }
  if (kind === "root") return { kind: "function", name: "sqrt", text, start, end };
  const name = kind === "superscript" ? text.replace(/./gu, (c) => "0123456789-"[SUPERSCRIPTS.indexOf(c)]) : text;
  return { kind, name, text, start, end };
}

/** Returns the value of a number or a superscript, and whether the number is written as an integer.
 * @param {Token} token @returns {[number, boolean]}
 * @throws {import("./mistakes.js").Mistake} if the value is too large or too small for a Real */
export function numberValue(token) {
  const value = Number(token.name);
  const [digits] = token.name.toLowerCase().split("e");
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits))) refuseSize(token, value);
  const isWhole = digits === token.name && !digits.includes(".") && Math.abs(value) <= 2 ** 53;
  return [isWhole ? value + 0 : value, isWhole];
}

// Mends texts that are not formulas. Each way to mend a text is tried in turn, until a reader accepts the result.

/** @typedef {import("./grammar.js").Grammar} Grammar */

import { Mistake } from "./mistakes.js";
import { parse } from "./reading.js";

const NAME = "[A-Za-z_][A-Za-z0-9_]*";
const NAMES = `[ ]*${NAME}[ ]*(?:,[ ]*${NAME}[ ]*)*`;
const START = "(?<![A-Za-z0-9_.])";

/** Pairs of a pattern and our own spelling. The patterns match spellings from programs, papers and Unicode.
 * @type {readonly [RegExp, string][]} */
const SPELLINGS = [
  // Python's and JavaScript's functions.
  [new RegExp(`${START}def[ ]+(${NAME})[ ]*\\((${NAMES})\\)[ ]*:\\s*return[ ]+`, "g"), "$1($2) = "],
  [new RegExp(`${START}function[ ]+(${NAME})[ ]*\\((${NAMES})\\)\\s*\\{\\s*return[ ]+([^{};]*);?\\s*\\}`, "g"), "$1($2) = $3"],
  [/(^|[\n;])[ ]*(?:const|let|var|return)[ ]+/g, "$1"],
  [new RegExp(`${START}(${NAME})[ ]*=[ ]*lambda[ ]+(${NAMES}):`, "g"), "$1($2) ="],
  [new RegExp(`${START}lambda[ ]+(${NAMES}):[ ]*`, "g"), ""],
  [new RegExp(`${START}(${NAME})[ ]*=[ ]*\\((${NAMES})\\)[ ]*=>`, "g"), "$1($2) ="],
  [new RegExp(`${START}(${NAME})[ ]*=[ ]*(${NAME})[ ]*=>`, "g"), "$1($2) ="],
  [new RegExp(`\\(${NAMES}\\)[ ]*=>[ ]*`, "g"), ""],
  [new RegExp(`${START}${NAME}[ ]*=>[ ]*`, "g"), ""],
  [/===/g, "=="],
  [/!==/g, "!="],
  [/\|\|/g, " or "],
  [/&(?!&)/g, " and "],
  [/;\s*$/, ""],
  [/(\d)_(?=\d{3}(?!\d))/g, "$1"],
  [/Math\.SQRT2\b/g, "sqrt(2)"],
  [/Math\.SQRT1_2\b/g, "sqrt(1/2)"],
  [/Math\.LN(2|10)\b/g, "ln($1)"],
  // LaTeX.
  [/^\s*\$\$?([^$]*?)\$\$?\s*$/, "$1"],
  [/^\s*\\[[(]([^]*?)\\[\])]\s*$/, "$1"],
  // Unicode.
  [/½/g, "(1/2)"],
  [/⅓/g, "(1/3)"],
  [/⅔/g, "(2/3)"],
  [/¼/g, "(1/4)"],
  [/¾/g, "(3/4)"],
  [/∛/g, " cbrt "],
  [/⌊/g, "floor("],
  [/⌈/g, "ceil("],
  [/[⌋⌉]/g, ")"],
  [new RegExp(`[∑Σ](?=[ ]*\\([ ]*${NAME}[ ]*=)`, "g"), "sum"],
  [new RegExp(`[∏Π](?=[ ]*\\([ ]*${NAME}[ ]*=)`, "g"), "prod"],
  [/⁻([ⁿˣʸ])/g, "^(-$1)"],
  [/([^(-])([ⁿˣʸ])/g, "$1^$2"],
  [/ⁿ/g, "n"],
  [/ˣ/g, "x"],
  [/ʸ/g, "y"],
];
const MATHEMATICAL = /[\u{1D400}-\u{1D7FF}\uFF01-\uFF5E\u210E]/gu;
const CASES = /\\begin\{cases\}([^]*?)\\end\{cases\}/g;
const WORDS_OF_CASES = /\\(?:text|mathrm|textrm)\{\s*(?:if|for|when|otherwise|else)?[ .,]*\}|\b(?:otherwise|else|if)\b/g;
const COMMANDS = /^\s*(?:plot|graph|draw|solve|simplify|evaluate|calculate)\b\s*/i;
const DERIVATIVE = /^\s*\(?\s*(?:d|∂)\s*\/\s*(?:d|∂)\s*[a-z]\s*\)?\s*/;

/** Functions that correct a text that is not a formula. A function that finds nothing to correct returns the text unchanged.
 * @type {readonly ((text: string, grammar: Grammar) => string)[]} */
const WAYS = [
  spelled,
  withoutCases,
  closed,
  (text) => text.replace(/(\d),(\d)/g, "$1.$2"),
  (text) => text.replace(/(\d)\s+(?=[\d.])/g, "$1*"),
  (text) => text.replace(/\b(sin|cos|tan|sinh|cosh|tanh)\s*(?:\^\s*\(?-1\)?|⁻¹)/g, "a$1"),
  (text) => text.replace(/\b(?:log|ln)\s*\(([^(),]+),\s*(\d+|[a-z])\)/g, "log_$2($1)"),
  (text) => text.replace(/^\s*([^/\n]+?)\s*\/\/\s*([^/\n]+?)\s*$/, "floor(($1)/($2))"),
  (text) => spelled(text.replace(/\s*\/\/.*/g, "")),
  identities,
  (text) => text.replace(COMMANDS, ""),
  (text) => text.replace(DERIVATIVE, ""),
  (text) => text.replace(/\(\s*\)/g, "(x)"),
  (text, grammar) => (grammar.functions.has(text.trim().toLowerCase()) ? `${text.trim()}(x)` : text),
  (text) => text.replace(/[\s+\-*/^=(·×÷−]+$/u, ""),
  (text) => text.replace(/^\s*if\s+([^:\n]+):\s*(.+)$/, "{$1: $2}"),
  (text) => text.replace(/\{([^{}:,]*[<>=≤≥≠][^{}:,]*),/g, "{$1:"),
  (text) => text.replace(/[{}]/g, (brace) => (brace === "{" ? "(" : ")")),
  (text) => text.replace(/[′'"`]/g, ""),
];

/** Corrects a text so that it becomes a formula or, if `equations` is true, an equation. Returns null if no correction helps.
 * @param {Grammar} grammar @param {string} text @param {readonly string[]} names @param {boolean} equations
 * @returns {string | null} */
export function mended(grammar, text, names, equations) {
  if (isFormula(grammar, text, names, equations)) return text;
  let all = text;
  for (const way of WAYS) {
    for (const candidate of [way(text, grammar), (all = way(all, grammar))]) {
      if (isFormula(grammar, candidate, names, equations)) return candidate;
    }
  }
  return null;
}

/** True if a text is a formula or, if `equations` is true, an equation. Letters without a value are allowed.
 * @param {Grammar} grammar @param {string} text @param {readonly string[]} names @param {boolean} equations */
export function isFormula(grammar, text, names, equations) {
  try {
    parse(grammar, text, names, [], equations);
    return true;
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    return false;
  }
}

/** @param {string} text */
function spelled(text) {
  const plain = text.replace(MATHEMATICAL, (character) => character.normalize("NFKC"));
  return SPELLINGS.reduce((result, [pattern, by]) => result.replace(pattern, by), plain).replace(/ {2,}/g, " ").trim();
}

/** LaTeX's cases as a choice in braces. @param {string} text */
function withoutCases(text) {
  return text.replace(CASES, (_, /** @type {string} */ rows) => {
    const parts = rows.split("\\\\").map((row) => row.split("&").map((cell) => cell.replace(WORDS_OF_CASES, "").replace(/^[\s,]+|[\s,.;]+$/g, "")));
    const pieces = parts.filter(([value]) => value !== "").map(([value, condition]) => (condition ? `${condition}: ${value}` : value));
    return `\\{${pieces.join(", ")}\\}`;
  });
}

/** Corrects closing brackets: adds missing ones at the end, removes those without a partner, and replaces those of the wrong
 * kind.
 * @param {string} text */
function closed(text) {
  /** @type {string[]} */
  const open = [];
  let kept = "";
  for (const character of text) {
    const at = "([{".indexOf(character);
    if (at >= 0) open.push(")]}"[at]);
    kept += ")]}".includes(character) ? open.pop() ?? "" : character;
  }
  if ((text.match(/\|/g) ?? []).length % 2 === 1) kept += "|";
  return kept + open.reverse().join("");
}

/** Replaces functions that formulas do not have, such as sec, by expressions such as 1/cos.
 * @param {string} text @param {Grammar} grammar */
function identities(text, grammar) {
  let result = text;
  for (const [name, formula] of grammar.identities) {
    const call = new RegExp(`(?<![A-Za-z0-9_])${name}\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, "gi");
    const parameters = /\by\b/.test(formula) ? ["x", "y"] : ["x"];
    result = result.replace(call, (all, /** @type {string} */ inside) => {
      const parts = parameters.length === 2 ? inside.split(",") : [inside];
      if (parts.length !== parameters.length) return all;
      const values = parts.map((part) => (/^\s*[A-Za-z0-9.]+\s*$/.test(part) ? part.trim() : `(${part.trim()})`));
      const written = formula.replace(/\b[xy]\b/g, (letter) => values[parameters.indexOf(letter)]);
      return all === text.trim() ? written : `(${written})`;
    });
  }
  return result;
}

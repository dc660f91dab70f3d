// The mathematics of a text with one or more lines, as it is shown below the field while you type.

/** @typedef {import("./grammar.js").Grammar} Grammar */

import { WORD } from "./grammar.js";
import { lex } from "./lexer.js";
import { Mistake } from "./mistakes.js";
import { EITHER, withDigits } from "./pasted.js";
import { nameTex, texOf } from "./typeset.js";
import { Vocabulary } from "./vocabulary.js";

const HEAD = new RegExp(`^\\s*(${WORD})\\s*(?:[(\\[]([^()\\[\\]=]*)[)\\]])?\\s*:?=(?!=)`, "u");
const MODULES = /(?<![\p{L}\p{N}_])(?:np|numpy|jnp|math|Math|torch|cmath)\.(?=[A-Za-z])/gu;
const LETTERS_OF_SERIES = new RegExp(`[(\\[,]\\s*(${WORD})\\s*=(?!=)`, "gu");
const WHOLE_WORD = new RegExp(`^${WORD}$`, "u");
const DOLLARS = /^\s*\$\$?|\$\$?\s*$/g;

/** Returns the TeX of each line that is not empty. The TeX is null if the line contains a character that formulas cannot have.
 * @param {Grammar} grammar @param {string} text @param {readonly string[]} names @returns {(string | null)[]} */
export function texLines(grammar, text, names) {
  const lines = withDigits(text).replace(/#[^\n]*/g, "").split(/[\n;]/).filter((line) => line.trim() !== "");
  const heads = lines.map((line) => HEAD.exec(line));
  const known = [...names];
  /** @type {Map<string, import("./grammar.js").Callable>} */
  const functions = new Map(grammar.functions);
  for (const head of heads) {
    if (head === null) continue;
    const count = parametersOf(head).length;
    if (count > 0) functions.set(head[1], { maths: "", least: count, most: count });
    else known.push(head[1]);
  }
  return lines.map((line, k) => lineTex(grammar, line, heads[k], known, functions));
}

/** @param {RegExpExecArray} head @returns {string[]} */
function parametersOf(head) {
  return (head[2] ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
}

/** @param {Grammar} grammar @param {string} line @param {RegExpExecArray | null} head @param {readonly string[]} known
 * @param {Map<string, import("./grammar.js").Callable>} functions @returns {string | null} */
function lineTex(grammar, line, head, known, functions) {
  if (line.includes("\\")) return line.replace(DOLLARS, "");
  const parameters = head === null ? [] : parametersOf(head);
  const isDefinition = head !== null && !grammar.functions.has(head[1]) && (parameters.length > 0 || head[1].length === 1 || !known.slice(0, 2).includes(head[1]));
  const body = (isDefinition ? line.slice(head[0].length) : line).replace(EITHER, "$1∨ ").replace(MODULES, "").replace(/[_^]\{([^{}]*)\}/g, (all, inner) => (all.startsWith("^") ? `^(${inner})` : `_${inner}`));
  const bound = [...body.matchAll(LETTERS_OF_SERIES)].map((match) => match[1]);
  const tokens = tokensOf(body, grammar, [...new Set([...known, ...parameters])], functions, bound);
  if (tokens === null) return null;
  const tex = texOf(tokens, grammar);
  if (!isDefinition) return tex;
  const list = parameters.map((name) => nameTex(grammar, name).trim()).join(", ");
  return `${nameTex(grammar, head[1]).trim()}${list === "" ? "" : `(${list})`}=${tex}`;
}

/** Splits a text into tokens. Unknown words count as variables. @param {string} text @param {Grammar} grammar
 * @param {readonly string[]} names @param {Map<string, import("./grammar.js").Callable>} functions @param {readonly string[]} bound
 * @returns {import("./grammar.js").Token[] | null} null if a character has no meaning in formulas */
function tokensOf(text, grammar, names, functions, bound) {
  const known = [...names];
  for (;;) {
    try {
      return lex(text, new Vocabulary(grammar, known, functions, bound, []));
    } catch (mistake) {
      if (!(mistake instanceof Mistake)) throw mistake;
      const word = text.slice(mistake.start, mistake.end);
      if (!WHOLE_WORD.test(word) || known.includes(word)) return null;
      known.push(word);
    }
  }
}

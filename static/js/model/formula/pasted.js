// Reads formulas as people paste them. Such a text may contain names of modules, comments, `z =`, and definitions on several
// lines. We convert it to plain lines, and keep the place of each character in the pasted text. eglantine/formulas/pasted.py
// does the same.

/** @typedef {import("./grammar.js").Definition} Definition */
/** @typedef {import("./grammar.js").FormulaNode} FormulaNode */
/** @typedef {import("./grammar.js").Callable} Callable */
/** @typedef {import("./grammar.js").Plain} Plain */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */
/** A line such as f(x) = x^2. `name`: the name that the line defines, or "" if it defines no name. `parameters`: the names in
 * the brackets after the name, or null if there are no brackets. `left`: the text before the equals sign. `body`: the text
 * after the equals sign, or the whole line if it defines no name. `start` and `end`: where the name begins and ends.
 * @typedef {{name: string, parameters: readonly string[] | null, left: Plain, body: Plain, start: number, end: number}} Line */

import { BLANKS, quoted, WORD, WORD_CHARACTERS } from "./grammar.js";
import { lex } from "./lexer.js";
import { checkLength, Mistake, NO_CONDITION, refuse, refuseEquation, refuseLines } from "./mistakes.js";
import { readTokens } from "./parser.js";

const S = `[${BLANKS}]*`;
const MODULES = new RegExp(`(?<![${WORD_CHARACTERS}])(?:np|numpy|jnp|math|Math|torch|cmath)\\.(?=[A-Za-z])`, "gu");
const COMMENT = /#[^\n]*/gu;
const LINE_END = /[\n;]/gu;
const SUBSCRIPTS = /(?<=[\p{L}\p{Nl}\p{No}])[₀₁₂₃₄₅₆₇₈₉]+/gu;
const HEAD = new RegExp(`^(${S})(${WORD})${S}(?:[(\\[]([^()\\[\\]=]*)[)\\]])?${S}:?=(?!=)`, "u");
const LETTER_OF_SERIES = new RegExp(`[(\\[,]${S}(${WORD})${S}=(?!=)`, "gu");
const DERIVATIVE = new RegExp(
  `(?<![${WORD_CHARACTERS}])d(?:\\^?[0-9²³])?${S}[a-z]?${S}\\)?${S}/${S}\\(?${S}d${S}[a-zθ](?![A-Za-z])`,
  "u",
);
/** Matches a comparison and the `||` after it. After a comparison, `||` means `or`. All other bars belong to absolute values
 * such as |x|. */
export const EITHER = /([<>=≤≥≠][^|,:?{};\n<>=≤≥≠]*[A-Za-z0-9_)\]][ ]*)\|\|/gu;
const EULER = /((?<![A-Za-z0-9_])Math\.)E(?![A-Za-z0-9_])/gu;
/** A comment after which r and theta have a meaning. */
const POLAR = /#[ ]*polar[ ]*(?=\n|(?![^]))/u;
/** The definition of a name if its line has a mistake. @type {FormulaNode[]} */
const UNKNOWN = [{ kind: "number", name: "", number: 0, isWhole: true, operands: [], start: 0, end: 0 }];
/** @type {Plain} */
const NOTHING = { text: "", places: [] };
const NAME = new RegExp(`^${WORD}$`, "u");
const TRIMMED_START = new RegExp(`^${S}`, "u");
const TRIMMED_END = new RegExp(`${S}$`, "u");
const TRIMMED = new RegExp(`^${S}|${S}$`, "gu");
const MOST_LINES = 40;

/** @param {string} text @param {Vocabulary} known @param {boolean} equations whether an equation f = g is read as f − g
 * @returns {FormulaNode[]} @throws {Mistake} */
export function parsePasted(text, known, equations) {
  const { grammar } = known;
  checkLength(text, grammar.limits.characters);
  const derivative = DERIVATIVE.exec(text);
  if (derivative !== null) refuseDerivative(derivative.index, derivative.index + derivative[0].length);
  let source = without({ text, places: Array.from({ length: text.length }, (_, k) => k) }, COMMENT);
  source = { text: source.text.replace(EITHER, "$1∨ ").replace(EULER, "$1e"), places: source.places };
  const definitions = POLAR.test(text) ? polar(known) : new Map();
  const words = withNames(known, definitions);
  if (isLatex(text)) {
    if (grammar.latex === null) throw new Error("The reader of LaTeX has not been loaded.");
    source = grammar.latex.plainOf(source, grammar, grammar.latex.table, refuse);
    const again = DERIVATIVE.exec(source.text);
    if (again !== null) refuseDerivative(...located(source, again.index, again.index + again[0].length));
  }
  source = without(source, MODULES);
  source = { text: withDigits(source.text), places: source.places };
  const lines = linesOf(source);
  const result = resultOf(lines);
  if (result === null) return read(source, words, definitions);
  const body = bodyOf(result, words, equations);
  /** @type {Mistake[]} */
  const mistakes = [];
  for (const line of ordered(lines.filter((one) => one !== result))) {
    caught(() => define(line, words, definitions), (mistake) => {
      mistakes.push(mistake);
      definitions.set(line.name, { parameters: line.parameters ?? [], nodes: UNKNOWN });
    });
  }
  const nodes = caught(() => read(body, withNames(words, definitions), definitions), (mistake) => {
    if (mistakes.length === 0 || mistake.message !== NO_CONDITION) mistakes.push(mistake); // the unknown number may be a condition
  });
  if (mistakes.length === 0 && nodes !== null) return nodes;
  const [first, ...others] = mistakes.sort((one, other) => one.start - other.start);
  first.others = others;
  throw first;
}

/** True if a text needs the reader of LaTeX. @param {string} text */
export function isLatex(text) {
  return /\\|[_^]\{/.test(text);
}

/** The definitions of r and theta. @param {Vocabulary} words @returns {Map<string, Definition>} */
function polar(words) {
  if (!["x", "y"].every((name) => words.variables.includes(name))) return new Map();
  return new Map([...words.grammar.polar].map(([name, text]) => [name, { parameters: [], nodes: readTokens(lex(text, words), words) }]));
}

/** @template T @param {() => T} act @param {(mistake: Mistake) => void} onMistake @returns {T | null} */
function caught(act, onMistake) {
  try {
    return act();
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    onMistake(mistake);
    return null;
  }
}

/** Replaces subscript digits by ordinary digits, so x₁ becomes x1. @param {string} text */
export function withDigits(text) {
  return text.replace(SUBSCRIPTS, (found) => found.replace(/./gu, (c) => String("₀₁₂₃₄₅₆₇₈₉".indexOf(c))));
}

/** @param {number} start @param {number} end @returns {never} */
function refuseDerivative(start, end) {
  return refuse({ start, end }, "Formulas have no d/dx, because the derivatives are computed by themselves.");
}

/** Removes all parts that match from a text. @param {Plain} source @param {RegExp} pattern @returns {Plain} */
function without(source, pattern) {
  const parts = between(source.text, pattern);
  return {
    text: parts.map(([start, end]) => source.text.slice(start, end)).join(""),
    places: parts.flatMap(([start, end]) => source.places.slice(start, end)),
  };
}

/** @param {string} text @param {RegExp} pattern @returns {[number, number][]} the parts between matches */
function between(text, pattern) {
  /** @type {[number, number][]} */
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push([at, match.index]);
    at = match.index + match[0].length;
  }
  parts.push([at, text.length]);
  return parts;
}

/** Takes the start and the end of a part of a plain text. Returns where this part begins and ends in the text as it was pasted.
 * @param {Plain} source
 * @param {number} start
 * @param {number} end
 * @returns {[number, number]} */
function located({ places }, start, end) {
  if (places.length === 0) return [0, 0];
  const first = start < places.length ? places[start] : places[places.length - 1] + 1;
  const last = end > 0 && end <= places.length && end > start ? places[end - 1] + 1 : first;
  return [Math.min(first, last), Math.max(first, last)];
}

/** @param {Plain} source @param {number} start @param {number} end @returns {Plain} */
function cut({ text, places }, start, end) {
  return { text: text.slice(start, end), places: places.slice(start, end) };
}

/** @param {Plain} source @returns {Plain} */
function stripped(source) {
  const { length } = source.text.replace(TRIMMED_START, "");
  return cut(source, source.text.length - length, source.text.replace(TRIMMED_END, "").length);
}

/** @param {string} text */
function trim(text) {
  return text.replace(TRIMMED, "");
}

/** @param {string} text */
function wordsOf(text) {
  return Array.from(text.matchAll(new RegExp(WORD, "gu")), ([word]) => word);
}

/** Splits a text into lines, without empty lines. If no line defines a name, the whole text counts as one line.
 * @param {Plain} source @returns {Line[]} */
function linesOf(source) {
  /** @type {Line[]} */
  const lines = [];
  for (const [start, end] of between(source.text, LINE_END)) {
    const part = { text: source.text.slice(start, end), places: source.places.slice(start, end) };
    if (trim(part.text) === "") continue;
    const head = HEAD.exec(part.text);
    if (head === null) {
      lines.push({ name: "", parameters: null, left: NOTHING, body: part, start, end });
      continue;
    }
    const left = cut(part, 0, head[0].replace(/:?=$/, "").length);
    const body = cut(part, head[0].length, part.text.length);
    const parameters = head[3] === undefined ? null : head[3].split(",").map(trim);
    const [from, to] = located(part, head[1].length, head[1].length + head[2].length);
    lines.push({ name: head[2], parameters, left, body, start: from, end: to });
  }
  if (lines.length > MOST_LINES) refuseLines(lines.length, MOST_LINES, ...located(lines[MOST_LINES].body, 0, 1));
  if (lines.some((line) => line.name !== "") || lines.length === 0) return lines;
  return [{ name: "", parameters: null, left: NOTHING, body: source, start: 0, end: 0 }];
}

/** Finds the line that gives the formula's value. This is the line that defines no name. If every line defines a name, it is
 * the line that defines z. If no line defines z either, it is the last line.
 * @param {readonly Line[]} lines @returns {Line | null} */
function resultOf(lines) {
  if (lines.length === 0) return null;
  const bare = lines.filter((line) => line.name === "");
  if (bare.length > 1) {
    const [start, end] = located(bare[1].body, 0, bare[1].body.text.length);
    refuse({ start, end }, "Only one line may have no name.");
  }
  return bare[0] ?? lines.find((line) => line.name === "z") ?? lines[lines.length - 1];
}

/** Returns the text that computes a line's value. If `equations` is true, the text for an equation f = g is (f)-(g). If
 * `equations` is false, an equation is an error.
 * @param {Line} line @param {Vocabulary} words @param {boolean} equations @returns {Plain} */
function bodyOf(line, words, equations) {
  const equation = equationOf(line, words);
  if (equation === null) {
    checkParameters(line, words);
    return line.body;
  }
  const [left, right] = equation.map(stripped);
  if (!equations || left.text === "" || right.text === "") {
    const { places } = line.name === "" ? stripped(line.body) : line.body;
    refuseEquation(left.text, right.text, line.name === "" ? places[0] : line.start, places.length > 0 ? places[places.length - 1] + 1 : line.end);
  }
  // The brackets have the places of their neighbours.
  const [end, last] = [left, right].map(({ places }) => places[places.length - 1]);
  const places = [left.places[0], ...left.places, end, end, right.places[0], ...right.places, last];
  return { text: `(${left.text})-(${right.text})`, places };
}

/** @param {Line} line @param {Vocabulary} words */
function checkParameters(line, words) {
  const other = line.parameters?.find((name) => !words.variables.includes(name) && name !== "X" && name !== "Y");
  if (other !== undefined) {
    refuse(line, `The variables are ${words.variables.join(", ")}, but ${quoted(line.name)} takes ${quoted(other)}.`);
  }
}

/** Returns the two sides of a line that is an equation. Returns null for other lines, such as a definition.
 * @param {Line} line @param {Vocabulary} words
 * @returns {[Plain, Plain] | null} */
function equationOf({ name, parameters, left, body }, words) {
  const { text } = body;
  if (name === "") {
    const at = equals(text);
    return at === null ? null : [cut(body, 0, at), cut(body, at + 1, text.length)];
  }
  const isVariable = words.variables.includes(name);
  if (parameters !== null) return isVariable || words.functions.has(name) ? [left, body] : null;
  const isProduct = !isVariable && words.split(name) !== null;
  return isProduct || (isVariable && (name !== "y" || wordsOf(text).includes(name))) ? [left, body] : null;
}

/** Finds the first equals sign outside of all brackets. @param {string} text */
function equals(text) {
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    if ("([{".includes(text[k])) depth += 1;
    else if (")]}".includes(text[k])) depth -= 1;
    else if (text[k] === "=" && depth === 0 && text[k + 1] !== "=" && !(k > 0 && "<>!=".includes(text[k - 1]))) return k;
  }
  return null;
}

/** Sorts definitions. If a definition uses others, it comes after them. @param {readonly Line[]} lines
 * @returns {Line[]} */
function ordered(lines) {
  lines.forEach((line, k) => {
    if (lines.slice(0, k).some(({ name }) => name === line.name)) refuse(line, `Two lines define ${quoted(line.name)}.`);
  });
  /** @type {Line[]} */
  const inOrder = [];
  let waiting = [...lines];
  while (waiting.length > 0) {
    const left = waiting.map(({ name }) => name);
    const ready = waiting.filter((line) => !usedBy(line).some((name) => left.includes(name)));
    if (ready.length === 0) refuse(waiting[0], `The value of ${quoted(waiting[0].name)} depends on itself.`);
    inOrder.push(...ready);
    waiting = waiting.filter((line) => !ready.includes(line));
  }
  return inOrder;
}

/** @param {Line} line @returns {string[]} */
function usedBy({ body, parameters }) {
  return wordsOf(body.text).filter((name) => parameters === null || !parameters.includes(name));
}

/** Reads a definition, and adds it to the others. @param {Line} line @param {Vocabulary} words
 * @param {Map<string, Definition>} definitions */
function define(line, words, definitions) {
  const { name } = line;
  if (words.variables.includes(name)) refuse(line, `${quoted(name)} is a variable of the picture.`);
  const parameters = line.parameters ?? [];
  if (parameters.some((one, k) => !NAME.test(one) || parameters.indexOf(one) < k)) {
    refuse(line, `${quoted(name)} needs different names for its parameters, as in g(s, t) = s + t.`);
  }
  const inner = withNames(words, definitions).extended({ variables: parameters });
  const visible = new Map([...definitions].filter(([other]) => !parameters.includes(other)));
  definitions.set(name, { parameters, nodes: read(line.body, inner, visible) });
}

/** The vocabulary with the names that lines define. @param {Vocabulary} words @param {Map<string, Definition>} definitions */
function withNames(words, definitions) {
  /** @type {Map<string, Callable>} */
  const functions = new Map();
  /** @type {string[]} */
  const variables = [];
  for (const [name, { parameters: { length } }] of definitions) {
    if (length > 0) functions.set(name, { maths: "", least: length, most: length });
    else variables.push(name);
  }
  return words.extended({ variables, functions });
}

/** Reads a plain text, and returns the nodes of its formula. A node's `start` and `end` are places in the text as it was
 * pasted.
 * @param {Plain} source @param {Vocabulary} words @param {Map<string, Definition>} definitions @returns {FormulaNode[]} */
function read(source, words, definitions) {
  const bound = [...source.text.matchAll(LETTER_OF_SERIES)].map((match) => match[1]);
  const known = bound.length > 0 ? words.extended({ bound }) : words;
  try {
    return readTokens(lex(source.text, known), known, definitions).map((node) => {
      const [start, end] = located(source, node.start, node.end);
      return { ...node, start, end };
    });
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    throw new Mistake(mistake.message, ...located(source, mistake.start, mistake.end), mistake.kind);
  }
}

// The table of the grammar, which the build writes from eglantine/formulas (table.py), and characters as Python sorts them.

/** A function that formulas can call. `maths`: its name in `eg.math`, or the name of its definition. `least`, `most`: the least
 * and the largest number of arguments. @typedef {{maths: string, least: number, most: number}} Callable */
/** @typedef {{kind: string, name: string, text: string, start: number, end: number}} Token columns in UTF-16 units */
/** One operation of a formula. eglantine/formulas/parts.py has the same class in Python. `isWhole`: true for a number that is
 * written as an integer. `operands`: the positions of the operands in the list of nodes.
 * @typedef {{kind: string, name: string, number: number, isWhole: boolean, operands: readonly number[], start: number, end: number}} FormulaNode */
/** A formula: the names of its variables, and its nodes in order of evaluation.
 * @typedef {{names: readonly string[], nodes: readonly FormulaNode[]}} Formula */
/** A text that was made from another text. `places`: for each UTF-16 unit of `text`, its place in that other text.
 * @typedef {{text: string, places: readonly number[]}} Plain */
/** The commands of LaTeX that we read. `signs`: the text that replaces each command. `styles`: the commands that only change
 * the look of letters.
 * @typedef {{signs: Record<string, string>, styles: readonly string[]}} LatexTable */
/** The function `refuse` of mistakes.js, which throws a `Mistake`. It is passed to the reader of LaTeX, which is a script of
 * its own. If the reader imported mistakes.js, it would contain a second class `Mistake`.
 * @typedef {(span: {start: number, end: number}, message: string) => never} Refuse */
/** The reader of LaTeX (latex.js). `plainOf`: converts a formula in LaTeX to a plain formula. `table`: the commands of LaTeX.
 * @typedef {{plainOf: (source: Plain, grammar: Grammar, table: LatexTable, refuse: Refuse) => Plain, table: LatexTable}} LatexReader */
/** The definition of a name by a line of a formula, such as f(t) = t². `nodes`: the nodes of the right side.
 * @typedef {{parameters: readonly string[], nodes: readonly FormulaNode[]}} Definition */

/** Python's `\w` and `\s` as parts of a class. */
export const WORD_CHARACTERS = "\\p{L}\\p{N}_";
export const BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
export const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const IN_WORD = `(?![${SUPERSCRIPTS}])`;
/** A name: letters, then digits too. */
export const WORD = `${IN_WORD}[\\p{L}\\p{Nl}\\p{No}_](?:${IN_WORD}[${WORD_CHARACTERS}])*`;
const SHOWN_CHARACTERS = 24;

/** The grammar's tables. */
export class Grammar {
  /** @param {any} table as JSON @param {LatexReader | null} latex */
  constructor(table, latex = null) {
    /** @type {{characters: number, terms: number, depth: number, nodes: number, bound: number, polygamma: number}} */
    this.limits = table.limits;
    /** The levels of precedence, by their names. @type {Record<string, number>} */
    this.levels = table.levels;
    /** @type {Map<string, number>} */
    this.strength = new Map(Object.entries(table.strength));
    /** @type {Map<string, string>} */
    this.spellings = new Map(Object.entries(table.spellings));
    /** @type {readonly string[]} */
    this.words = table.words;
    /** @type {Map<string, string>} */
    this.closing = new Map(Object.entries(table.closing));
    /** @type {Map<string, string>} */
    this.constants = new Map(Object.entries(table.constants));
    /** @type {Map<string, Callable>} */
    this.functions = new Map(Object.entries(table.functions).map(([name, [maths, least, most]]) => [name, { maths, least, most }]));
    /** @type {Map<string, string>} */
    this.greek = new Map(Object.entries(table.greek));
    this.greekNames = new Map([...this.greek].map(([name, letter]) => [letter, name]));
    /** @type {Set<string>} */
    this.neverFree = new Set(table.never_free);
    /** @type {Set<string>} */
    this.withBracket = new Set(table.with_bracket);
    /** @type {Set<string>} */
    this.conditions = new Set(table.conditions);
    /** @type {Set<string>} */
    this.commands = new Set(table.commands);
    /** Functions that are defined by formulas. The keys are the functions' names. Each value is a pair of the parameters and
     * the formula.
     * @type {Map<string, [string, string]>} */
    this.definitions = new Map(Object.entries(table.definitions));
    /** Formulas that replace unknown functions, such as sec. @type {Map<string, string>} */
    this.identities = new Map(Object.entries(table.identities));
    /** The formulas of r and theta. @type {Map<string, string>} */
    this.polar = new Map(Object.entries(table.polar));
    /** The reader of LaTeX. We load it when we read the first formula in LaTeX. */
    this.latex = latex;
    /** The definitions that were read. @type {Map<string, Formula>} */
    this.read = new Map();
    const names = [...this.greek.keys()].sort((one, other) => other.length - one.length);
    const letter = `(${names.join("|")}|[A-Za-z]|[${[...this.greekNames.keys()].join("")}])(?:_?([0-9]+)|_([A-Za-z]))?`;
    this.letters = new RegExp(letter, "gu");
    this.wholeLetter = new RegExp(`^(?:${letter})$`, "u");
  }

  /** True if a word can be a variable: a single letter or the name of a Greek letter. The word may end in an index, as in x_1.
   * @param {string} word */
  isLetter(word) {
    return !this.neverFree.has(word) && this.wholeLetter.test(word);
  }

  /** One spelling for all spellings of a letter. @param {string} word */
  canonical(word) {
    const match = this.wholeLetter.exec(word);
    if (match === null) return word;
    return (this.greekNames.get(match[1]) ?? match[1]) + (match[2] ?? match[3] ?? "");
  }
}

/** Natural order: b2 before b10, and b before b1. @param {string} one @param {string} other */
export function naturally(one, other) {
  const [a, b] = [one, other].map((name) => name.match(/[0-9]+|[^0-9_]+/g) ?? []);
  for (let k = 0; k < Math.min(a.length, b.length); k++) {
    const [isNumber, isOtherNumber] = [a[k], b[k]].map((part) => /^[0-9]/.test(part));
    if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
    if (isNumber && Number(a[k]) !== Number(b[k])) return Number(a[k]) - Number(b[k]);
    if (a[k] !== b[k]) return a[k] < b[k] ? -1 : 1;
  }
  return a.length - b.length;
}

/** Quotes a text in backticks. Shortens it if it is long, and writes unprintable characters as code points.
 * @param {string} text */
export function quoted(text) {
  const characters = [...text];
  const shown = characters.length <= SHOWN_CHARACTERS ? characters : [...characters.slice(0, SHOWN_CHARACTERS - 1), "…"];
  return `\`${shown.map((character) => (isPrintable(character) ? character : codeOf(character))).join("")}\``;
}

/** @param {string} character */
function isPrintable(character) {
  return character === " " || !/[\p{C}\p{Z}]/u.test(character);
}

/** @param {string} character */
function codeOf(character) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

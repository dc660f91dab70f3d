// The names that a formula may use, and how a word splits into them. The same as in eglantine/formulas (lexer.py, letters.py).

/** @typedef {import("./grammar.js").Callable} Callable */
/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./grammar.js").Token} Token */
/** What a word means: the kind of its token, and the normal spelling. @typedef {readonly [string, string]} Meaning */

import { BLANKS, naturally } from "./grammar.js";
import { refuseWord } from "./mistakes.js";

const LOGARITHM = /^(?:log|ln)_([0-9]+|[A-Za-z])$/iu;
const LOGARITHMS = new Map([["2", "log2"], ["10", "log10"], ["e", "log"]]);
const CALL = new RegExp(`^[${BLANKS}]*[([]`, "u");

export class Vocabulary {
  /**
   * Makes a list of the names that a formula may use.
   * @param {Grammar} grammar
   * @param {readonly string[]} variables - if a variable has the name of a function, the name means the variable
   * @param {Map<string, Callable>} functions @param {readonly string[]} bound letters that have a value only inside a sum
   * @param {string[] | null} free the list that collects the letters without a value. If null, such letters are mistakes
   */
  constructor(grammar, variables, functions = grammar.functions, bound = [], free = null) {
    this.grammar = grammar;
    this.variables = variables;
    this.functions = functions;
    this.bound = bound;
    this.free = free;
    /** @type {Map<string, Meaning>} */
    this.kinds = new Map(grammar.words.map((word) => [word, operator(grammar, word)]));
    for (const name of grammar.functions.keys()) this.kinds.set(name, ["function", name]);
    for (const [name, meaning] of grammar.constants) this.kinds.set(name, ["constant", meaning]);
    for (const name of functions.keys()) if (!grammar.functions.has(name)) this.kinds.set(name, ["function", name]);
    for (const name of [...bound, ...variables]) this.kinds.set(name, ["variable", name]);
    this.longest = Math.max(...[...this.kinds.keys()].map((name) => name.length));
  }

  /** A vocabulary with more names.
   * @param {{variables?: readonly string[], functions?: Map<string, Callable>, bound?: readonly string[]}} more */
  extended({ variables = [], functions = new Map(), bound = [] }) {
    const all = [...new Set([...this.variables, ...variables])];
    return new Vocabulary(this.grammar, all, new Map([...this.functions, ...functions]), [...this.bound, ...bound], this.free);
  }

  /** Splits a word into tokens. A word may consist of several names. For example, `xsin` consists of x and sin.
   * @param {string} text @param {number} start
   * @param {number} end
   * @returns {Token[]} */
  pieces(text, start, end) {
    const word = text.slice(start, end);
    const isCalled = CALL.test(text.slice(end));
    const known = this.kinds.get(word);
    /** @type {readonly string[] | null} */
    let pieces = null;
    if (known !== undefined && (isCalled || known[0] !== "function")) pieces = [word];
    else if (known === undefined) pieces = this.split(word);
    if (pieces === null) return this.otherWord(text, start, end, isCalled);
    return this.tokensOf(pieces.map((piece) => /** @type {const} */ ([piece, piece])), start);
  }

  /** @private @param {readonly (readonly [string, string])[]} pieces as written, and the name that each stands for
   * @param {number} start @returns {Token[]} */
  tokensOf(pieces, start) {
    let at = start;
    return pieces.map(([text, named]) => {
      const [kind, name] = this.kinds.get(named) ?? [/^[0-9]/.test(named) ? "number" : "variable", named];
      at += text.length;
      return { kind, name, text, start: at - text.length, end: at };
    });
  }

  /** Splits a word into known names and numbers. For example, `xy` becomes x and y, and `sin2x` becomes sin, 2 and x.
   * @param {string} word @param {string} letter a letter that also counts as a known name
   * @returns {string[] | null} null if the word does not consist of known names */
  split(word, letter = "") {
    const { words, withBracket } = this.grammar;
    /** @type {(string | null)[]} */
    const step = [...Array(word.length).fill(null), ""];
    for (let start = word.length - 1; start >= 0; start--) {
      for (let end = Math.min(word.length, start + this.longest); end > start; end--) {
        const piece = word.slice(start, end);
        let kind = this.kinds.get(piece)?.[0];
        if (piece === letter) kind = "variable";
        else if (words.includes(piece) || (withBracket.has(piece) && kind === "function")) continue;
        if (step[end] !== null && kind !== undefined) {
          step[start] = piece;
          break;
        }
        const [digits] = /^[0-9]*/.exec(word.slice(end)) ?? [""];
        if (kind === "function" && digits !== "" && step[end + digits.length] !== null) {
          [step[start], step[end]] = [piece, digits];
          break;
        }
      }
    }
    return walk(step);
  }

  /** Returns the tokens of a word that `pieces` cannot split, such as `log_2`, a name in capitals, or a word with a new letter.
   * @private @param {string} text @param {number} start @param {number} end @param {boolean} isCalled @returns {Token[]} */
  otherWord(text, start, end, isCalled) {
    const word = text.slice(start, end);
    const base = LOGARITHM.exec(word)?.[1];
    if (base !== undefined) {
      const name = LOGARITHMS.get(base);
      if (name !== undefined) return [{ kind: "function", name, text: word, start, end }];
      const place = end - base.length;
      const log = { kind: "function", name: "log_", text: word, start, end };
      if (/^[0-9]/.test(base)) return [log, { kind: "number", name: base, text: base, start: place, end }];
      return [log, ...this.pieces(text, place, end)];
    }
    const known = this.knownAs(word, isCalled);
    const meaning = known === null ? undefined : this.kinds.get(known);
    if (meaning !== undefined) return [{ kind: meaning[0], name: meaning[1], text: word, start, end }];
    const pieces = this.piecesOf(word, isCalled);
    if (pieces.length === 0) refuseWord(this, word, { start, end }, isCalled);
    return this.tokensOf(pieces, start);
  }

  /** Finds the known name for a word that is spelled in another way, for example with capitals. @private @param {string} word
   * @param {boolean} isCalled */
  knownAs(word, isCalled) {
    const { grammar, kinds, variables } = this;
    if (kinds.has(word) && isCalled) return word;
    const canonical = grammar.canonical(word);
    for (const name of [...variables, ...this.bound]) if (grammar.canonical(name) === canonical) return name;
    const lower = word.toLowerCase();
    if ((word === "X" || word === "Y") && variables.includes(lower)) return lower;
    const meaning = kinds.get(lower);
    if (lower === word || [...word].length < 2 || meaning === undefined || variables.includes(meaning[1])) return null;
    return (grammar.greek.has(word) || grammar.withBracket.has(lower)) && !isCalled ? null : lower;
  }

  /** Splits a word into known names and letters. At most one of the letters may have no value. If the word cannot be split in
   * this way, returns an empty list.
   * @private @param {string} word @param {boolean} isCalled @returns {[string, string][]} */
  piecesOf(word, isCalled) {
    const { grammar, variables, kinds, free } = this;
    const isCapital = (/** @type {string} */ c) => variables.includes(c.toLowerCase()) && !variables.includes(c);
    const plain = word.replace(/[XY]/g, (c) => (isCapital(c) ? c.toLowerCase() : c));
    const pieces = this.split(plain);
    if (pieces !== null) return cut(word, pieces);
    for (const name of variables) {
      const letter = grammar.greek.get(name) ?? "";
      const parts = letter !== "" && word.includes(letter) ? this.split(plain, letter) : null;
      if (parts !== null) return parts.map((piece) => [piece, piece === letter ? name : piece]);
    }
    if (free === null) return [];
    if (grammar.isLetter(word)) return [[word, this.collected(word)]];
    if (grammar.identities.has(word.toLowerCase())) return []; // acot is no product of a and cot
    const letters = new Set([...(word.match(grammar.letters) ?? []), ...[...word].filter((one) => grammar.isLetter(one))]);
    for (const letter of [...letters].sort(naturally)) {
      const parts = grammar.isLetter(letter) && !kinds.has(letter) ? this.split(plain, letter) : null;
      if (parts === null || parts.length === 0) continue;
      if (isCalled && [...word].length > 2 && (kinds.get(parts[parts.length - 1])?.[0] ?? "?") !== "function") continue;
      const name = this.collected(letter);
      return parts.map((piece) => [piece, piece === letter ? name : piece]);
    }
    return [];
  }

  /** Adds a letter to the list `free`. If the list has this letter in another spelling, returns that spelling instead.
   * @private @param {string} letter */
  collected(letter) {
    const { grammar, free } = this;
    const known = free?.find((one) => grammar.canonical(one) === grammar.canonical(letter));
    if (known === undefined) free?.push(letter);
    return known ?? letter;
  }
}

/** Returns the kind and the normal spelling of an operator or another sign. @param {Grammar} grammar @param {string} written
 * @returns {Meaning} */
export function operator(grammar, written) {
  const name = grammar.spellings.get(written) ?? written;
  return [grammar.strength.has(name) ? "operator" : name === "not" ? "not" : "mark", name];
}

/** Collects the pieces of a word. @param {readonly (string | null)[]} step @returns {string[] | null} */
function walk(step) {
  const pieces = [];
  for (let at = 0; at < step.length - 1;) {
    const piece = step[at];
    if (piece === null) return null;
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

/** @param {string} word @param {readonly string[]} pieces @returns {[string, string][]} */
function cut(word, pieces) {
  let at = 0;
  return pieces.map((piece) => {
    at += piece.length;
    return [word.slice(at - piece.length, at), piece];
  });
}

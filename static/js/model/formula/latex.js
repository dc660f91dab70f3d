// Converts formulas in LaTeX to plain formulas. For each character of a plain formula, it also returns the character's place in
// the LaTeX text. eglantine/formulas/latex.py does the same in Python. A page loads this reader when a formula needs it. The
// build makes a script of the reader and its table (tools/tier.py).

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./grammar.js").LatexTable} LatexTable */
/** @typedef {import("./grammar.js").Plain} Plain */
/** @typedef {import("./grammar.js").Refuse} Refuse */
/** An open group of LaTeX: we have not read its closing brace yet. `end`: the text that replaces the closing brace.
 * `following`: the text that replaces the closing brace of a second group, such as {b} in `\frac{a}{b}`, or "" if there is no
 * second group. `place`: where the group begins.
 * @typedef {{end: string, following: string, place: number}} Group */

import { BLANKS, quoted, WORD_CHARACTERS } from "./grammar.js";

const S = `[${BLANKS}]*`;
const W = `[${WORD_CHARACTERS}]`;
const LEXEME = new RegExp(`\\\\([A-Za-z]+\\*?|[^\\n])|(_\\{${S}(${W}+)${S}\\})|([_^]\\{)|([^])`, "uy");
const SERIES = new RegExp(`${S}_\\{${S}(${W}+)${S}=${S}(-?${W}+)${S}\\}${S}\\^${S}(?:\\{${S}(-?${W}+)${S}\\}|(${W}))${S}`, "uy");
const DEGREE = new RegExp(`${S}\\[([^\\]\\\\{}]*)\\]`, "uy");
const STYLED = new RegExp(`(${S}\\{${S})(${W}*)${S}\\}`, "uy");
/** Tests the text before a plus or minus. It matches if the plus or minus is the sign of a number, as in `(-1`, and not if it
 * is an operator, as in `2-1`. */
const BEFORE_SIGN = new RegExp(`(?:^|[(,*/^+\\-=<>%{:])${S}$`, "u");
const SPACE = new RegExp(S, "uy");

class Latex {
  /** @param {Plain} source @param {Grammar} grammar @param {LatexTable} table @param {Refuse} refuse */
  constructor(source, grammar, table, refuse) {
    this.source = source;
    this.grammar = grammar;
    this.table = table;
    this.refuseSpan = refuse;
    this.at = 0;
    /** The parts written so far. @type {string[]} */
    this.parts = [];
    /** @type {number[]} */
    this.places = [];
    /** @type {Group[]} */
    this.groups = [];
    /** An entry for each sum that has not ended yet: the number of open groups around the sum. @type {number[]} */
    this.sums = [];
  }

  /** @param {RegExp} pattern @param {number} at @returns {RegExpExecArray | null} */
  match(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.source.text);
  }

  /** Adds a text to the result. If there are fewer places than characters, the last place is used for all remaining characters.
   * @param {string} text
   * @param {readonly number[]} places the place of each character in the LaTeX text */
  write(text, places) {
    for (let k = 0; k < text.length; k++) this.places.push(places[Math.min(k, places.length - 1)]);
    this.parts.push(text);
  }

  /** @returns {Plain} */
  plain() {
    const { text, places } = this.source;
    const hasCommands = text.includes("\\");
    while (this.at < text.length) {
      const start = this.at;
      const [all, command, index, name, script, other] = /** @type {RegExpExecArray} */ (this.match(LEXEME, start));
      this.at += all.length;
      const here = places.slice(start, this.at);
      if (command) this.command(command, here);
      else if (index) this.write(`_${name}`, here);
      else if (script) this.script(script, here);
      else if (other === "{" && hasCommands) this.begin("(", { end: ")", following: "", place: here[0] });
      else if (other === "}" && this.groups.length > 0) this.endGroup(here);
      else this.character(other ?? "", here);
    }
    const open = this.groups[this.groups.length - 1];
    if (open !== undefined) this.refuseSpan({ start: open.place, end: open.place + 1 }, "The `{` here is never closed.");
    this.endSums(0, places.length > 0 ? places.slice(-1) : [0]);
    return { text: this.parts.join(""), places: this.places };
  }

  /** @param {string} opening @param {Group} group */
  begin(opening, group) {
    this.groups.push(group);
    this.write(opening, [group.place]);
  }

  /** @param {string} script @param {readonly number[]} here */
  script(script, here) {
    if (script.startsWith("_")) this.refuse(script, here);
    this.groups.push({ end: ")", following: "", place: here[0] });
    this.write("^(", here);
  }

  /** @param {readonly number[]} here */
  endGroup(here) {
    this.endSums(this.groups.length, here);
    const { end, following } = /** @type {Group} */ (this.groups.pop());
    this.write(end, here);
    if (following !== "") this.group("(", following, "");
  }

  /** @param {string} other @param {readonly number[]} here */
  character(other, here) {
    const isSign = "+-".includes(other) && BEFORE_SIGN.test(this.parts.slice(-4).join(""));
    if ("+-)]},=<>".includes(other) && !isSign) this.endSums(this.groups.length, here);
    this.write(other, here);
  }

  /** Writes what a command becomes. @param {string} command @param {readonly number[]} here */
  command(command, here) {
    const { source: { text, places }, grammar, table: { signs, styles }, at } = this;
    if (["frac", "dfrac", "tfrac", "cfrac"].includes(command)) return this.pair("(", ")/", here);
    if (["binom", "dbinom", "tbinom"].includes(command)) return this.pair("binomial(", "),", here);
    if (command === "sqrt") return this.root(here);
    if (command === "sum" || command === "prod") return this.series(command, here);
    const styled = styles.includes(command) ? this.match(STYLED, at) : null;
    if (styled !== null) {
      const from = at + styled[1].length;
      this.at += styled[0].length;
      return this.write(` ${styled[2]} `, [here[0], ...places.slice(from, from + styled[2].length), here[here.length - 1]]);
    }
    if (Object.hasOwn(signs, command)) {
      if (signs[command] === "}" || signs[command] === ")" || command === "right") this.endSums(this.groups.length, here);
      if ((command === "left" || command === "right") && text[at] === ".") this.at += 1;
      return this.write(signs[command], here);
    }
    if (!grammar.functions.has(command) && !grammar.greek.has(command) && command !== "pi") this.refuse(`\\${command}`, here);
    // A function's name stays beside its index or exponent, as in \log_{2}.
    return this.write(` ${command}${text[at] === "_" ? "" : " "}`, [here[0], ...here]);
  }

  /** @param {string} opening @param {string} between @param {readonly number[]} here */
  pair(opening, between, here) {
    this.write(opening, here);
    this.group("(", between, "))");
  }

  /** @param {readonly number[]} here */
  root(here) {
    const degree = this.match(DEGREE, this.at);
    if (degree === null) {
      this.write("sqrt", here);
      return this.group("(", ")", "");
    }
    this.at += degree[0].length;
    this.write(`root(${degree[1]},`, here);
    return this.group("(", "))", "");
  }

  /** @param {string} command @param {readonly number[]} here */
  series(command, here) {
    const bounds = this.match(SERIES, this.at);
    if (bounds === null) return this.refuse(`\\${command}`, here);
    const [all, letter, low, high, one] = bounds;
    this.write(`${command}(${letter}=${low}..${high ?? one},`, [...here, ...this.source.places.slice(this.at, this.at + all.length)]);
    this.sums.push(this.groups.length);
    this.at += all.length;
    return undefined;
  }

  /** Begins to read a command's argument. The argument is a group in braces or a single character, as in `\frac12`.
   * @param {string} opening the text that replaces the opening brace
   * @param {string} end the text that replaces the closing brace
   * @param {string} following the text that replaces the closing brace of a second group, or "" if there is no second group */
  group(opening, end, following) {
    const { text, places } = this.source;
    this.at += this.match(SPACE, this.at)?.[0].length ?? 0;
    if (this.at >= text.length) {
      const place = places[places.length - 1];
      this.refuseSpan({ start: place, end: place + 1 }, "The formula ends where a group in braces was expected.");
    }
    const character = String.fromCodePoint(text.codePointAt(this.at) ?? 0);
    const here = places.slice(this.at, this.at + character.length);
    if (character === "{") {
      this.at += 1;
      this.write(opening, here);
      this.groups.push({ end, following, place: here[0] });
      return;
    }
    this.write(opening, [here[0]]);
    if (!/[\p{L}\p{N}]/u.test(character)) this.refuse(character, here);
    this.write(character + end, here);
    this.at += character.length;
    if (following !== "") this.group("(", following, "");
  }

  /** Writes a closing bracket for each sum that ends here. @param {number} depth
   * @param {readonly number[]} places */
  endSums(depth, places) {
    while (this.sums.length > 0 && this.sums[this.sums.length - 1] >= depth) {
      this.sums.pop();
      this.write(")", places);
    }
  }

  /** @param {string} written @param {readonly number[]} places @returns {never} */
  refuse(written, places) {
    return this.refuseSpan({ start: places[0], end: places[places.length - 1] + 1 }, `${quoted(written)} has no meaning here.`);
  }
}

/** @param {Plain} source @param {Grammar} grammar @param {LatexTable} table @param {Refuse} refuse
 * @returns {Plain} @throws {import("./mistakes.js").Mistake} */
export function plainOf(source, grammar, table, refuse) {
  return new Latex(source, grammar, table, refuse).plain();
}

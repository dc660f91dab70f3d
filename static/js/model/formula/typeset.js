// Writes a formula as TeX, in the form in which it was typed. This also works for a formula that is not finished yet.

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./grammar.js").Token} Token */
/** A part of a formula as TeX. `inner`: the TeX inside the brackets, if the part is in round brackets. `isLow`: true if the
 * part's last operation is an addition, a subtraction or an operation with a lower precedence. `negated`: the rest of the part
 * after its minus sign, if it begins with one.
 * @typedef {{tex: string, inner?: string, isLow?: boolean, negated?: Part}} Part */

const MISSING = "\\square";
/** The functions that TeX writes by a command. */
const COMMANDS = new Map([
  ..."sin cos tan sec csc cot sinh cosh tanh coth arcsin arccos arctan log ln exp max min".split(" ").map((name) => /** @type {const} */ ([name, `\\${name}`])),
  ["asin", "\\arcsin"], ["acos", "\\arccos"], ["atan", "\\arctan"], ["Gamma", "\\Gamma"], ["gamma", "\\Gamma"],
  ["maximum", "\\max"], ["minimum", "\\min"], ["log2", "\\log_{2}"], ["log10", "\\log_{10}"], ["binomial", "\\operatorname{binomial}"],
]);
const AROUND = new Map([
  ["abs", ["\\left|", "\\right|"]], ["floor", ["\\left\\lfloor ", "\\right\\rfloor "]], ["ceil", ["\\left\\lceil ", "\\right\\rceil "]],
  ["sqrt", ["\\sqrt{", "}"]], ["cbrt", ["\\sqrt[3]{", "}"]], ["factorial", ["\\left(", "\\right)!"]],
]);
const OPERATORS = new Map([
  ["<=", "\\le "], [">=", "\\ge "], ["!=", "\\ne "], ["==", "="], ["and", "\\land "], ["or", "\\lor "], ["*", "\\cdot "], ["%", "\\bmod "],
]);
const CLOSED = new Set(["close", "comma", "end"]);
const OPENERS = new Set(["number", "variable", "constant", "function", "open", "brace", "bar"]);

class Typesetter {
  /** @param {readonly Token[]} tokens @param {Grammar} grammar */
  constructor(tokens, grammar) {
    this.tokens = tokens;
    this.grammar = grammar;
    this.at = 0;
    /** The brackets that are open, innermost last. @type {string[]} */
    this.open = [];
  }

  get next() {
    return this.tokens[this.at];
  }

  /** Reads the next token if it has this name. @param {string} name */
  skip(name) {
    if (this.next.name !== name || this.next.kind === "end") return false;
    this.at += 1;
    return true;
  }

  /** Skips the closing bracket after arguments, if there is one. */
  skipClosing() {
    if (this.next.kind === "close") this.at += 1;
  }

  /** Writes all tokens as TeX. Copies closing brackets and commas that are in a wrong place. @returns {string} */
  whole() {
    let tex = "";
    while (this.next.kind !== "end") {
      const from = this.at;
      tex += this.expression(0).tex;
      if (this.next.kind !== "end" && CLOSED.has(this.next.kind)) tex += escaped(this.tokens[this.at++].text);
      else if (this.at === from) this.at += 1;
    }
    return tex;
  }

  /** @param {number} weakest the strength of the weakest operator that may follow @returns {Part} */
  expression(weakest) {
    const { strength, levels } = this.grammar;
    let left = this.operand();
    for (;;) {
      const { kind, name } = this.next;
      const strong = kind === "operator" ? strength.get(name) ?? 0 : 0;
      if (kind === "superscript" || (name === "^" && kind === "operator")) {
        left = { tex: `${powered(left)}^{${this.exponent()}}` };
      } else if (kind === "factorial") {
        this.at += 1;
        left = { tex: `${left.tex}!` };
      } else if (kind === "mark" && name === "=" && weakest === 0) {
        this.at += 1;
        left = { tex: `${left.tex}=${this.expression(0).tex}`, isLow: true };
      } else if (kind === "operator" && strong >= weakest && strong > 0) {
        this.at += 1;
        left = this.operation(name, strong, left);
      } else if (this.beginsOperand() && weakest <= levels.PRODUCT) {
        left = { tex: juxtaposed(left.tex, this.expression(levels.SIGN).tex) };
      } else {
        return left;
      }
    }
  }

  /** @private @returns {string} */
  exponent() {
    const token = this.tokens[this.at++];
    if (token.kind === "superscript") return token.name;
    return bare(this.expression(this.grammar.levels.POWER));
  }

  /** @private @param {string} name @param {number} strong @param {Part} left @returns {Part} */
  operation(name, strong, left) {
    const { levels } = this.grammar;
    if (name === "/") {
      const sign = left.negated === undefined ? "" : "-";
      return { tex: `${sign}\\frac{${bare(left.negated ?? left)}}{${bare(this.expression(levels.SIGN))}}` };
    }
    if (name === "?") {
      const first = this.expression(0).tex;
      this.skip(":");
      return { tex: cases([[first, left.tex], [this.expression(0).tex, "\\text{else}"]]) };
    }
    if (name === "if") {
      const condition = this.expression(levels.OR).tex;
      this.skip("else");
      return { tex: cases([[left.tex, condition], [this.expression(0).tex, "\\text{else}"]]) };
    }
    const right = this.expression(strong + 1);
    return { tex: `${left.tex}${OPERATORS.get(name) ?? name}${right.tex}`, isLow: strong <= levels.SUM };
  }

  beginsOperand() {
    const { kind } = this.next;
    return kind === "bar" ? this.open[this.open.length - 1] !== "|" : OPENERS.has(kind);
  }

  /** @private @returns {Part} */
  operand() {
    const token = this.next;
    if (CLOSED.has(token.kind) || token.kind === "superscript") return { tex: MISSING };
    if (token.kind === "operator" && !["+", "-", "if"].includes(token.name)) return { tex: MISSING };
    this.at += 1;
    switch (token.kind) {
      case "number":
        return { tex: numberTex(token.text) };
      case "function":
        return this.call(token);
      case "open": {
        const inner = this.inside(token.name);
        const [left, right] = token.name === "[" ? ["[", "]"] : ["(", ")"];
        return { tex: `\\left${left}${inner}\\right${this.skip(right) ? right : "."}`, inner };
      }
      case "bar": {
        const inner = this.inside("|");
        return { tex: `\\left|${inner}\\right${this.skip("|") ? "|" : "."}` };
      }
      case "brace":
        return { tex: this.pieces() };
      case "not":
        return { tex: `\\lnot ${this.expression(this.grammar.levels.NOT).tex}` };
      case "operator":
        if (token.name === "if") return this.choice();
        return this.signed(token.name);
      case "mark":
        return { tex: token.name === ".." ? "\\ldots " : escaped(token.text) };
      default:
        return { tex: nameTex(this.grammar, token.name) };
    }
  }

  /** @private @param {string} opening @returns {string} the TeX inside of a bracket */
  inside(opening) {
    this.open.push(opening);
    const { tex } = this.expression(0);
    this.open.pop();
    return tex;
  }

  /** @private @param {string} sign @returns {Part} */
  signed(sign) {
    const inner = this.expression(this.grammar.levels.SIGN);
    return { tex: `${sign}${inner.tex}`, negated: sign === "-" ? inner : undefined };
  }

  /** Reads a piecewise formula such as `{c: a, d: b, z}` after its opening brace, and writes it as cases. @private */
  pieces() {
    /** @type {[string, string][]} */
    const rows = [];
    this.open.push("{");
    while (this.next.kind !== "end" && this.next.kind !== "close") {
      const from = this.at;
      const part = this.expression(0).tex;
      if (this.skip(":")) rows.push([this.expression(0).tex, part]);
      else rows.push(rows.length === 0 ? ["1", part] : [part, "\\text{else}"]);
      if (!this.skip(",") && this.at === from) this.at += 1;
    }
    this.open.pop();
    this.skip("}");
    return cases(rows);
  }

  /** @private @returns {Part} */
  choice() {
    const [first, ...rest] = this.arguments();
    const parts = [first, ...rest];
    /** @type {[string, string][]} */
    const rows = [];
    for (let k = 0; k < parts.length; k += 2) rows.push(k + 1 < parts.length ? [parts[k + 1], parts[k]] : [parts[k], "\\text{else}"]);
    return { tex: cases(rows) };
  }

  /** The arguments in brackets, as TeX. @private @returns {string[]} */
  arguments() {
    if (this.next.kind !== "open") return [];
    this.at += 1;
    const parts = [this.inside("(")];
    while (this.skip(",")) parts.push(this.inside("("));
    this.skipClosing();
    return parts;
  }

  /** @private @param {Token} token @returns {Part} */
  call(token) {
    const { maths = "" } = this.grammar.functions.get(token.name) ?? {};
    const isLogarithm = token.name === "log_";
    const base = isLogarithm ? `_{${this.operand().tex}}` : "";
    const raised = this.next.kind === "superscript" || (this.next.kind === "operator" && this.next.name === "^") ? `^{${this.exponent()}}` : "";
    if (this.next.kind === "open" && maths === "select") return this.choice();
    if (this.next.kind === "open" && (maths === "sum" || maths === "prod")) return this.series(maths);
    const isBare = this.next.kind !== "open";
    const args = isBare ? [this.bareArgument()] : this.arguments();
    if (maths === "root" && args.length === 2) return { tex: `\\sqrt[${args[0]}]{${args[1]}}` };
    if (maths === "pow" && args.length === 2) return { tex: `${/^[\w ]+$/.test(args[0]) ? `{${args[0]}}` : `\\left(${args[0]}\\right)`}^{${args[1]}}` };
    if (maths === "binomial" && args.length === 2) return { tex: `\\binom{${args[0]}}{${args[1]}}` };
    const around = args.length === 1 && raised === "" ? AROUND.get(maths) : undefined;
    if (around !== undefined) return { tex: around.join(args[0]) };
    const name = isLogarithm ? "\\log" : COMMANDS.get(token.name) ?? COMMANDS.get(maths) ?? (token.name.length === 1 ? token.name : `\\operatorname{${escaped(token.name)}}`);
    return { tex: `${name}${base}${raised}${isBare ? ` ${args[0]}` : `\\left(${args.join(", ")}\\right)`}` };
  }

  /** Reads the argument of a function that is written without brackets. The argument ends before the next function. @private */
  bareArgument() {
    const { SIGN } = this.grammar.levels;
    let { tex } = this.expression(SIGN);
    while (this.beginsOperand() && this.next.kind !== "function") tex = juxtaposed(tex, this.expression(SIGN).tex);
    return tex;
  }

  /** `sum(k=1..10, a)` or `sum(a, k=1..10)`. @private @param {"sum" | "prod"} maths @returns {Part} */
  series(maths) {
    this.at += 1;
    let body = MISSING;
    let bounds = "";
    do {
      const letter = this.next;
      if (letter.kind === "variable" && this.tokens[this.at + 1].name === "=") {
        this.at += 2;
        const low = this.expression(1).tex;
        this.skip("..");
        bounds = `_{${nameTex(this.grammar, letter.name)}=${low}}^{${this.expression(1).tex}}`;
      } else {
        const part = this.expression(0);
        body = part.isLow ? `\\left(${part.tex}\\right)` : part.tex;
      }
    } while (this.skip(","));
    this.skipClosing();
    return { tex: `\\${maths}${bounds} ${body}` };
  }
}

/** Writes a product without a multiplication sign. Puts a space between the factors if one
 * of them contains a word or a piecewise formula, or if the right factor begins with a number.
 * @param {string} left
 * @param {string} right */
function juxtaposed(left, right) {
  return /mathrm|begin/.test(left + right) || /^[\d.]/.test(right) ? `${left}\\,${right}` : left + right;
}

/** @param {Part} part */
function bare({ tex, inner }) {
  return inner ?? tex;
}

/** Puts the base of a power into braces. Without braces, TeX would apply the exponent only to the last letter of the base.
 * @param {Part} part */
function powered({ tex, inner }) {
  return inner === undefined ? `{${tex}}` : tex;
}

/** @param {readonly (readonly [string, string])[]} rows a number, and its condition */
function cases(rows) {
  return `\\begin{cases}${rows.map(([value, condition]) => `${value} & ${condition}`).join(" \\\\ ")}\\end{cases}`;
}

/** @param {string} text of a number */
function numberTex(text) {
  const [digits, power] = text.toLowerCase().split("e");
  return power === undefined ? digits : `${digits}\\cdot 10^{${power.replace("+", "")}}`;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\{}$&#^_%~]/g, (character) => (character === "\\" ? "\\backslash " : `\\${character}`));
}

/** @param {Grammar} grammar @param {string} name of a variable or a constant */
export function nameTex(grammar, name) {
  const canonical = grammar.canonical(name);
  const [, stem, index] = /^(.*?[^0-9])([0-9]*)$/.exec(canonical) ?? ["", canonical, ""];
  const [letter, second] = /^[A-Za-z][A-Za-z]$/.test(stem) && name.includes("_") ? [stem[0], stem[1]] : [stem, index];
  const isGreek = grammar.greek.has(letter) || letter === "pi";
  const tex = isGreek ? greekTex(letter) : letter.length > 1 ? `\\mathrm{${escaped(letter)}}` : escaped(letter);
  return second === "" ? `${tex} ` : `${tex}_{${second}} `;
}

/** Returns the TeX of a Greek letter. TeX has no command for omicron.
 * @param {string} name */
function greekTex(name) {
  return name === "omicron" ? "o" : `\\${name}`;
}

/** @param {readonly Token[]} tokens ending with an end token @param {Grammar} grammar @returns {string} */
export function texOf(tokens, grammar) {
  return new Typesetter(tokens, grammar).whole();
}

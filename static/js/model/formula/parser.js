// The parser of formulas. It gives the same nodes and the same mistakes as eglantine/formulas/parser.py, which explains the
// grammar.

/** @typedef {import("./grammar.js").Callable} Callable */
/** @typedef {import("./grammar.js").Definition} Definition */
/** @typedef {import("./grammar.js").FormulaNode} FormulaNode */
/** @typedef {import("./grammar.js").Token} Token */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */

import { quoted } from "./grammar.js";
import { refuse, refuseArgument, refuseCount, refuseEnd, refuseLimit, refuseOperand } from "./mistakes.js";
import { Nodes } from "./nodes.js";
import { checkLetters, pieces, selectCall, series } from "./series.js";

const STARTS_OPERAND = new Set(["number", "variable", "constant", "function", "open", "brace"]);

/** Reads a formula by precedence climbing. This method uses a loop for chains of operators. It recurses only for brackets,
 * signs, powers, choices and functions. */
class Parser extends Nodes {
  /** @param {readonly Token[]} tokens @param {Vocabulary} words @param {Map<string, Definition>} definitions */
  constructor(tokens, words, definitions) {
    super(tokens, words, definitions);
    this.depth = -1;
    /** The brackets that are open, innermost last. @type {Token[]} */
    this.open = [];
    this.levels = words.grammar.levels;
  }

  /** @returns {FormulaNode[]} */
  formula() {
    if (this.next.kind === "end") refuse(this.next, "The formula is empty.");
    const root = this.expression(this.levels.CHOICE);
    if (this.next.kind !== "end") this.refuseStray(this.next);
    if (this.words.bound.length > 0) checkLetters(this);
    return this.nodes.slice(0, root + 1);
  }

  /** Reads operands and operators. Stops before an operator with a precedence below `weakest`.
   * @param {number} weakest
   * @param {0 | 1} deeper 0 to keep the depth of nesting, 1 to add one level. The right side of a + or * adds no level
   * @returns {number} */
  expression(weakest, deeper = 1) {
    const { SIGN, POWER, PRODUCT, COMPARE } = this.levels;
    this.depth += deeper;
    const { depth } = this.grammar.limits;
    if (this.depth > depth) refuseLimit("depth", depth, this.next);
    let left = this.operand(weakest);
    for (;;) {
      const token = this.next;
      const strength = token.kind === "operator" ? this.grammar.strength.get(token.name) ?? 0 : 0;
      if (token.kind === "operator" && strength >= weakest) {
        this.at += 1;
        if (strength <= COMPARE) left = this.logic(left, token, strength);
        else left = this.binary(token.name, left, strength === POWER ? this.expression(POWER) : this.expression(strength + 1, 0));
      } else if (token.kind === "superscript") {
        left = this.binary("^", left, this.numberOf(this.take()));
      } else if (token.kind === "factorial") {
        const { start } = this.nodes[left];
        left = this.call("factorial", [left], start, this.take().end);
      } else if (weakest <= PRODUCT && this.startsOperand(token)) {
        this.refuseTwoNumbers(token);
        left = this.binary("*", left, this.expression(SIGN, 0));
      } else {
        this.depth -= deeper;
        return left;
      }
    }
  }

  /** Reads the rest of an expression after its operator `token`: a choice, a condition with `and` or `or`, or a comparison.
   * @param {number} left @param {Token} token @param {number} strength */
  logic(left, token, strength) {
    const { CHOICE, OR, COMPARE, SUM } = this.levels;
    if (strength === COMPARE) {
      let right = this.expression(SUM, 0);
      let compared = this.binary(token.name, left, right);
      while (this.next.kind === "operator" && this.grammar.strength.get(this.next.name) === COMPARE) {
        const { name } = this.take();
        const middle = right;
        right = this.expression(SUM, 0);
        compared = this.pair("and", compared, this.binary(name, middle, right));
      }
      return compared;
    }
    if (strength > CHOICE) {
      const right = this.condition(this.expression(strength + 1, 0));
      return this.pair(token.name, this.condition(left), right);
    }
    if (token.name === "?") {
      const asked = this.condition(left);
      const first = this.expression(CHOICE);
      this.expect(":", token);
      return this.select(asked, first, this.expression(CHOICE));
    }
    const condition = this.condition(this.expression(OR));
    this.expect("else", token);
    return this.select(condition, left, this.expression(CHOICE));
  }

  /** Reads one operand with the signs before it. @param {number} weakest @returns {number} */
  operand(weakest) {
    const { SIGN, NOT } = this.levels;
    const token = this.take();
    const { kind, name, start } = token;
    if (kind === "number") return this.numberOf(token);
    if (kind === "variable") {
      const isDefined = this.definitions.has(name) && !this.words.functions.has(name);
      return isDefined ? this.inlined(token, [], token.end) : this.term("variable", token);
    }
    if (kind === "constant") return this.term("constant", token);
    if (kind === "function") return this.functionOf(token);
    if (kind === "open" || kind === "bar") {
      const inner = this.bracketed(token);
      const { end } = this.close(token);
      return kind === "open" ? inner : this.call("abs", [inner], start, end);
    }
    if (kind === "brace") return pieces(this, token);
    if (kind === "operator" && (name === "+" || name === "-")) {
      const inner = this.expression(SIGN);
      if (name === "+") return inner;
      const operand = this.real(inner);
      return this.operation("negate", [operand], start, this.nodes[operand].end);
    }
    if (kind === "not" && weakest <= NOT) {
      const inner = this.condition(this.expression(NOT));
      return this.operation("not", [inner], start, this.nodes[inner].end);
    }
    if (name === "if" && kind === "operator" && this.next.kind === "open") {
      const [args, end] = this.arguments();
      return selectCall(this, token, args, end);
    }
    if (kind === "end") return refuseEnd(this.tokens[this.tokens.length - 2], token);
    return refuseOperand(this.at > 1 ? this.tokens[this.at - 2] : undefined, token, this.open.length > 0);
  }

  /** @param {Token} token @returns {Callable} */
  callable({ name }) {
    return /** @type {Callable} */ (this.words.functions.get(name === "log_" ? "log" : name));
  }

  /** Reads a function and its arguments. The function may have an exponent, as in `sin^2 x`. @param {Token} token */
  functionOf(token) {
    const base = token.name === "log_" ? this.operand(this.levels.POWER) : null;
    const exponent = this.functionExponent(token);
    let call = this.called(token);
    if (base !== null) {
      const { start, end } = this.nodes[base];
      call = this.binary("/", call, this.call("log", [base], start, end));
    }
    return exponent === null ? call : this.binary("^", call, exponent);
  }

  /** Reads the arguments of a function. @param {Token} token @returns {number} its value's node */
  called(token) {
    const called = this.callable(token);
    const isBare = this.next.kind !== "open";
    if (!isBare && (called.maths === "sum" || called.maths === "prod")) return series(this, token);
    const [args, end] = isBare ? this.bareArgument(token, called) : this.arguments();
    if (called.maths === "select") return selectCall(this, token, args, end);
    if (args.length < called.least || args.length > called.most) refuseCount(token, called, args.length, end);
    if (called.maths === "polygamma") this.checkOrder(args[0]);
    if (called.maths === "%") return this.respanned(this.binary("%", args[0], args[1]), token.start, end);
    if (this.definitions.has(token.name)) return this.inlined(token, args.map((argument) => this.real(argument)), end);
    return this.call(called.maths, args, token.start, end);
  }

  /** @param {number} argument */
  checkOrder(argument) {
    const order = this.literal(argument);
    const { polygamma } = this.grammar.limits;
    if (order === null || !Number.isInteger(order) || order < 0 || order > polygamma) {
      refuse(this.nodes[argument], `The order of \`polygamma\` must be a whole number from 0 to ${polygamma}.`);
    }
  }

  /** Reads the exponent of a function, such as the 2 in `sin^2 x`. Returns null if the function has no exponent. The text
   * `sin^-1 x` is an error, because it has two meanings.
   * @param {Token} token */
  functionExponent(token) {
    const { next } = this;
    const isPower = next.kind === "operator" && next.name === "^";
    if (next.kind !== "superscript" && !isPower) return null;
    this.take();
    const exponent = isPower ? this.expression(this.levels.POWER) : this.numberOf(next);
    if (this.literal(exponent) === -1) {
      refuse({ start: token.start, end: this.tokens[this.at - 1].end }, `\`${token.text}^-1\` has two meanings.`);
    }
    return exponent;
  }

  /** Reads the arguments in brackets. @returns {[number[], number]} their nodes, and the column where the brackets end */
  arguments() {
    const opening = this.take();
    const args = [];
    if (this.next.kind !== "close") {
      args.push(this.bracketed(opening));
      while (this.next.kind === "comma") {
        this.at += 1;
        args.push(this.bracketed(opening));
      }
    }
    return [args, this.close(opening).end];
  }

  /** Reads an argument without brackets. For example, the argument in `sin x y cos z` is `x y`, because it ends before the next
   * function.
   * @param {Token} token @param {Callable} called
   * @returns {[number[], number]} the argument's node, and the column where it ends */
  bareArgument(token, called) {
    const { SIGN } = this.levels;
    const isSign = this.next.kind === "operator" && (this.next.name === "+" || this.next.name === "-");
    if (called.most > 1 || !(isSign || this.startsOperand(this.next))) refuseArgument(token.text, token);
    let left = this.expression(SIGN);
    while (this.next.kind !== "function" && this.startsOperand(this.next)) {
      this.refuseTwoNumbers(this.next);
      left = this.binary("*", left, this.expression(SIGN));
    }
    return [[left], this.nodes[left].end];
  }

  /** Reads the expression inside a bracket. @param {Token} opening */
  bracketed(opening) {
    this.open.push(opening);
    const inner = this.expression(this.levels.CHOICE);
    this.open.pop();
    return inner;
  }

  /** Reads the bracket that closes `opening`. @param {Token} opening @returns {Token} */
  close(opening) {
    const token = this.next;
    const wanted = this.grammar.closing.get(opening.name);
    if (token.name === wanted && (token.kind === "close" || token.kind === "bar")) return this.take();
    if (token.kind === "close") {
      return refuse(token, `${quoted(token.text)} does not close the \`${opening.text}\` before it.`);
    }
    if (opening.kind === "brace" && token.kind === "comma") return refuse(token, "A colon was expected here, after the condition.");
    if (token.kind === "comma" || token.kind === "mark") return this.refuseStray(token);
    return refuse(opening, `The \`${opening.text}\` here is never closed.`);
  }

  /** @param {Token} token */
  startsOperand(token) {
    return token.kind === "bar" ? this.open[this.open.length - 1]?.kind !== "bar" : STARTS_OPERAND.has(token.kind);
  }

  /** @param {Token} token */
  refuseTwoNumbers(token) {
    const before = this.tokens[this.at - 1];
    if (token.kind === "number" && (before.kind === "number" || before.kind === "superscript")) {
      refuse(token, `The number ${quoted(token.text)} stands right after ${quoted(before.text)}.`);
    }
  }
}

/** @param {readonly Token[]} tokens @param {Vocabulary} words @param {Map<string, Definition>} definitions
 * @returns {FormulaNode[]} operands first, the root last @throws {import("./mistakes.js").Mistake} */
export function readTokens(tokens, words, definitions = new Map()) {
  return new Parser(tokens, words, definitions).formula();
}

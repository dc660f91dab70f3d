// The nodes of a formula while it is being read, and the tokens that are still to come.

/** @typedef {import("./grammar.js").Definition} Definition */
/** @typedef {import("./grammar.js").FormulaNode} FormulaNode */
/** @typedef {import("./grammar.js").Token} Token */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */

import { numberValue } from "./lexer.js";
import { NO_CONDITION, refuse, refuseLimit, refuseMissing, refuseStray } from "./mistakes.js";

export class Nodes {
  /** @param {readonly Token[]} tokens @param {Vocabulary} words @param {Map<string, Definition>} definitions */
  constructor(tokens, words, definitions) {
    this.tokens = tokens;
    this.words = words;
    this.grammar = words.grammar;
    this.definitions = definitions;
    this.at = 0;
    /** @type {FormulaNode[]} */
    this.nodes = [];
    this.terms = 0;
  }

  // nodes

  /** @param {FormulaNode} node @returns {number} its position */
  add(node) {
    this.nodes.push(node);
    return this.nodes.length - 1;
  }

  /** @param {string} kind @param {readonly number[]} operands @param {number} start @param {number} end */
  operation(kind, operands, start, end, name = "") {
    return this.add({ kind, name, number: 0, isWhole: false, operands, start, end });
  }

  /** Adds a number, variable or constant. @param {"number" | "variable" | "constant"} kind @param {Token} token */
  term(kind, token, number = 0, isWhole = false) {
    this.terms += 1;
    if (this.terms > this.grammar.limits.terms) refuseLimit("terms", this.grammar.limits.terms, token);
    const { start, end } = token;
    return this.add({ kind, name: kind === "number" ? "" : token.name, number, isWhole, operands: [], start, end });
  }

  /** @param {Token} token */
  numberOf(token) {
    const [value, isWhole] = numberValue(token);
    return this.term("number", token, value, isWhole);
  }

  /** @param {string} name @param {readonly number[]} args @param {number} start @param {number} end */
  call(name, args, start, end) {
    return this.operation("call", args.map((place) => this.real(place)), start, end, name);
  }

  /** Adds an operator on two numbers. @param {string} kind @param {number} left @param {number} right */
  binary(kind, left, right) {
    return this.pair(kind, this.real(left), this.real(right));
  }

  /** @param {string} kind @param {number} left @param {number} right */
  pair(kind, left, right) {
    return this.operation(kind, [left, right], ...this.spanOf([left, right]));
  }

  /** Adds a choice between two numbers. @param {number} condition @param {number} first @param {number} other */
  select(condition, first, other) {
    const operands = [condition, this.real(first), this.real(other)];
    return this.operation("select", operands, ...this.spanOf(operands));
  }

  /** @param {readonly number[]} places @returns {[number, number]} */
  spanOf(places) {
    const nodes = places.map((place) => this.nodes[place]);
    return [Math.min(...nodes.map(({ start }) => start)), Math.max(...nodes.map(({ end }) => end))];
  }

  /** Gives a node another position. @param {number} place @param {number} start @param {number} end */
  respanned(place, start, end) {
    this.nodes[place] = { ...this.nodes[place], start, end };
    return place;
  }

  /** Converts a node to a number. A condition becomes 1 or 0. @param {number} place */
  real(place) {
    const { kind, start, end } = this.nodes[place];
    return this.grammar.conditions.has(kind) ? this.operation("real", [place], start, end) : place;
  }

  /** A node that must be a condition. @param {number} place */
  condition(place) {
    const node = this.nodes[place];
    if (!this.grammar.conditions.has(node.kind)) refuse(node, NO_CONDITION);
    return place;
  }

  /** Returns the value of a number with or without signs, or null for other nodes.
   * @param {number} place @returns {number | null} */
  literal(place) {
    let [node, sign] = [this.nodes[place], 1];
    for (; node.kind === "negate"; node = this.nodes[node.operands[0]]) sign = -sign;
    return node.kind === "number" ? sign * node.number : null;
  }

  /** Refuses a formula that would have too many nodes. @param {number} more @param {Token} token */
  checkRoom(more, token) {
    const { nodes } = this.grammar.limits;
    if (this.nodes.length + more > nodes) refuseLimit("nodes", nodes, token);
  }

  /** Adds the nodes of a definition. The arguments replace the definition's parameters.
   * @param {Token} token @param {readonly number[]} args @param {number} end */
  inlined({ name, start, ...token }, args, end) {
    const { parameters, nodes } = /** @type {Definition} */ (this.definitions.get(name));
    this.checkRoom(nodes.length, { name, start, ...token });
    /** @type {number[]} */
    const places = [];
    for (const node of nodes) {
      const parameter = node.kind === "variable" ? parameters.indexOf(node.name) : -1;
      const operands = node.operands.map((operand) => places[operand]);
      places.push(parameter < 0 ? this.add({ ...node, operands, start, end }) : args[parameter]);
    }
    return places[places.length - 1];
  }

  // tokens

  get next() {
    return this.tokens[this.at];
  }

  /** Reads a token. @returns {Token} */
  take() {
    const token = this.tokens[this.at];
    if (token.kind !== "end") this.at += 1;
    return token;
  }

  /** Reads a mark that must come next. @param {string} name @param {Token} after */
  expect(name, after) {
    if (this.next.kind !== "mark" || this.next.name !== name) refuseMissing(name, after, this.next);
    return this.take();
  }

  /** Throws an error, because the token cannot follow a complete expression. @param {Token} token @returns {never} */
  refuseStray(token) {
    const after = this.next.kind === "end" ? undefined : this.tokens[this.at + 1];
    return refuseStray(this.tokens[this.at - 1], token, after);
  }
}

// Choices, and sums and products over a letter, as in eglantine/formulas/series.py.

/** @typedef {import("./grammar.js").FormulaNode} FormulaNode */
/** @typedef {import("./grammar.js").Token} Token */
/** A reader of formulas.
 * @typedef {import("./nodes.js").Nodes & {bracketed: (opening: Token) => number, close: (opening: Token) => Token}} Reader */

import { quoted } from "./grammar.js";
import { refuse } from "./mistakes.js";

/** Reads the rest of a piecewise formula whose first brace is `opening`. The value of `{c: a, d: b, z}` is a if c is true. If
 * only d is true, the value is b. If neither is true, the value is z.
 * @param {Reader} reader @param {Token} opening @returns {number} */
export function pieces(reader, opening) {
  const { start } = opening;
  /** @type {[number, number][]} */
  const pairs = [];
  for (;;) {
    const part = reader.bracketed(opening);
    const isCondition = isColon(reader.next);
    if (!isCondition && pairs.length > 0) return choice(reader, pairs, part, start, reader.close(opening).end);
    if (!isCondition) {
      if (!reader.grammar.conditions.has(reader.nodes[part].kind)) refuse(opening, "Braces need a condition, as in {x > 0: x, -x}.");
      const one = whole(reader, 1, start, opening.end);
      return choice(reader, [[part, one]], null, start, reader.close(opening).end);
    }
    reader.condition(part);
    reader.take();
    pairs.push([part, reader.bracketed(opening)]);
    if (reader.next.kind !== "comma") return choice(reader, pairs, null, start, reader.close(opening).end);
    reader.take();
  }
}

/** @param {Token} token */
function isColon({ kind, name }) {
  return kind === "mark" && name === ":";
}

/** Adds the nodes of a choice such as `if(c, a, d, b, z)`. Its value is a if c is true, else b if d is true, else z.
 * @param {Reader} reader @param {Token} token @param {readonly number[]} args
 * @param {number} end @returns {number} */
export function selectCall(reader, token, args, end) {
  const { start, text } = token;
  if (args.length < 2) refuse({ start, end }, `\`${text}\` needs a condition and values.`);
  /** @type {[number, number][]} */
  const pairs = [];
  for (let k = 0; k + 1 < args.length; k += 2) pairs.push([args[k], args[k + 1]]);
  return choice(reader, pairs, args.length % 2 === 1 ? args[args.length - 1] : null, start, end);
}

/** Adds nodes that choose one of several values. Each pair has a condition and a value. The result is the value of the first
 * pair whose condition is true. If no condition is true, the result is `rest`, or NaN if `rest` is null.
 * @param {Reader} reader @param {readonly [number, number][]} pairs
 * @param {number | null} rest @param {number} start @param {number} end */
function choice(reader, pairs, rest, start, end) {
  let result = rest === null
    ? reader.add({ kind: "number", name: "", number: NaN, isWhole: false, operands: [], start, end })
    : reader.real(rest);
  for (const [condition, value] of [...pairs].reverse()) result = reader.select(reader.condition(condition), value, result);
  return reader.respanned(result, start, end);
}

/** @param {Reader} reader @param {number} number @param {number} start @param {number} end */
function whole(reader, number, start, end) {
  return reader.add({ kind: "number", name: "", number, isWhole: true, operands: [], start, end });
}

/** Reads the brackets of `sum(k=1..10, a)` or `sum(a, k=1..10)`, and adds the nodes of all terms.
 * @param {Reader} reader @param {Token} token @returns {number} */
export function series(reader, token) {
  const isSum = reader.words.functions.get(token.name)?.maths === "sum";
  const opening = reader.take();
  const first = reader.nodes.length;
  const { letter, low, high, body } = rangeAndBody(reader, token, opening);
  const { end } = reader.close(opening);
  // A body that was read before, such as the argument of a definition, adds no nodes here.
  const template = body < first ? [] : reader.nodes.slice(first, body + 1);
  reader.nodes.length = first;
  reader.checkRoom((high - low + 1) * (template.length + 1), token);
  let total = -1;
  for (let k = low; k <= high; k++) {
    const term = template.length === 0 ? body : instance(reader, template, first, letter, k);
    total = k === low ? term : reader.binary(isSum ? "+" : "*", total, term);
  }
  if (total < 0) return whole(reader, isSum ? 0 : 1, token.start, end);
  return reader.respanned(total, token.start, end);
}

/** Reads the two arguments of a sum or product: what to add or multiply, and the range of the letter, such as k=1..10. The
 * arguments may come in either order. Keeps no nodes for the range.
 * @param {Reader} reader @param {Token} token @param {Token} opening */
function rangeAndBody(reader, token, opening) {
  const first = reader.nodes.length;
  const early = letterOf(reader);
  if (early !== null) {
    const [low, high] = bounds(reader, opening);
    reader.nodes.length = first;
    comma(reader, token);
    return { letter: early, low, high, body: reader.real(reader.bracketed(opening)) };
  }
  const body = reader.real(reader.bracketed(opening));
  comma(reader, token);
  const letter = letterOf(reader) ?? refuseSeries(token, reader.next.end);
  const after = reader.nodes.length;
  const [low, high] = bounds(reader, opening);
  reader.nodes.length = after;
  return { letter, low, high, body };
}

/** Adds the nodes of one term of a sum or product. They are a copy of the nodes in `template`, in which the number k replaces
 * the letter. @param {Reader} reader
 * @param {readonly FormulaNode[]} template
 * @param {number} first @param {string} letter @param {number} k */
function instance(reader, template, first, letter, k) {
  const shift = reader.nodes.length - first;
  let place = -1;
  for (const node of template) {
    if (node.kind === "variable" && node.name === letter) {
      place = reader.add({ ...node, kind: "number", name: "", number: k, isWhole: true });
    } else {
      place = reader.add({ ...node, operands: node.operands.map((operand) => (operand < first ? operand : operand + shift)) });
    }
  }
  return place;
}

/** Reads `k =` if it comes next. @param {Reader} reader @returns {string | null} the letter */
function letterOf(reader) {
  const { next } = reader;
  if (next.kind !== "variable") return null;
  const following = reader.tokens[reader.at + 1];
  if (following.kind !== "mark" || following.name !== "=") return null;
  reader.at += 2;
  return next.name;
}

/** @param {Reader} reader @param {Token} opening @returns {[number, number]} */
function bounds(reader, opening) {
  const low = bound(reader, opening);
  reader.expect("..", reader.tokens[reader.at - 1]);
  return [low, bound(reader, opening)];
}

/** @param {Reader} reader @param {Token} opening */
function bound(reader, opening) {
  const node = reader.bracketed(opening);
  const value = reader.literal(node);
  if (value === null || !Number.isInteger(value) || Math.abs(value) > reader.grammar.limits.bound) {
    const most = String(reader.grammar.limits.bound).replace(/\B(?=(?:\d{3})+$)/g, ",");
    return refuse(reader.nodes[node], `A bound of a sum or product must be a whole number up to ${most}, but this is not one.`);
  }
  return value + 0;
}

/** @param {Reader} reader @param {Token} token */
function comma(reader, token) {
  if (reader.next.kind !== "comma") refuseSeries(token, token.end);
  reader.take();
}

/** @param {Token} token @param {number} end @returns {never} */
function refuseSeries({ start, text }, end) {
  return refuse({ start, end }, `\`${text}\` needs a letter with its range, and what to add or multiply.`);
}

/** Refuses a sum's letter outside of the sum. @param {Reader} reader */
export function checkLetters(reader) {
  const { bound: letters, variables } = reader.words;
  const names = letters.filter((name) => !variables.includes(name));
  const outside = reader.nodes.find(({ kind, name }) => kind === "variable" && names.includes(name));
  if (outside !== undefined) refuse(outside, `${quoted(outside.name)} has a value only inside of its sum or product.`);
}

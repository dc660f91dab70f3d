// Shows one row of a tape in detail, so that you can check each number. Shows the operation, the values of its operands, and
// its partial derivatives as formulas and as numbers. Also shows the numbers that the row adds to the cotangents of its
// operands, and the sum that gives the row's own cotangent.

/** @typedef {import("./picture.js").TapeScene} TapeScene */
/** @typedef {import("./steps.js").RowOperand} RowOperand */

import { format } from "../../model/numbers.js";
import { loadKatex } from "../../widgets/katex.js";
import { nameElement, operandElement, operationElements, setSentence } from "./operation.js";
import { numberAt, sumOf } from "./steps.js";
import * as texts from "./texts.js";

/** Enough digits to check a product by hand. */
const DIGITS = 9;

export class TapeDetail {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** A text that identifies the shown state. We rebuild the elements only if the text has changed. */
    this.shown = "";
    /** @type {any} */
    this.katex = null;
  }

  /** @param {TapeScene} scene */
  draw(scene) {
    const { tape, numbers, moment, mode, chosen } = scene;
    const key = JSON.stringify([tape.text, Array.from(numbers), moment.step, [...moment.sums], moment.values.size, mode, chosen, this.katex !== null]);
    if (key === this.shown) return;
    this.shown = key;
    const node = tape.nodes[chosen];
    const parts = [this.heading(scene)];
    node.operands.forEach((operand, k) => {
      if ("node" in operand && moment.values.has(chosen)) parts.push(this.partial(scene, operand, k));
    });
    if (mode === "gradient") parts.push(...this.sums(scene));
    if (mode === "tangents" && moment.values.has(chosen)) parts.push(this.tangent(scene));
    if (mode === "chunk" && moment.values.has(chosen)) parts.push(this.chunk(scene));
    this.place.replaceChildren(...parts);
    if (this.katex === null && node.op !== "input") this.load(scene);
  }

  /** Loads KaTeX, which draws formulas. Then draws the details again, now with formulas. @private @param {TapeScene} scene */
  async load(scene) {
    const katex = await loadKatex();
    if (this.katex !== null) return;
    this.katex = katex;
    if (this.shown !== "") this.draw(scene);
  }

  /** @private @param {TapeScene} scene @returns {HTMLElement} */
  heading({ tape, numbers, moment, chosen }) {
    const node = tape.nodes[chosen];
    const line = element("p", "detail-head");
    line.append(nameElement(node.name));
    if (node.op === "input") line.append(` = ${full(numberAt(numbers, node.value))}`);
    else line.append(" = ", ...operationElements(tape.nodes, chosen));
    if (node.op === "input" || !moment.values.has(chosen)) return line;
    const given = node.operands.map((operand) => {
      const part = element("span", "given");
      part.append(operandElement(tape.nodes, operand), ` = ${full("node" in operand ? numberAt(numbers, tape.nodes[operand.node].value) : Number(operand.number))}`);
      return "node" in operand ? part : null;
    });
    line.append(` = ${full(numberAt(numbers, node.value))}`);
    const where = element("p", "small");
    where.append(texts.WHERE, ...given.flatMap((part) => (part === null ? [] : [" ", part])));
    const both = element("div", "");
    both.append(line, where);
    return both;
  }

  /** Writes a partial derivative as a chain of equations. For example, ∂v/∂u = cos u = cos 0.5 = 0.877582562. @private
   * @param {TapeScene} scene @param {RowOperand} operand
   * @param {number} k */
  partial(scene, operand, k) {
    const { tape, numbers, chosen, mode, moment } = scene;
    const line = element("p", "partial is-slope");
    const fraction = element("span", "partial-name");
    fraction.append("\u2202", nameElement(tape.nodes[chosen].name), "/\u2202", nameElement(tape.nodes[operand.node].name));
    line.append(fraction, " = ");
    // A slope that is the same number for all inputs needs no formula.
    if (operand.slopeTex !== null && /[xyv]/.test(operand.slopeTex.replaceAll(/\\[a-z]+/g, ""))) {
      line.append(this.formula(operand.slopeTex, tape.nodes, null), " = ", this.formula(operand.slopeTex, tape.nodes, numbers), " = ");
    }
    line.append(value(full(numberAt(numbers, operand.slope))));
    if (mode === "tangents") {
      const share = element("span", "passes");
      share.append(texts.timesTangent(full(numberAt(numbers, tape.nodes[operand.node].tangent)), full(numberAt(numbers, operand.share))));
      line.append(" ", share);
    }
    if (mode === "gradient" && moment.sums.has(chosen)) {
      const one = tape.nodes[operand.node].contributions.find(({ user, operand: place }) => user === chosen && place === k);
      const share = element("span", "passes");
      if (one !== undefined) setSentence(share, texts.passes(full(numberAt(numbers, tape.nodes[chosen].cotangent)), full(numberAt(numbers, one.term)), tape.nodes[operand.node].name));
      line.append(" ", share);
    }
    return line;
  }

  /** The running sum of the row's cotangent. @private @param {TapeScene} scene @returns {HTMLElement[]} */
  sums({ tape, numbers, moment, chosen }) {
    const count = moment.sums.get(chosen);
    const node = tape.nodes[chosen];
    if (count === undefined) {
      const none = element("p", "small");
      none.append(node.cotangent === null ? texts.NO_PART : texts.NO_COTANGENT_YET);
      return [none];
    }
    const head = element("p", "is-slope");
    head.append(texts.COTANGENT_OF, " ", nameElement(node.name), " = ", value(full(sumOf(tape, numbers, chosen, count))));
    if (count === 0) head.append(` (${texts.SEED})`);
    const list = element("ol", "sums");
    let before = 0;
    for (const one of node.contributions.slice(0, count)) {
      const item = element("li", "");
      const total = numberAt(numbers, one.total);
      const term = full(numberAt(numbers, one.term));
      item.append(before === 0 ? term : texts.addition(full(before), term, full(total)), " ", texts.FROM, " ", nameElement(tape.nodes[one.user].name));
      list.append(item);
      before = total;
    }
    const missing = node.contributions.length - count;
    if (missing > 0) head.append(` ${texts.soFar(missing)}`);
    return [head, list];
  }

  /** Writes the derivatives of the chosen row with respect to x and y. @private @param {TapeScene} scene
   * @returns {HTMLElement} */
  chunk({ tape, numbers, chosen }) {
    const line = element("p", "sum");
    line.append(texts.TANGENTS_OF, " ", nameElement(tape.nodes[chosen].name), ": ");
    tape.nodes[chosen].chunk.forEach((one, k) => line.append(k === 0 ? "" : ", ", texts.IN_DIRECTION[k], " ", value(full(numberAt(numbers, one)))));
    return line;
  }

  /** @private @param {TapeScene} scene */
  tangent({ tape, numbers, chosen }) {
    const line = element("p", "is-slope");
    line.append(texts.TANGENT_OF, " ", nameElement(tape.nodes[chosen].name), " = ", value(full(numberAt(numbers, tape.nodes[chosen].tangent))));
    return line;
  }

  /** Draws a formula. If `numbers` is not null, replaces the names of rows by the rows' values. @private @param {string} tex
   * @param {readonly import("./steps.js").TapeNode[]} nodes @param {ArrayLike<number> | null} numbers */
  formula(tex, nodes, numbers) {
    const place = element("span", "formula-tex-inline");
    const source = numbers === null ? tex : withNumbers(tex, nodes, numbers);
    if (this.katex === null) place.textContent = "\u2026";
    else this.katex.render(source, place, { throwOnError: false, displayMode: false });
    return place;
  }
}

/** Replaces the name of each row in a TeX formula by the row's value. Puts brackets around a value if the formula needs them,
 * as in 2·(−3).
 * @param {string} tex @param {readonly import("./steps.js").TapeNode[]} nodes @param {ArrayLike<number>} numbers */
export function withNumbers(tex, nodes, numbers) {
  const known = new Map(nodes.map((node) => [node.name, format(numberAt(numbers, node.value)).replaceAll("\u2212", "-").replace("\u221e", "\\infty ")]));
  return tex.replaceAll(/\\[a-zA-Z]+|v_\{(\d+)\}|[xy]/g, (token, number, at) => {
    const name = number === undefined ? token : `v${number}`;
    const text = known.get(name);
    if (text === undefined || token.startsWith("\\")) return token;
    const [digits, exponent] = text.split("e");
    const shown = `${digits}${exponent === undefined ? "" : `\\cdot 10^{${exponent}}`}`;
    const [before, after] = [tex.slice(0, at), tex.slice(at + token.length)];
    const isAlone = /(^|[{(<>=,])\s*$/.test(before) && /^\s*($|\}(?!\s*\^)|\\right|[)<>=,+-])/.test(after);
    const isPlain = /^\d[\d.]*$/.test(shown) && /(^|[{(<>=,+-])\s*$/.test(before) && !/^\s*(\d|[xyv]|\\[dt]?frac)/.test(after);
    return isAlone || isPlain ? `{${shown}}` : `{(${shown})}`;
  });
}

/** @param {string} tag @param {string} name of its class @returns {HTMLElement} */
function element(tag, name) {
  const created = document.createElement(tag);
  if (name !== "") created.className = name;
  return created;
}

/** @param {string} text @returns {HTMLElement} */
function value(text) {
  const bold = element("b", "");
  bold.textContent = text;
  return bold;
}

/** @param {number} number @returns {string} */
function full(number) {
  if (!Number.isFinite(number)) return format(number);
  const text = String(Number(number.toPrecision(DIGITS)));
  return text.replaceAll("-", "\u2212");
}

// Writes an operation of a tape in mathematical notation, such as v₃ = v₁ · v₂, with HTML elements or as text.

/** @typedef {import("./steps.js").Operand} Operand */
/** @typedef {import("./steps.js").TapeNode} TapeNode */

import { format } from "../../model/numbers.js";

const INFIX = /** @type {Record<string, string>} */ ({ add: " + ", sub: " \u2212 ", mul: " \u00b7 ", div: " / " });
/** The names of constants, by their TeX. */
const NAMED = /** @type {Record<string, string>} */ ({ "\\pi": "\u03c0", e: "e" });
const SHORT = /** @type {Record<string, string>} */ ({
  log: "ln", nearest: "round", sign: "sgn", polygamma0: "\u03c8", polygamma1: "\u03c8\u2032", polygamma2: "\u03c8\u2033",
});

/** @param {string} name of a node @returns {HTMLElement} with its number as a subscript */
export function nameElement(name) {
  const [letter, number] = [name.slice(0, 1), name.slice(1)];
  const element = document.createElement("i");
  element.append(letter);
  if (number !== "") {
    const below = document.createElement("sub");
    below.textContent = number;
    element.append(below);
  }
  return element;
}

/** Shows a sentence. Writes the names of rows, such as v1, with subscripts. @param {HTMLElement} element
 * @param {string} text */
export function setSentence(element, text) {
  if (element.textContent === text) return;
  element.replaceChildren(...text.split(/\b(v\d+|x|y)\b/).map((part, k) => (k % 2 === 1 ? nameElement(part) : part)));
}

/** @param {readonly TapeNode[]} nodes @param {number} node an operation @returns {(Node | string)[]} */
export function operationElements(nodes, node) {
  const { op, operands, power } = nodes[node];
  const [x, y] = operands.map((operand) => operandElement(nodes, operand));
  if (op in INFIX) return [x, INFIX[op], y];
  switch (op) {
    case "neg":
      return ["\u2212", x];
    case "abs":
      return ["|", x, "|"];
    case "sqrt":
      return ["\u221a", x];
    case "cbrt":
      return ["\u221b", x];
    case "exp":
      return ["e", raised(x)];
    case "exp2":
      return ["2", raised(x)];
    case "pow":
      return [x, raised(y)];
    case "powi":
      return [x, raised(format(power ?? 0))];
    case "floor":
      return ["\u230a", x, "\u230b"];
    case "ceil":
      return ["\u2308", x, "\u2309"];
    default:
      return y === undefined ? [`${SHORT[op] ?? op} `, x] : [`${SHORT[op] ?? op}(`, x, ", ", y, ")"];
  }
}

/** An operation as one line of text, for canvases. @param {readonly TapeNode[]} nodes @param {number} node @returns {string} */
export function operationText(nodes, node) {
  const parts = operationElements(nodes, node).map((part) => {
    if (typeof part === "string") return part;
    return part.nodeName === "SUP" ? `^${part.textContent}` : /** @type {string} */ (part.textContent);
  });
  return rowText(parts.join(""));
}

/** @param {string} text @returns {string} with the rows' numbers as subscripts */
export function rowText(text) {
  const zero = 0x2080;
  return text.replaceAll(/\bv(\d+)/g, (_, number) => `v${[...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join("")}`);
}

/** @param {readonly TapeNode[]} nodes @param {Operand} operand @returns {Node} */
export function operandElement(nodes, operand) {
  if ("node" in operand) return nameElement(nodes[operand.node].name);
  return document.createTextNode(NAMED[operand.tex] ?? format(Number(operand.number)));
}

/** @param {Node | string} content @returns {HTMLElement} */
function raised(content) {
  const element = document.createElement("sup");
  element.append(content);
  return element;
}

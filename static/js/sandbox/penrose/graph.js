// Writes the expressions of Penrose's compiler as lists of operations, in the format `penrose-scalar-dag/1`. Equal operations are written
// once. Nothing is evaluated here.

/** An expression of Penrose: a number, or a node with a `tag` that names the operation (types/ad.ts in Penrose).
 * @typedef {any} Expression */
/** A reference from a shape to a computed value. `id`: the number of the node that computes the value.
 * @typedef {{id: number}} Reference */

/** The largest number of operations in a graph. The largest diagram of Penrose's registry has 241,000. */
const MOST_OPERATIONS = 500_000;
/** The number that we write in place of a missing second operand. */
const ABSENT = -1;

/** @type {Readonly<Record<string, string>>} */
const BINARY = { "+": "add", "-": "sub", "*": "mul", "/": "div", atan2: "atan2", pow: "pow" };
/** @type {Readonly<Record<string, string>>} */
const LOGIC = { ">": "gt", "<": "lt", "===": "eq", ">=": "geq", "<=": "leq", "&&": "and", "||": "or", "!==": "xor" };
/** Operations with one operand that have the same name in Penrose and in our format. */
const UNARY = new Set(["neg", "sqrt", "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "expm1", "floor", "log", "log2", "log10", "log1p", "sign", "sin", "sinh", "tan", "tanh", "trunc"]);
const HALF = 0.5;
const THIRD = 1 / 3;

/** Thrown if a diagram uses an operation that our format does not have. */
export class UnknownOperation extends Error {}

export class GraphWriter {
  /** @param {readonly Expression[]} inputs in their order */
  constructor(inputs) {
    this.inputs = inputs.length;
    /** A number for each written node. The inputs have the first numbers. After these, every second number belongs to a
     * constant (`consts`), and the numbers between belong to operations (`rows`). So a new constant changes no existing number.
     * @type {Map<Expression, number>} @private */
    this.known = new Map(inputs.map((input, k) => [input, k]));
    /** @type {Map<number | string, number>} @private */
    this.places = new Map();
    /** @type {number[]} */
    this.consts = [];
    /** @type {{name: string, operands: number[]}[]} */
    this.rows = [];
    /** How many constants and operations the energy has. Null until the whole energy has been written.
     * @type {{consts: number, rows: number} | null}
     * @private */
    this.border = null;
    /** @type {Reference[]} @private */
    this.references = [];
  }

  /** Call this when the whole energy has been written. Later constants and operations belong to the shapes. */
  endEnergy() {
    this.border = { consts: this.consts.length, rows: this.rows.length };
  }

  /** @param {Expression} root @returns {number} its value */
  write(root) {
    const stack = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      const waiting = this.isWritten(node) ? [] : operandsOf(node).filter((operand) => !this.isWritten(operand));
      if (waiting.length > 0) {
        for (const operand of waiting) stack.push(operand);
      } else {
        stack.pop();
        if (!this.isWritten(node)) this.known.set(node, this.node(node));
      }
    }
    return this.of(root);
  }

  /** @param {Expression} expression of a shape @returns {number | Reference} */
  refer(expression) {
    if (typeof expression === "number") return Number.isFinite(expression) ? expression : 0;
    const reference = { id: this.write(expression) };
    this.references.push(reference);
    return reference;
  }

  /** Numbers the nodes again, in the order that the format requires. `energy` and `shapes`: the constants and operations of the
   * energy and of the shapes. `number`: a function that converts a node's old number to its new number.
   * @returns {{number: (value: number) => number, energy: object, shapes: object}} */
  finish() {
    const { inputs, border } = this;
    if (border === null) throw new Error("The energy has not ended.");
    const base = inputs + border.consts + border.rows;
    const ofShapes = base + this.consts.length - border.consts;
    const number = (/** @type {number} */ value) => {
      if (value < inputs) return value;
      const [place, isRow] = [(value - inputs) >> 1, (value - inputs) % 2 === 1];
      if (!isRow) return place < border.consts ? inputs + place : base + place - border.consts;
      return place < border.rows ? inputs + border.consts + place : ofShapes + place - border.rows;
    };
    for (const reference of this.references) reference.id = number(reference.id);
    const columns = (/** @type {typeof this.rows} */ rows) =>
      Object.fromEntries(["a", "b", "c"].map((name, k) => [name, rows.map(({ operands }) => (k < operands.length ? number(operands[k]) : ABSENT))]));
    const [first, rest] = [this.rows.slice(0, border.rows), this.rows.slice(border.rows)];
    const opnames = [...new Set(first.map(({ name }) => name))];
    const places = new Map(opnames.map((name, k) => [name, k]));
    const energy = { n_consts: border.consts, n_ops: border.rows, opnames, consts: this.consts.slice(0, border.consts).map(jsonNumber), op: first.map(({ name }) => places.get(name)), ...columns(first) };
    const shapes = { base, consts: this.consts.slice(border.consts).map(jsonNumber), op: rest.map(({ name }) => name), ...columns(rest) };
    return { number, energy, shapes };
  }

  /** @private @param {Expression} node */
  isWritten(node) {
    return typeof node === "number" || this.known.has(node);
  }

  /** @private @param {Expression} node that is written @returns {number} */
  of(node) {
    return typeof node === "number" ? this.constant(node) : /** @type {number} */ (this.known.get(node));
  }

  /** @private @param {number} value */
  constant(value) {
    const key = Object.is(value, -0) ? "-0" : value;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.consts.push(value) - 1;
      this.places.set(key, place);
    }
    return this.inputs + 2 * place;
  }

  /** @private @param {string} name @param {...number} operands @returns {number} */
  row(name, ...operands) {
    const key = `${name},${operands}`;
    let place = this.places.get(key);
    if (place === undefined) {
      if (this.rows.length >= MOST_OPERATIONS) throw new UnknownOperation(`more than ${MOST_OPERATIONS} operations`);
      place = this.rows.push({ name, operands }) - 1;
      this.places.set(key, place);
    }
    return this.inputs + 2 * place + 1;
  }

  /** @private @param {Expression} node whose operands are written @returns {number} */
  node(node) {
    const [x, y, z] = operandsOf(node).map((operand) => this.of(operand));
    switch (node.tag) {
      case "Unary":
        return this.unary(node.unop, x);
      case "Binary":
        if (node.binop === "max" || node.binop === "min") return this.extreme(node.binop, x, y);
        return this.row(known(BINARY, node.binop), x, y);
      case "Comp":
      case "Logic":
        return this.row(known(LOGIC, node.binop), x, y);
      case "Not":
        return this.row("not", x);
      case "Ternary":
        return this.row("select", x, y, z);
      case "Nary":
        return this.many(node.op, node.params.map((/** @type {Expression} */ operand) => this.of(operand)));
      default:
        throw new UnknownOperation(node.tag === "Var" ? "an input that the diagram does not list" : "roots of polynomials");
    }
  }

  /** @private @param {string} name @param {number} x */
  unary(name, x) {
    if (UNARY.has(name)) return this.row(name, x);
    const one = this.constant(1);
    switch (name) {
      case "squared":
        return this.row("mul", x, x);
      case "inverse":
        return this.row("div", one, x);
      case "round":
        return this.row("floor", this.row("add", x, this.constant(HALF)));
      case "cbrt":
        return this.row("mul", this.row("sign", x), this.row("pow", this.row("abs", x), this.constant(THIRD)));
      case "acosh":
        return this.row("log", this.row("add", x, this.row("sqrt", this.row("sub", this.row("mul", x, x), one))));
      case "asinh":
        return this.row("log", this.row("add", x, this.row("sqrt", this.row("add", this.row("mul", x, x), one))));
      case "atanh":
        return this.row("mul", this.constant(HALF), this.row("log", this.row("div", this.row("add", one, x), this.row("sub", one, x))));
      default:
        throw new UnknownOperation(name);
    }
  }

  /** @private @param {string} name "max" or "min" @param {number} x @param {number} y */
  extreme(name, x, y) {
    return this.row("select", this.row(name.startsWith("max") ? "gt" : "lt", x, y), x, y);
  }

  /** @private @param {string} name @param {number[]} values */
  many(name, values) {
    if (values.length === 0) return this.constant({ addN: 0, maxN: -Infinity, minN: Infinity }[name] ?? 0);
    return values.reduce((all, value) => (name === "addN" ? this.row("add", all, value) : this.extreme(name, all, value)));
  }
}

/** @param {Readonly<Record<string, string>>} names @param {string} name */
function known(names, name) {
  if (!Object.hasOwn(names, name)) throw new UnknownOperation(name);
  return names[name];
}

/** @param {Expression} node @returns {readonly Expression[]} */
function operandsOf(node) {
  switch (node.tag) {
    case "Unary":
    case "Not":
      return [node.param];
    case "Binary":
    case "Comp":
    case "Logic":
      return [node.left, node.right];
    case "Ternary":
      return [node.cond, node.then, node.els];
    case "Nary":
      return node.params;
    default:
      return [];
  }
}

/** @param {number} value @returns {number | string} as the format writes it */
export function jsonNumber(value) {
  if (Number.isNaN(value)) return "nan";
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
}

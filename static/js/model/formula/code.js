// Translates a formula to code for the first tier, a module that computes formulas until Python has loaded (tools/tier.py). The
// code has the same operations as the function that eglantine/formulas/algebra.py makes of the formula. This file computes no
// results. Even conditions that consist of constants are evaluated by the module.

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./grammar.js").Formula} Formula */
/** Where a number comes from: input k, constant k, or the result of instruction k.
 * @typedef {{of: "input" | "constant" | "result", k: number}} Place */
/** A number or a condition. `isPlain`: true if it consists only of constants. Python computes such a value before it traces the
 * formula. `number`: the value of a literal. `isWhole`: true if the literal is an int in Python. `holds`: the truth value of a
 * condition, if we know it.
 * @typedef {{place: Place, isPlain: boolean, number?: number, isWhole?: boolean, holds?: boolean}} Value */
/** The code of a formula, which refers to numbers by their places in an array. `code`: four numbers for each instruction, which
 * are the operation and the places of up to three operands. `numbers`: the numbers at the first places: the inputs (still 0)
 * and the constants. `first`: the place of the first instruction's result. `result`: the place of the formula's value.
 * @typedef {{code: readonly number[], numbers: readonly number[], first: number, result: number}} Code */

import { definition } from "./reading.js";

const BIGGEST_REPEATED_POWER = 1024;
const DERIVATIVES_OF_POLYGAMMA = 1;
const COMPARISONS = new Set(["<", "<=", ">", ">=", "==", "!="]);

/** A formula that the first tier cannot compute. */
export class OutsideTier extends Error {}

class Coder {
  /** @param {Grammar} grammar @param {{opcodes: Record<string, number>, places: number}} tier
   * @param {(code: Code) => number} evaluate @param {number} inputs */
  constructor(grammar, { opcodes, places }, evaluate, inputs) {
    this.grammar = grammar;
    this.opcodes = opcodes;
    this.places = places;
    this.evaluate = evaluate;
    this.inputs = inputs;
    /** @type {number[]} */
    this.constants = [];
    /** @type {[string, readonly Place[]][]} */
    this.instructions = [];
    /** Maps each operation to its instruction. If an operation occurs twice, both uses share one instruction.
     * @type {Map<string, number>} */
    this.known = new Map();
  }

  /** @param {Value} value @returns {Code} */
  finished({ place }) {
    const { inputs, constants, instructions, opcodes } = this;
    const first = inputs + constants.length;
    if (first + instructions.length > this.places) throw new OutsideTier("The formula is too long.");
    const starts = { input: 0, constant: inputs, result: first };
    const placeOf = (/** @type {Place | undefined} */ at) => (at === undefined ? 0 : starts[at.of] + at.k);
    return {
      code: instructions.flatMap(([name, [a, b, c]]) => [opcodes[name], placeOf(a), placeOf(b), placeOf(c)]),
      numbers: [...Array(inputs).fill(0), ...constants],
      first,
      result: placeOf(place),
    };
  }

  /** @param {Formula} formula @param {readonly Value[]} inputs @returns {Value} */
  formula({ names, nodes }, inputs) {
    /** @type {Value[]} */
    const values = [];
    for (const { kind, name, number, isWhole, operands } of nodes) {
      const args = operands.map((operand) => values[operand]);
      if (kind === "number") values.push(this.constant(number, isWhole));
      else if (kind === "variable") values.push(inputs[names.indexOf(name)]);
      else if (kind === "constant") values.push(this.constant(name === "pi" ? Math.PI : Math.E));
      else if (kind === "call") values.push(this.call(name, args));
      else values.push(this.operation(kind, args));
    }
    return values[values.length - 1];
  }

  /** @private @param {number} number @returns {Value} */
  constant(number, isWhole = false) {
    let k = this.constants.findIndex((known) => Object.is(known, number));
    if (k < 0) k = this.constants.push(number) - 1;
    return { place: { of: "constant", k }, isPlain: true, number, isWhole };
  }

  /** @private @param {string} name @param {readonly Value[]} args @returns {Value} */
  add(name, ...args) {
    if (!(name in this.opcodes)) throw new OutsideTier(`There is no ${name}.`);
    const key = `${name} ${args.map(({ place: { of, k } }) => `${of}${k}`).join(" ")}`;
    const k = this.known.get(key) ?? this.instructions.push([name, args.map(({ place }) => place)]) - 1;
    this.known.set(key, k);
    return { place: { of: "result", k }, isPlain: args.every(({ isPlain }) => isPlain) };
  }

  /** @private @param {string} kind @param {readonly Value[]} args @returns {Value} */
  operation(kind, args) {
    const [x, y, z] = args;
    if (COMPARISONS.has(kind)) return this.settled(this.add(kind, x, y));
    switch (kind) {
      case "^":
        return this.power(x, y);
      case "negate":
        return x.isWhole && x.number !== undefined ? this.constant(0 - x.number, true) : this.negated(x);
      case "%":
        return !x.isPlain && y.number === 1 ? this.add("-", x, this.add("floor", x)) : this.add(kind, x, y);
      case "select":
        return this.select(x, y, z);
      case "not":
        return x.holds === undefined ? this.add("not", x) : { ...x, holds: !x.holds };
      case "and":
      case "or":
        return this.joined(kind, x, y);
      case "real":
        return this.select(x, this.constant(1), this.constant(0));
      default:
        return this.add(kind, x, y);
    }
  }

  /** @private @param {Value} x @returns {Value} */
  negated(x) {
    const result = this.add("negate", x);
    return x.number === undefined ? result : { ...result, number: -x.number };
  }

  /** Evaluates a condition that consists of constants, and sets `holds` to the result. @private @param {Value} condition
   * @returns {Value} */
  settled(condition) {
    return condition.isPlain ? { ...condition, holds: this.evaluate(this.finished(condition)) !== 0 } : condition;
  }

  /** @private @param {"and" | "or"} kind @param {Value} x @param {Value} y @returns {Value} */
  joined(kind, x, y) {
    const settles = kind === "or";
    if (x.holds === undefined && y.holds === undefined) return this.add(kind, x, y);
    const [fixed, other] = x.holds === undefined ? [y, x] : [x, y];
    const isPlain = x.isPlain && y.isPlain;
    return fixed.holds === settles ? { ...fixed, isPlain } : { ...other, isPlain };
  }

  /** @private @param {Value} condition @param {Value} x @param {Value} y @returns {Value} */
  select(condition, x, y) {
    if (condition.holds === undefined) return { ...this.add("select", x, y, condition), isPlain: false };
    const chosen = condition.holds ? x : y;
    // If the condition was traced, Python traces the choice too.
    return condition.isPlain ? chosen : { place: chosen.place, isPlain: false };
  }

  /** @private @param {Value} base @param {Value} exponent @returns {Value} */
  power(base, exponent) {
    const { number, isWhole } = exponent;
    if (base.isPlain || number === undefined || !isWhole || Math.abs(number) > BIGGEST_REPEATED_POWER) {
      return this.add("pow", base, exponent);
    }
    if (number === 0) return this.constant(1);
    return number === 1 ? base : this.add("powi", base, exponent);
  }

  /** @private @param {string} name @param {readonly Value[]} args @returns {Value} */
  call(name, args) {
    const [x, ...rest] = args;
    if (this.grammar.definitions.has(name)) return this.formula(definition(this.grammar, name), args);
    switch (name) {
      case "abs":
        return x.isWhole && x.number !== undefined ? this.constant(Math.abs(x.number), true) : this.add(name, x);
      case "clip":
        return this.add("minimum", this.add("maximum", x, rest[0]), rest[1]);
      case "minimum":
      case "maximum":
        return rest.reduce((result, value) => this.add(name, result, value), x);
      case "polygamma":
        if (x.number === undefined || x.number > DERIVATIVES_OF_POLYGAMMA) throw new OutsideTier("Its derivatives are not there.");
        return this.add(`polygamma${x.number}`, rest[0]);
      default:
        return this.add(name, ...args);
    }
  }
}

/** Translates a formula to code. @param {Formula} formula @param {Grammar} grammar
 * @param {{opcodes: Record<string, number>, places: number}} tier @param {(code: Code) => number} evaluate returns the value of
 * code without variables @returns {Code} @throws {OutsideTier} */
export function codeOf(formula, grammar, tier, evaluate) {
  const coder = new Coder(grammar, tier, evaluate, formula.names.length);
  const inputs = formula.names.map((_, k) => /** @type {Value} */ ({ place: { of: "input", k }, isPlain: false }));
  return coder.finished(coder.formula(formula, inputs));
}

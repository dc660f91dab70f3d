// The first tier computes formulas until Python has loaded. It consists of our reader of formulas, and of a module that
// interprets the code of formulas (tools/tier.py). Its numbers have the same bits as those of forward mode in the interpreter.

/** @typedef {import("../model/formula/code.js").Code} Code */
/** @typedef {import("../model/formula/grammar.js").FormulaNode} FormulaNode */
/** @typedef {import("../model/formula/grammar.js").LatexReader} LatexReader */
/** @typedef {import("../model/types.js").Abi} Abi */
/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("./kernel.js").Kernel} Kernel */
/** The first tier's answer for a formula: an artifact with a kernel that interprets the formula, or the mistake in the formula.
 * @typedef {{artifact: Artifact & {kernel: Kernel}} | {error: Diagnostic}} Early */

import { codeOf, OutsideTier } from "../model/formula/code.js";
import { Grammar } from "../model/formula/grammar.js";
import { Mistake } from "../model/formula/mistakes.js";
import { isLatex } from "../model/formula/pasted.js";
import { freeNames, parse } from "../model/formula/reading.js";

const ENTRIES = 6;

/** Runs code in the first tier's module. */
class Machine {
  /** @param {Uint8Array<ArrayBuffer>} wasm @param {Abi} abi @param {number} points in one call, at most */
  constructor(wasm, abi, points) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
    const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abi.memory.export]);
    this.run = /** @type {() => void} */ (exports[abi.export]);
    const [code, length, first, result, numbers, places, count, tangents, has] = abi.params.map(({ leaves: [{ at }] }) => at);
    const integers = (/** @type {number} */ at) => new Int32Array(buffer, at, 1);
    this.code = new Int32Array(buffer, code, (length - code) >> 2);
    this.length = integers(length);
    this.first = integers(first);
    this.result = integers(result);
    this.count = integers(count);
    this.numbers = new Float64Array(buffer, numbers, (places - numbers) >> 3);
    this.points = new Float64Array(buffer, places, 2 * points);
    this.out = new Float64Array(buffer, abi.result.leaves[0].at, ENTRIES * points);
    // The derivatives ∂x/∂x and ∂y/∂y are 1. All other places have none until an instruction writes them.
    for (const k of [0, 6]) {
      new Float64Array(buffer, tangents)[k] = 1;
      new Int32Array(buffer, has)[k] = 1;
    }
    /** @type {Code | null} */
    this.loaded = null;
  }

  /** Computes value, gradient and Hessian at a point. @param {Code} code @param {ArrayLike<number>} args x, y, and the letters
   * @param {Float64Array} results */
  evaluate(code, args, results) {
    if (this.loaded !== code) this.load(code);
    for (let k = 2; k < args.length; k++) this.numbers[k] = args[k];
    [this.points[0], this.points[1]] = [args[0], args[1]];
    this.count[0] = 1;
    this.run();
    for (let k = 0; k < ENTRIES; k++) results[k] = this.out[k];
  }

  /** @private @param {Code} code */
  load(code) {
    this.loaded = code;
    this.code.set(code.code);
    this.length[0] = code.code.length / 4;
    this.first[0] = code.first;
    this.result[0] = code.result;
    this.numbers.set(code.numbers);
  }
}

export class FirstTier {
  /** @param {{grammar: any, opcodes: readonly string[], places: number, points: number}} tables `opcodes`: the operations' names
   * @param {Uint8Array<ArrayBuffer>} wasm @param {Abi} abi without types @param {() => Promise<LatexReader>} loadLatex */
  constructor(tables, wasm, abi, loadLatex) {
    this.grammar = new Grammar(tables.grammar);
    this.loadLatex = loadLatex;
    this.bytes = wasm;
    this.abi = abi;
    this.machine = new Machine(wasm, abi, tables.points);
    this.tables = { opcodes: Object.fromEntries(tables.opcodes.map((name, opcode) => [name, opcode])), places: tables.places };
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Early | null>} null if only Python can compile the formula */
  async read(text, names) {
    if (isLatex(text)) this.grammar.latex ??= await this.loadLatex();
    return this.readNow(text, names);
  }

  /** @private @param {string} text @param {readonly string[]} names @returns {Early | null} */
  readNow(text, names) {
    const start = performance.now();
    try {
      const formula = parse(this.grammar, text, names, null, true);
      const code = codeOf(formula, this.grammar, this.tables, (constants) => this.valueOf(constants));
      const used = names.length <= 2 ? names : names.filter((name) => formula.nodes.some((node) => node.kind === "variable" && node.name === name));
      const cost = { ms: performance.now() - start, bytes: code.code.length };
      const equation = text.includes("=") && this.isEquation(text, names);
      return { artifact: { text, names, wasm: this.bytes, abi: this.abi, tex: null, used, equation, cost, kernel: this.kernelOf(code) } };
    } catch (mistake) {
      if (mistake instanceof OutsideTier) return null;
      if (!(mistake instanceof Mistake)) throw mistake;
      const free = mistake.kind === "FormulaError" ? freeNames(this.grammar, text, names, true) : [];
      const [error, ...others] = [mistake, ...mistake.others].map(diagnosticOf);
      if (others.length > 0) error.others = others;
      return { error: free.length === 0 ? error : { ...error, free } };
    }
  }

  /** True if a text is an equation. Only some fields accept an equation as a formula. @private
   * @param {string} text @param {readonly string[]} names */
  isEquation(text, names) {
    try {
      parse(this.grammar, text, names);
      return false;
    } catch (mistake) {
      return mistake instanceof Mistake;
    }
  }

  /** The value of code without variables. @private @param {Code} code */
  valueOf(code) {
    const results = new Float64Array(ENTRIES);
    this.machine.evaluate(code, [0, 0], results);
    return results[0];
  }

  /** @private @param {Code} code @returns {Kernel} */
  kernelOf(code) {
    const evaluate = (/** @type {ArrayLike<number>} */ args, /** @type {Float64Array} */ results) => this.machine.evaluate(code, args, results);
    const refuse = () => {
      throw new TypeError("A formula of the first tier has only `evaluate`.");
    };
    return { evaluate, call: refuse, run: refuse, place: refuse, refuel: () => {}, bytes: this.bytes.length, destroy: () => {} };
  }
}

/** @param {Mistake} mistake @returns {Diagnostic} */
function diagnosticOf({ message, start, end, kind }) {
  return { message, column: start, end_column: end, suggestion: null, kind };
}

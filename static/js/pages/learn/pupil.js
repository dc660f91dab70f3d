// A network that learns: its kernel, and the state between two frames.

/** @typedef {import("../../model/types.js").AbiType} AbiType */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {{loss: number, right: number}} Judgement `loss`: the mean loss; `right`: the fraction of right answers */
/**
 * The results of one call of the kernel. The arrays are valid until the next call.
 * @typedef {object} Seen
 * @property {Judgement} train the result for the training examples
 * @property {Judgement} test the result for the tests
 * @property {Float64Array} [surface] the probability of class 1 in each cell of the plane
 * @property {Float64Array} neurons the outputs of all hidden units, in each cell of the plane or at each time
 * @property {Float64Array} [guesses] the probabilities of all classes, for each shown test
 * @property {Float64Array} [wave] the network's predictions of the wave
 * @property {Int32Array} [written] the letters that the network writes, as numbers of the line's different letters
 */
/** @typedef {{rate: number, batch: number, l2: number}} Settings */
/** @typedef {{examples: object, tests: object}} Data the training examples and the tests, in the form that the kernel takes */

import { instantiate } from "../../engine/kernel.js";

/** The solver ends with this status if a value is infinite or NaN. */
const NOT_FINITE = 4;

export class Pupil {
  /** @param {Module} module */
  constructor({ wasm, abi }) {
    this.abi = abi;
    this.kernel = instantiate(wasm, abi);
    /** @type {any} */
    this.state = zerosOf(abi.params[0].type);
    /** @type {Seen | null} */
    this.seen = null;
  }

  /** @returns {Float64Array} */
  get weights() {
    return this.state.solver.x;
  }

  /** The steps so far. */
  get steps() {
    return this.state.solver.nit;
  }

  /** True if the training has ended because a value was infinite or NaN. */
  get isLost() {
    return this.state.solver.status === NOT_FINITE;
  }

  /** Starts again. @param {number} seed @param {Data} data @param {Settings} settings */
  begin(seed, data, settings) {
    this.run(true, 0, seed, data, settings);
  }

  /** @param {number} steps @param {number} seed @param {Data} data @param {Settings} settings */
  learn(steps, seed, data, settings) {
    this.run(false, steps, seed, data, settings);
  }

  /** @private @param {boolean} begins @param {number} steps @param {number} seed @param {Data} data @param {Settings} settings */
  run(begins, steps, seed, { examples, tests }, settings) {
    const leaves = [...this.kernel.run(this.state, begins, steps, seed, examples, tests, settings)];
    const { state, ...seen } = valueOf(this.abi.result.type, leaves);
    this.state = copied(state);
    this.seen = seen;
  }
}

/** @param {any} type @returns {any} a value of the type that consists of zeros */
function zerosOf(type) {
  if (type.vec !== undefined) return new Float64Array(type.vec);
  if (type.struct === undefined) return 0;
  return Object.fromEntries(Object.entries(type.struct).map(([name, of]) => [name, zerosOf(of)]));
}

/** Builds a value from arrays of numbers, which are the leaves of a kernel's result. @param {any} type the value's type
 * @param {(Float64Array | Int32Array)[]} leaves the leaves that are not used yet; the value's leaves are removed from this list
 * @returns {any} an object for a struct, an array for a Vec, or a number for a scalar */
function valueOf(type, leaves) {
  if (type.struct !== undefined) {
    return Object.fromEntries(Object.entries(type.struct).map(([name, of]) => [name, valueOf(of, leaves)]));
  }
  const leaf = /** @type {Float64Array} */ (leaves.shift());
  return type.vec === undefined ? leaf[0] : leaf;
}

/** @param {any} value @returns {any} the value with copies of all arrays */
function copied(value) {
  if (typeof value === "number") return value;
  if (ArrayBuffer.isView(value)) return /** @type {Float64Array} */ (value).slice();
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]));
}

// Runs one of the build's descents (tools/descents.py): a solver that imports the function that it minimises.

/** @typedef {import("../model/types.js").Module} Module */
/** Returns the value of a function at x, and writes the gradient to `gradient`.
 * @typedef {(x: Float64Array, gradient: Float64Array) => number} Jet */
/** A point, with the function's value and gradient.
 * @typedef {{x: Float64Array<ArrayBuffer>, fun: number, jac: Float64Array<ArrayBuffer>}} Place */

import { instantiate } from "./kernel.js";

const BYTES = Float64Array.BYTES_PER_ELEMENT;

export class Stepper {
  /** @param {Module} module @param {number} n the number of the function's variables, at most `room`
   * @param {Jet} jet */
  constructor({ wasm, abi }, n, jet) {
    this.jet = jet;
    /** The names and types of the fields of a solver's state. @private @type {[string, any][]} */
    this.fields = Object.entries(abi.params[0].type.struct);
    /** @private */
    this.room = abi.params[0].type.struct.x.vec;
    /** The last point where the function was computed. @private @type {Place} */
    this.last = { x: new Float64Array(n), fun: NaN, jac: new Float64Array(n) };
    /** @private @type {Record<string, any> | null} */
    this.state = null;
    this.kernel = instantiate(wasm, abi, (memory) => ({
      jet: (/** @type {number} */ from, /** @type {number} */ to) => {
        const reals = memory();
        const x = reals.slice(from / BYTES, from / BYTES + n);
        const jac = new Float64Array(n);
        const fun = this.jet(x, jac);
        reals.fill(0, to / BYTES + n, to / BYTES + this.room);
        reals.set(jac, to / BYTES);
        this.last = { x, fun, jac };
        return fun;
      },
    }));
  }

  /** Begins at a point. The optimiser's memory of earlier steps, such as a momentum, lasts until `forget` is called.
   * @param {ArrayLike<number>} x @param {number} rate @returns {Place} the same point */
  begin(x, rate) {
    const blank = this.fields.map(([name, type]) => [name, type === "real" ? 0 : new Float64Array(this.room)]);
    const start = Object.fromEntries(blank);
    start.x.set(x);
    const { x: at, fun, jac, status, ...memory } = this.stateAfter(start, true, 0, rate);
    this.state = { ...memory, ...this.state, x: at, fun, jac, status };
    return this.last;
  }

  /** Makes n steps. Returns the last point where the function was computed. If the function is not finite at this point, the
   * solver itself goes back to the previous point.
   * @param {number} n @param {number} rate @returns {Place} */
  step(n, rate) {
    this.state = this.stateAfter(this.state, false, n, rate);
    return this.last;
  }

  /** Forgets the earlier steps. */
  forget() {
    this.state = null;
  }

  /** @private @param {unknown} state @param {boolean} begins @param {number} steps @param {number} rate
   * @returns {Record<string, any>} */
  stateAfter(state, begins, steps, rate) {
    const leaves = this.kernel.run(state, begins, steps, rate);
    return Object.fromEntries(this.fields.map(([name, type], k) => [name, type === "real" ? leaves[k][0] : leaves[k].slice()]));
  }
}

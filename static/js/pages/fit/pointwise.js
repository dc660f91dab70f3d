// Computes the residuals of all points, and the residuals' derivatives. Calls a module once for each point. A module for one
// point has no loops, so Python compiles it six times as fast as a module for all points. We skip points of weight 0, because
// all their results are 0.

/** @typedef {import("../../model/types.js").FitterModules} FitterModules */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {ArrayLike<number>} Numbers */

import { instanceOf, realsOf } from "../../engine/instance.js";

const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** The first three parameters of a module describe a point: x, y and the weight. The model's parameters follow. */
const OF_POINT = 3;

/** A module that computes its results for one point. `reals`: the module's memory as an array of numbers. `inputs`: the index
 * in `reals` of each parameter of the module. `outputs`: the index in `reals` of each result. */
class PointKernel {
  /** @param {Module} module */
  constructor({ wasm, abi }) {
    const { run, bufferNow } = instanceOf(wasm, abi);
    this.run = run;
    this.reals = realsOf(bufferNow());
    this.inputs = abi.params.map(({ leaves: [{ at }] }) => at / BYTES);
    this.outputs = abi.result.leaves.map(({ at }) => at / BYTES);
    const [x, y, weight] = this.inputs;
    this.at = { x, y, weight };
  }

  /** Sets parameters that all further points share. @param {Numbers} values @param {number} first the position of the first one */
  share(values, first) {
    for (let j = 0; j < values.length; j++) this.reals[this.inputs[first + j]] = values[j];
  }

  /** Computes the outputs for a point. @param {number} x @param {number} y @param {number} weight */
  compute(x, y, weight) {
    const { reals, at } = this;
    reals[at.x] = x;
    reals[at.y] = y;
    reals[at.weight] = weight;
    this.run();
  }
}

export class Pointwise {
  /** @param {FitterModules} modules @param {number} n parameters of the model @param {number} capacity points at most */
  constructor(modules, n, capacity) {
    this.n = n;
    this.columns = { x: new Float64Array(capacity), y: new Float64Array(capacity), weight: new Float64Array(capacity) };
    /** The positions of the points that count. @type {number[]} */
    this.counted = [];
    this.kernels = {
      residuals: new PointKernel(modules.residuals),
      jacobian: new PointKernel(modules.jacobian),
      along: new PointKernel(modules.along),
      curvature: new PointKernel(modules.curvature),
    };
    /** The arrays that the functions return. The next call of a function overwrites its arrays. */
    this.results = {
      residuals: [new Float64Array(capacity)],
      jacobian: [new Float64Array(capacity), new Float64Array(capacity * n)],
      along: [new Float64Array(capacity)],
      curvature: [new Float64Array(n * n)],
    };
    /** The functions that the solver's module imports. Each key is the name of an import. */
    this.functions = {
      residuals: (/** @type {Numbers} */ p) => this.residuals(p),
      jacobian: (/** @type {Numbers} */ p) => this.jacobian(p),
      along: (/** @type {Numbers} */ v, /** @type {Numbers} */ p) => this.along(v, p),
      curvature: (/** @type {Numbers} */ factors, /** @type {Numbers} */ p) => this.curvature(factors, p),
    };
  }

  /** Takes the points that are in the columns now. */
  load() {
    const { weight } = this.columns;
    this.counted = Array.from(weight.keys()).filter((k) => weight[k] > 0);
    for (const leaf of Object.values(this.results).flat()) leaf.fill(0);
  }

  /** @param {Numbers} p the model's parameters @returns {readonly Float64Array[]} the residuals */
  residuals(p) {
    const { kernels: { residuals: kernel }, results, columns: { x, y, weight } } = this;
    const { reals, outputs: [at] } = kernel;
    const [all] = results.residuals;
    kernel.share(p, OF_POINT);
    for (const k of this.counted) {
      kernel.compute(x[k], y[k], weight[k]);
      all[k] = reals[at];
    }
    return results.residuals;
  }

  /** @private @param {Numbers} p @returns {readonly Float64Array[]} the residuals, and the rows of their Jacobian */
  jacobian(p) {
    const { n, kernels: { jacobian: kernel }, results, columns: { x, y, weight } } = this;
    const { reals, outputs: [at, ...slopes] } = kernel;
    const [all, rows] = results.jacobian;
    kernel.share(p, OF_POINT);
    for (const k of this.counted) {
      kernel.compute(x[k], y[k], weight[k]);
      all[k] = reals[at];
      for (let j = 0; j < n; j++) rows[k * n + j] = reals[slopes[j]];
    }
    return results.jacobian;
  }

  /** @private @param {Numbers} v @param {Numbers} p @returns {readonly Float64Array[]} the second derivatives of the residuals along v */
  along(v, p) {
    const { n, kernels: { along: kernel }, results, columns: { x, y, weight } } = this;
    const { reals, outputs: [at] } = kernel;
    const [all] = results.along;
    kernel.share(p, OF_POINT);
    kernel.share(v, OF_POINT + n);
    for (const k of this.counted) {
      kernel.compute(x[k], y[k], weight[k]);
      all[k] = reals[at];
    }
    return results.along;
  }

  /** @private @param {Numbers} factors @param {Numbers} p @returns {readonly Float64Array[]} the sum of the residuals' Hessians times
   * their factors, by rows */
  curvature(factors, p) {
    const { n, kernels: { curvature: kernel }, results, columns: { x, y, weight } } = this;
    const { reals, outputs } = kernel;
    const atFactor = kernel.inputs[OF_POINT + n];
    const [sum] = results.curvature;
    sum.fill(0);
    kernel.share(p, OF_POINT);
    for (const k of this.counted) {
      reals[atFactor] = factors[k];
      kernel.compute(x[k], y[k], weight[k]);
      for (let j = 0; j < sum.length; j++) sum[j] += reals[outputs[j]];
    }
    return results.curvature;
  }

  /** Computes the model's value, and the value's standard deviation, at equally spaced places. The standard deviation is
   * √(gᵀ·covariance·g), where g is the gradient of the value with respect to the parameters.
   * @param {Numbers} p the parameters @param {Numbers} covariance the parameters' covariance matrix, by rows
   * @param {number} x0 the first place @param {number} x1 the last place
   * @param {number} count the number of places @returns {{values: Float64Array, deviations: Float64Array}} */
  curve(p, covariance, x0, x1, count) {
    const { n, kernels: { jacobian: kernel } } = this;
    const { reals, outputs: [at, ...slopes] } = kernel;
    const [values, deviations] = [new Float64Array(count), new Float64Array(count)];
    kernel.share(p, OF_POINT);
    for (let k = 0; k < count; k++) {
      kernel.compute(x0 + (x1 - x0) * (k / (count - 1)), 0, 1); // then the residual is the model's value
      values[k] = reals[at];
      let variance = 0;
      for (let i = 0; i < n; i++) {
        let product = 0;
        for (let j = 0; j < n; j++) product += covariance[i * n + j] * reals[slopes[j]];
        variance += reals[slopes[i]] * product;
      }
      deviations[k] = Math.sqrt(Math.max(variance, 0));
    }
    return { values, deviations };
  }
}

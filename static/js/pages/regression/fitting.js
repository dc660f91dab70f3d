// The regression page's kernels: a line's loss with its gradient, the loss over all nearby lines, and the exact line of least
// squares.

/** @typedef {import("../../model/types.js").FitArtifact} FitArtifact */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").Line} Line */
/** `loss`: the loss of a line. `slope`: the derivatives of the loss with respect to the line's slope and intercept.
 * @typedef {{loss: number, slope: Point}} FitJet */

import { instantiate } from "../../engine/kernel.js";
import { originOf } from "./fit.js";

export class Fitting {
  /** @param {FitBeginning} beginning @param {FitArtifact} artifact */
  constructor(beginning, artifact) {
    this.beginning = beginning;
    this.artifact = artifact;
    const [fit, surface, exact] = [artifact.fit, artifact.surface, artifact.exact].map(({ wasm, abi }) => instantiate(wasm, abi));
    this.kernels = { fit, surface, exact };
    this.xs = new Float64Array(beginning.mostPoints);
    this.ys = new Float64Array(beginning.mostPoints);
    /** The points that the columns hold. @type {readonly Point[]} */
    this.held = [];
  }

  /** @param {Fit} fit @returns {FitJet} */
  jet(fit) {
    const [[loss], [bySlope], [byIntercept]] = this.kernels.fit.run(...this.data(fit), ...fit.line);
    return { loss, slope: [bySlope, byIntercept] };
  }

  /** @param {Fit} fit @param {Region} region slope from, to, intercept from, to
   * @returns {Float64Array | Int32Array} rows of equal intercept; valid until the next call */
  surface(fit, region) {
    return this.kernels.surface.run(...this.data(fit), ...region)[0];
  }

  /** @param {Fit} fit @returns {Line | null} null if all points have the same x */
  exact(fit) {
    const [xs, ys, count, origin] = this.data(fit);
    const [[slope], [intercept]] = this.kernels.exact.run(xs, ys, count, origin);
    return Number.isFinite(slope) && Number.isFinite(intercept) ? [slope, intercept] : null;
  }

  /** The arguments of every kernel. @private @param {Fit} fit
   * @returns {[Float64Array, Float64Array, number, number, number, number]} */
  data(fit) {
    const { points, settings } = fit;
    if (points !== this.held) {
      this.held = points;
      points.forEach(([x, y], k) => {
        this.xs[k] = x;
        this.ys[k] = y;
      });
    }
    const kind = this.beginning.losses.indexOf(settings.loss);
    return [this.xs, this.ys, points.length, originOf(fit, this.beginning), kind, settings.threshold];
  }
}

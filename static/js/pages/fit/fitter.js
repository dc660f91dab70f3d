// The modules of one formula. With them the page computes a fit, its errors, and its curve with bands.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("./doc.js").Beginning} Beginning */
/** @typedef {import("./doc.js").Doc} Doc */
/** The modules of a formula with their solver. @typedef {import("../../model/types.js").FitterArtifact & {solver: Module}} FitterArtifact */
/** @typedef {"converged" | "exhausted" | "stuck" | "undefined" | "few" | "dependent"} Ending */
/**
 * A fit to the points of a document.
 * @typedef {object} Solution
 * @property {Float64Array} x the parameters, in the order of the artifact's `names`
 * @property {Ending} ending why the solver ended
 * @property {number} rounds the number of rounds that the solver made
 * @property {number} sum the sum of the squares of all weighted residuals
 * @property {readonly (number | null)[]} residuals for each point, y minus the model's value; null if the fit ignores the point
 * @property {Float64Array} covariance the covariance matrix of the parameters, by rows
 * @property {readonly number[]} deviations the standard errors of the parameters: 0 for a fixed parameter, Infinity if the
 *   points do not determine the parameters
 * @property {number} freedom the degrees of freedom: the number of points that count, minus the number of free parameters
 * @property {number} deviation the standard deviation of the residuals, √(sum / freedom)
 * @property {number} determined the coefficient of determination, R²
 * @property {number} information Akaike's information criterion
 */

import { linked } from "../../engine/linking.js";
import { hasSigmas } from "./doc.js";
import { Pointwise } from "./pointwise.js";
import { starts } from "./starts.js";
import { studentQuantile } from "./student.js";

/** A solve makes at most this many rounds. */
const ROUNDS = 600;
/** From every start, we run the solver for TRIED rounds. We then continue the PROMISING best runs for FOLLOWED rounds. */
const TRIED = 3;
const PROMISING = 5;
const FOLLOWED = 40;
/** The share of cases that a band leaves outside. */
const OUTSIDE = 0.05;
const ENDINGS = /** @type {readonly Ending[]} */ (["exhausted", "converged", "exhausted", "stuck", "undefined"]);

/** The number of places at which a curve is computed. */
const PLACES = 257;

export class Fitter {
  /** @param {FitterArtifact} artifact @param {number} capacity */
  constructor(artifact, capacity) {
    this.artifact = artifact;
    this.names = artifact.names;
    this.model = new Pointwise(artifact, artifact.names.length, capacity);
    this.solver = linked(artifact.solver, this.model.functions);
    /** The start that was found last. @type {ArrayLike<number>} */
    this.searched = [];
    /** The points that the columns hold. @type {unknown} */
    this.loaded = null;
  }

  /** Fits the formula to a document's points. @param {Doc} doc
   * @param {ArrayLike<number> | null} near the parameters from which the solver begins; null to search for a start
   * @param {boolean} areAbsolute true if each point's `sigma` is in the units of y; false if only their ratios count
   * @returns {Solution} */
  solve(doc, near, areAbsolute) {
    const start = near ?? this.search(doc);
    if (near === null) this.searched = start;
    return this.solution(doc, this.run(doc, start, ROUNDS), areAbsolute);
  }

  /** Returns the parameters at the start and after each round of the solver, for at most `most` rounds.
   * @param {Doc} doc
   * @param {ArrayLike<number>} start @param {number} most rounds @returns {Float64Array[]} */
  path(doc, start, most) {
    const path = [];
    for (let k = 0; k <= most; k++) {
      const { x, rounds } = this.run(doc, start, k);
      path.push(x);
      if (rounds < k) break;
    }
    return path;
  }

  /** @private @param {Doc} doc @returns {ArrayLike<number>} the start whose fit is best */
  search(doc) {
    const { start } = doc;
    if (this.names.every((name) => name in start || name in doc.held)) return this.names.map((name) => start[name] ?? doc.held[name]);
    const given = (/** @type {number[]} */ values) => values.map((value, k) => start[this.names[k]] ?? value);
    const tried = starts(doc.points, this.names.length).map((values) => this.run(doc, given(values), TRIED));
    const costOf = (/** @type {Raw} */ { cost }) => (Number.isFinite(cost) ? cost : Infinity);
    const promising = tried.sort((a, b) => costOf(a) - costOf(b)).slice(0, PROMISING);
    const followed = promising.map(({ x }) => this.run(doc, x, FOLLOWED));
    return followed.reduce((best, one) => (costOf(one) < costOf(best) ? one : best)).x;
  }

  /** @typedef {{x: Float64Array, fun: Float64Array, cost: number, inverse: Float64Array, independent: boolean, ending: Ending, rounds: number}} Raw */

  /** @private @param {Doc} doc @param {ArrayLike<number>} start @param {number} rounds @returns {Raw} */
  run(doc, start, rounds) {
    this.load(doc);
    const lower = this.names.map((name) => doc.held[name] ?? doc.lower[name] ?? -Infinity);
    const upper = this.names.map((name) => doc.held[name] ?? doc.upper[name] ?? Infinity);
    const leaves = this.solver.run(Float64Array.from(start), lower, upper, rounds);
    const [at, fun, [cost], inverse, [independent], [status], [done]] = /** @type {Float64Array[]} */ (leaves);
    return {
      x: at.slice(), fun: fun.slice(), cost, inverse: inverse.slice(), independent: independent > 0,
      ending: ENDINGS[status], rounds: done,
    };
  }

  /** Copies a document's points to the model's arrays. @private @param {Doc} doc */
  load({ points }) {
    if (points === this.loaded) return;
    this.loaded = points;
    const isWeighted = hasSigmas(/** @type {Doc} */ ({ points }));
    const { x, y, weight } = this.model.columns;
    weight.fill(0);
    points.forEach(([at, value, sigma, out], k) => {
      if (!out) [x[k], y[k], weight[k]] = [at, value, isWeighted ? 1 / sigma : 1];
    });
    this.model.load();
  }

  /** @private @param {Doc} doc @param {Raw} raw @param {boolean} areAbsolute @returns {Solution} */
  solution(doc, raw, areAbsolute) {
    const n = this.names.length;
    const isHeld = this.names.map((name) => name in doc.held);
    const free = isHeld.filter((held) => !held).length;
    const { weight, y } = this.model.columns;
    const count = doc.points.filter(([, , , out]) => !out).length;
    const freedom = count - free;
    const sum = 2 * raw.cost;
    const hasEnded = raw.ending === "converged" || raw.ending === "stuck";
    const factor = areAbsolute && hasSigmas(doc) ? 1 : freedom > 0 ? sum / freedom : NaN;
    const covariance = raw.inverse.map((value) => value * factor);
    const deviations = isHeld.map((held, k) => (held ? 0 : raw.independent ? Math.sqrt(covariance[k * n + k]) : Infinity));
    return {
      x: raw.x,
      ending: freedom < 0 ? "few" : hasEnded && !raw.independent ? "dependent" : raw.ending,
      rounds: raw.rounds,
      sum,
      residuals: doc.points.map(([, , , out], k) => (out ? null : -raw.fun[k] / weight[k])),
      covariance,
      deviations,
      freedom,
      deviation: freedom > 0 ? Math.sqrt(sum / freedom) : NaN,
      determined: 1 - sum / spread(y, weight),
      information: count * Math.log(sum / count) + 2 * (free + 1),
    };
  }

  /** Computes three arrays of numbers at equally spaced values of x in the picture: the values of the fitted curve, and half
   * the widths of the confidence band and of the prediction band.
   * @param {Solution} solution @param {Region} region @returns {{values: Float64Array, confidence: Float64Array, prediction: Float64Array}} */
  curve({ x, covariance, freedom, deviation }, [x0, x1]) {
    const isKnown = covariance.every(Number.isFinite);
    const { values, deviations } = this.model.curve(x, isKnown ? covariance : new Float64Array(covariance.length), x0, x1, PLACES);
    const t = isKnown ? studentQuantile(OUTSIDE, freedom) : NaN;
    return {
      values,
      confidence: deviations.map((size) => t * size),
      prediction: deviations.map((size) => t * Math.hypot(size, deviation)),
    };
  }

  /** @param {Doc} doc @returns {(x: ArrayLike<number>) => ArrayLike<number>} the weighted residuals of all points for parameters x,
   * which are valid until the next call */
  residualsOf(doc) {
    this.load(doc);
    return (x) => this.model.residuals(x)[0];
  }
}

/** @param {Float64Array} y @param {Float64Array} weight @returns {number} the weighted squares of y around its weighted mean */
function spread(y, weight) {
  let [total, mean] = [0, 0];
  for (let k = 0; k < y.length; k++) total += weight[k] ** 2;
  for (let k = 0; k < y.length; k++) mean += (weight[k] ** 2 * y[k]) / total;
  return y.reduce((sum, value, k) => sum + (weight[k] * (value - mean)) ** 2, 0);
}

/** Counts the decimal digits in which a number agrees with a certified number. NIST calls this count the "log relative error".
 * @param {number} value @param {number} certified @returns {number} at most 11, because NIST certifies 11 digits */
export function agreement(value, certified) {
  const error = Math.abs(value - certified) / Math.abs(certified || 1);
  return error === 0 ? 11 : Math.max(0, Math.min(11, -Math.log10(error)));
}

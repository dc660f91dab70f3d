// Descent on the cue ball's position and velocity: four numbers, their gradient, and the optimiser's memory between steps.

/** @typedef {import("./types.js").Optimiser} Optimiser */
/** @typedef {{step: number, first: Float64Array, second: Float64Array}} Memory */

export const OPTIMISERS = /** @type {const} */ (["descent", "momentum", "adam"]);

const KEPT_MOMENTUM = 0.9;
// Kingma and Ba: Adam (2015), Algorithm 1.
const ADAM_FIRST = 0.9;
const ADAM_SECOND = 0.999;
const ADAM_FLOOR = 1e-8;
/** The loss must fall to this share of the marked loss within PATIENCE steps, or the descent has stalled. */
const WORTHWHILE = 0.999;
const PATIENCE = 250;
/** If a descent makes no more progress and its gradient is shorter than this, it has reached a minimum. */
const LEVEL = 1e-3;
const SMALL_ENOUGH = 1e-12;
/** A descent has diverged if a position or velocity exceeds this, in metres or metres per second. No real shot gets there. */
const LOST = 20;

/** @returns {Memory} */
export function freshMemory() {
  return { step: 0, first: new Float64Array(4), second: new Float64Array(4) };
}

/** The next cue, as a new array. Updates `memory` in place.
 * @param {Optimiser} name @param {number} rate @param {Memory} memory @param {Float64Array<ArrayBuffer>} cue @param {Float64Array} gradient */
export function nextCue(name, rate, memory, cue, gradient) {
  const { first, second } = memory;
  memory.step += 1;
  return cue.map((value, k) => {
    const slope = gradient[k];
    if (name === "descent") return value - rate * slope;
    if (name === "momentum") {
      first[k] = KEPT_MOMENTUM * first[k] + slope;
      return value - rate * (1 - KEPT_MOMENTUM) * first[k];
    }
    first[k] = ADAM_FIRST * first[k] + (1 - ADAM_FIRST) * slope;
    second[k] = ADAM_SECOND * second[k] + (1 - ADAM_SECOND) * slope * slope;
    const mean = first[k] / (1 - ADAM_FIRST ** memory.step);
    const size = Math.sqrt(second[k] / (1 - ADAM_SECOND ** memory.step));
    return value - (rate * mean) / (size + ADAM_FLOOR);
  });
}

/** Remembers the best state of a descent so far, and judges whether and why the descent ends. */
export class Progress {
  constructor() {
    /** @type {{loss: number, cue: Float64Array<ArrayBuffer>, slope: Float64Array<ArrayBuffer>, iteration: number}} */
    this.best = { loss: Infinity, cue: new Float64Array(4), slope: new Float64Array(4), iteration: 0 };
    /** The loss and the iteration at which the descent last made real progress. */
    this.mark = { loss: Infinity, iteration: 0 };
  }

  /** @param {number} iteration @param {number} loss @param {Float64Array<ArrayBuffer>} cue @param {Float64Array<ArrayBuffer>} gradient
   * @returns {import("./types.js").Outcome | null} null if the descent goes on */
  judge(iteration, loss, cue, gradient) {
    const finite = Number.isFinite(loss) && gradient.every(Number.isFinite);
    if (!finite || cue.some((value) => Math.abs(value) > LOST)) return "diverged";
    if (gradient.every((slope) => slope === 0)) return loss < SMALL_ENOUGH ? "converged" : "flat";
    if (loss < this.best.loss) this.best = { loss, cue, slope: gradient, iteration };
    if (loss < this.mark.loss * WORTHWHILE) this.mark = { loss, iteration };
    if (loss < SMALL_ENOUGH) return "converged";
    if (iteration - this.mark.iteration <= PATIENCE) return null;
    return Math.hypot(...gradient) < LEVEL ? "converged" : "stalled";
  }
}

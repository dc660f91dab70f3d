// Judges a descent of the cue ball by its losses: whether it goes on, and why it ends.

/** @typedef {import("../../model/types.js").Outcome} Outcome */

/** A limit for the loss, divided by the loss at the last real progress. If the quotient is smaller, the descent makes real
 * progress. After PATIENCE iterations without real progress, the descent ends. */
const WORTHWHILE = 0.999;
const PATIENCE = 250;
/** If a stalled descent has a gradient shorter than this, we say that it has reached a minimum. */
const LEVEL = 1e-3;
const SMALL_ENOUGH = 1e-12;
/** If a position (in metres) or a velocity (in metres per second) exceeds this, the descent has diverged. No real shot has
 * such large numbers. */
const LOST = 20;

/** Stores the best state of a descent, and decides when and why the descent ends. */
export class Progress {
  constructor() {
    /** @type {{loss: number, cue: Float64Array<ArrayBuffer>, slope: Float64Array<ArrayBuffer>, iteration: number}} */
    this.best = { loss: Infinity, cue: new Float64Array(4), slope: new Float64Array(4), iteration: 0 };
    /** The loss and the iteration of the last real progress. */
    this.mark = { loss: Infinity, iteration: 0 };
  }

  /** @param {number} iteration @param {number} loss @param {Float64Array<ArrayBuffer>} cue
   * @param {Float64Array<ArrayBuffer>} gradient
   * @returns {Outcome | null} null if the descent goes on */
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

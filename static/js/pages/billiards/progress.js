// Judges a descent of the cue ball by its losses: whether it goes on, and why it ends.

/** @typedef {import("../../model/types.js").Outcome} Outcome */

/** If the loss falls below this share of the loss that we noted last, we call this real progress and note the new loss. After
 * PATIENCE steps without real progress, we say that the descent has stalled. */
const WORTHWHILE = 0.999;
const PATIENCE = 250;
/** If a descent makes no more progress, and the length of the gradient is less than this, we say that it has reached a
 * minimum. */
const LEVEL = 1e-3;
const SMALL_ENOUGH = 1e-12;
/** If a position (in metres) or a velocity (in metres per second) exceeds this, the descent has diverged. No real shot exceeds
 * it. */
const LOST = 20;

/** Remembers the best state of a descent so far, and decides when the descent ends, and for which reason. */
export class Progress {
  constructor() {
    /** @type {{loss: number, cue: Float64Array<ArrayBuffer>, slope: Float64Array<ArrayBuffer>, iteration: number}} */
    this.best = { loss: Infinity, cue: new Float64Array(4), slope: new Float64Array(4), iteration: 0 };
    /** The loss and the iteration at which the descent last made real progress. */
    this.mark = { loss: Infinity, iteration: 0 };
  }

  /** @param {number} iteration @param {number} loss @param {Float64Array<ArrayBuffer>} cue @param {Float64Array<ArrayBuffer>} gradient
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

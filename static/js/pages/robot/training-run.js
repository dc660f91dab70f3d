// Trains a robot, in a worker, by gradient descent whose steps all have the same length, as in the reference.

/** @typedef {import("../../model/types.js").TrainingOrder} TrainingOrder */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("./gait.js").Gait} Gait */
/** @typedef {import("./gait.js").Trainer} Trainer */

/** Keeps a step finite if the gradient is zero. */
const SOFTENING = 1e-6;

export class TrainingRun {
  /** @param {Trainer} trainer @param {Gait} gait @param {TrainingOrder} order with weights */
  constructor(trainer, gait, order) {
    this.trainer = trainer;
    this.gait = gait;
    this.order = order;
    this.weights = Float64Array.from(/** @type {Float64Array} */ (order.weights));
    this.iteration = 0;
    this.running = true;
    this.left = order.most;
    this.best = { loss: Infinity, norm: NaN, iteration: 0, weights: this.weights };
  }

  /** Continues from the present weights, perhaps in another world. @param {TrainingOrder} order */
  go(order) {
    const { weights } = this;
    if (JSON.stringify(order.world) !== JSON.stringify(this.order.world) || order.reaches !== this.order.reaches) {
      this.best = { loss: Infinity, norm: NaN, iteration: this.iteration, weights };
    }
    this.order = order;
    this.left = order.most;
    this.running = true;
  }

  /** Trains for about this long. When the training ends, returns to the best weights.
   * @param {number} budgetMs @returns {TrainingReport} */
  slice(budgetMs) {
    const { epoch, order, world, reaches, rate } = this.order;
    const firstIteration = this.iteration;
    const losses = [];
    const start = performance.now();
    let norm;
    /** @type {"done" | "diverged" | null} */
    let outcome = null;
    do {
      const loss = this.trainer.at(this.weights, world, reaches);
      norm = length(this.trainer.slope);
      losses.push(loss);
      if (loss < this.best.loss) this.best = { loss, norm, iteration: this.iteration, weights: Float64Array.from(this.weights) };
      if (!Number.isFinite(loss) || !Number.isFinite(norm)) outcome = "diverged";
      else if (this.left === 0) outcome = "done";
      else this.step(rate / (norm + SOFTENING));
    } while (outcome === null && performance.now() - start < budgetMs);
    this.running = outcome === null;
    const ms = (performance.now() - start) / losses.length;
    const lost = outcome === "diverged" ? Float64Array.from(this.weights) : null;
    if (!this.running) {
      this.weights = Float64Array.from(this.best.weights);
      norm = this.best.norm;
    }
    const { x, muscles } = this.gait.motion(this.weights, world);
    return {
      epoch, order, firstIteration, losses, norm, outcome, lost, ms, moments: { x, muscles },
      weights: Float64Array.from(this.weights), best: this.best, running: this.running,
    };
  }

  /** @private @param {number} rate */
  step(rate) {
    const { weights, trainer: { slope } } = this;
    for (let k = 0; k < weights.length; k++) weights[k] -= rate * slope[k];
    this.iteration += 1;
    this.left -= 1;
  }
}

/** @param {Float64Array} vector */
function length(vector) {
  let sum = 0;
  for (let k = 0; k < vector.length; k++) sum += vector[k] * vector[k];
  return Math.sqrt(sum);
}

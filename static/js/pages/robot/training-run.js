// Trains a robot in a worker by gradient descent. All steps have the same length, as in the reference.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").TrainingOrder} TrainingOrder */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("./gait.js").Gait} Gait */
/** @typedef {import("./gait.js").Trainer} Trainer */

import { Stepper } from "../../engine/stepper.js";

export class TrainingRun {
  /** @param {Trainer} trainer @param {Gait} gait @param {TrainingOrder} order with weights @param {Module} descent */
  constructor(trainer, gait, order, descent) {
    this.gait = gait;
    this.order = order;
    this.weights = Float64Array.from(/** @type {Float64Array} */ (order.weights));
    this.stepper = new Stepper(descent, this.weights.length, (x, gradient) => {
      const loss = trainer.at(x, this.order.world, this.order.reaches);
      gradient.set(trainer.slope);
      return loss;
    });
    this.iteration = 0;
    this.running = true;
    this.left = order.most;
    /** True if the stepper has computed the loss and the gradient for the present weights and the present world. */
    this.known = false;
    this.best = { loss: Infinity, norm: NaN, iteration: 0, weights: this.weights };
  }

  /** Continues from the present weights. The goal, the gravity or the friction may have changed.
   * @param {TrainingOrder} order */
  go(order) {
    const { weights } = this;
    if (JSON.stringify(order.world) !== JSON.stringify(this.order.world) || order.reaches !== this.order.reaches) {
      this.best = { loss: Infinity, norm: NaN, iteration: this.iteration, weights };
      this.known = false;
    }
    this.order = order;
    this.left = order.most;
    this.running = true;
  }

  /** Trains for about `budgetMs`. Restores the best weights when the training ends.
   * @param {number} budgetMs @returns {TrainingReport} */
  slice(budgetMs) {
    const { epoch, order, world } = this.order;
    const firstIteration = this.iteration + Number(this.known);
    const losses = [];
    const start = performance.now();
    let norm;
    /** @type {"done" | "diverged" | null} */
    let outcome = null;
    do {
      const { fun: loss, jac } = this.advance();
      norm = length(jac);
      losses.push(loss);
      if (loss < this.best.loss) this.best = { loss, norm, iteration: this.iteration, weights: this.weights };
      if (!Number.isFinite(loss) || !Number.isFinite(norm)) outcome = "diverged";
      else if (this.left <= 0) outcome = "done";
    } while (outcome === null && performance.now() - start < budgetMs);
    this.running = outcome === null;
    const ms = (performance.now() - start) / losses.length;
    const lost = outcome === "diverged" ? this.weights : null;
    if (!this.running) {
      this.weights = this.best.weights;
      this.known = false;
      norm = this.best.norm;
    }
    const { x, muscles } = this.gait.motion(this.weights, world);
    return {
      epoch, order, firstIteration, losses, norm, outcome, lost, ms, moments: { x, muscles },
      weights: this.weights, best: this.best, running: this.running,
    };
  }

  /** Makes a step of the training. The first call only computes the loss of the first weights. @private */
  advance() {
    const { stepper, known, order: { rate } } = this;
    const place = known ? stepper.step(1, rate) : stepper.begin(this.weights, rate);
    [this.weights, this.known] = [place.x, true];
    if (known) {
      this.iteration += 1;
      this.left -= 1;
    }
    return place;
  }
}

/** @param {Float64Array} vector */
function length(vector) {
  let sum = 0;
  for (let k = 0; k < vector.length; k++) sum += vector[k] * vector[k];
  return Math.sqrt(sum);
}

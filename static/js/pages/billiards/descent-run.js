// Runs a descent, or computes a field over the table, for some milliseconds at a time.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */
/** @typedef {import("../../model/types.js").Outcome} Outcome */
/** @typedef {import("./descent-worker.js").Order} Order */
/** @typedef {import("./descent-worker.js").FieldOrder} FieldOrder */
/** @typedef {import("./descent-worker.js").FieldPart} FieldPart */
/** @typedef {import("./descent-worker.js").Report} Report */
/** @typedef {import("./gradient-batch.js").GradientBatch} GradientBatch */
/** @typedef {import("./shot.js").Gradient} Gradient */

import { Stepper } from "../../engine/stepper.js";
import { cellOf, COLUMNS, middleOf, ROWS } from "./field.js";
import { Progress } from "./progress.js";

/** The first call of the field's module computes FIRST_CELLS cells of the field. Later calls compute at most MOST_CELLS. */
const FIRST_CELLS = 4;
const MOST_CELLS = 64;
/** The smallest factor for the learning rate. A descent that would need a smaller factor has stalled. */
const LEAST_SHARE = 2 ** -10;

export class DescentRun {
  /** @param {Gradient} gradient @param {Order} order with a cue @param {Readonly<Record<Optimiser, Module>>} descents */
  constructor(gradient, order, descents) {
    this.gradient = gradient;
    this.order = order;
    this.descents = descents;
    this.cue = Float64Array.from(order.cue ?? []);
    this.slope = new Float64Array(this.cue.length);
    this.stepper = this.stepperOf(order);
    this.iteration = 0;
    this.progress = new Progress();
    /** True if `slope` belongs to the cue. */
    this.known = false;
    this.left = order.most;
    /** A factor for the learning rate. It is halved whenever the descent goes back to its best cue. */
    this.share = 1;
    this.running = true;
  }

  /** Continues from the present position and velocity of the cue ball, perhaps towards another goal. @param {Order} order */
  go(order) {
    if (order.optimiser !== this.order.optimiser) this.stepper = this.stepperOf(order);
    this.order = order;
    this.progress = new Progress();
    this.progress.mark.iteration = this.iteration;
    this.known = false;
    this.left = order.most;
    this.share = 1;
    this.running = true;
  }

  /** @param {number} budgetMs @returns {Report} */
  slice(budgetMs) {
    const { progress } = this;
    const firstIteration = this.iteration + Number(this.known);
    const losses = [];
    /** @type {Outcome | null} */
    let outcome;
    const start = performance.now();
    do {
      const loss = this.advance();
      losses.push(loss);
      outcome = progress.judge(this.iteration, loss, this.cue, this.slope);
      const isAstray = this.left === Infinity && (outcome === "flat" || outcome === "stalled");
      if (isAstray && progress.best.loss < Infinity) outcome = this.retreat(losses);
    } while (outcome === null && this.left > 0 && performance.now() - start < budgetMs);
    const ms = (performance.now() - start) / losses.length;
    this.running = outcome === null && this.left > 0;
    const { cue, slope, share, running } = this;
    if (outcome === "diverged" && progress.best.loss < Infinity) this.goBack();
    return { firstIteration, losses, cue, slope, best: progress.best, share, outcome, running, ms };
  }

  /** Goes back to the best shot so far, and halves the learning rate. Call this if the gradient is zero or the loss no longer
   * falls. The step back counts as an iteration. @private @param {number[]} losses
   * @returns {Outcome | null} null if the descent goes on */
  retreat(losses) {
    const { best, mark } = this.progress;
    this.goBack();
    this.iteration += 1;
    losses.push(best.loss);
    if (this.share <= LEAST_SHARE) return "stalled";
    this.share /= 2;
    mark.iteration = this.iteration;
    this.stepper.begin(this.cue, this.rate);
    return null;
  }

  /** @private */
  goBack() {
    this.cue = this.progress.best.cue;
    this.slope = this.progress.best.slope;
    this.stepper.forget();
  }

  /** Makes a step of the descent. The first call only computes the loss and the gradient at the start. @private
   * @returns {number} the loss */
  advance() {
    const { stepper, known } = this;
    const { x, fun, jac } = known ? stepper.step(1, this.rate) : stepper.begin(this.cue, this.rate);
    [this.cue, this.slope, this.known] = [x, jac, true];
    if (known) {
      this.iteration += 1;
      this.left -= 1;
    }
    return fun;
  }

  /** @private */
  get rate() {
    return this.order.rate * this.share;
  }

  /** @private @param {Order} order @returns {Stepper} */
  stepperOf({ optimiser }) {
    return new Stepper(this.descents[optimiser], this.cue.length, (x, gradient) => {
      const loss = this.gradient.at(x, this.order.task);
      gradient.set(this.gradient.slope);
      return loss;
    });
  }
}

export class FieldRun {
  /** @param {GradientBatch} batch @param {FieldOrder} order */
  constructor(batch, order) {
    this.batch = batch;
    this.order = order;
    this.next = 0;
    /** The number of cells to compute in the next slice of time. We estimate it from the speed of the last slice. */
    this.cells = FIRST_CELLS;
    batch.prepare(order.velocity, order.task, Math.min(batch.most, MOST_CELLS));
  }

  /** @param {number} budgetMs @returns {FieldPart} the next cells, beginning with number `from` */
  slice(budgetMs) {
    const from = this.next;
    this.next = Math.min(COLUMNS * ROWS, from + this.cells);
    const places = Array.from({ length: this.next - from }, (_, k) => middleOf(cellOf(from + k), this.order.area));
    const start = performance.now();
    const { losses, slopes } = this.batch.run(places);
    const ms = (performance.now() - start) / places.length;
    this.cells = Math.min(MOST_CELLS, this.batch.most, Math.max(1, Math.floor(budgetMs / ms)));
    return { from, losses, slopes, done: this.next === COLUMNS * ROWS };
  }
}

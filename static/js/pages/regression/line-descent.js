// A descent of the line: its steps, its path, and its state.

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").Line} Line */
/** @typedef {import("../../engine/stepper.js").Place} Place */
/** @typedef {"paused" | "converged" | "circling" | "diverged"} FitOutcome */

import { Stepper } from "../../engine/stepper.js";
import { isLost, setLine } from "./fit.js";

/** A shorter gradient counts as zero. */
const LEVEL = 1e-4;
/** A descent with a larger loss has diverged. */
const LOST = 1e9;
/** We end the descent if PATIENCE steps do not lower the loss by this share. The descent then goes round in circles. */
const WORTHWHILE = 1e-9;
const PATIENCE = 600;
/** We measure the time of a step only if a frame makes at least this many steps. */
const MANY = 5;
const LONGEST_PATH = 20_000;
const UNKNOWN = { loss: Infinity, iteration: 0 };

export class LineDescent {
  /** @param {Fitting} fitting */
  constructor(fitting) {
    this.fitting = fitting;
    this.running = false;
    /** The shortest time per iteration in any frame. Other work on the machine may slow down a single frame, so we use the
     * shortest time. */
    this.fastestMs = Infinity;
    /** @type {FitOutcome | null} */
    this.outcome = null;
    /** The steppers of the methods that have run. Each stepper remembers its earlier steps. @type {Map<string, Stepper>} */
    this.steppers = new Map();
    /** Points and settings of the present descent. @type {Fit | null} */
    this.fit = null;
    /** @type {Line[]} */
    this.path = [];
    /** @type {number[]} */
    this.losses = [];
    this.best = UNKNOWN;
    /** The loss and the iteration when the loss last fell by at least WORTHWHILE. */
    this.mark = UNKNOWN;
  }

  /** True if the descent is at the line's position. */
  get follows() {
    return this.path.length > 0;
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** Forgets the descent, because the visitor has moved the line. */
  forget() {
    this.running = false;
    this.outcome = null;
    this.forgetSteps();
    this.path = [];
    this.losses = [];
    this.best = this.mark = UNKNOWN;
  }

  /** Makes all methods forget their earlier steps, after a change of method or of scale. */
  forgetSteps() {
    for (const stepper of this.steppers.values()) stepper.forget();
  }

  /** Begins a descent from the present line, or continues a paused one. */
  start() {
    if (this.path.length > LONGEST_PATH) this.forget();
    this.running = true;
    this.outcome = null;
    this.mark = { loss: Infinity, iteration: this.iteration };
  }

  pause() {
    if (!this.running) return;
    this.running = false;
    this.outcome = "paused";
  }

  /** Forgets the best loss and the outcome, because the points have moved. */
  retarget() {
    this.best = this.mark = { loss: Infinity, iteration: this.iteration };
    this.path = this.path.slice(-1);
    this.outcome = null;
  }

  /** @param {Fit} fit @param {number} steps at most @returns {Fit} with the line to which these steps lead */
  advance(fit, steps) {
    const { optimiser, rate } = fit.settings;
    const stepper = this.stepperOf(optimiser);
    this.fit = fit;
    const beginMs = performance.now();
    let now = fit;
    let place = stepper.begin(fit.line, rate);
    if (this.path.length === 0) this.note(now, place);
    let done = 0;
    while (done < steps && this.judge(now, place)) {
      place = stepper.step(1, rate);
      now = setLine(now, [place.x[0], place.x[1]]);
      this.note(now, place);
      done += 1;
    }
    if (done === steps) this.judge(now, place);
    if (done >= MANY) this.fastestMs = Math.min(this.fastestMs, (performance.now() - beginMs) / done);
    return now;
  }

  /** @private @param {string} optimiser @returns {Stepper} */
  stepperOf(optimiser) {
    const { descents } = this.fitting.beginning;
    const stepper = this.steppers.get(optimiser) ?? new Stepper(descents[/** @type {keyof typeof descents} */ (optimiser)], 2, ([slope, intercept], gradient) => {
      const jet = this.fitting.jet({ .../** @type {Fit} */ (this.fit), line: [slope, intercept] });
      gradient.set(jet.slope);
      return jet.loss;
    });
    this.steppers.set(optimiser, stepper);
    return stepper;
  }

  /** @private @param {Fit} fit @param {Place} place */
  note({ line }, { fun: loss }) {
    this.path.push(line);
    this.losses.push(loss);
    if (loss < this.best.loss) this.best = { loss, iteration: this.iteration };
    if (loss < this.mark.loss * (1 - WORTHWHILE)) this.mark = { loss, iteration: this.iteration };
  }

  /** @private @param {Fit} fit @param {Place} place @returns {boolean} whether to go on */
  judge(fit, { fun: loss, jac }) {
    const size = Math.hypot(...jac);
    if (isLost(fit) || !(loss < LOST) || !Number.isFinite(size)) this.outcome = "diverged";
    else if (size < LEVEL) this.outcome = "converged";
    else if (this.iteration - this.mark.iteration > PATIENCE) this.outcome = "circling";
    else return true;
    this.running = false;
    return false;
  }
}

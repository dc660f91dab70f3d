// A descent of the line: its steps, its path, and its state.

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").Line} Line */
/** @typedef {"paused" | "converged" | "circling" | "diverged"} FitOutcome */

import { freshMemory, nextCue } from "../../model/optimiser.js";
import { isLost, setLine } from "./fit.js";

/** A shorter gradient counts as zero. */
const LEVEL = 1e-4;
/** A descent with a larger loss has diverged. */
const LOST = 1e9;
/** If the loss does not fall by this share within PATIENCE steps, the descent counts as going round in circles. */
const WORTHWHILE = 1e-9;
const PATIENCE = 600;
/** We measure the time per step only for this many steps or more. */
const MANY = 5;
const LONGEST_PATH = 20_000;
const UNKNOWN = { loss: Infinity, iteration: 0 };

export class LineDescent {
  /** @param {Fitting} fitting */
  constructor(fitting) {
    this.fitting = fitting;
    this.running = false;
    /** The time of an iteration in the fastest frame. Other work on the machine may slow down the other frames. */
    this.fastestMs = Infinity;
    /** @type {FitOutcome | null} */
    this.outcome = null;
    this.memory = freshMemory();
    /** @type {Line[]} */
    this.path = [];
    /** @type {number[]} */
    this.losses = [];
    this.best = UNKNOWN;
    /** The loss and the iteration at which the descent last made real progress. */
    this.mark = UNKNOWN;
  }

  /** True if the descent is at the line's position. */
  get follows() {
    return this.path.length > 0;
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** Forgets the descent so far, because the line was moved. */
  forget() {
    this.running = false;
    this.outcome = null;
    this.memory = freshMemory();
    this.path = [];
    this.losses = [];
    this.best = this.mark = UNKNOWN;
  }

  /** Forgets the method's memory of earlier steps after a change of method or of scale. */
  forgetSteps() {
    this.memory = freshMemory();
  }

  /** Continues a paused descent, or begins one at the line's position. */
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

  /** Forgets the best loss and the outcome after the points have moved. */
  retarget() {
    this.best = this.mark = { loss: Infinity, iteration: this.iteration };
    this.path = this.path.slice(-1);
    this.outcome = null;
  }

  /** @param {Fit} fit @param {number} steps at most @returns {Fit} with the line to which these steps lead */
  advance(fit, steps) {
    const { optimiser, rate } = fit.settings;
    const beginMs = performance.now();
    let now = fit;
    let jet = this.fitting.jet(now);
    if (this.path.length === 0) this.note(now, jet);
    let done = 0;
    while (done < steps && this.judge(now, jet)) {
      const [slope, intercept] = nextCue(optimiser, rate, this.memory, Float64Array.from(now.line), Float64Array.from(jet.slope));
      now = setLine(now, [slope, intercept]);
      jet = this.fitting.jet(now);
      this.note(now, jet);
      done += 1;
    }
    if (done === steps) this.judge(now, jet);
    if (done >= MANY) this.fastestMs = Math.min(this.fastestMs, (performance.now() - beginMs) / done);
    return now;
  }

  /** @private @param {Fit} fit @param {import("./fitting.js").FitJet} jet */
  note({ line }, { loss }) {
    this.path.push(line);
    this.losses.push(loss);
    if (loss < this.best.loss) this.best = { loss, iteration: this.iteration };
    if (loss < this.mark.loss * (1 - WORTHWHILE)) this.mark = { loss, iteration: this.iteration };
  }

  /** @private @param {Fit} fit @param {import("./fitting.js").FitJet} jet @returns {boolean} whether to go on */
  judge(fit, { loss, slope }) {
    const size = Math.hypot(...slope);
    if (isLost(fit) || !(loss < LOST) || !Number.isFinite(size)) this.outcome = "diverged";
    else if (size < LEVEL) this.outcome = "converged";
    else if (this.iteration - this.mark.iteration > PATIENCE) this.outcome = "circling";
    else return true;
    this.running = false;
    return false;
  }
}

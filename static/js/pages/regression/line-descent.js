// A descent of the line: its steps, the way it came, and how it stands.

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").Line} Line */
/** @typedef {"paused" | "converged" | "circling" | "diverged"} FitOutcome */

import { freshMemory, nextCue } from "../../model/optimiser.js";
import { isLost, setLine } from "./fit.js";

/** A slope below this is none. */
const LEVEL = 1e-4;
/** A loss beyond this is not coming back. */
const LOST = 1e9;
/** Where the best loss gets no better by so much of it in so many steps, descent goes round in circles. */
const WORTHWHILE = 1e-9;
const PATIENCE = 600;
/** So many steps at once can be timed. */
const MANY = 5;
const LONGEST_PATH = 20_000;
const UNKNOWN = { loss: Infinity, iteration: 0 };

export class LineDescent {
  /** @param {Fitting} fitting */
  constructor(fitting) {
    this.fitting = fitting;
    this.running = false;
    /** An iteration, in the best frame: others share the machine. */
    this.fastestMs = Infinity;
    /** @type {FitOutcome | null} */
    this.outcome = null;
    this.memory = freshMemory();
    /** @type {Line[]} */
    this.path = [];
    /** @type {number[]} */
    this.losses = [];
    this.best = UNKNOWN;
    /** The loss that counts as progress, and when it was reached. */
    this.mark = UNKNOWN;
  }

  /** Whether the descent is where the line is. */
  get follows() {
    return this.path.length > 0;
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** The line was put elsewhere: the descent so far is over. */
  forget() {
    this.running = false;
    this.outcome = null;
    this.memory = freshMemory();
    this.path = [];
    this.losses = [];
    this.best = this.mark = UNKNOWN;
  }

  /** What the method remembers of the steps before is about another one, or another scale. */
  forgetSteps() {
    this.memory = freshMemory();
  }

  /** Goes on, or begins where the line is. */
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

  /** The points have moved: what was best or came to rest there is not any more. */
  retarget() {
    this.best = this.mark = { loss: Infinity, iteration: this.iteration };
    this.path = this.path.slice(-1);
    this.outcome = null;
  }

  /** @param {Fit} fit @param {number} steps at most @returns {Fit} with the line where these steps lead */
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

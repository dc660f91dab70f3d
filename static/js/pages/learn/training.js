// Decides how many steps of a training each frame makes, and records how the training goes.

/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./pupil.js").Pupil} Pupil */
/** @typedef {"rest" | "running" | "paused" | "learned" | "lost"} TrainingOutcome */

import { Progress } from "./progress.js";

/** In each frame, the training takes at most this long, so that the page stays responsive. */
const BUDGET_MS = 9;
/** The longest time, in milliseconds, for which a frame makes steps. If more time has passed since the last frame, the rest of
 * the steps is left out. So a tab that was in the background does not make all its missed steps at once. */
const LONGEST_FRAME_MS = 100;
/** We say that a network has learned its task if it answers this share of the tests correctly. */
const LEARNED = 0.95;
/** At this speed setting, the training makes as many steps per second as the machine allows. */
export const FASTEST = Infinity;

export class Training {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.running = false;
    /** @type {TrainingOutcome} */
    this.outcome = "rest";
    this.perSecond = 600;
    this.progress = new Progress();
    /** The shortest time of a step so far. Other work on the machine may slow down a single step, so we use the shortest
     * time. */
    this.fastestMs = Infinity;
    this.due = 0;
    this.atMs = 0;
    this.stale = true;
  }

  /** Always true, because training does not change the document. The document contains only the seed, and no trained
   * weights. */
  get follows() {
    return true;
  }

  /** @param {number} nowMs */
  start(nowMs) {
    if (this.outcome === "lost") this.forget();
    this.running = true;
    this.outcome = "running";
    this.due = 0;
    this.atMs = nowMs;
  }

  pause() {
    if (!this.running) return;
    this.running = false;
    this.outcome = "paused";
  }

  /** Stops, and starts again at the next frame. */
  forget() {
    this.running = false;
    this.outcome = "rest";
    this.renew();
  }

  /** Begins anew at the next frame. */
  renew() {
    this.stale = true;
    this.progress.clear();
    this.fastestMs = Infinity;
  }

  /** Makes the steps that are due now. @param {Pupil} pupil @param {Lesson} lesson @param {number} nowMs */
  follow(pupil, lesson, nowMs) {
    if (this.stale || pupil.seen === null) this.begin(pupil, lesson);
    if (!this.running) return;
    const passedMs = Math.min(Math.max(0, nowMs - this.atMs), LONGEST_FRAME_MS);
    this.atMs = nowMs;
    const affordable = Number.isFinite(this.fastestMs) ? Math.max(1, Math.floor(BUDGET_MS / this.fastestMs)) : 1;
    this.due = Math.min(this.due + (passedMs / 1000) * this.perSecond, affordable);
    const steps = Math.floor(this.due);
    if (steps === 0) return;
    this.due -= steps;
    this.advance(pupil, lesson, steps);
  }

  /** @private @param {Pupil} pupil @param {Lesson} lesson */
  begin(pupil, lesson) {
    this.stale = false;
    pupil.begin(lesson.seed, this.data.of(lesson), lesson);
    this.note(pupil);
  }

  /** Makes steps now. @param {Pupil} pupil @param {Lesson} lesson @param {number} steps */
  advance(pupil, lesson, steps) {
    if (this.stale || pupil.seen === null) this.begin(pupil, lesson);
    const beginMs = performance.now();
    pupil.learn(steps, lesson.seed, this.data.of(lesson), lesson);
    this.fastestMs = Math.min(this.fastestMs, (performance.now() - beginMs) / steps);
    this.note(pupil);
  }

  /** @private @param {Pupil} pupil */
  note(pupil) {
    const { seen, steps } = pupil;
    if (seen === null) return;
    this.progress.note({ step: steps, train: seen.train.loss, test: seen.test.loss });
    if (pupil.isLost) {
      this.running = false;
      this.outcome = "lost";
    } else if (this.outcome === "running" && seen.test.right >= LEARNED) {
      this.outcome = "learned";
    }
  }
}

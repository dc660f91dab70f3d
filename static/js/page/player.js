// Plays a shot, a walk or a tape as a film, and knows which of its steps is shown. The shown step is always a whole number. So
// you see exactly the same picture each time you go to a step.

import { clamp } from "../model/numbers.js";

export class Player {
  /** @param {number} dt seconds per step @param {() => void} onMove */
  constructor(dt, onMove) {
    this.dt = dt;
    this.onMove = onMove;
    this.step = 0;
    this.steps = 0;
    this.speed = 1;
    /** The step and the time when playing started, or null while the player is paused.
     * @type {{step: number, atMs: number} | null} */
    this.began = null;
    this.frame = 0;
  }

  get playing() {
    return this.began !== null;
  }

  /** @param {number} steps of the shot */
  setSteps(steps) {
    this.steps = steps;
    this.step = Math.min(this.step, steps);
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.step >= this.steps) this.step = 0;
    this.play();
  }

  /** @param {number} step */
  seek(step) {
    this.pause();
    this.step = clamp(Math.round(step), 0, this.steps);
    this.onMove();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.play();
  }

  pause() {
    this.began = null;
    cancelAnimationFrame(this.frame);
    this.onMove();
  }

  /** @private */
  play() {
    cancelAnimationFrame(this.frame);
    const began = { step: this.step, atMs: performance.now() };
    this.began = began;
    const tick = (/** @type {number} */ nowMs) => {
      const passed = ((Math.max(0, nowMs - began.atMs) / 1000) * this.speed) / this.dt;
      this.step = Math.min(this.steps, began.step + Math.floor(passed));
      if (this.step >= this.steps) this.pause();
      else this.frame = requestAnimationFrame(tick);
      this.onMove();
    };
    this.frame = requestAnimationFrame(tick);
    this.onMove();
  }
}

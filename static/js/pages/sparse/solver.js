// Lets Newton's method look for the place where the net rests, a few steps in each frame.

/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** @typedef {import("./doc.js").NetDoc} NetDoc */

/** A frame begins no new step after this time, in milliseconds. A step takes about 1 ms. */
const BUDGET_MS = 4;
const MOST_STEPS = 4;
/** The stiffness of the forces on the anchors (ANCHORED) and on the pulled node (PULLED). A spring has the stiffness 1. */
const ANCHORED = 100;
const PULLED = 20;
/** The net is at rest if every component of the gradient is at most this large. */
const RESTS = 1e-9;
/** We stop the search if we must add this much to the Hessian's diagonal. Rounding then hides any further progress. */
const STUCK = 1e5;
/** The page shows a typical time of a frame: the 95th percentile (PERCENTILE) of the last FRAMES frames. */
const FRAMES = 120;
const PERCENTILE = 0.95;

export class NetSolver {
  /** @param {NetBeginning} beginning @param {Kernel} kernel */
  constructor(beginning, kernel) {
    this.beginning = beginning;
    this.kernel = kernel;
    this.x = Float64Array.from(beginning.flat);
    this.stiffness = new Float64Array(beginning.springs.length);
    this.held = new Float64Array(beginning.side ** 2);
    this.at = Float64Array.from(beginning.flat);
    this.shift = 0;
    this.energy = NaN;
    this.slope = NaN;
    this.steps = 0;
    this.rests = false;
    /** @type {number[]} */
    this.times = [];
    /** @type {NetDoc | null} */
    this.doc = null;
  }

  /** @param {NetDoc} doc the net to look at from now on. The search goes on from where the nodes are. */
  follow(doc) {
    if (doc === this.doc) return;
    this.doc = doc;
    this.stiffness.fill(1);
    for (const k of doc.cuts) this.stiffness[k] = 0;
    this.held.fill(0);
    for (const node of this.beginning.anchors) this.held[node] = ANCHORED;
    this.at.set(this.beginning.flat);
    if (doc.at !== null) {
      this.held[doc.node] = PULLED;
      this.at.set(doc.at, 2 * doc.node);
    }
    this.shift = 0;
    this.steps = 0;
    this.rests = false;
  }

  /** Starts again from the flat net. */
  flatten() {
    this.x.set(this.beginning.flat);
    this.doc = null;
  }

  /** Makes the steps of a frame. */
  advance() {
    if (this.rests) return;
    const start = performance.now();
    for (let k = 0; k < MOST_STEPS && !this.rests && performance.now() - start < BUDGET_MS; k++) this.step();
    this.times.push(performance.now() - start);
    if (this.times.length > FRAMES) this.times.shift();
  }

  /** @private */
  step() {
    const [x, [energy], [slope], [shift]] = this.kernel.run(this.x, this.stiffness, this.held, this.at, this.shift);
    this.x.set(x);
    Object.assign(this, { energy, slope, shift });
    this.steps++;
    this.rests = slope <= RESTS || shift >= STUCK;
  }

  /** The 95th percentile of the solver's time per frame, over the last frames.
   * @returns {number} ms */
  get frameMs() {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(PERCENTILE * sorted.length))] ?? NaN;
  }

  destroy() {
    this.kernel.destroy();
  }
}

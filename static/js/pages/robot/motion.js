// A robot's motion from the start to its last step: the position of each mass and the activation of each spring.

/** @typedef {import("../../model/types.js").Point} Point */
/** The first position in a motion that is not finite or is too far away. `isFinite`: true if it is only too far away.
 * @typedef {{step: number, mass: number, isFinite: boolean}} Trouble */

/** If a mass is farther away than this, in metres, the simulation has failed. No robot walks that far. */
const FARTHEST_WALK = 1000;

export class Motion {
  /** @param {readonly Point[]} start @param {number} springs
   * @param {Float64Array<ArrayBuffer>} x of each step and mass @param {Float64Array<ArrayBuffer>} muscles of each step and spring */
  constructor(start, springs, x, muscles) {
    this.start = start;
    this.masses = start.length;
    this.springs = springs;
    this.x = x;
    this.muscles = muscles;
    this.steps = springs === 0 ? 0 : muscles.length / springs;
    /** Cached results of methods that search the motion. They stay valid, because a motion never changes.
     * @type {{right: number, top: number} | undefined} */
    this.reached = undefined;
    /** @type {Trouble | null | undefined} */
    this.found = undefined;
  }

  /** @param {number} step 0 is the start @param {number} mass @returns {Point} */
  at(step, mass) {
    if (step === 0) return this.start[mass];
    const first = 2 * ((step - 1) * this.masses + mass);
    return [this.x[first], this.x[first + 1]];
  }

  /** @param {number} step @param {number} spring @returns {number} the spring's activation from −1 to 1, which the step before
   * set */
  activation(step, spring) {
    return this.muscles[Math.max(0, step - 1) * this.springs + spring];
  }

  /** @param {number} mass @param {number} stride steps between corners @returns {Point[]} */
  path(mass, stride) {
    const points = [];
    for (let step = 0; step < this.steps; step += stride) points.push(this.at(step, mass));
    return [...points, this.at(this.steps, mass)];
  }

  /** @returns {{right: number, top: number}} the farthest right and the highest position of any mass */
  reach() {
    return (this.reached ??= this.findReach());
  }

  /** @private */
  findReach() {
    const { x } = this;
    let [right, top] = [-Infinity, -Infinity];
    for (let k = 0; k < x.length; k += 2) {
      if (x[k] > right) right = x[k];
      if (x[k + 1] > top) top = x[k + 1];
    }
    return { right, top };
  }

  /** @returns {Trouble | null} */
  trouble() {
    if (this.found === undefined) this.found = this.findTrouble();
    return this.found;
  }

  /** @private @returns {Trouble | null} */
  findTrouble() {
    const { x } = this;
    let at = 0;
    while (at < x.length && Math.abs(x[at]) <= FARTHEST_WALK) at += 1;
    if (at === x.length) return null;
    const moment = Math.floor(at / 2);
    return { step: Math.floor(moment / this.masses) + 1, mass: moment % this.masses, isFinite: x.every(Number.isFinite) };
  }

  /** @param {number} dt @returns {string} one line per step: time, masses, springs */
  csv(dt) {
    const masses = Array.from({ length: this.masses }, (_, k) => `x${k},y${k}`);
    const springs = Array.from({ length: this.springs }, (_, k) => `muscle${k}`);
    const lines = [["t", ...masses, ...springs].join(",")];
    for (let step = 1; step <= this.steps; step++) {
      const places = this.start.flatMap((_, mass) => this.at(step, mass));
      const pulls = Array.from({ length: this.springs }, (_, spring) => this.activation(step, spring));
      lines.push([Number((step * dt).toFixed(6)), ...places, ...pulls].join(","));
    }
    return `${lines.join("\n")}\n`;
  }
}

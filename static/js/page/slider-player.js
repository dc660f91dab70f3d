// Plays letters of a formula. Each letter moves through its slider's range and back, at a speed that you choose for it.

/** @typedef {import("../model/types.js").Param} Param */

/** At speed 1, a slider moves from one end of its range to the other in this time. */
const CROSSING_MS = 4000;
/** While a slider moves by itself, its value is rounded to one of this many steps, so that the field shows few digits. */
const MOST_STEPS = 1000;

export class SliderPlayer {
  /** Makes a player that moves sliders by itself.
   * @param {() => readonly Param[]} params returns the present sliders
   * @param {(values: ReadonlyMap<string, number>) => void} onValues called with the new values of the moving sliders
   * @param {() => void} onChange called when a slider begins or stops moving by itself */
  constructor(params, onValues, onChange) {
    this.params = params;
    this.onValues = onValues;
    this.onChange = onChange;
    /** The exact value and the direction of each slider that moves by itself. The keys are letters.
     * @type {Map<string, {value: number, sign: number}>} */
    this.playing = new Map();
    /** @type {Map<string, number>} */
    this.speeds = new Map();
    this.frame = 0;
    this.lastMs = 0;
  }

  /** @param {string} name */
  toggle(name) {
    const param = this.params().find((candidate) => candidate.name === name);
    if (this.playing.has(name) || param === undefined) this.playing.delete(name);
    else this.playing.set(name, { value: param.value, sign: 1 });
    cancelAnimationFrame(this.frame);
    this.lastMs = performance.now();
    if (this.playing.size > 0) this.frame = requestAnimationFrame((nowMs) => this.tick(nowMs));
    this.onChange();
  }

  /** @param {string} name @param {number} speed */
  setSpeed(name, speed) {
    this.speeds.set(name, speed);
  }

  /** Stops a letter's slider if it moves by itself. @param {string} name */
  stop(name) {
    if (this.playing.has(name)) this.toggle(name);
  }

  /** @private @param {number} nowMs */
  tick(nowMs) {
    const passedMs = Math.max(0, nowMs - this.lastMs);
    this.lastMs = nowMs;
    const params = new Map(this.params().map((param) => [param.name, param]));
    /** @type {Map<string, number>} */
    const values = new Map();
    for (const [name, state] of this.playing) {
      const param = params.get(name);
      if (param === undefined) {
        this.playing.delete(name);
        this.onChange();
      } else {
        values.set(name, advance(state, param, (passedMs / CROSSING_MS) * (this.speeds.get(name) ?? 1)));
      }
    }
    if (values.size > 0) this.onValues(values);
    if (this.playing.size > 0) this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.playing.clear();
  }
}

/** Moves the value of a slider by a fraction (`share`) of the slider's range. At an end of the range, the value turns round.
 * @param {{value: number, sign: number}} state @param {Param} param @param {number} share
 * @returns {number} the value to show */
export function advance(state, { min, max }, share) {
  const width = max - min;
  const at = ((state.value - min) / width) * state.sign + (state.sign < 0 ? 2 : 0);
  const next = (((at + share) % 2) + 2) % 2;
  state.sign = next < 1 ? 1 : -1;
  const within = next < 1 ? next : 2 - next;
  state.value = min + within * width;
  return Number((min + (Math.round(within * MOST_STEPS) / MOST_STEPS) * width).toPrecision(6));
}

// Computes loss and gradient for many positions of the cue ball in one call into WebAssembly. The loop over the positions is
// a module of its own, made by `k.batch`. It calls the shot's module for each position, and knows only the ABI of that module.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./shot.js").Task} Task */

const PAGE_BYTES = 65536;

export class GradientBatch {
  /** @param {Module} shot @param {Module} batch the loop, whose columns follow the shot's own data in memory */
  constructor(shot, { wasm, abi }) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(shot.wasm));
    const memory = /** @type {WebAssembly.Memory} */ (exports[shot.abi.memory.export]);
    const missing = Math.ceil((abi.memory.bytes - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
    const loop = new WebAssembly.Instance(new WebAssembly.Module(wasm), { kernel: exports });
    this.loop = /** @type {() => void} */ (loop.exports[abi.export]);
    this.f64 = new Float64Array(memory.buffer);
    this.i32 = new Int32Array(memory.buffer);
    const { points, count } = /** @type {{points: number, count: number}} */ (/** @type {unknown} */ (abi));
    /** The most positions in one call. */
    this.most = points;
    this.count = count >> 2;
    const [x, v, rack, goal, target] = abi.params.map(({ leaves }) => leaves[0].at);
    const [loss, byX] = abi.result.leaves.map(({ at }) => at);
    /** The first index of each column. */
    this.at = { x: x >> 3, v: v >> 3, rack: rack >> 3, goal: goal >> 3, target: target >> 2, loss: loss >> 3, byX: byX >> 3 };
  }

  /** Sets everything that all shots share.
   * @param {readonly number[]} velocity @param {Task} task @param {number} n the most shots */
  prepare(velocity, { rack, goal, target }, n) {
    const flat = rack.flat();
    for (let k = 0; k < n; k++) {
      this.f64.set(velocity, this.at.v + 2 * k);
      this.f64.set(flat, this.at.rack + flat.length * k);
      this.f64.set(goal, this.at.goal + 2 * k);
      this.i32[this.at.target + k] = target;
    }
  }

  /** Computes the losses for some positions of the cue ball, and their derivatives with respect to x and y.
   * @param {readonly Point[]} places the positions. They must not be more than `prepare` was told
   * @returns {{losses: number[], slopes: number[]}} the losses, and two derivatives for each of them */
  run(places) {
    places.forEach((place, k) => this.f64.set(place, this.at.x + 2 * k));
    this.i32[this.count] = places.length;
    this.loop();
    const from = (/** @type {number} */ at, /** @type {number} */ length) => [...this.f64.subarray(at, at + length)];
    return { losses: from(this.at.loss, places.length), slopes: from(this.at.byX, 2 * places.length) };
  }
}

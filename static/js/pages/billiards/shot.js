// Computes a shot's loss, gradient and paths with a table's modules.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {Pick<Table, "rack" | "goal" | "target">} Task the aim of a shot */

import { instantiate } from "../../engine/kernel.js";
import { Paths } from "./paths.js";

/** Computes the loss and its gradient with respect to the cue ball's position and velocity. */
export class Gradient {
  /** @param {Module} module */
  constructor({ wasm, abi }) {
    this.kernel = instantiate(wasm, abi);
    this.slope = new Float64Array(4);
    const [, , { type }] = abi.params;
    this.balls = type.vec;
  }

  /** Computes an invisible shot, so that V8 optimises the module. The balls are in a row, so that each ball strikes the next
   * ball. */
  warmUp() {
    const rack = Array.from({ length: this.balls }, (_, k) => /** @type {[number, number]} */ ([0.3 + 0.07 * k, 0.5]));
    this.kernel.run([0.1, 0.5], [2, 0], rack, [0, 0], this.balls);
  }

  /** @param {ArrayLike<number>} cue x, y and velocity @param {Task} task
   * @returns {number} the loss; the gradient is then in `slope` */
  at(cue, { rack, goal, target }) {
    const [loss, x, v] = this.kernel.run([cue[0], cue[1]], [cue[2], cue[3]], rack, goal, target);
    this.slope.set(x, 0);
    this.slope.set(v, 2);
    return loss[0];
  }
}

/** Does the page's own computations for a table. The worker does all others. */
export class Shot {
  /** @param {TableArtifact} artifact */
  constructor(artifact) {
    this.artifact = artifact;
    this.gradient = new Gradient(artifact.shot);
    this.paths = instantiate(artifact.paths.wasm, artifact.paths.abi);
  }

  /** @param {Table} table @returns {import("../../model/types.js").ShotJet} */
  jet(table) {
    const { x, v } = table.cue;
    const loss = this.gradient.at([...x, ...v], table);
    const { slope } = this.gradient;
    return { loss, x: [slope[0], slope[1]], v: [slope[2], slope[3]] };
  }

  /** @param {Table} table @returns {Paths} */
  trace(table) {
    const [x, struck] = this.paths.run(table.cue.x, table.cue.v, table.rack);
    return new Paths(table, new Float64Array(x), new Int32Array(struck));
  }
}

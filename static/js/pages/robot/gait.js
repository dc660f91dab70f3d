// Computes a robot's loss, gradient and motion with its modules.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("./weights.js").Shape} Shape */

import { instantiate } from "../../engine/kernel.js";
import { Motion } from "./motion.js";
import { countOf, partsOf } from "./weights.js";

/** Computes the loss and its gradient with respect to all weights. */
export class Trainer {
  /** @param {Module} module @param {Shape} shape */
  constructor({ wasm, abi }, shape) {
    this.kernel = instantiate(wasm, abi);
    this.shape = shape;
    this.slope = new Float64Array(countOf(shape));
  }

  /** Computes the loss. Writes its gradient to `slope`. @param {Float64Array} weights @param {object} world
   * @param {boolean} reaches true if the robot must reach the goal; false if it must walk far @returns {number} the loss */
  at(weights, world, reaches) {
    const [loss, ...parts] = this.kernel.run(...partsOf(weights, this.shape), world, reaches);
    let at = 0;
    for (const part of parts) {
      this.slope.set(part, at);
      at += part.length;
    }
    return loss[0];
  }
}

/** The motion of a robot with given weights. */
export class Gait {
  /** @param {Module} module @param {Shape} shape */
  constructor({ wasm, abi }, shape) {
    this.shape = shape;
    this.kernel = instantiate(wasm, abi);
  }

  /** @param {Float64Array} weights @param {any} world @returns {Motion} */
  motion(weights, world) {
    const [x, muscles] = this.kernel.run(...partsOf(weights, this.shape), world);
    return new Motion(world.masses, this.shape.springs, new Float64Array(x), new Float64Array(muscles));
  }
}

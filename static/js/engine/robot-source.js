// The modules of the robot that is wanted: at once if they were compiled before, else when the worker answers.

/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/weights.js").Shape} Shape */
/** @typedef {import("./compiler.js").Compiler} Compiler */

import { Gait } from "./gait.js";

const MOST_KEPT = 24;

export class RobotSource {
  /** @param {Compiler} compiler @param {string} spec @param {RobotArtifact} artifact the robot that is there at once
   * @param {Shape} shape of its network */
  constructor(compiler, spec, artifact, shape) {
    this.compiler = compiler;
    this.first = spec;
    this.spec = spec;
    this.artifact = artifact;
    this.gait = new Gait(artifact.motion, shape);
    /** The oldest first. @type {Map<string, RobotArtifact>} */
    this.known = new Map([[spec, artifact]]);
  }

  /** Whether the modules were compiled on this page. */
  get isCompiledHere() {
    return this.spec !== this.first;
  }

  /** @param {string} spec @param {Shape} shape @returns {boolean} whether its modules are in use now */
  recall(spec, shape) {
    if (spec === this.spec) return true;
    const artifact = this.known.get(spec);
    if (artifact === undefined) return false;
    this.artifact = artifact;
    this.gait = new Gait(artifact.motion, shape);
    this.spec = spec;
    return true;
  }

  /** @param {string} spec @returns {Promise<"there" | "superseded" | {message: string}>} known from then on if "there" */
  async want(spec) {
    if (this.known.has(spec)) return "there";
    const answer = await this.compiler.compileRobot(spec);
    if ("superseded" in answer) return "superseded";
    if ("error" in answer) return { message: answer.error.message };
    this.known.set(spec, answer.artifact);
    for (const key of this.known.keys()) {
      if (this.known.size <= MOST_KEPT) break;
      if (key !== this.first && key !== this.spec) this.known.delete(key);
    }
    return "there";
  }
}

// The modules of the table that is wanted: at once if they were compiled before, else when the worker answers.

/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("./compiler.js").Compiler} Compiler */

import { Shot } from "./shot.js";

const MOST_KEPT = 24;

export class TableSource {
  /** @param {Compiler} compiler @param {string} spec @param {TableArtifact} artifact the table that is there at once */
  constructor(compiler, spec, artifact) {
    this.compiler = compiler;
    this.first = spec;
    this.spec = spec;
    this.shot = new Shot(artifact);
    /** The oldest first. @type {Map<string, TableArtifact>} */
    this.known = new Map([[spec, artifact]]);
  }

  /** Whether the modules were compiled on this page. */
  get isCompiledHere() {
    return this.spec !== this.first;
  }

  /** @param {string} spec @returns {boolean} whether its modules are in use now */
  recall(spec) {
    if (spec === this.spec) return true;
    const artifact = this.known.get(spec);
    if (artifact === undefined) return false;
    this.shot = new Shot(artifact);
    this.spec = spec;
    return true;
  }

  /** @param {string} spec @returns {Promise<"there" | "superseded" | {message: string}>} known from then on if "there" */
  async want(spec) {
    if (this.known.has(spec)) return "there";
    const answer = await this.compiler.compileTable(spec);
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

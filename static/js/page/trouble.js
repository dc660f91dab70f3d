// Asks Python where numbers stop being finite, once for each state that has such numbers.

/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../model/types.js").Located} Located */

export class Search {
  /** @param {Compiler} compiler @param {"shot_trouble" | "walk_trouble"} method @param {() => void} onFound */
  constructor(compiler, method, onFound) {
    this.compiler = compiler;
    this.method = method;
    this.onFound = onFound;
    /** The state asked about last. @type {unknown} */
    this.state = null;
    /** @type {Located | null} */
    this.found = null;
  }

  /** Returns the place where the numbers of a state stop being finite, or null until Python has answered. The first call for a
   * state asks Python.
   * @param {unknown} state must be the same object while nothing changes
   * @param {string} spec @param {() => unknown} at makes the arguments for Python
   * @returns {Located | null} */
  of(state, spec, at) {
    if (state !== this.state) this.ask(state, spec, at());
    return this.found;
  }

  /** @private @param {unknown} state @param {string} spec @param {unknown} at */
  async ask(state, spec, at) {
    this.state = state;
    this.found = null;
    const located = await this.compiler.locate(this.method, spec, at);
    if (state !== this.state || located === null) return;
    this.found = located;
    this.onFound();
  }
}

// Where numbers stop being finite, asked of Python once for each state that has such numbers.

/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../model/types.js").Located} Located */

export class Search {
  /** @param {Compiler} compiler @param {"shot_trouble" | "walk_trouble"} method @param {() => void} onFound */
  constructor(compiler, method, onFound) {
    this.compiler = compiler;
    this.method = method;
    this.onFound = onFound;
    /** What was asked about last. @type {unknown} */
    this.state = null;
    /** @type {Located | null} */
    this.found = null;
  }

  /** @param {unknown} state the same object while nothing changes @param {string} spec @param {() => unknown} at what is given
   * @returns {Located | null} null while it is not known */
  of(state, spec, at) {
    if (state !== this.state) this.ask(state, spec, at());
    return this.found;
  }

  /** @private @param {unknown} state @param {string} spec @param {unknown} at */
  async ask(state, spec, at) {
    this.state = state;
    this.found = null;
    const found = await this.compiler.locate(this.method, spec, at);
    if (state !== this.state || found === null) return;
    this.found = found;
    this.onFound();
  }
}

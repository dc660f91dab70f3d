// The modules that a page wants now. Modules that were compiled before are there at once, others when the worker answers.

/** @template A @typedef {import("./compiler.js").Answer<A>} Answer */

const MOST_KEPT = 24;

/** @template A the compiled artifact @template M the value that the page makes from it */
export class ModuleSource {
  /** @param {(spec: string) => Promise<Answer<A>>} compile @param {(artifact: A, spec: string) => M} make
   * @param {string} spec describes the modules that are there from the start @param {A} artifact these modules */
  constructor(compile, make, spec, artifact) {
    this.compile = compile;
    this.make = make;
    this.first = spec;
    this.spec = spec;
    this.artifact = artifact;
    this.made = make(artifact, spec);
    /** The compiled modules by their specs, the oldest first. @type {Map<string, A>} */
    this.known = new Map([[spec, artifact]]);
    /** Specs that are being compiled. @type {Map<string, Promise<"there" | "superseded" | {message: string}>>} */
    this.asked = new Map();
  }

  /** True if the modules were compiled on this page. */
  get isCompiledHere() {
    return this.spec !== this.first;
  }

  /** Switches to the modules of a spec if we have compiled them before.
   * @param {string} spec @returns {boolean} whether they are in use now */
  recall(spec) {
    if (spec === this.spec) return true;
    const artifact = this.known.get(spec);
    if (artifact === undefined) return false;
    this.made = this.make(artifact, spec);
    this.artifact = artifact;
    this.spec = spec;
    return true;
  }

  /** Compiles a spec that may be wanted next. @param {string} spec */
  async prepare(spec) {
    if (!this.known.has(spec) && (await this.want(spec)) === "there") performance.mark("prepared");
  }

  /** @param {string} spec @returns {Promise<"there" | "superseded" | {message: string}>} "there" if the spec is known now */
  async want(spec) {
    if (this.known.has(spec)) return "there";
    const asked = this.asked.get(spec) ?? this.ask(spec);
    this.asked.set(spec, asked);
    return asked.finally(() => this.asked.delete(spec));
  }

  /** @private @param {string} spec @returns {Promise<"there" | "superseded" | {message: string}>} */
  async ask(spec) {
    const answer = await this.compile(spec);
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

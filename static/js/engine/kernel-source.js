// Provides the kernel of the formula that the page wants now. If the formula was compiled before, the kernel is there at once.
// Otherwise Python compiles the formula, and until then the first tier interprets it. If the first tier cannot do so, the
// kernel of the previous formula stays in use.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("./compiler.js").Compiler} Compiler */
/** @typedef {import("./first-tier.js").Early} Early */
/** @typedef {import("./kernel.js").Kernel} Kernel */

import { instantiate } from "./kernel.js";

const MOST_KEPT = 60;

export class KernelSource {
  /**
   * @param {Pick<Compiler, "compile">} compiler @param {readonly Artifact[]} compiled the formulas compiled at the start
   * @param {() => void} onKernel @param {(error: Diagnostic) => void} onError called with an error in the wanted formula
   * @param {string} refusedMessage the message for a module that the browser refuses
   * @param {(text: string, names: readonly string[]) => Promise<Early | null>} early returns the first tier's answer, or null
   */
  constructor(compiler, compiled, onKernel, onError, refusedMessage, early = async () => null) {
    this.early = early;
    this.compiler = compiler;
    this.onKernel = onKernel;
    this.onError = onError;
    this.refusedMessage = refusedMessage;
    this.known = new Map(compiled.map((artifact) => [keyOf(artifact.text, artifact.names), artifact]));
    /** The formulas that were compiled on this page, the oldest first. @type {Map<string, Artifact>} */
    this.kept = new Map();
    this.artifact = compiled[0];
    /** @type {Kernel} */
    this.kernel = instantiate(this.artifact.wasm, this.artifact.abi);
    this.wanted = keyOf(this.artifact.text, this.artifact.names);
    /** True if the first tier interprets the formula. */
    this.isEarly = false;
    /** A promise that settles when the worker answers the newest request. @type {Promise<unknown>} */
    this.answered = Promise.resolve();
  }

  /** True if the kernel belongs to the wanted formula. */
  get isCurrent() {
    return this.wanted === keyOf(this.artifact.text, this.artifact.names);
  }

  /** True if the kernel was compiled on this page. */
  get isCompiledHere() {
    return ![...this.known.values()].includes(this.artifact);
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {boolean} whether the formula needs no worker; if so, its kernel is in place now */
  recall(text, names) {
    const key = keyOf(text, names);
    this.wanted = key;
    const artifact = this.known.get(key) ?? this.kept.get(key);
    if (artifact !== undefined) this.adopt(artifact);
    return artifact !== undefined;
  }

  /** @param {string} text @param {readonly string[]} names */
  async want(text, names) {
    if (this.recall(text, names)) return;
    const key = this.wanted;
    const asked = this.compiler.compile(text, names);
    this.answered = asked;
    const early = await Promise.race([this.early(text, names).catch(() => null), asked.then(() => null)]);
    if (early !== null && this.wanted === key) this.useEarly(early);
    const answer = await asked;
    if (this.wanted !== key || "superseded" in answer) return;
    if (!("error" in answer)) this.adopt(answer.artifact);
    // Without Python, the first tier goes on.
    else if (!this.isEarly || answer.error.kind !== "CompileError") this.onError(answer.error);
  }

  /** @private @param {Early} early */
  useEarly(early) {
    if ("error" in early) {
      this.onError(early.error);
      return;
    }
    this.use(early.artifact, early.artifact.kernel);
    this.isEarly = true;
    this.onKernel();
  }

  /** @private @param {Artifact} artifact @param {Kernel} kernel */
  use(artifact, kernel) {
    this.kernel.destroy();
    this.kernel = kernel;
    this.artifact = artifact;
    this.isEarly = false;
  }

  /** @private @param {Artifact} artifact */
  adopt(artifact) {
    if (artifact !== this.artifact && !this.replace(artifact)) {
      const end_column = artifact.text.length;
      this.onError({ message: this.refusedMessage, column: 0, end_column, suggestion: null, kind: "CompileError" });
    } else {
      this.onKernel();
    }
  }

  /** @private @param {Artifact} artifact @returns {boolean} whether the browser accepted the module */
  replace(artifact) {
    try {
      const kernel = instantiate(artifact.wasm, artifact.abi);
      if (kernel.evaluate === null) throw new TypeError("Not a function of Reals.");
      this.use(artifact, kernel);
    } catch {
      return false;
    }
    this.kept.set(keyOf(artifact.text, artifact.names), artifact);
    for (const key of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(key);
    }
    return true;
  }
}

/** @param {string} text @param {readonly string[]} names */
function keyOf(text, names) {
  return `${names.join(" ")}: ${text}`;
}

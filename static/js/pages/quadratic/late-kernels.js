// Loads the kernels that only some of a formula's pictures need. For a preset, a file of the site contains the kernels. For any
// other formula, Python compiles the kernels when it has nothing more urgent to do.

/** @typedef {import("../../model/types.js").Artifact} Artifact */
/**
 * Functions that a page supplies for loading kernels.
 * @typedef {object} LateSource
 * @property {(artifact: Artifact) => string | null} presetOf returns the id of the preset with the artifact's formula, or null
 * @property {() => boolean} isIdle true if Python has nothing more urgent to do
 * @property {() => void} arrived called when kernels have arrived
 */

/** If Python is busy, we ask again after this long. */
const BUSY_MS = 300;
const MOST_KEPT = 20;

/** @template K */
export class LateKernels {
  /** @param {LateSource} source
   * @param {(id: string) => Promise<K | null>} ofPreset @param {(artifact: Artifact) => Promise<K | "later" | null>} compile */
  constructor(source, ofPreset, compile) {
    this.source = source;
    this.ofPreset = ofPreset;
    this.compile = compile;
    /** The kernels of each artifact. The artifact that was asked for first comes first. A value is null while its kernels are
     * loading, or if they cannot be made.
     * @type {Map<Artifact, K | null>} */
    this.known = new Map();
    this.timer = 0;
  }

  /** Returns the kernels of a formula, or null if they have not arrived yet. The first call starts to load them.
   * @param {Artifact} artifact @returns {K | null} */
  of(artifact) {
    const kernels = this.known.get(artifact);
    if (kernels !== undefined) return kernels;
    this.known.set(artifact, null);
    for (const key of this.known.keys()) {
      if (this.known.size <= MOST_KEPT) break;
      this.known.delete(key);
    }
    this.fetch(artifact);
    return null;
  }

  /** @private @param {Artifact} artifact */
  async fetch(artifact) {
    const { presetOf, isIdle, arrived } = this.source;
    const id = presetOf(artifact);
    if (id === null && !isIdle()) {
      this.later(artifact);
      return;
    }
    const kernels = await (id === null ? this.compile(artifact) : this.ofPreset(id).catch(() => null));
    if (kernels === "later") this.later(artifact);
    if (kernels === "later" || kernels === null) return;
    this.known.set(artifact, kernels);
    arrived();
  }

  /** Tells the page to ask for this formula's kernels again after BUSY_MS. @private @param {Artifact} artifact */
  later(artifact) {
    this.known.delete(artifact);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.source.arrived(), BUSY_MS);
  }

  /** @returns {Iterable<K>} all kernels, which nobody may use any more */
  destroy() {
    clearTimeout(this.timer);
    return [...this.known.values()].filter((kernels) => kernels !== null);
  }
}

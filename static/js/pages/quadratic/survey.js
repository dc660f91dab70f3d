// The kernels that find critical points and the steepest descent, and their answers for the document shown. A file of the site
// holds the kernels of the presets. Python compiles the others.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").SurveyArtifact} SurveyArtifact */
/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {{critical: Kernel, descent: Kernel}} Kernels */
/** @typedef {"running" | "arrived" | "left" | "edge"} DescentEnd */
/** @typedef {{path: readonly Point[], end: DescentEnd | null}} Descent the end is null if there is no kernel yet */
/**
 * @typedef {object} SurveySource
 * @property {() => Promise<Map<string, SurveyArtifact>>} presets by id
 * @property {(artifact: Artifact) => string | null} presetOf the id of the preset with this formula
 * @property {() => boolean} isIdle whether Python has nothing more urgent to do
 * @property {(artifact: Artifact) => Promise<SurveyArtifact | "later" | null>} compile null if there is none
 * @property {() => void} arrived kernels have arrived
 */

import { instantiate } from "../../engine/kernel.js";
import { criticalPoints } from "../../model/critical.js";

const ENDS = /** @type {const} */ (["running", "arrived", "left", "edge"]);
/** While Python is busy, we try again after this long. */
const BUSY_MS = 300;
const MOST_KEPT = 20;

export class Survey {
  /** @param {SurveySource} source */
  constructor(source) {
    this.source = source;
    /** The kernels of each artifact, the oldest first. Null while they are on their way, and if there are none. @type {Map<Artifact, Kernels | null>} */
    this.known = new Map();
    /** @type {readonly unknown[]} @private */
    this.criticalOf = [];
    /** @type {readonly Critical[]} @private */
    this.critical = [];
    this.timer = 0;
  }

  /** The kernels of a formula, or null while they are on their way. @private @param {Artifact} artifact @returns {Kernels | null} */
  kernelsFor(artifact) {
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
    const { presetOf, presets, isIdle, compile, arrived } = this.source;
    const id = presetOf(artifact);
    if (id === null && !isIdle()) {
      this.later(artifact);
      return;
    }
    const modules = id === null ? await compile(artifact) : (await presets().catch(() => null))?.get(id) ?? null;
    if (modules === "later") this.later(artifact);
    if (modules === "later" || modules === null) return;
    const kernelOf = (/** @type {import("../../model/types.js").Module} */ { wasm, abi }) => instantiate(wasm, abi);
    this.known.set(artifact, { critical: kernelOf(modules.critical), descent: kernelOf(modules.descent) });
    arrived();
  }

  /** Asks again later, if the formula is still shown then. @private @param {Artifact} artifact */
  later(artifact) {
    this.known.delete(artifact);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.source.arrived(), BUSY_MS);
  }

  /** @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values of the parameters @param {number} scaleZ the range
   * of z in the picture @returns {readonly Critical[] | null} null while the kernel is on its way */
  criticalIn({ region }, artifact, values, scaleZ) {
    const kernels = this.kernelsFor(artifact);
    if (kernels === null) return null;
    const criticalOf = [kernels, scaleZ, ...region, ...values];
    if (criticalOf.length !== this.criticalOf.length || criticalOf.some((part, k) => part !== this.criticalOf[k])) {
      this.criticalOf = criticalOf;
      const [xs, ys, fs, fxxs, fxys, fyys, offs] = kernels.critical.run(...region, ...values);
      const ends = Array.from(offs, (off, k) => ({
        at: /** @type {const} */ ([xs[k], ys[k]]),
        jet: { f: fs[k], fx: 0, fy: 0, fxx: fxxs[k], fxy: fxys[k], fyy: fyys[k] },
        off,
      })).filter(({ off }) => off >= 0);
      this.critical = criticalPoints(ends, region, scaleZ);
    }
    return this.critical;
  }

  /** @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values of the parameters @returns {Descent} */
  descentFrom({ region, point }, artifact, values) {
    const kernels = this.kernelsFor(artifact);
    if (kernels === null) return { path: [], end: null };
    const [xs, ys, count, end] = kernels.descent.run(...point, ...region, ...values);
    const path = [point];
    for (let k = 0; k < count[0]; k++) path.push([xs[k], ys[k]]);
    return { path, end: ENDS[end[0]] };
  }

  destroy() {
    clearTimeout(this.timer);
    for (const kernels of this.known.values()) for (const kernel of Object.values(kernels ?? {})) kernel.destroy();
  }
}

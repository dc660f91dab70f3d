// Finds the critical points and the path of steepest descent for the document on the page. A kernel computes each of them. For
// a preset, a file of the site contains the kernels. For any other formula, Python compiles them.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").SurveyArtifact} SurveyArtifact */
/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {{critical: Kernel, descent: Kernel}} Kernels */
/** @typedef {"running" | "arrived" | "left" | "edge"} DescentEnd */
/** The path of steepest descent from the point. `end`: why the path ends, or null if the kernel has not arrived yet.
 * @typedef {{path: readonly Point[], end: DescentEnd | null}} Descent */
/**
 * Functions that load or compile the kernels for critical points, descents and Taylor polynomials.
 * @typedef {object} Surveys
 * @property {() => Promise<Map<string, SurveyArtifact>>} presets returns the presets' artifacts by id
 * @property {(artifact: Artifact) => Promise<SurveyArtifact | "later" | null>} compile compiles the kernels of a formula;
 *   returns null if this is impossible, and "later" if the caller must ask again
 * @property {() => Promise<Record<string, import("../../model/types.js").Module>>} polynomials returns the modules that compute
 *   the presets' Taylor polynomials, by id
 * @property {import("../../engine/compiler.js").Compiler} compiler
 */
/** @typedef {Surveys & import("./late-kernels.js").LateSource} SurveySource */

import { instantiate } from "../../engine/kernel.js";
import { criticalPoints } from "../../model/critical.js";
import { LateKernels } from "./late-kernels.js";

const ENDS = /** @type {const} */ (["running", "arrived", "left", "edge"]);

export class Survey {
  /** @param {SurveySource} source */
  constructor(source) {
    /** @type {LateKernels<Kernels>} */
    this.kernels = new LateKernels(
      source,
      async (id) => kernelsOf((await source.presets()).get(id) ?? null),
      async (artifact) => {
        const modules = await source.compile(artifact);
        return modules === "later" ? modules : kernelsOf(modules);
      },
    );
    /** @type {readonly unknown[]} @private */
    this.criticalOf = [];
    /** @type {readonly Critical[]} @private */
    this.critical = [];
  }

  /** Finds the critical points in the document's region. Returns null if the kernel has not arrived yet.
   * @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values of the parameters
   * @param {number} scaleZ the largest height in the picture minus the smallest one @returns {readonly Critical[] | null} */
  criticalIn({ region }, artifact, values, scaleZ) {
    const kernels = this.kernels.of(artifact);
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
    const kernels = this.kernels.of(artifact);
    if (kernels === null) return { path: [], end: null };
    const [xs, ys, count, end] = kernels.descent.run(...point, ...region, ...values);
    const path = [point];
    for (let k = 0; k < count[0]; k++) path.push([xs[k], ys[k]]);
    return { path, end: ENDS[end[0]] };
  }

  destroy() {
    for (const kernels of this.kernels.destroy()) for (const kernel of Object.values(kernels)) kernel.destroy();
  }
}

/** @param {SurveyArtifact | null} modules @returns {Kernels | null} */
function kernelsOf(modules) {
  if (modules === null) return null;
  const kernelOf = (/** @type {import("../../model/types.js").Module} */ { wasm, abi }) => instantiate(wasm, abi);
  return { critical: kernelOf(modules.critical), descent: kernelOf(modules.descent) };
}

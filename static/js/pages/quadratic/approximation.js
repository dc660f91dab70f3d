// The approximation around the point: a Taylor polynomial of the chosen order, and the proven band of its remainder.

/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../../model/taylor.js").Band} Band */
/** @typedef {import("../../model/taylor.js").Height} Height */
/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").BandNodes} BandNodes */
/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Jet} Jet */
/** @typedef {import("./survey.js").SurveySource} SurveySource */
/** The approximation that the pictures show. `height`: a function that returns the approximation's height; its arguments are
 * the distances from the point in x and y, divided by half the region's sides; null for the quadratic approximation. `order`:
 * the order of the Taylor polynomial. `band`: the proven bounds of the remainder, or null.
 * `late`: a sentence that explains why the chosen order is not shown yet, or "". `words`: a sentence about the band, or "".
 * @typedef {{height: Height | null, order: number, band: Band | null, late: string, words: string}} Approximation */

import { instantiate } from "../../engine/kernel.js";
import { format } from "../../model/numbers.js";
import { discAt } from "../../model/patch.js";
import { bandOf, polynomialOf } from "../../model/taylor.js";
import { LateKernels } from "./late-kernels.js";
import * as texts from "./texts.js";

/** The highest order for which Python can prove a band (app/formulas/band.py). */
const HIGHEST_BAND = 4;

export class Approximations {
  /** @param {SurveySource} source */
  constructor(source) {
    this.source = source;
    /** @type {ReturnType<SurveySource["polynomials"]> | null} */
    this.presets = null;
    /** @type {LateKernels<Kernel>} */
    this.kernels = new LateKernels(
      source,
      async (id) => kernelOf((await (this.presets ??= source.polynomials()))[id]),
      async ({ text, names }) => {
        const answer = await source.compiler.compilePolynomial(text, names);
        return "artifact" in answer ? kernelOf(answer.artifact) : "superseded" in answer ? "later" : null;
      },
    );
    /** The last request for a band, as JSON. `nodes` is Python's answer: null until it arrives, and "none" if there is no band.
     * @private */
    this.asked = "";
    /** @type {BandNodes | "none" | null} @private */
    this.nodes = null;
    this.isAsking = false;
    this.timer = 0;
  }

  /** @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values of the parameters @param {import("./pictures.js").Built} built
   * @param {boolean} isMoving @returns {Approximation} */
  at(doc, artifact, values, { mesh, jet }, isMoving) {
    const { radius } = discAt(mesh, jet, doc.point);
    const { order } = doc.shown;
    const height = this.heightOf(doc, artifact, values, jet);
    const shownOrder = order === 2 || height === null ? 2 : order;
    const late = shownOrder === order || this.source.compiler.python.ready ? "" : texts.ORDER_COMING;
    const { band, words } = doc.shown.band ? this.bandFor(doc, artifact, values, radius, isMoving) : { band: null, words: "" };
    return { height, order: shownOrder, band: shownOrder === order ? band : null, late, words };
  }

  /** @private @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values @param {Jet} jet @returns {Height | null} */
  heightOf({ point, region: [x0, x1, y0, y1], shown: { order } }, artifact, values, jet) {
    const [a, b] = [(x1 - x0) / 2, (y1 - y0) / 2];
    if (order === 2) return null;
    if (order === 1) return (u, v) => jet.f + jet.fx * a * u + jet.fy * b * v;
    const kernel = this.kernels.of(artifact);
    return kernel && polynomialOf(kernel.run(...point, a, b, ...values)[0], order);
  }

  /** @private @param {Doc} doc @param {Artifact} artifact @param {readonly number[]} values @param {number} radius
   * @param {boolean} isMoving @returns {{band: Band | null, words: string}} */
  bandFor({ point, region, shown: { order } }, { text, names }, values, radius, isMoving) {
    if (order > HIGHEST_BAND) return { band: null, words: texts.bandTooHigh(HIGHEST_BAND) };
    const question = [text, names, order, point, region, radius, values];
    const asked = JSON.stringify(question);
    if (asked !== this.asked && !isMoving) this.ask(question, asked);
    if (asked !== this.asked || this.nodes === null) return { band: null, words: this.source.compiler.python.ready ? texts.BAND_AT_REST : texts.BAND_COMING };
    if (this.nodes === "none") return { band: null, words: texts.NO_BAND };
    const { least, most } = this.nodes;
    const words = least === null || most === null ? texts.BAND_IN_PART : texts.bandBound(format(-least), format(most));
    return { band: bandOf(this.nodes, order, radius), words };
  }

  /** Asks Python for a band. If Python is busy, asks again later. @private @param {readonly unknown[]} question
   * @param {string} asked */
  async ask(question, asked) {
    const { source } = this;
    if (this.isAsking || !source.isIdle()) {
      this.later();
      return;
    }
    [this.isAsking, this.asked, this.nodes] = [true, asked, null];
    const answer = await source.compiler.proveBand(question);
    this.isAsking = false;
    if ("superseded" in answer) this.asked = "";
    else this.nodes = "artifact" in answer ? answer.artifact : "none";
    source.arrived();
  }

  /** @private */
  later() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.source.arrived(), 300);
  }

  destroy() {
    clearTimeout(this.timer);
    for (const kernel of this.kernels.destroy()) kernel.destroy();
  }
}

/** @param {import("../../model/types.js").Module} module @returns {Kernel} */
function kernelOf({ wasm, abi }) {
  return instantiate(wasm, abi);
}

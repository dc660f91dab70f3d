// Compiles a trio of Penrose programs and optimises its diagram, with an unchanged @penrose/core. A worker has no document. So
// we measure formulas with an adaptor of MathJax that needs no document, and texts with an OffscreenCanvas.

/** The three programs of a Penrose diagram. `variation`: the seed of Penrose's random numbers.
 * @typedef {{domain: string, substance: string, style: string, variation: string}} Trio */
/** A compiled trio, or the reason why we cannot use it. `theirs`: the results of Penrose's own optimiser.
 * @typedef {{graph: object, shapes: object, theirs: Theirs} | {refused: string}} Compiled */
/** @typedef {{compileMs: number, optimiseMs: number, isOptimised: boolean, weight: number, energy: number, last: number[],
 *   inputs: number, positioned: number}} Theirs */

import * as penrose from "../../../vendor/penrose.js";
import { UnknownOperation } from "./graph.js";
import { writeState } from "./state.js";

/** Penrose's optimiser may run for this long. */
const LONGEST_MS = 8000;

/** @param {Trio} trio @returns {Promise<Compiled>} */
export async function compileTrio(trio) {
  const beganMs = performance.now();
  const compiled = await stateOf(trio);
  if ("refused" in compiled) return compiled;
  const compileMs = performance.now() - beganMs;
  const { state } = compiled;
  const { end, ms, isOptimised } = optimised(state);
  try {
    const { graph, shapes, last, inputs, positioned } = writeState(state, end.varyingValues, penrose.prettyPrintFn);
    const { weight } = end.params;
    return { graph, shapes, theirs: { compileMs, optimiseMs: ms, isOptimised, weight, energy: penrose.evalEnergy(end), last, inputs, positioned } };
  } catch (error) {
    if (!(error instanceof UnknownOperation)) throw error;
    return { refused: `This diagram computes with something that our importer cannot read: ${error.message}.` };
  }
}

/** @param {Trio} trio @returns {Promise<{state: any} | {refused: string}>} */
async function stateOf({ domain, substance, style, variation }) {
  const ofDomain = penrose.compileDomain(domain);
  if (ofDomain.isErr()) return { refused: penrose.showError(ofDomain.error) };
  const ofSubstance = penrose.compileSubstance(substance, ofDomain.value);
  if (ofSubstance.isErr()) return { refused: penrose.showError(ofSubstance.error) };
  const ofStyle = await penrose.compileStyle(variation, style, [], ...ofSubstance.value);
  if (ofStyle.isErr()) return { refused: penrose.showError(ofStyle.error) };
  const state = ofStyle.value;
  const labels = await penrose.collectLabels(state.shapes, formulas());
  if (labels.isErr()) return { refused: penrose.showError(labels.error) };
  return { state: penrose.insertPending({ ...state, labelCache: labels.value }) };
}

/** Does the same as Penrose's function `optimize`, but stops after a time limit.
 * @param {any} state @returns {{end: any, ms: number, isOptimised: boolean}} */
function optimised(state) {
  const beganMs = performance.now();
  const isLate = () => performance.now() - beganMs > LONGEST_MS;
  let end = state;
  while (!(penrose.isOptimized(end) && penrose.finalStage(end)) && !isLate()) {
    if (penrose.isOptimized(end)) end = penrose.nextStage(end);
    const stepped = penrose.step(end, { until: isLate });
    if (stepped.isErr()) break;
    end = stepped.value;
  }
  return { end, ms: performance.now() - beganMs, isOptimised: penrose.isOptimized(end) && penrose.finalStage(end) };
}

/** Makes a function that draws a formula with MathJax, and returns the picture and its size. Penrose's `collectLabels` calls
 * this function for each formula.
 * @returns {(tex: string) => any} */
function formulas() {
  const adaptor = penrose.liteAdaptor();
  penrose.RegisterHTMLHandler(adaptor);
  const formatError = (/** @type {unknown} */ _, /** @type {Error} */ error) => {
    throw new Error(error.message);
  };
  const macros = { textsc: ["\\style{font-variant-caps: small-caps}{\\text{#1}}", 1] };
  const delimiters = { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true };
  const InputJax = new penrose.TeX({ packages: penrose.AllPackages, macros, ...delimiters, formatError });
  const page = penrose.mathjax.document("", { InputJax, OutputJax: new penrose.SVG({ fontCache: "none" }) });
  return (tex) => {
    try {
      const svg = /** @type {any} */ (adaptor.firstChild(page.convert(tex, {})));
      const style = { verticalAlign: adaptor.getStyle(svg, "vertical-align") };
      return passed({ getAttribute: (/** @type {string} */ name) => adaptor.getAttribute(svg, name), style });
    } catch (error) {
      return { isErr: () => true, isOk: () => false, error: String(/** @type {any} */ (error).message) };
    }
  };
}

/** @param {unknown} value @returns {{isErr: () => boolean, isOk: () => boolean, value: any}} as Penrose returns results */
function passed(value) {
  return { isErr: () => false, isOk: () => true, value };
}

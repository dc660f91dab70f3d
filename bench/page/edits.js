// Edits of a formula: from its text to a callable of value, gradient and Hessian.

import { ROSE, attempt, contest, inParts, ourKernel } from "./contest.js";
import { rosePrograms } from "./rose-programs.js";
import { nextTask, numbers } from "./timing.js";

export const POINT = [1.3, 0.7];
export const COMPILING = { warmUps: 12, rounds: 40 };
const EDITS_BEFORE = 60;
const EDITING = "The time begins with the formula's text. Rose parses no text, so for Rose it begins with a new closure of the formula's "
  + "operations. It ends with the first call of the new module, which returns value, gradient and Hessian at a point. Python is warm. "
  + "JavaScript starts each compilation, and each module has a different K. Rose compiles asynchronously, because its interface is "
  + "asynchronous.";

let fresh = 0;
/** A number that no earlier module contains. */
const K = () => 1.5 + 1e-6 * ++fresh;

/** @param {any} lab */
export function edits(lab) {
  const rose = lab.rose === null ? null : rosePrograms(lab.rose);
  const python = lab.python;
  const { meet } = contest(lab);
  return { K, warmUp, editing, ourJet };

  /** Compiles formulas before the measurement, so that the engine optimises our compiler and Rose. */
  async function warmUp() {
    const keys = Object.keys(lab.work.formulas);
    for (let k = 0; k < EDITS_BEFORE; k++) {
      const key = keys[k % keys.length];
      attempt(() => ourJet(lab.work.formulas[key], K()));
      await nextTask();
      await rose?.compile(rose.jet(key, K()));
    }
  }

  /** @param {string} key of bench/specs.py @param {{title: string, target?: number, aim?: number}} row */
  async function* editing(key, row) {
    const text = lab.work.formulas[key];
    const found = await meet({
      ours: {
        result: () => numbers(ourJet(text, 1.5).kernel.call(...POINT)),
        sample: () => ourJet(text, K()).parts,
      },
      [ROSE]: {
        result: async () => triangle((await rose?.compile(rose.jet(key, 1.5)))?.(POINT)),
        sample: async () => {
          const k = K();
          const start = performance.now();
          const f = rose?.jet(key, k);
          const built = performance.now();
          (await rose?.compile(f))?.(POINT);
          const end = performance.now();
          return { total: end - start, "building its graph": built - start, "compile, instantiate, first call": end - built };
        },
      },
    }, COMPILING);
    yield* inParts({ ...row, unit: "ms", note: key === "power" ? EDITING : "" }, found);
  }

  /** Compiles a formula in Python, then instantiates and calls the kernel, as a page does after an edit. In the result, `parts`
   * has the time of each step.
   * @param {string} text @param {number} k */
  function ourJet(text, k) {
    const source = text.replaceAll("K", k.toPrecision(12));
    return ourKernel(() => python.compile_formula(source), (kernel) => kernel.evaluate(POINT, new Float64Array(6)));
  }
}

/** The numbers of a jet with one half of its Hessian. @param {any} jet @returns {number[]} */
export function triangle(jet) {
  return jet === undefined ? [] : numbers([jet.f, jet.g, jet.h[0][0], jet.h[0][1], jet.h[1][1]]);
}

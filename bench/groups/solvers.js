// The browser's half of the group `solvers`: a whole solve by L-BFGS, divided by its evaluations.

import { contest, HAND, inMemory, OURS } from "../page/contest.js";
import { lbfgs, rosenbrock } from "../page/hand-lbfgs.js";
import { perCall } from "../page/timing.js";

const MOST_OF_HAND = 1.2;
const CLOSE = 1e-4;

/** @param {any} lab */
export async function* rows(lab) {
  const { sizes, memory, tolerance, most } = lab.work;
  const { meet, missing } = contest(lab);
  for (const n of sizes) {
    const start = Float64Array.from({ length: n }, (_, i) => (i % 2 === 0 ? -1.2 : 1));
    const solve = lbfgs(rosenbrock, n, { memory, tolerance, most });
    const ours = lab.problems && ourSolve(lab, n, start, { memory, tolerance, most });
    const evaluations = { [OURS]: ours?.solve().evaluations ?? 1, [HAND]: solve(start).evaluations };
    const sampler = (/** @type {() => unknown} */ call, /** @type {number} */ count) => perCall((calls) => {
      for (let k = 0; k < calls; k++) call();
    }, 1e3 / count);
    const found = await meet({
      [OURS]: { tolerance: CLOSE, result: () => Array.from(ours.solve().x), sample: sampler(() => ours.solve(), evaluations[OURS]) },
      [HAND]: { tolerance: CLOSE, result: () => Array.from(solve(start).x), sample: sampler(() => solve(start), evaluations[HAND]) },
    }, { warmUps: 2, rounds: 9 });
    const hand = [...(found.samples[HAND] ?? [])].sort((a, b) => a - b);
    yield {
      title: `Rosenbrock, n = ${n}: an evaluation in L-BFGS, memory ${memory}`, unit: "µs", ...found,
      ...(hand.length > 0 && { target: MOST_OF_HAND * hand[hand.length >> 1] }),
      missing: { ...missing, ...found.missing },
      note: `${OURS} ${evaluations[OURS]}, ${HAND} ${evaluations[HAND]} evaluations`,
    };
  }
}

/** Makes our contestant. Its solve() calls a kernel once. Arguments and results are in the kernel's memory, as on a page.
 * @param {any} lab @param {number} n @param {Float64Array} start @param {{memory: number, tolerance: number, most: number}} options */
function ourSolve(lab, n, start, { memory, tolerance, most }) {
  const [json, wasm] = lab.problems.compile_minimizer(n, memory, tolerance, most).toJs();
  const { params: [x0], results, main } = inMemory({ wasm, abi: JSON.parse(json) });
  return {
    solve: () => {
      x0.set(start);
      main();
      return { x: results[0], evaluations: results[4][0] };
    },
  };
}

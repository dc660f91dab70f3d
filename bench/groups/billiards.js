// The browser's half of the group `billiards`: the gradient, and a descent with a given number of iterations.

import { HAND, OURS, ROSE, contest, inMemory, ourKernel, roseKernel } from "../page/contest.js";
import { handBilliards } from "../page/hand-billiards.js";
import { problemRows } from "../page/problem-rows.js";
import { roseProblems } from "../page/rose-problems.js";
import { numbers } from "../page/timing.js";

const RATE = 0.01;

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && roseProblems(lab.rose);
  const { steps, iterations, x, v, title, target, aim } = lab.work;
  const args = [Float64Array.from(x), Float64Array.from(v)];
  const hand = handBilliards(steps);
  const out = new Float64Array(5);
  yield* problemRows(lab, {
    name: "billiards", title, sizes: [steps], kind: "both", unit: "ms", args, target, aim,
    hand: {
      gradient: () => {
        hand.gradient(args[0], args[1], out);
        return out;
      },
      value: () => hand.value(args[0], args[1]),
    },
    rose: {
      make: (kind, scale) => rose?.billiards(kind, scale, steps),
      argument: () => ({ x: args[0], v: args[1] }),
      numbers: inOrder,
    },
    compiling: { warmUps: 1, rounds: 6 },
  });
  yield* descent();

  /** Times gradient descent as on the page. JavaScript subtracts a multiple of the gradient from position and velocity. */
  async function* descent() {
    const { params, results, main } = inMemory(ourKernel(() => lab.problems.compile_problem("billiards", "both", 1, steps), () => {}));
    const theirs = lab.rose && (await roseKernel(lab.rose, rose?.billiards("both", 1, steps))).call;
    const contestants = {
      [OURS]: (/** @type {Float64Array} */ p) => {
        params[0].set(p.subarray(0, 2));
        params[1].set(p.subarray(2));
        main();
        return [results[1][0], results[1][1], results[2][0], results[2][1]];
      },
      [ROSE]: (/** @type {Float64Array} */ p) => inOrder(theirs({ x: p.subarray(0, 2), v: p.subarray(2) })).slice(1),
      [HAND]: (/** @type {Float64Array} */ p) => {
        hand.gradient(p.subarray(0, 2), p.subarray(2), out);
        return out.subarray(1);
      },
    };
    const count = lab.check ? 3 : iterations;
    const run = (/** @type {(p: Float64Array) => ArrayLike<number>} */ gradient) => {
      const p = Float64Array.of(...x, ...v);
      for (let k = 0; k < count; k++) {
        const g = gradient(p);
        for (let c = 0; c < 4; c++) p[c] -= RATE * g[c];
      }
      return p;
    };
    const found = await contest(lab).meet(Object.fromEntries(Object.entries(contestants).map(([name, gradient]) => [name, {
      result: () => numbers(run(gradient)),
      sample: () => {
        const start = performance.now();
        run(gradient);
        return performance.now() - start;
      },
    }])), { warmUps: 0, rounds: 3 });
    yield { title: `  ${count} iterations of descent`, unit: "ms", ...found };
  }
}

/** @param {any} result Rose's */
function inOrder({ value, gradient }) {
  return numbers([value, gradient.x, gradient.v]);
}

// The browser's half of the group `robot`: the gradient for the network's weights, and a training with a given number of
// iterations.

import { HAND, OURS, ROSE, contest, inMemory, ourKernel, roseKernel } from "../page/contest.js";
import { handRobot } from "../page/hand-robot.js";
import { problemRows, rowsOf } from "../page/problem-rows.js";
import { roseProblems } from "../page/rose-problems.js";
import { numbers } from "../page/timing.js";

const HIDDEN = 32;
const RATE = 0.2;
const LEAST_NORM = 1e-6;
/** We compare the first 3 iterations. Training is chaotic: in the fifth iteration, rounding errors are visible. */
const COMPARED = 3;
const TOLERANCE = 1e-6;

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && roseProblems(lab.rose);
  const { spec, steps, iterations, w1, w2, title, target, aim } = lab.work;
  const springs = spec.springs.length;
  const args = [w1.flat(), Array(HIDDEN).fill(0), w2.flat(), Array(springs).fill(0)].map((part) => Float64Array.from(part));
  const shapes = [[HIDDEN, w1[0].length], [HIDDEN], [springs, HIDDEN], [springs]];
  const shaped = (/** @type {Float64Array[]} */ weights) => weights.map((part, k) => rowsOf(part, shapes[k]));
  const asStruct = (/** @type {Float64Array[]} */ weights) => {
    const [a, b, c, d] = shaped(weights);
    return { w1: a, b1: b, w2: c, b2: d };
  };
  const theirArgument = asStruct(args);
  const hand = handRobot(spec, steps);
  const out = args.map((part) => new Float64Array(part.length));
  const [a1, a2, a3, a4] = args;
  yield* problemRows(lab, {
    name: "robot", title, sizes: [spec, steps], kind: "both", unit: "ms", args, shapes, target, aim,
    hand: { gradient: () => [hand.gradient(a1, a2, a3, a4, out), ...out], value: () => hand.value(a1, a2, a3, a4) },
    rose: {
      make: (kind, scale) => rose?.robot(kind, scale, spec, steps),
      argument: () => theirArgument,
      numbers: ({ value, gradient: { w1: a, b1: b, w2: c, b2: d } }) => numbers([value, a, b, c, d]),
    },
    calling: { warmUps: 1, rounds: 8 },
    compiling: { warmUps: 1, rounds: 4 },
  });
  yield* training();

  /** Measures how long the page takes to train a robot. In each iteration, JavaScript moves the weights by a fixed length against the gradient. */
  async function* training() {
    const { params, results, main } = inMemory(ourKernel(() => lab.problems.compile_problem("robot", "both", 1, ...[spec, steps].map(lab.toPy)), () => {}));
    const theirs = lab.rose && (await roseKernel(lab.rose, rose?.robot("both", 1, spec, steps))).call;
    /** @type {Record<string, (weights: Float64Array[]) => Float64Array[]>} */
    const contestants = {
      [OURS]: (weights) => {
        weights.forEach((part, k) => params[k].set(part));
        main();
        return results.slice(1);
      },
      [ROSE]: (weights) => {
        const { w1: a, b1: b, w2: c, b2: d } = theirs(asStruct(weights)).gradient;
        return [a, b, c, d].map((part) => Float64Array.from(numbers(part)));
      },
      [HAND]: (weights) => {
        const [a, b, c, d] = weights;
        hand.gradient(a, b, c, d, out);
        return out;
      },
    };
    const run = (/** @type {(weights: Float64Array[]) => Float64Array[]} */ gradient, /** @type {number} */ count) => {
      const weights = args.map((part) => part.slice());
      for (let k = 0; k < count; k++) {
        const found = gradient(weights);
        const norm = Math.sqrt(found.reduce((sum, part) => sum + part.reduce((all, ct) => all + ct * ct, 0), 0));
        const rate = RATE / (norm + LEAST_NORM);
        weights.forEach((part, at) => part.forEach((_, c) => { part[c] -= rate * found[at][c]; }));
      }
      return weights;
    };
    const found = await contest(lab).meet(Object.fromEntries(Object.entries(contestants).map(([name, gradient]) => [name, {
      result: () => numbers(run(gradient, COMPARED)),
      tolerance: TOLERANCE,
      sample: () => {
        const start = performance.now();
        run(gradient, iterations);
        return performance.now() - start;
      },
    }])), { warmUps: 0, rounds: 1 });
    yield { title: `  ${iterations} iterations of training`, unit: "ms", note: `The results are compared after ${COMPARED} iterations, because training is chaotic.`, ...found };
  }
}

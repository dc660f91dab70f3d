// The browser's half of the group `pairs`.

import { jaxJsProblems, tensorflowProblems } from "../page/array-peers.js";
import { pairsGradient, pairsValue } from "../page/hand-problems.js";
import { problemRows } from "../page/problem-rows.js";
import { roseProblems } from "../page/rose-problems.js";
import { numbers } from "../page/timing.js";

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && roseProblems(lab.rose);
  for (const { x, y, name, kind, title, target, aim, compiling } of lab.work.problems) {
    const n = x.length;
    const args = [Float64Array.from(x), Float64Array.from(y)];
    const [gx, gy] = [new Float64Array(n), new Float64Array(n)];
    const both = kind === "both";
    /** The result that the problem asks for. @param {any[]} found value first */
    const wanted = (found) => (both ? found : found.slice(1));
    const bound = (/** @type {import("../page/array-peers.js").Peer} */ { gradient, value }) => ({
      gradient: () => wanted(gradient(...args)),
      value: () => value(...args),
    });
    const others = {
      "TensorFlow.js 4.22": async () => bound(tensorflowProblems(await lab.load("tfjs.js")).pairs(n)),
      "jax-js 0.1.25": async () => bound(jaxJsProblems(await lab.load("jax-js.js")).pairs(n)),
    };
    yield* problemRows(lab, {
      name, title, sizes: [n], kind, unit: "µs", args, target, aim, compiling,
      hand: { gradient: () => wanted([pairsGradient(args[0], args[1], gx, gy), gx, gy]), value: () => pairsValue(args[0], args[1]) },
      rose: {
        make: (which, scale) => rose?.[name](which, scale, n),
        argument: () => ({ x: args[0], y: args[1] }),
        numbers: (found) => numbers(both ? [found.value, found.gradient.x, found.gradient.y] : [found.x, found.y]),
      },
      others: name === "pairs" && !both ? others : {},
    });
  }
}

// The browser's half of the group `pairs`.

import { jaxJsProblems, tensorflowProblems } from "../page/array-peers.js";
import { pairsGradient, pairsValue } from "../page/hand-problems.js";
import { problemRows } from "../page/problem-rows.js";
import { roseProblems } from "../page/rose-problems.js";
import { numbers } from "../page/timing.js";

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && roseProblems(lab.rose);
  for (const { x, y, name, title, target, aim, compiling } of lab.work.problems) {
    const n = x.length;
    const args = [Float64Array.from(x), Float64Array.from(y)];
    const [gx, gy] = [new Float64Array(n), new Float64Array(n)];
    const others = {
      "TensorFlow.js 4.22": async () => bound(tensorflowProblems(await lab.load("tfjs.js")).pairs(n), args),
      "jax-js 0.1.25": async () => bound(jaxJsProblems(await lab.load("jax-js.js")).pairs(n), args),
    };
    yield* problemRows(lab, {
      name, title, sizes: [n], kind: "both", unit: "µs", args, target, aim, compiling,
      hand: { gradient: () => [pairsGradient(args[0], args[1], gx, gy), gx, gy], value: () => pairsValue(args[0], args[1]) },
      rose: {
        make: (kind, scale) => rose?.[name](kind, scale, n),
        argument: () => ({ x: args[0], y: args[1] }),
        numbers: ({ value, gradient }) => numbers([value, gradient.x, gradient.y]),
      },
      others: name === "pairs" ? others : {},
    });
  }
}

/** @param {import("../page/array-peers.js").Peer} peer @param {Float64Array[]} args */
function bound({ gradient, value }, args) {
  return { gradient: () => gradient(...args), value: () => value(...args) };
}

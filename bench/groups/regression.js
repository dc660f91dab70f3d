// The browser's half of the group `regression`. The group `first` explains Rose's extra work and the copied data.

import { jaxJsProblems, tensorflowProblems } from "../page/array-peers.js";
import { regressionValue } from "../page/hand-problems.js";
import { regressionGradient } from "../page/hand-written.js";
import { problemRows } from "../page/problem-rows.js";
import { rosePrograms } from "../page/rose-programs.js";

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && rosePrograms(lab.rose);
  const { data, title, target, aim } = lab.work;
  const [n, m] = [data.y.length, data.w.length];
  const args = [data.x.flat(), data.y, data.w, [data.b]].map((part) => Float64Array.from(part));
  const [x, y, w, b] = args;
  const rowsOfX = Array.from({ length: n }, (_, k) => x.subarray(k * m, (k + 1) * m));
  const gradient = new Float64Array(m + 1);
  const alone = (/** @type {any} */ peer) => ({
    gradient: () => peer.gradient(...args).slice(1),
    value: () => peer.value(...args),
  });
  yield* problemRows(lab, {
    name: "regression", title, sizes: [n, m], kind: "gradient", unit: "µs", args, data: 2, shapes: [[n, m], [n], [m], []], target, aim,
    hand: {
      gradient: () => {
        regressionGradient(x, y, w, b[0], gradient);
        return gradient;
      },
      value: () => regressionValue(x, y, w, b[0]),
    },
    rose: {
      make: (_, scale) => rose?.regression(n, m, scale),
      argument: () => [rowsOfX, y, w, b[0]],
      numbers: ({ w: ctW, b: ctB }) => [...ctW, ctB],
    },
    others: {
      "TensorFlow.js 4.22": async () => alone(tensorflowProblems(await lab.load("tfjs.js")).regression(n, m)),
      "jax-js 0.1.25": async () => alone(jaxJsProblems(await lab.load("jax-js.js")).regression(n, m)),
    },
    note: "Ours, TensorFlow.js and jax-js have the data in their memory. Rose copies the data in each call, and also computes the data's cotangents.",
  });
}

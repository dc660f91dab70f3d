// The browser's half of the group `chain`.

import { chainGradient, chainValue } from "../page/hand-problems.js";
import { problemRows } from "../page/problem-rows.js";
import { roseProblems } from "../page/rose-problems.js";
import { numbers } from "../page/timing.js";

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose && roseProblems(lab.rose);
  const { links, x, y, title, target, aim } = lab.work;
  const args = [Float64Array.of(x), Float64Array.of(y)];
  const tape = new Float64Array(links + 1);
  const out = new Float64Array(3);
  yield* problemRows(lab, {
    name: "chain", title, sizes: [links], kind: "both", unit: "µs", args, shapes: [[], []], target, aim,
    calling: { warmUps: 2, rounds: 12 },
    compiling: { warmUps: 1, rounds: 6 },
    hand: {
      gradient: () => {
        chainGradient(args[0][0], args[1][0], tape, out);
        return out;
      },
      value: () => chainValue(args[0][0], args[1][0], links),
    },
    rose: {
      make: (kind, scale) => rose?.chain(kind, scale, links),
      argument: () => ({ x: args[0][0], y: args[1][0] }),
      numbers: ({ value, gradient }) => numbers([value, gradient.x, gradient.y]),
    },
  });
}

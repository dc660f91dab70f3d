// Drags one of two shapes there and back. The diagram's solver moves the other shape in each solve if the relations weigh
// little, and leaves it in its place if they weigh much. Prints the largest distance of the other shape from its start, and its
// distance at the end.

import { Layout } from "../../static/js/pages/diagrams/layout.js";

const LITTLE = 1e4;
const DRIFT = 1;
const FRAMES = 20;
const FAR = 20;

/** The numbers of two shapes, of which the first is at the pointer. With little weight, the second one drifts at each solve. */
const run = (x, iterations, weight, _, pulls, targets) => {
  const end = [...x];
  if (iterations > 0 && pulls[0] > 0) [end[0], end[1]] = [targets[0], targets[1]];
  if (iterations > 0 && weight < LITTLE) end[2] += DRIFT;
  const of = (...values) => Float64Array.from(values);
  return [end, of(), of(...end), of(), of(0), of(iterations), of(weight), of(1)];
};

const circle = { name: "", kind: "circle", moves: true, values: {}, members: [] };
const layout = new Layout({
  size: [100, 100], shapes: [circle, circle], grips: [[0, ""], [1, ""]], terms: [], places: [], unknowns: ["", "", "", ""],
  parameters: [], starts: [[0, 0, 0, 0]], makeKernel: () => ({ run }),
});
const home = [0, 0, 0, 0];
let now = layout.at(home);
let away = 0;
for (let k = 1; k <= 2 * FRAMES; k++) {
  now = layout.frame(now, { shape: 0, grip: 0, stays: null, at: [FAR * (1 - Math.abs(k / FRAMES - 1)), 0] }, home);
  away = Math.max(away, Math.abs(now.x[2]));
}
console.log(JSON.stringify({ away, back: Math.abs(now.x[2]) }));

// Drags shapes there and back with the page's own code, in diagrams that are given as graphs. (drags.mjs does so in the
// diagrams of the gallery.)
// Usage: node graph_drags.mjs DIAGRAMS_JSON MOST_SHAPES
//
// Prints for each diagram its values before any drag, the median and the 95th percentile of the time of a frame in
// milliseconds, and the measurements of each drag (dragging.mjs) with the places of all shapes at the turn. One solve is done
// twice: `whole` is its end if it is done at once, and `sliced` describes its end if it is done in slices.

import { readFileSync } from "node:fs";
import { graphKernel } from "../../static/js/pages/diagrams/graph-kernel.js";
import { Layout, centreOf } from "../../static/js/pages/diagrams/layout.js";
import { drag } from "./dragging.mjs";

const [file, most] = process.argv.slice(2);
/** The evaluations of a frame. A page makes as many as there is time for. */
const STEPS = 200;
/** A solve in slices makes this many evaluations in each. */
const SLICE = 3;
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const module = ({ wasm, abi }) => ({ wasm: bytes(wasm), abi });

const MOST_SLICES = 1000;
/** Solves from a place in slices. Returns the end, the number of slices, and the most evaluations of one. */
function inSlices(layout, x, pull, home) {
  let placed = layout.solve(x, pull, home, { evaluations: SLICE });
  let largest = placed.steps;
  let slices = 1;
  for (; !placed.isOver && slices < MOST_SLICES; slices++) {
    placed = layout.solve(placed.x, pull, home, { evaluations: SLICE, goesOn: true });
    largest = Math.max(largest, placed.steps);
  }
  return { x: placed.x, slices, most: largest };
}

console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf-8")).map((diagram) => {
  const layout = new Layout({ ...diagram, ...module(diagram), solver: module(diagram.solver), numbers: module(diagram.numbers), makeKernel: graphKernel }, STEPS);
  const first = layout.first();
  const shown = Object.fromEntries(diagram.places.map(([shape, name], k) => [`${shape}.${name}`, first.shown[k]]));
  const moving = [...diagram.shapes.keys()].filter((k) => diagram.shapes[k].moves);
  const every = Math.max(1, Math.ceil(moving.length / Number(most)));
  const drags = moving.filter((_, k) => k % every === 0).map((shape) => {
    const told = drag(layout, shape, [1, 0]);
    return { ...told, turn: undefined, shape, others: diagram.shapes.map((_, k) => centreOf(told.turn, k)) };
  });
  const pull = { shape: moving[0], grip: moving[0], stays: null, at: centreOf(first, moving[0]).map((value) => value + 10) };
  const whole = layout.solve(first.x, pull, first.x).x;
  const sliced = inSlices(layout, first.x, pull, first.x);
  const times = drags.flatMap(({ times: each }) => each).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { id: diagram.id, shown, drags, whole, sliced, medianMs: at(0.5), p95Ms: at(0.95) };
})));

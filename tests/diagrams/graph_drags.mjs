// Drags shapes of diagrams that came as graphs there and back with the page's own code, as drags.mjs does for the gallery.
// Usage: node graph_drags.mjs DIAGRAMS_JSON MOST_SHAPES
//
// Prints for each diagram its values at rest and the median and 95th percentile of a frame in milliseconds, and for each drag
// also the places of all shapes at the turn.

import { readFileSync } from "node:fs";
import { Layout, centreOf } from "../../static/js/pages/diagrams/layout.js";
import { drag } from "./dragging.mjs";

const [file, most] = process.argv.slice(2);
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const module = ({ wasm, abi }) => ({ wasm: bytes(wasm), abi });

console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf-8")).map((diagram) => {
  const layout = new Layout({ ...diagram, ...module(diagram), solver: module(diagram.solver), numbers: module(diagram.numbers) });
  const first = layout.first();
  const shown = Object.fromEntries(diagram.places.map(([shape, name], k) => [`${shape}.${name}`, first.shown[k]]));
  const moving = [...diagram.shapes.keys()].filter((k) => diagram.shapes[k].moves);
  const every = Math.max(1, Math.ceil(moving.length / Number(most)));
  const drags = moving.filter((_, k) => k % every === 0).map((shape) => {
    const told = drag(layout, shape, [1, 0]);
    return { ...told, turn: undefined, shape, others: diagram.shapes.map((_, k) => centreOf(told.turn, k)) };
  });
  const times = drags.flatMap(({ times: each }) => each).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { id: diagram.id, shown, drags, medianMs: at(0.5), p95Ms: at(0.95) };
})));

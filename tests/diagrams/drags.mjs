// Drags shapes of diagrams there and back with the page's own code. Prints measurements of each drag as JSON.
// Usage: node drags.mjs DIAGRAMS_JSON MOST_SHAPES
//
// DIAGRAMS_JSON is a list of compiled diagrams, each with its "id" and its module in base64. MOST_SHAPES is the largest number
// of shapes of a diagram to drag. dragging.mjs describes the measurements. `loose` is the sum of the results of `letGo`.

import { readFileSync } from "node:fs";
import { Layout } from "../../static/js/pages/diagrams/layout.js";
import { drag, letGo } from "./dragging.mjs";

const [file, most] = process.argv.slice(2);
/** The iterations of a frame. A page makes as many as there is time for. */
const STEPS = 600;
/** The iterations of a frame on a slow machine. */
const FEW_STEPS = 30;
const DIRECTIONS = [[1, 0], [0, 1], [-Math.SQRT1_2, -Math.SQRT1_2]];

const ROUND = Array.from({ length: 16 }, (_, k) => [Math.cos((k * Math.PI) / 8), Math.sin((k * Math.PI) / 8)]);

const told = ({ kick, hysteresis, gap, broken }) => ({ kick, hysteresis, gap, broken });

console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf-8")).map((diagram) => {
  const artifact = { ...diagram, wasm: Uint8Array.from(Buffer.from(diagram.wasm, "base64")) };
  const [layout, slow] = [new Layout(artifact, STEPS), new Layout(artifact, FEW_STEPS)];
  const moving = [...diagram.shapes.keys()].filter((k) => diagram.shapes[k].moves);
  const every = Math.max(1, Math.ceil(moving.length / Number(most)));
  const dragged = moving.filter((_, k) => k % every === 0);
  const drags = dragged.flatMap((shape, k) => (Number(most) < moving.length ? [DIRECTIONS[k % 3]] : DIRECTIONS).map((way) => told(drag(layout, shape, way))));
  const loose = dragged.reduce((sum, shape) => ROUND.reduce((more, way) => more + letGo(slow, shape, way), sum), 0);
  return { id: diagram.id, drags, loose };
})));

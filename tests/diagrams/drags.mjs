// Drags shapes of diagrams there and back with the page's own code, and tells as JSON how the diagrams behaved.
// Usage: node drags.mjs DIAGRAMS_JSON MOST_SHAPES
//
// DIAGRAMS_JSON is a list of compiled diagrams, each with its "id" and its module in base64. MOST_SHAPES says how many shapes of each
// diagram are dragged, at most. For each drag:
// * kick: the farthest that another shape moves between two frames, in steps of the pointer;
// * hysteresis: how far a shape is from where it began after the way back, as a share of the canvas's diagonal;
// * gap: the distance of the dragged shape from the pointer at the turn, in units of the diagram;
// * broken: how many relations that held at rest are missed at the turn.

import { readFileSync } from "node:fs";
import { Layout, centreOf } from "../../static/js/pages/diagrams/layout.js";

const [file, most] = process.argv.slice(2);
const FRAMES = 20;
/** How far the pointer goes, as a share of the canvas. */
const FAR = 0.2;
const VIOLATED = 1e-3;
const DIRECTIONS = [[1, 0], [0, 1], [-Math.SQRT1_2, -Math.SQRT1_2]];

const distances = (one, other, shapes) => shapes.map((_, k) => Math.hypot(...centreOf(one, k).map((value, axis) => value - centreOf(other, k)[axis])));

function drag(layout, shape, [ux, uy]) {
  const { shapes, terms, size } = layout.artifact;
  const first = layout.first();
  const [x0, y0] = centreOf(first, shape);
  const far = FAR * Math.min(...size);
  const pullAt = (share) => ({ shape, grip: shape, stays: null, at: [x0 + ux * far * share, y0 + uy * far * share] });
  let now = first;
  let kick = 0;
  let turn = null;
  for (let k = 1; k <= 2 * FRAMES; k++) {
    const pull = pullAt(1 - Math.abs(k / FRAMES - 1));
    const next = layout.frame(now, pull, first.x);
    kick = Math.max(kick, ...distances(next, now, shapes).filter((_, other) => other !== shape));
    now = next;
    if (k === FRAMES) turn = layout.settle(now.x, pull, first.x).placed;
  }
  const at = pullAt(1).at;
  return {
    kick: kick / (far / FRAMES),
    hysteresis: Math.max(...distances(now, first, shapes)) / Math.hypot(...size),
    gap: Math.hypot(...centreOf(turn, shape).map((value, axis) => value - at[axis])),
    broken: terms.filter(({ must }, k) => must && first.amounts[k] <= VIOLATED && !(turn.amounts[k] <= VIOLATED)).length,
  };
}

console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf-8")).map((diagram) => {
  const layout = new Layout({ ...diagram, wasm: Uint8Array.from(Buffer.from(diagram.wasm, "base64")) });
  const moving = [...diagram.shapes.keys()].filter((k) => diagram.shapes[k].moves);
  const every = Math.max(1, Math.ceil(moving.length / Number(most)));
  const dragged = moving.filter((_, k) => k % every === 0);
  const drags = dragged.flatMap((shape, k) => (Number(most) < moving.length ? [DIRECTIONS[k % 3]] : DIRECTIONS).map((way) => drag(layout, shape, way)));
  return { id: diagram.id, drags };
})));

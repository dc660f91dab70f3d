// One drag of a shape there and back, with the page's own code:
// * kick: the largest distance that a shape which is not dragged moves between two frames, divided by the pointer's distance;
// * hysteresis: the largest distance of any shape from its start after the pointer has returned, divided by the canvas's
//   diagonal;
// * ahead: the distance of the dragged shape from the pointer in the frame in which the pointer turns, in units of the diagram;
// * gap: the same distance after the pointer has waited there until the diagram has settled;
// * broken: the number of relations that held before the drag and do not hold in the settled diagram at the turn;
// * times: the milliseconds of each frame;
// * turn: the layout of the settled diagram at the turn.

import { centreOf } from "../../static/js/pages/diagrams/layout.js";
import { atOnce, freeing, settling } from "../../static/js/pages/diagrams/settling.js";

const FRAMES = 20;
/** The distance that the pointer goes, as a share of the canvas. */
const FAR = 0.2;
const VIOLATED = 1e-3;

const distances = (one, other, shapes) => shapes.map((_, k) => Math.hypot(...centreOf(one, k).map((value, axis) => value - centreOf(other, k)[axis])));

const apart = (placed, shape, at) => Math.hypot(...centreOf(placed, shape).map((value, axis) => value - at[axis]));

export function drag(layout, shape, [ux, uy]) {
  const { shapes, terms, size } = layout.artifact;
  const first = layout.first();
  const [x0, y0] = centreOf(first, shape);
  const far = FAR * Math.min(...size);
  const pullAt = (share) => ({ shape, grip: shape, stays: null, at: [x0 + ux * far * share, y0 + uy * far * share] });
  let now = first;
  let kick = 0;
  const times = [];
  let turn = null;
  let ahead = NaN;
  for (let k = 1; k <= 2 * FRAMES; k++) {
    const pull = pullAt(1 - Math.abs(k / FRAMES - 1));
    const beganMs = performance.now();
    const next = layout.frame(now, pull, first.x);
    times.push(performance.now() - beganMs);
    kick = Math.max(kick, ...distances(next, now, shapes).filter((_, other) => other !== shape));
    now = next;
    if (k < FRAMES || turn !== null) continue;
    ahead = apart(now, shape, pull.at);
    turn = atOnce(settling(layout, now.x, pull, first.x)).placed;
  }
  return {
    times,
    turn,
    kick: kick / (far / FRAMES),
    hysteresis: Math.max(...distances(now, first, shapes)) / Math.hypot(...size),
    ahead,
    gap: apart(turn, shape, pullAt(1).at),
    broken: broken(terms, first, turn),
  };
}

/** Drags a shape away in two frames, which leaves the diagram far from rest, and then lets it go. Returns the number of relations
 * that held before, but not at the end. */
export function letGo(layout, shape, [ux, uy]) {
  const { terms, size } = layout.artifact;
  const first = layout.first();
  const [x0, y0] = centreOf(first, shape);
  const far = FAR * Math.min(...size);
  const pullAt = (share) => ({ shape, grip: shape, stays: null, at: [x0 + ux * far * share, y0 + uy * far * share] });
  const now = layout.frame(layout.frame(first, pullAt(0.5), first.x), pullAt(1), first.x);
  const turn = atOnce(settling(layout, now.x, pullAt(1), first.x)).placed;
  return broken(terms, turn, atOnce(freeing(layout, turn.x)).placed);
}

/** The number of relations that hold in one layout, but not in a later one. */
function broken(terms, one, later) {
  return terms.filter(({ must }, k) => must && one.amounts[k] <= VIOLATED && !(later.amounts[k] <= VIOLATED)).length;
}

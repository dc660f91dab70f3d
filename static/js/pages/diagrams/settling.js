// Ends a drag, in parts that take no longer than a frame. All relations that held before the drag hold at the end.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Limits} Limits */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./layout.js").Pull} Pull */
/** The layout at the end of one frame, while a diagram settles after a drag. `at`: the point to which the shape is pulled.
 * @typedef {{placed: Placed, at: Point}} Settled */
/** A drag that has just ended. `began`: the layout before the drag.
 * @typedef {{layout: Layout, pull: Pull, began: Placed}} Drag */

import { FIRM, VIOLATED, between, centreOf } from "./layout.js";

/** The time for the solver in each frame while a diagram settles, in ms. During a drag the solver has less time. */
const REST_MS = 20;
/** The largest number of iterations of a solve. No layout needs more. */
const MOST_ITERATIONS = 10_000;
/** If relations are violated, we solve with each of these weights in turn. With such large weights, the objectives and pulls
 * hardly violate a relation. */
const LAST_WEIGHTS = [1e8, 1e10, 1e12];
/** If relations are violated even with the last weight, we repeat the drag in this many small steps. */
const STRIDES = 8;
/** If the shape is further than CLOSE from the pointer, in the diagram's units, we pull STRONG times as strongly. */
const CLOSE = 1;
const STRONG = 100;
/** We accept the result of the strong pull if the distance to the pointer is now less than this share of the old distance. */
const WORTHWHILE = 0.9;

/** Lets the diagram settle after a drag, one part in each frame. If the relations prevent the shape from reaching the pointer,
 * the shape stays at a place where they hold.
 * @param {Layout} layout @param {readonly number[]} x where the drag ended @param {Pull} pull
 * @param {readonly number[]} home where the drag began @returns {Generator<Settled, Settled>} */
export function* settling(layout, x, pull, home) {
  const drag = { layout, pull, began: layout.at(home) };
  const placed = yield* firm(drag, yield* solved(drag, x, {}), {});
  if (missed(drag, placed) > 0) {
    const strode = yield* striding(drag);
    return { placed: strode, at: centreOf(strode, pull.grip) };
  }
  if (gap(drag, placed) <= CLOSE) return { placed, at: pull.at };
  yield { placed, at: pull.at };
  const nearer = yield* firm(drag, yield* solved(drag, placed.x, { strength: STRONG }), { strength: STRONG });
  const isNearer = missed(drag, nearer) === 0 && gap(drag, nearer) < WORTHWHILE * gap(drag, placed);
  return { placed: isNearer ? nearer : placed, at: pull.at };
}

/** Ends a drag at once. @param {Layout} layout @param {readonly number[]} x @param {Pull} pull @param {readonly number[]} home
 * @returns {Settled} */
export function settled(layout, x, pull, home) {
  const parts = settling(layout, x, pull, home);
  for (;;) {
    const { value, done } = parts.next();
    if (done) return value;
  }
}

/** Solves a layout. If the kernel can continue a solve, solves one part in each frame. Otherwise solves everything at once.
 * @param {Drag} drag @param {readonly number[]} x @param {Limits} limits @returns {Generator<Settled, Placed>} */
function* solved({ layout, pull, began }, x, limits) {
  if (!layout.canGoOn) return layout.solve(x, pull, began.x, limits);
  let placed = layout.solve(x, pull, began.x, { ...limits, ...layout.limits(REST_MS) });
  for (let made = placed.iterations; !placed.isOver && made < MOST_ITERATIONS; made += placed.iterations) {
    yield { placed, at: pull.at };
    placed = layout.solve(placed.x, pull, began.x, { ...limits, ...layout.limits(REST_MS), goesOn: layout.isLast(placed) });
  }
  return placed;
}

/** Solves again with larger and larger weights of the relations, until all relations hold. @param {Drag} drag
 * @param {Placed} placed @param {Limits} limits
 * @returns {Generator<Settled, Placed>} */
function* firm(drag, placed, limits) {
  let best = placed;
  for (const weight of LAST_WEIGHTS) {
    if (missed(drag, best) === 0) return best;
    yield { placed: best, at: drag.pull.at };
    const firmer = yield* solved(drag, best.x, { ...limits, weight });
    if (missed(drag, firmer) < missed(drag, best)) best = firmer;
  }
  return best;
}

/** Repeats a drag in a few steps from the layout before the drag. Stops at the first step that violates a relation, and returns
 * the layout of the step before.
 * @param {Drag} drag @returns {Generator<Settled, Placed>} */
function* striding({ layout, pull, began }) {
  const [x0, y0] = centreOf(began, pull.grip);
  const [x1, y1] = pull.at;
  let placed = began;
  for (let k = 1; k <= STRIDES; k++) {
    const at = /** @type {Point} */ ([x0 + ((x1 - x0) * k) / STRIDES, y0 + ((y1 - y0) * k) / STRIDES]);
    const step = { layout, pull: { ...pull, at }, began };
    const next = yield* firm(step, yield* solved(step, placed.x, { weight: FIRM }), {});
    if (missed(step, next) > 0) break;
    placed = next;
  }
  return placed;
}

/** @param {Drag} drag @param {Placed} placed @returns {number} the sum of the errors of relations that held before the drag */
function missed({ layout, began }, placed) {
  return layout.violated(placed).reduce((sum, k) => (began.amounts[k] <= VIOLATED ? sum + placed.amounts[k] : sum), 0);
}

/** @param {Drag} drag @param {Placed} placed @returns {number} the distance of the shape from the pointer */
function gap({ pull }, placed) {
  return between(centreOf(placed, pull.grip), pull.at);
}

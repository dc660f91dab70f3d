// Ends a drag, or lets a diagram go, in parts that take no longer than a frame. All relations that held before hold at the end.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Limits} Limits */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./layout.js").Pull} Pull */
/** The layout at the end of one frame, while a diagram settles. `pull`: the pull that the picture shows, or null if no shape is
 * pulled any more.
 * @typedef {{placed: Placed, pull: Pull | null}} Settled */
/** A drag that has just ended. `began`: the layout before the drag.
 * @typedef {{layout: Layout, pull: Pull, began: Placed}} Drag */
/** One solve. `pull` and `home`: null if no shape is pulled, and if no unknown is held.
 * @typedef {{layout: Layout, pull: Pull | null, home: readonly number[] | null, began: Placed}} Task */

import { FIRM, VIOLATED, between, centreOf } from "./layout.js";

/** The time for the solver in each frame while a diagram settles, in ms. During a drag the solver has less time. */
const REST_MS = 20;
/** The largest number of iterations of a solve. No layout needs more. */
const MOST_ITERATIONS = 10_000;
/** If relations are violated, we solve with each of these weights in turn. With such large weights, the objectives and pulls
 * hardly violate a relation. */
const LAST_WEIGHTS = [1e8, 1e10, 1e12];
/** If relations are violated even with the last weight, we repeat the drag in this many steps. When a step violates a relation,
 * the later steps are half as long. MOST_STRIDES is the largest number of steps, with those that violated a relation. */
const STRIDES = 8;
const MOST_STRIDES = 20;
/** If the shape is further than CLOSE from the pointer, in the diagram's units, we pull STRONG times as strongly. */
const CLOSE = 1;
const STRONG = 100;
/** We accept the result of the strong pull if the distance to the pointer is now less than this share of the old distance. */
const WORTHWHILE = 0.9;

/** Lets a diagram settle, one part in each frame. @param {Layout} layout @param {readonly number[]} x
 * @param {Pull | null} pull null if a pinned shape was released
 * @param {readonly number[] | null} home the unknowns before the drag, or null if there was no drag
 * @returns {Generator<Settled, Settled>} */
export function resting(layout, x, pull, home) {
  return pull === null ? freeing(layout, x) : settling(layout, x, pull, home ?? x);
}

/** Lets the diagram settle after a drag. In each frame, it makes a part of the work and yields a layout. If the dragged shape
 * cannot reach the pointer without violating relations, it stays at a place where the relations hold.
 * @param {Layout} layout @param {readonly number[]} x the unknowns at the end of the drag @param {Pull} pull
 * @param {readonly number[]} home the unknowns before the drag @returns {Generator<Settled, Settled>} */
export function* settling(layout, x, pull, home) {
  const drag = { layout, pull, began: layout.at(home) };
  const task = { ...drag, home };
  const placed = yield* firm(task, yield* solved(task, x, {}), {});
  if (missed(task, placed) > 0) {
    const strode = yield* striding(drag);
    return { placed: strode, pull: { ...pull, at: centreOf(strode, pull.grip) } };
  }
  if (gap(drag, placed) <= CLOSE) return { placed, pull };
  yield { placed, pull };
  const nearer = yield* firm(task, yield* solved(task, placed.x, { strength: STRONG }), { strength: STRONG });
  const isNearer = missed(task, nearer) === 0 && gap(drag, nearer) < WORTHWHILE * gap(drag, placed);
  return { placed: isNearer ? nearer : placed, pull };
}

/** Lets the diagram settle after a pinned shape was released, one part in each frame. All unknowns move freely.
 * @param {Layout} layout @param {readonly number[]} x @returns {Generator<Settled, Settled>} */
export function* freeing(layout, x) {
  const task = { layout, pull: null, home: null, began: layout.at(x) };
  return { placed: yield* firm(task, yield* solved(task, x, layout.freely), {}), pull: null };
}

/** Lets a diagram settle in one go. @param {Generator<Settled, Settled>} parts @returns {Settled} */
export function atOnce(parts) {
  for (;;) {
    const { value, done } = parts.next();
    if (done) return value;
  }
}

/** Solves a layout. If the kernel can continue a solve, solves one part in each frame. Otherwise solves everything at once.
 * @param {Task} task @param {readonly number[]} x @param {Limits} limits @returns {Generator<Settled, Placed>} */
function* solved({ layout, pull, home }, x, limits) {
  if (!layout.canGoOn) return layout.solve(x, pull, home, limits);
  let placed = layout.solve(x, pull, home, { ...limits, ...layout.limits(REST_MS) });
  for (let made = placed.iterations; !placed.isOver && made < MOST_ITERATIONS; made += placed.iterations) {
    yield { placed, pull };
    placed = layout.solve(placed.x, pull, home, { ...limits, ...layout.limits(REST_MS), goesOn: layout.isLast(placed) });
  }
  return placed;
}

/** Solves again with larger and larger weights of the relations, until all relations hold that held before.
 * @param {Task} task @param {Placed} placed @param {Limits} limits @returns {Generator<Settled, Placed>} */
function* firm(task, placed, limits) {
  let best = placed;
  for (const weight of LAST_WEIGHTS) {
    if (missed(task, best) === 0) return best;
    yield { placed: best, pull: task.pull };
    const firmer = yield* solved(task, best.x, { ...limits, weight });
    if (missed(task, firmer) < missed(task, best)) best = firmer;
  }
  return best;
}

/** Repeats a drag in a few steps, starting from the layout before the drag. Each step moves the pointer a part of the way. A
 * step that violates a relation is undone, and the next step is half as long. Returns the layout after the last good step.
 * @param {Drag} drag @returns {Generator<Settled, Placed>} */
function* striding({ layout, pull, began }) {
  const [x0, y0] = centreOf(began, pull.grip);
  const [x1, y1] = pull.at;
  let placed = began;
  let [made, stride] = [0, 1 / STRIDES];
  for (let k = 0; k < MOST_STRIDES && made < 1; k++) {
    const share = Math.min(made + stride, 1);
    const at = /** @type {Point} */ ([x0 + (x1 - x0) * share, y0 + (y1 - y0) * share]);
    const step = { layout, pull: { ...pull, at }, home: began.x, began };
    const next = yield* firm(step, yield* solved(step, placed.x, { weight: FIRM }), {});
    if (missed(step, next) > 0) stride /= 2;
    else [placed, made] = [next, share];
  }
  return placed;
}

/** @param {Task} task @param {Placed} placed @returns {number} the sum of the errors of relations that held before */
function missed({ layout, began }, placed) {
  return layout.violated(placed).reduce((sum, k) => (began.amounts[k] <= VIOLATED ? sum + placed.amounts[k] : sum), 0);
}

/** @param {Drag} drag @param {Placed} placed @returns {number} the distance of the shape from the pointer */
function gap({ pull }, placed) {
  return between(centreOf(placed, pull.grip), pull.at);
}

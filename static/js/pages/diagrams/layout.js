// Lays out a diagram with its kernel. One call begins at given numbers, improves them until they settle, and computes all that the
// picture shows. While a shape is pulled, the pointer is one more term of the energy.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** The grip that is pulled, and the point to which it is pulled. `grip`: its number in the artifact's `grips`. The middle of a
 * shape is the grip with the shape's number. `stays`: the point at which the shape's middle is held while its size is pulled, or
 * null.
 * @typedef {{shape: number, grip: number, at: Point, stays: Point | null}} Pull */
/**
 * A layout.
 * @typedef {object} Placed
 * @property {number[]} x the unknowns
 * @property {Float64Array} shown the numbers that the artifact's `places` lists
 * @property {Float64Array} centres the place of each grip, x and y in turn; first come the middles of all shapes
 * @property {Float64Array} amounts for each term, the amount by which it is missed, or its energy
 * @property {number} energy
 * @property {number} iterations
 * @property {number} weight of the relations at the end of the solve
 * @property {boolean} isOver false if a limit ended the solve
 * @property {number} steps of the solve: iterations of a diagram's own kernel, or evaluations of an energy that came as a graph
 */
/** Options of a solve. `iterations`: the most iterations. `evaluations`: about the most evaluations of the energy, for a diagram
 * that came as a graph. `weight`: how much the relations weigh at first, or 0 for an ordinary solve, which may begin anywhere.
 * `strength`: how many times as strong pulls, holds and relations are as usual. `goesOn`: whether the solve continues the previous solve
 * as if nothing had ended it.
 * @typedef {{iterations?: number, evaluations?: number, weight?: number, strength?: number, goesOn?: boolean}} Limits */

import { instantiate } from "../../engine/kernel.js";

/** A relation is violated if it is missed by more than this, as in Python. */
export const VIOLATED = 1e-3;
/** The status of a solve that a limit ended (solvers/statuses.py). */
const RUNNING = 0;
/** The weight of a pulled shape's squared distance to the pointer. */
const PULL = 100;
/** The weight of the forces that keep all numbers near their values before the drag. They make the layout return if the
 * pointer goes back. */
const HOLD = 0.1;
/** The weight of the relations at the beginning of an ordinary solve (ExteriorPoint.weight). */
const FIRST_WEIGHT = 1e3;
/** When a frame is solved again, the relations have this weight from the first iteration on. With less weight the relations would
 * give way at first, and a shape could slip through another shape. */
export const FIRM = 1e5;
/** A frame is solved again if another shape moves more than this many times as far as the pulled one. */
const LEAP = 1.8;
/** A shape that hardly moves counts as if it moved this far, in the diagram's units. */
const SHORTEST_WAY = 0.5;
/** No solve of a layout needs more iterations than this. */
const MOST_ITERATIONS = 10_000;
/** The solves of a frame may take about this many milliseconds. A frame has 8, and the rest is for drawing. If a solve needs
 * longer, the next frame continues it. */
const FRAME_MS = 4;
/** The fewest and the most steps in a frame, however slow or fast they are. A step is one iteration of a diagram's own kernel, or
 * one evaluation of the energy of a diagram that came as a graph. */
const FEWEST_STEPS = 6;
const MOST_STEPS = 2000;
/** The number of steps in a frame before any step has been measured. */
const FIRST_STEPS = 60;
/** We measure the time of a step only in solves of at least this many steps. */
const TELLING = 6;
/** The time of a step is the median of this many solves. So one solve that something interrupts changes nothing. */
const REMEMBERED = 5;
/** If the pointer comes back to within this distance of the place where the drag began, the layout starts to return to
 * its state at the beginning of the drag. The distance is a share of the canvas. */
const NEAR = 0.04;
/** A solve stays where it began if no shape moves further than this share of the canvas. */
const STILL = 0.002;
/** Weights are chosen so that the objectives of a diagram push a relation no further than this in the first solve of a drag. */
const GIVE = 0.1;

export class Layout {
  /** @param {DiagramArtifact} artifact @param {number | null} steps in a frame, or null for as many as there is time for */
  constructor(artifact, steps = null) {
    this.artifact = artifact;
    /** @private */
    this.steps = steps;
    /** How many milliseconds a step took in each of the last solves. @type {number[]} @private */
    this.paces = [];
    /** The result of the previous solve, the only solve that can be continued. @type {Placed | null} @private */
    this.last = null;
    /** The point to which the previous frame pulled the shape. @type {Point} @private */
    this.to = [NaN, NaN];
    /** The layout in which the drag began, how far the pointer is from the place where the drag began (as a share of
     * the canvas), and whether the pointer was ever far from this place. `weight`: how much the relations weigh at
     * first in solves from there, once it is known.
     * @type {{x: readonly number[], placed: Placed, way: number, wasFar: boolean, weight: number | null} | null}
     * @private */
    this.began = null;
    /** While the pointer comes back: by how much the shown numbers differ from a layout that is solved from the numbers at the
     * beginning of the drag. @type {number[] | null} @private */
    this.rest = null;
    this.kernel = artifact.makeKernel?.(artifact) ?? instantiate(artifact.wasm, artifact.abi);
    this.pulls = new Float64Array(artifact.grips.length);
    this.targets = new Float64Array(2 * artifact.grips.length);
    this.holding = new Float64Array(artifact.unknowns.length);
    /** Computes the forces of terms, once somebody wants to see them. @type {ReturnType<typeof instantiate> | null} */
    this.pushing = null;
    /** The fastest frame of a drag so far. */
    this.fastestMs = Infinity;
    /** The start that led to the layout of the seed. @type {readonly number[]} @private */
    this.begun = artifact.starts[0];
    /** The layout of the seed. @type {Placed | null} @private */
    this.own = null;
    /** How long the search for that layout took. */
    this.firstMs = NaN;
    /** During a drag, the usual weights are multiplied by this factor. So, compared with the objectives, they count as
     * much in this diagram as in others. @private */
    this.stiffness = 1;
  }

  /** Solves a layout from the numbers x. `home` has the values near which the numbers are kept. NaN lets one number
   * move freely. If `home` is null, all numbers move freely.
   * @param {readonly number[]} x @param {Pull | null} pull @param {readonly number[] | null} home @param {Limits} limits
   * @returns {Placed} */
  solve(x, pull, home = null, { iterations = MOST_ITERATIONS, evaluations = Infinity, weight = 0, strength = 1, goesOn = false } = {}) {
    const beganMs = performance.now();
    const { pulls, targets, holding, kernel, artifact } = this;
    const stiffness = pull === null && home === null ? 1 : strength * this.stiffness;
    pulls.fill(0);
    const pulled = (/** @type {number} */ grip, /** @type {Point} */ to) => {
      pulls[grip] = PULL * stiffness;
      targets.set(to, 2 * grip);
    };
    if (pull !== null) pulled(pull.grip, pull.at);
    if (pull !== null && pull.stays !== null) pulled(pull.shape, pull.stays);
    const places = [...x];
    for (let k = 0; k < x.length; k++) {
      const isHeld = home !== null && !Number.isNaN(home[k]);
      holding[k] = isHeld ? HOLD * stiffness : 0;
      if (isHeld) places[k] = home[k];
    }
    const more = this.canGoOn ? [evaluations, goesOn] : [];
    const first = weight === 0 && stiffness === 1 ? 0 : (weight || FIRST_WEIGHT) * stiffness;
    const ended = kernel.run(x, iterations, first, artifact.parameters, pulls, targets, holding, places, ...more);
    const [end, shown, centres, amounts, energy, made, last, status, evaluated = made] = ended;
    const of = (/** @type {ArrayLike<number>} */ view) => Float64Array.from(view);
    const isOver = status[0] !== RUNNING;
    this.last = { x: [...end], shown: of(shown), centres: of(centres), amounts: of(amounts), energy: energy[0], iterations: made[0], weight: last[0], isOver, steps: evaluated[0] };
    if (evaluated[0] >= TELLING) this.paces = [(performance.now() - beganMs) / evaluated[0], ...this.paces.slice(0, REMEMBERED - 1)];
    return this.last;
  }

  /** The limits of a solve. @param {number} ms that it may take @param {number} made the steps that the frame has made already
   * @returns {Limits} */
  limits(ms, made = 0) {
    const paces = [...this.paces].sort((one, other) => one - other);
    const measured = paces.length === 0 ? FIRST_STEPS : ms / paces[paces.length >> 1];
    const steps = Math.max((this.steps ?? Math.min(Math.round(measured), MOST_STEPS)) - made, FEWEST_STEPS);
    return this.canGoOn ? { evaluations: steps } : { iterations: steps };
  }

  /** @param {Placed} placed @returns {boolean} whether the layout is the end of the previous solve, so that the next one can go on */
  isLast(placed) {
    return placed === this.last;
  }

  /** @param {readonly number[]} x @returns {Placed} the numbers of a layout as it is */
  at(x) {
    return this.solve(x, null, null, { iterations: 0 });
  }

  /** A layout that is solved without any pull on a shape or a number. @param {readonly number[]} x @returns {Placed} */
  free(x) {
    return this.solve(x, null, null, { weight: this.stiffness === 1 ? 0 : FIRST_WEIGHT * this.stiffness });
  }

  /** One frame of a drag. @param {Placed} from the frame before @param {Pull} pull @param {readonly number[]} home where the drag
   * began @returns {Placed} */
  frame(from, pull, home) {
    const beganMs = performance.now();
    if (this.began?.x !== home) [this.began, this.to] = [{ x: home, placed: this.at(home), way: 0, wasFar: false, weight: null }, [NaN, NaN]];
    const { began } = this;
    const hasMoved = between(pull.at, this.to) !== 0;
    this.to = pull.at;
    const before = began.way;
    began.way = between(pull.at, centreOf(began.placed, pull.grip)) / Math.min(...this.artifact.size);
    began.wasFar ||= began.way > NEAR;
    const comesBack = hasMoved && began.wasFar && began.way <= NEAR;
    const placed = comesBack ? this.back(from, pull, home, Math.min(began.way / before, 1)) : this.follow(from, pull, home, hasMoved);
    this.fastestMs = Math.min(this.fastestMs, performance.now() - beganMs);
    return placed;
  }

  /** A frame in which the layout follows the pointer. @private @param {Placed} from @param {Pull} pull @param {readonly number[]} home
   * @param {boolean} hasMoved whether the pointer has moved @returns {Placed} */
  follow(from, pull, home, hasMoved) {
    this.rest = null;
    // If the pointer has moved, relations that weigh more than at first would hold the other shapes back.
    const goesOn = this.isLast(from) && !from.isOver && (from.weight === FIRST_WEIGHT * this.stiffness || !hasMoved);
    const placed = this.solve(from.x, pull, home, { ...this.limits(FRAME_MS), goesOn });
    if (!placed.isOver || this.leap(from, placed, pull.shape) <= LEAP) return placed;
    const firm = this.solve(from.x, pull, home, { ...this.limits(FRAME_MS, placed.steps), weight: FIRM });
    return this.leap(from, firm, pull.shape) < this.leap(from, placed, pull.shape) ? firm : placed;
  }

  /** A frame in which the pointer comes back to where the drag began. Meanwhile the layout may have moved to another minimum. So
   * we solve from the layout at the beginning of the drag, and add the difference to the shown layout. This difference shrinks
   * with the pointer's distance, and is gone when the pointer is back.
   * @private @param {Placed} from @param {Pull} pull @param {readonly number[]} home @param {number} share of the difference that is left
   * @returns {Placed} */
  back(from, pull, home, share) {
    const began = /** @type {NonNullable<typeof this.began>} */ (this.began);
    began.weight ??= this.steady(began.placed, pull, home);
    const { x } = this.solve(home, pull, home, { ...this.limits(FRAME_MS), weight: began.weight });
    const rest = this.rest ?? from.x.map((value, k) => value - x[k]);
    this.rest = rest.map((difference) => share * difference);
    return this.at(x.map((value, k) => value + /** @type {number[]} */ (this.rest)[k]));
  }

  /** The first weight of the relations for solves in a drag. If the pointer is where the drag began, a solve with this
   * weight must not change the layout.
   * @private @param {Placed} placed the beginning @param {Pull} pull @param {readonly number[]} home @returns {number} 0 for an ordinary solve */
  steady(placed, pull, home) {
    const still = this.solve(home, { ...pull, at: centreOf(placed, pull.grip) }, home, this.limits(FRAME_MS / 2));
    const moved = this.artifact.shapes.some((_, k) => between(centreOf(placed, k), centreOf(still, k)) > STILL * Math.min(...this.artifact.size));
    return moved ? Math.max(FIRM, (this.own?.weight ?? 0) / this.stiffness) : 0;
  }

  /** @private @param {Placed} from @param {Placed} to @param {number} pulled
   * @returns {number} the longest way of another shape, divided by the way of the pulled shape */
  leap(from, to, pulled) {
    const way = (/** @type {number} */ shape) => between(centreOf(from, shape), centreOf(to, shape));
    const longest = this.artifact.shapes.reduce((most, { moves }, k) => (moves && k !== pulled ? Math.max(most, way(k)) : most), 0);
    return longest / Math.max(way(pulled), SHORTEST_WAY);
  }

  /** @returns {boolean} whether a solve can go on where the solve before was ended */
  get canGoOn() {
    return "goesOn" in this.kernel;
  }

  /** The layout of the artifact's seed: the first of some random starts that leads to a layout in which all relations hold, or
   * else the best one. @returns {Placed} */
  first() {
    if (this.own !== null) return this.own;
    const beganMs = performance.now();
    let best = null;
    for (const start of this.artifact.starts) {
      const placed = this.solve(start, null);
      if (best === null || this.isBetter(placed, best)) [best, this.begun] = [placed, start];
      if (this.holds(best)) break;
    }
    this.own = /** @type {Placed} */ (best);
    // A relation with the weight w gives way by (the push of the objectives) / 2w.
    const given = this.own.amounts.reduce((most, by, k) => (this.artifact.terms[k].must && by <= VIOLATED ? Math.max(most, by) : most), 0);
    this.stiffness = Math.max((this.own.weight * given) / GIVE / FIRST_WEIGHT, 1);
    this.firstMs = performance.now() - beganMs;
    return this.own;
  }

  /** The start of the search for the layout of the seed, and the number of its iterations.
   * @returns {{start: readonly number[], iterations: number}} */
  beginning() {
    const { iterations } = this.first();
    return { start: this.begun, iterations };
  }

  /** A layout near an earlier one: unknowns with the same name stay near their values.
   * @param {readonly string[]} unknowns of the earlier diagram
   * @param {readonly number[]} x their values @returns {Placed} */
  after(unknowns, x) {
    const known = new Map(unknowns.map((name, k) => [name, x[k]]));
    const home = this.artifact.unknowns.map((name) => known.get(name) ?? NaN);
    for (const start of this.artifact.starts) {
      const begun = start.map((value, k) => (Number.isNaN(home[k]) ? value : home[k]));
      const placed = this.solve(begun, null, home);
      if (this.holds(placed)) return placed;
    }
    return this.first();
  }

  /** @param {import("../../model/types.js").Module} module that computes forces */
  takeForces({ wasm, abi }) {
    this.pushing = instantiate(wasm, abi);
  }

  /** The forces of terms on the shapes, once the layout has the module for them. @param {Placed} placed @param {readonly number[]} terms
   * @returns {Float64Array} the push of the terms on each shape, x and y in turn */
  forces({ x, weight }, terms) {
    const { parameters, terms: all } = this.artifact;
    const chosen = all.map(({ must }, k) => (!terms.includes(k) ? 0 : must ? 2 * weight : 1));
    return Float64Array.from(/** @type {any} */ (this.pushing).run(x, parameters, chosen)[0]);
  }

  /** @param {Placed} placed @returns {number[]} the terms that must hold but do not, the worst first */
  violated({ amounts }) {
    const { terms } = this.artifact;
    const missed = [...amounts.keys()].filter((k) => terms[k].must && !(amounts[k] <= VIOLATED));
    return missed.sort((j, k) => amounts[k] - amounts[j]);
  }

  /** @param {Placed} placed @returns {number} by how much the worst relation is missed */
  worst({ amounts }) {
    return this.artifact.terms.reduce((most, { must }, k) => (must ? Math.max(most, amounts[k]) : most), 0);
  }

  /** The energy of some terms. @param {Placed} placed @param {ReadonlySet<number>} counted @param {number} weight of those that must hold */
  energyOf({ amounts }, counted, weight) {
    return this.artifact.terms.reduce((sum, { must }, k) => (!counted.has(k) ? sum : sum + (must ? weight * amounts[k] ** 2 : amounts[k])), 0);
  }

  /** @param {Placed} placed @returns {boolean} whether every relation holds */
  holds(placed) {
    return this.violated(placed).length === 0;
  }

  /** @private @param {Placed} one @param {Placed} other */
  isBetter(one, other) {
    const by = (/** @type {Placed} */ placed) => this.violated(placed).reduce((sum, k) => sum + placed.amounts[k], 0);
    const difference = by(one) - by(other);
    return difference === 0 ? one.energy < other.energy : difference < 0;
  }
}

/** The place of a grip. The middle of a shape is the grip with its number. @param {Placed} placed @param {number} grip
 * @returns {Point} */
export function centreOf({ centres }, grip) {
  return [centres[2 * grip], centres[2 * grip + 1]];
}

/** @param {Point} one @param {Point} other @returns {number} their distance; NaN if one of them is nowhere */
export function between([x0, y0], [x1, y1]) {
  return Math.hypot(x1 - x0, y1 - y0);
}

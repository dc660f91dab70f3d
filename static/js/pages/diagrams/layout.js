// Lays out a diagram with its kernel. One call begins at given numbers, improves them until they settle, and computes all that the
// picture shows. While a shape is pulled, the pointer is one more term of the energy.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** The grip that is pulled, and the point to which it is pulled. `grip`: its number in the artifact's `grips`; the middle of a
 * shape has the number of the shape. `stays`: the point at which the shape's middle is held while its size is pulled, or null.
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
 */

import { instantiate } from "../../engine/kernel.js";
import { graphKernel } from "./graph-kernel.js";

/** A relation is violated if it is missed by more than this, as in Python. */
export const VIOLATED = 1e-3;
/** The weight of a pulled shape's squared distance to the pointer. */
const PULL = 100;
/** The weight by which all numbers are held at their values before the drag. So the layout returns if the pointer goes back. */
const HOLD = 0.1;
/** The weight of the relations from the first iteration on when a frame is solved again. With less weight they give way at first, and
 * a shape can slip through another one. */
const FIRM = 1e5;
/** A frame is solved again if another shape moves more than this many times as far as the pulled one. */
const LEAP = 1.8;
/** A shape that hardly moves counts as if it moved this far, in the diagram's units. */
const SHORTEST_WAY = 0.5;
/** No solve of a layout needs more iterations than this. */
const MOST_ITERATIONS = 10_000;
/** A frame of a drag makes at most this many iterations. The next frame goes on. */
const FRAME_ITERATIONS = 600;
/** After a drag a pull is eased at most this many times, until the relations hold. */
const EASINGS = 5;

export class Layout {
  /** @param {DiagramArtifact} artifact */
  constructor(artifact) {
    this.artifact = artifact;
    this.kernel = artifact.graph === undefined ? instantiate(artifact.wasm, artifact.abi) : graphKernel(artifact);
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
  }

  /** @param {readonly number[]} x @param {Pull | null} pull @param {readonly number[] | null} home where the numbers are held,
   * null to let them move freely; NaN for a number that moves freely @param {number} iterations at most
   * @param {number} weight of the relations at first, or 0 for an ordinary solve, which may begin anywhere
   * @returns {Placed} */
  solve(x, pull, home = null, iterations = MOST_ITERATIONS, weight = 0) {
    const { pulls, targets, holding, kernel, artifact } = this;
    pulls.fill(0);
    const pulled = (/** @type {number} */ grip, /** @type {Point} */ to) => {
      pulls[grip] = PULL;
      targets.set(to, 2 * grip);
    };
    if (pull !== null) pulled(pull.grip, pull.at);
    if (pull !== null && pull.stays !== null) pulled(pull.shape, pull.stays);
    const isHeld = (/** @type {number} */ k) => home !== null && !Number.isNaN(home[k]);
    const places = x.map((value, k) => (home !== null && isHeld(k) ? home[k] : value));
    holding.forEach((_, k) => (holding[k] = isHeld(k) ? HOLD : 0));
    const ended = kernel.run(x, iterations, weight, artifact.parameters, pulls, targets, holding, places);
    const [end, shown, centres, amounts, energy, made, last] = ended;
    const of = (/** @type {ArrayLike<number>} */ view) => Float64Array.from(view);
    return { x: [...end], shown: of(shown), centres: of(centres), amounts: of(amounts), energy: energy[0], iterations: made[0], weight: last[0] };
  }

  /** @param {readonly number[]} x @returns {Placed} the numbers of a layout as it is */
  at(x) {
    return this.solve(x, null, null, 0);
  }

  /** One frame of a drag. @param {Placed} from the frame before @param {Pull} pull @param {readonly number[]} home where the drag
   * began @returns {Placed} */
  frame(from, pull, home) {
    const beganMs = performance.now();
    let placed = this.solve(from.x, pull, home, FRAME_ITERATIONS);
    if (this.leap(from, placed, pull.shape) > LEAP) {
      const firm = this.solve(from.x, pull, home, FRAME_ITERATIONS, FIRM);
      if (this.leap(from, firm, pull.shape) < this.leap(from, placed, pull.shape)) placed = firm;
    }
    this.fastestMs = Math.min(this.fastestMs, performance.now() - beganMs);
    return placed;
  }

  /** @private @param {Placed} from @param {Placed} to @param {number} pulled
   * @returns {number} the longest way of another shape, divided by the way of the pulled shape */
  leap(from, to, pulled) {
    const way = (/** @type {number} */ shape) => {
      const [[x0, y0], [x1, y1]] = [centreOf(from, shape), centreOf(to, shape)];
      return Math.hypot(x1 - x0, y1 - y0);
    };
    const longest = this.artifact.shapes.reduce((most, { moves }, k) => (moves && k !== pulled ? Math.max(most, way(k)) : most), 0);
    return longest / Math.max(way(pulled), SHORTEST_WAY);
  }

  /** @param {Placed} placed of a frame @returns {boolean} whether it has settled */
  isFinished({ iterations }) {
    return iterations < FRAME_ITERATIONS;
  }

  /** Ends a drag. If the shape cannot reach the pointer, the pull moves to the place of the shape, so that all relations
   * can hold. @param {readonly number[]} x @param {Pull} pull @param {readonly number[]} home where the drag began
   * @returns {{placed: Placed, at: Point}} `at`: to which point the shape stays pulled */
  settle(x, pull, home) {
    let placed = this.solve(x, pull, home);
    let { at } = pull;
    for (let k = 0; k < EASINGS && !this.holds(placed); k++) {
      at = centreOf(placed, pull.grip);
      placed = this.solve(placed.x, { ...pull, at }, placed.x);
    }
    return { placed, at };
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

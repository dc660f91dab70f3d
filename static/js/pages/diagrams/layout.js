// Lays out a diagram with its kernel. A call of the kernel is a solve. It starts from given values of the unknowns, and changes
// them until the energy no longer falls. It also computes all numbers that the picture shows. While you drag a shape, the
// energy has one more term, which pulls the shape to the pointer.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** A pull of a grip to the point `at`. A grip is a place where you can drag a shape. `grip`: the grip's number in the
 * artifact's `grips`. The grip in the middle of a shape has the same number as the shape. `stays`: if the grip changes a
 * shape's size, the point where the middle of the shape should stay. Otherwise null.
 * @typedef {{shape: number, grip: number, at: Point, stays: Point | null}} Pull */
/**
 * A layout of a diagram, as a solve returned it.
 * @typedef {object} Placed
 * @property {number[]} x - the values of the unknowns
 * @property {Float64Array} shown - the numbers that the artifact's `places` lists
 * @property {Float64Array} centres - the x and the y of each grip in turn. The grips in the middles of all shapes come first
 * @property {Float64Array} amounts - for each relation that must hold, its error. For each other relation, its energy
 * @property {number} energy
 * @property {number} iterations
 * @property {number} weight - the weight of the relations at the end of the solve
 * @property {boolean} isOver - false if the solve stopped early because of a limit
 * @property {number} steps - the number of evaluations of the energy if the diagram is given as a graph of operations.
 *   Otherwise the number of iterations
 */
/** Options of a solve. `iterations`: the largest number of iterations. `evaluations`: for a diagram that is given as a graph,
 * about the largest number of evaluations of the energy. `weight`: the first weight of the relations, or 0 for the usual first
 * weight. `strength`: a factor for the weights of pulls and relations. `goesOn`: true if the solve continues the
 * previous solve as if it had not ended. `stage`: the number of the only stage that is solved, from 1, or 0 for all stages at
 * the same time.
 * @typedef {{iterations?: number, evaluations?: number, weight?: number, strength?: number, goesOn?: boolean,
 *   stage?: number}} Limits */
/** A part of the solve that gave the first layout: a stage of the diagram, or all stages. `start`: the unknowns when it began.
 * `stage`: as in `Limits`. `name`: the stage's name in the diagram's program, or an empty text.
 * @typedef {{start: readonly number[], stage: number, name: string, placed: Placed}} Part */

import { instantiate } from "../../engine/kernel.js";
import { MOST_MS } from "./frame-time.js";

/** A relation counts as violated if its error is larger than this, as in Python. */
export const VIOLATED = 1e-3;
/** The status of a solve that ended because of a limit (solvers/statuses.py). */
const RUNNING = 0;
/** The weight, in the energy, of the squared distance from the pulled shape to the pointer. */
const PULL = 100;
/** The weight of the forces that hold all unknowns near their values before the drag. These forces restore the layout when the
 * pointer goes back. */
const HOLD = 0.1;
/** The usual weight of the relations at the beginning of a solve (ExteriorPoint.weight in Python). */
const FIRST_WEIGHT = 1e3;
/** The first weight of the relations when we solve a frame for a second time. It is large, so that no shape moves through
 * another shape. */
export const FIRM = 1e5;
/** We solve a frame again if another shape has moved more than LEAP times as far as the pulled shape. */
const LEAP = 1.8;
/** We use the second solve only if the pulled shape moves at least this share of its way in the first solve. */
const FOLLOWING = 0.5;
/** While the pointer comes back, another shape that moves more than FLIP times as far has gone to a different minimum. */
const FLIP = 3;
/** To compare the motion of shapes, we assume that the pulled shape moves at least this far, in the diagram's units. */
const SHORTEST_WAY = 0.5;
/** The largest number of iterations of a solve. No layout needs more. */
const MOST_ITERATIONS = 10_000;
/** The smallest and the largest number of steps in a frame, even if a step is very slow or very fast. If the diagram is given
 * as a graph of operations, a step is one evaluation of the energy. Otherwise it is one iteration. */
const FEWEST_STEPS = 6;
const MOST_STEPS = 2000;
/** A frame makes this many steps while we do not know how long a step takes. */
const FIRST_STEPS = 60;
/** We measure the time of a step only in solves of at least this many steps. */
const TELLING = 6;
/** We take the median time of a step over this many solves, so that one interrupted solve has no effect. */
const REMEMBERED = 5;
/** The distance from the start of a drag, as a fraction of the canvas's size, within which the layout goes back to the layout
 * before the drag. It does so when the pointer comes back. */
const NEAR = 0.04;
/** A solve leaves the layout unchanged if no shape moves further than this share of the canvas. */
const STILL = 0.002;
/** We choose the weights so that the objectives violate a relation by at most this amount in the first solve of a drag. */
const GIVE = 0.1;

export class Layout {
  /** @param {DiagramArtifact} artifact @param {number | null} steps in a frame, or null if the time limits them */
  constructor(artifact, steps = null) {
    this.artifact = artifact;
    /** @private */
    this.steps = steps;
    /** For each of the last few solves, the time of a step in milliseconds. @type {number[]} @private */
    this.paces = [];
    /** The result of the previous solve. Only this solve can be continued. @type {Placed | null} @private */
    this.last = null;
    /** The previous frame pulled the shape to this point. @type {Point} @private */
    this.to = [NaN, NaN];
    /** Facts about the current drag. `placed`: the layout before the drag. `x`: its unknowns. `way`: the pointer's distance
     * from the start of the drag, as a fraction of the canvas's size. `wasFar`: true if this distance has been larger than
     * NEAR. `weight`: the first weight of the relations in solves that start from the layout before the drag. It is null until
     * we choose it.
     * @type {{x: readonly number[], placed: Placed, way: number, wasFar: boolean, weight: number | null} | null}
     * @private */
    this.began = null;
    /** While the pointer comes back to the start of a drag, a difference for each unknown. It is the value in the shown layout
     * minus the value after a solve that started from the layout before the drag. At other times null. @type {number[] | null}
     * @private */
    this.rest = null;
    this.kernel = artifact.makeKernel?.(artifact) ?? instantiate(artifact.wasm, artifact.abi);
    this.pulls = new Float64Array(artifact.grips.length);
    this.targets = new Float64Array(2 * artifact.grips.length);
    this.holding = new Float64Array(artifact.unknowns.length);
    /** The kernel that computes the forces of terms, or null if nobody has asked to see forces.
     * @type {ReturnType<typeof instantiate> | null} */
    this.pushing = null;
    /** How long all solves of the present frame together may take. @private */
    this.frameMs = MOST_MS;
    /** The fastest frame of a drag so far. */
    this.fastestMs = Infinity;
    /** The names of the stages that the kernel can solve alone. @private */
    this.stages = artifact.stages ?? [];
    /** The solves that led to the layout of the seed. @type {readonly Part[]} @private */
    this.parts = [];
    /** The layout of the seed. @type {Placed | null} @private */
    this.own = null;
    /** How long the search for that layout took. */
    this.firstMs = NaN;
    /** During a drag, we multiply the usual weights by this factor. Diagrams with stronger objectives have a larger factor.
     * @private */
    this.stiffness = 1;
  }

  /** Solves a layout, starting from the unknowns `x`. The solve holds each unknown near its value in `home`. It does not hold
   * an unknown whose value there is NaN. If `home` is null, it holds no unknown.
   * @param {readonly number[]} x @param {Pull | null} pull @param {readonly number[] | null} home @param {Limits} limits
   * @returns {Placed} */
  solve(x, pull, home = null, { iterations = MOST_ITERATIONS, evaluations = Infinity, weight = 0, strength = 1, goesOn = false, stage = 0 } = {}) {
    const beganMs = performance.now();
    const { pulls, targets, holding, kernel, artifact } = this;
    const softness = pull === null && home === null ? 1 : this.stiffness;
    const stiffness = strength * softness;
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
      holding[k] = isHeld ? HOLD * softness : 0;
      if (isHeld) places[k] = home[k];
    }
    const more = this.canGoOn ? [evaluations, goesOn] : this.stages.length > 0 ? [stage] : [];
    const first = weight === 0 && stiffness === 1 ? 0 : (weight || FIRST_WEIGHT) * stiffness;
    const ended = kernel.run(x, iterations, first, artifact.parameters, pulls, targets, holding, places, ...more);
    const [end, shown, centres, amounts, energy, made, last, status, evaluated = made] = ended;
    const of = (/** @type {ArrayLike<number>} */ view) => Float64Array.from(view);
    const isOver = status[0] !== RUNNING;
    // The kernel's energy has only the terms of the solved stage.
    const total = stage === 0 ? energy[0] : artifact.terms.reduce((sum, { must }, k) => (must ? sum : sum + amounts[k]), 0);
    this.last = { x: [...end], shown: of(shown), centres: of(centres), amounts: of(amounts), energy: total, iterations: made[0], weight: last[0], isOver, steps: evaluated[0] };
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

  /** @param {Placed} placed
   * @returns {boolean} whether the layout is the end of the previous solve, so that the next one can go on */
  isLast(placed) {
    return placed === this.last;
  }

  /** @param {readonly number[]} x @returns {Placed} the numbers of a layout as it is */
  at(x) {
    return this.solve(x, null, null, { iterations: 0 });
  }

  /** The limits of a solve without pulls and holds. @returns {Limits} */
  get freely() {
    return { weight: this.stiffness === 1 ? 0 : FIRST_WEIGHT * this.stiffness };
  }

  /** Computes the layout for one frame of a drag. @param {Placed} from the layout of the last frame @param {Pull} pull
   * @param {readonly number[]} home the unknowns before the drag
   * @param {number} ms the time that all solves of the frame together may take. If a solve needs longer, the next frame
   * continues it
   * @returns {Placed} */
  frame(from, pull, home, ms = MOST_MS) {
    const beganMs = performance.now();
    this.frameMs = ms;
    if (this.began?.x !== home) [this.began, this.to] = [{ x: home, placed: this.at(home), way: 0, wasFar: false, weight: null }, [NaN, NaN]];
    const { began } = this;
    const last = this.to;
    const hasMoved = between(pull.at, last) !== 0;
    this.to = pull.at;
    const before = began.way;
    began.way = between(pull.at, centreOf(began.placed, pull.grip)) / Math.min(...this.artifact.size);
    began.wasFar ||= began.way > NEAR;
    const comesBack = hasMoved && began.wasFar && began.way <= NEAR;
    const placed = comesBack ? this.back(from, pull, home, last, Math.min(began.way / before, 1)) : this.follow(from, pull, home, hasMoved);
    this.fastestMs = Math.min(this.fastestMs, performance.now() - beganMs);
    return placed;
  }

  /** Computes the layout for a frame in which the pulled shape follows the pointer. @private
   * @param {Placed} from the layout of the last frame @param {Pull} pull
   * @param {readonly number[]} home
   * @param {boolean} hasMoved whether the pointer has moved since the last frame @returns {Placed} */
  follow(from, pull, home, hasMoved) {
    this.rest = null;
    // If the pointer has moved, relations that weigh more than at first would hold the other shapes back.
    const goesOn = this.isLast(from) && !from.isOver && (from.weight === FIRST_WEIGHT * this.stiffness || !hasMoved);
    const placed = this.solve(from.x, pull, home, { ...this.limits(this.frameMs), goesOn });
    if ((this.canGoOn && !placed.isOver) || this.leap(from, placed, pull.shape) <= LEAP) return placed;
    const firm = this.solve(from.x, pull, home, { ...this.limits(this.frameMs, this.canGoOn ? placed.steps : 0), weight: FIRM });
    const way = (/** @type {Placed} */ to) => between(centreOf(from, pull.shape), centreOf(to, pull.shape));
    const isCalmer = this.leap(from, firm, pull.shape) < this.leap(from, placed, pull.shape);
    return isCalmer && way(firm) > FOLLOWING * way(placed) ? firm : placed;
  }

  /** Computes the layout for a frame in which the pointer comes back to the start of the drag. The last frame's layout may be
   * near another minimum of the energy, not near the layout before the drag. So we solve from the layout before the drag, and
   * add to the result a difference that becomes smaller as the pointer comes nearer to the start of the drag. In the first of
   * these frames, the difference is that of the last frame's layout from the result for the last frame's pointer. If another
   * shape would leap, because the two results are near different minima, it is that from the present result.
   * @private @param {Placed} from the layout of the last frame @param {Pull} pull @param {readonly number[]} home
   * @param {Point} last the place of the pointer in the last frame
   * @param {number} share the factor by which the difference becomes smaller
   * @returns {Placed} */
  back(from, pull, home, last, share) {
    const began = /** @type {NonNullable<typeof this.began>} */ (this.began);
    began.weight ??= this.steady(began.placed, pull, home);
    const near = (/** @type {Point} */ at) => this.solve(home, { ...pull, at }, home, { ...this.limits(this.frameMs), weight: began.weight ?? 0 }).x;
    const x = near(pull.at);
    const shown = (/** @type {readonly number[]} */ rest) => {
      this.rest = rest.map((difference) => share * difference);
      return this.at(x.map((value, k) => value + share * rest[k]));
    };
    if (this.rest !== null) return shown(this.rest);
    const placed = shown(differences(from.x, near(last)));
    return this.leap(from, placed, pull.shape) <= FLIP ? placed : shown(differences(from.x, x));
  }

  /** Chooses the first weight of the relations for solves that start from the layout before the drag. To test the usual first
   * weight, we solve with the pointer at the start of the drag. If this changes the layout, the weight is too small.
   * @private @param {Placed} placed the layout before the drag @param {Pull} pull @param {readonly number[]} home
   * @returns {number} the weight, or 0 for the usual one */
  steady(placed, pull, home) {
    const still = this.solve(home, { ...pull, at: centreOf(placed, pull.grip) }, home, this.limits(this.frameMs / 2));
    const moved = this.artifact.shapes.some((_, k) => between(centreOf(placed, k), centreOf(still, k)) > STILL * Math.min(...this.artifact.size));
    return moved ? Math.max(FIRM, (this.own?.weight ?? 0) / this.stiffness) : 0;
  }

  /** Compares how far shapes move from one layout to another. Returns the longest way of any other shape, divided by the way of
   * the pulled shape. @private @param {Placed} from @param {Placed} to @param {number} pulled
   * @returns {number} */
  leap(from, to, pulled) {
    const way = (/** @type {number} */ shape) => between(centreOf(from, shape), centreOf(to, shape));
    const longest = this.artifact.shapes.reduce((most, { moves }, k) => (moves && k !== pulled ? Math.max(most, way(k)) : most), 0);
    return longest / Math.max(way(pulled), SHORTEST_WAY);
  }

  /** @returns {boolean} whether a solve can go on where the solve before was ended */
  get canGoOn() {
    return "goesOn" in this.kernel;
  }

  /** Solves the stages of the diagram one after the other. Each of them moves only its own unknowns, so it does not change the
   * result of an earlier stage. If the kernel cannot solve a stage alone, solves everything at once. @private
   * @param {readonly number[]} start @param {readonly number[] | null} home as for `solve` @returns {Part[]} */
  solveStages(start, home = null) {
    if (this.stages.length === 0) return [{ start, stage: 0, name: "", placed: this.solve(start, null, home) }];
    /** @type {Part[]} */
    const parts = [];
    this.stages.forEach((name, k) => {
      const from = parts[k - 1]?.placed.x ?? start;
      parts.push({ start: from, stage: k + 1, name, placed: this.solve(from, null, home, { stage: k + 1 }) });
    });
    return parts;
  }

  /** Computes the layout for the artifact's seed. Solves from each of the artifact's starts in turn, until all relations hold
   * in the result. If they never all hold, returns the best of the results. @returns {Placed} */
  first() {
    if (this.own !== null) return this.own;
    const beganMs = performance.now();
    let best = null;
    for (const start of this.artifact.starts) {
      const parts = this.solveStages(start);
      const placed = endOf(parts);
      if (best === null || this.isBetter(placed, best)) [best, this.parts] = [placed, parts];
      if (this.holds(best)) break;
    }
    this.own = /** @type {Placed} */ (best);
    // A relation with the weight w gives way by (the push of the objectives) / 2w.
    const given = this.own.amounts.reduce((most, by, k) => (this.artifact.terms[k].must && by <= VIOLATED ? Math.max(most, by) : most), 0);
    this.stiffness = Math.max((this.own.weight * given) / GIVE / FIRST_WEIGHT, 1);
    this.firstMs = performance.now() - beganMs;
    return this.own;
  }

  /** @returns {readonly Part[]} the solves that gave the layout for the seed */
  beginning() {
    this.first();
    return this.parts;
  }

  /** Computes a layout that is near the layout of an earlier diagram. If an unknown was in the earlier diagram too (with the
   * same name), it starts from its value there.
   * @param {readonly string[]} unknowns the names of the earlier diagram's unknowns
   * @param {readonly number[]} x the values of these unknowns @returns {Placed} */
  after(unknowns, x) {
    const known = new Map(unknowns.map((name, k) => [name, x[k]]));
    const home = this.artifact.unknowns.map((name) => known.get(name) ?? NaN);
    for (const start of this.artifact.starts) {
      const begun = start.map((value, k) => (Number.isNaN(home[k]) ? value : home[k]));
      const placed = endOf(this.solveStages(begun, home));
      if (this.holds(placed)) return placed;
    }
    return this.first();
  }

  /** @param {import("../../model/types.js").Module} module that computes forces */
  takeForces({ wasm, abi }) {
    this.pushing = instantiate(wasm, abi);
  }

  /** Computes the forces of some terms on the shapes. Call this only when the module for forces has arrived.
   * @param {Placed} placed @param {readonly number[]} terms
   * @returns {Float64Array} for each shape, the x and the y of the sum of the terms' forces on it */
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

  /** @param {Placed} placed @returns {number} the largest error of a relation */
  worst({ amounts }) {
    return this.artifact.terms.reduce((most, { must }, k) => (must ? Math.max(most, amounts[k]) : most), 0);
  }

  /** The energy of some terms. @param {Placed} placed @param {ReadonlySet<number>} counted @param {number} weight of those that
   * must hold */
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

/** @param {readonly number[]} one @param {readonly number[]} other @returns {number[]} */
function differences(one, other) {
  return one.map((value, k) => value - other[k]);
}

/** Returns the layout after the last of the solves. It has the iterations of all solves, and their largest weight.
 * @param {readonly Part[]} parts @returns {Placed} */
function endOf(parts) {
  const [{ placed: first }, ...others] = parts;
  return others.reduce((before, { placed }) => {
    const iterations = before.iterations + placed.iterations;
    return { ...placed, iterations, weight: Math.max(before.weight, placed.weight), isOver: before.isOver && placed.isOver };
  }, first);
}

/** Returns the place of a grip. The grip in the middle of a shape has the same number as the shape. @param {Placed} placed
 * @param {number} grip
 * @returns {Point} */
export function centreOf({ centres }, grip) {
  return [centres[2 * grip], centres[2 * grip + 1]];
}

/** @param {Point} one @param {Point} other @returns {number} their distance; NaN if one of them is nowhere */
export function between([x0, y0], [x1, y1]) {
  return Math.hypot(x1 - x0, y1 - y0);
}

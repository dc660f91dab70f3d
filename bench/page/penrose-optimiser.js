// A copy of Penrose's optimiser: an exterior point method that solves each of its problems by L-BFGS. The module
// eglantine.diagrams.exterior uses the same method. The copy makes the same iterations and evaluations as Penrose's
// optimiser in Rose's benchmark. Source: the optimiser of Penrose (MIT).

const FIRST_WEIGHT = 1e3;
const WEIGHT_GROWTH = 10;
const LEAST_SOLVES = 3;
const SETTLED = 1e-3;
const MEMORY = 17;
const REGULARISER = 1e-11;
const LEAST_DESCENT = 1e-2;
const ARMIJO = 1e-3;
const WOLFE = 0.9;
const NARROWEST = 1e-9;
const MOST_HALVINGS = 10;

/** @typedef {(x: number[], weight: number) => {phi: number, gradient: ArrayLike<number>}} Energy */
/** @typedef {{s: number[], y: number[]}} Pair */

/** Minimises the energy of one stage, beginning at `start`. Returns the final point and the number of evaluations.
 * @param {Energy} energy @param {number[]} start */
export function optimised(energy, start) {
  let [x, phi, weight, evaluations] = [start, Infinity, FIRST_WEIGHT, 0];
  for (let solves = 1; ; solves++, weight *= WEIGHT_GROWTH) {
    const end = minimised((at) => energy(at, weight), x);
    evaluations += end.evaluations;
    const still = Math.sqrt(dot(minus(end.x, x), minus(end.x, x))) < SETTLED;
    const settled = still || Math.abs(end.phi - phi) < SETTLED;
    [x, phi] = [end.x, end.phi];
    if (solves >= LEAST_SOLVES && settled) return { x, evaluations };
  }
}

/** Minimises the energy for a fixed weight. Stops when the predicted decrease is small.
 * @param {(x: number[]) => {phi: number, gradient: ArrayLike<number>}} energy @param {number[]} start */
function minimised(energy, start) {
  let evaluations = 0;
  const evaluate = (/** @type {number[]} */ at) => {
    evaluations += 1;
    return energy(at);
  };
  /** @type {Pair[]} newest first */
  const pairs = [];
  let found = evaluate(start);
  let before = { x: start, gradient: Array.from(found.gradient) };
  let x = searched(evaluate, start, found.phi, before.gradient, before.gradient);
  for (;;) {
    found = evaluate(x);
    const gradient = Array.from(found.gradient);
    pairs.unshift({ s: minus(x, before.x), y: minus(gradient, before.gradient) });
    if (pairs.length > MEMORY) pairs.pop();
    const r = direction(pairs, gradient);
    const { phi } = found;
    before = { x, gradient };
    x = searched(evaluate, x, phi, gradient, r);
    if (dot(gradient, r) < LEAST_DESCENT) return { x, phi, evaluations };
  }
}

/** The two-loop recursion. @param {Pair[]} pairs @param {number[]} gradient */
function direction(pairs, gradient) {
  let q = gradient;
  const factors = pairs.map(({ s, y }) => {
    const rho = 1 / (dot(y, s) + REGULARISER);
    const alpha = rho * dot(s, q);
    q = plusScaled(q, -alpha, y);
    return { rho, alpha };
  });
  const [{ s: step, y: change }] = pairs;
  const gamma = dot(step, change) / (dot(change, change) + REGULARISER);
  let r = q.map((value) => gamma * value);
  for (let k = pairs.length - 1; k >= 0; k--) {
    const [{ s, y }, { rho, alpha }] = [pairs[k], factors[k]];
    r = plusScaled(r, alpha - rho * dot(y, r), s);
  }
  return r;
}

/** Searches the line x0 − t·r by bisecting t. Returns a point that satisfies the weak Wolfe conditions.
 * @param {Energy | ((x: number[]) => {phi: number, gradient: ArrayLike<number>})} evaluate @param {number[]} x0
 * @param {number} phi0 @param {number[]} gradient0 @param {number[]} r */
function searched(evaluate, x0, phi0, gradient0, r) {
  let [low, high, t] = [0, Infinity, 1];
  const slope0 = -dot(r, gradient0);
  for (let tried = 0; ; tried++) {
    const x = plusScaled(x0, -t, r);
    if (Math.abs(low - high) < NARROWEST || tried > MOST_HALVINGS) return x;
    const { phi, gradient } = /** @type {any} */ (evaluate)(x);
    if (!(phi <= phi0 + ARMIJO * t * slope0)) high = t;
    else if (!(-dot(r, gradient) >= WOLFE * slope0)) low = t;
    else return x;
    t = high < Infinity ? (low + high) / 2 : 2 * low;
  }
}

/** @param {ArrayLike<number>} x @param {ArrayLike<number>} y */
function dot(x, y) {
  let total = 0;
  for (let k = 0; k < x.length; k++) total += x[k] * y[k];
  return total;
}

/** @param {number[]} x @param {number[]} y */
function minus(x, y) {
  return x.map((value, k) => value - y[k]);
}

/** @param {number[]} x @param {number} factor @param {number[]} y */
function plusScaled(x, factor, y) {
  return x.map((value, k) => value + factor * y[k]);
}

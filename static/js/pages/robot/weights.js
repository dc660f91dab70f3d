// A robot's network as one flat array: W1 by rows, b1, W2 by rows, b2.

/** The sizes of a robot's network: the numbers of hidden units, of input waves, of the robot's masses and of its springs.
 * @typedef {{hidden: number, waves: number, masses: number, springs: number}} Shape */

const GOAL_INPUTS = 2;
const MASS_INPUTS = 4;
const FILE_VERSION = 1;
const LONGEST_FILE = 4_000_000;
const LARGEST_WEIGHT = 1e6;

/** @param {Shape} shape */
function inputsOf({ waves, masses }) {
  return waves + MASS_INPUTS * masses + GOAL_INPUTS;
}

/** @param {Shape} shape @returns {number} the number of weights */
export function countOf(shape) {
  const { hidden, springs } = shape;
  return hidden * (inputsOf(shape) + 1) + springs * (hidden + 1);
}

/** @param {Float64Array} flat @param {Shape} shape
 * @returns {[Float64Array[], Float64Array, Float64Array[], Float64Array]} W1, b1, W2, b2, which are views of `flat` */
export function partsOf(flat, shape) {
  const { hidden, springs } = shape;
  let at = 0;
  const take = (/** @type {number} */ count) => flat.subarray(at, (at += count));
  const rows = (/** @type {number} */ count, /** @type {number} */ width) => Array.from({ length: count }, () => take(width));
  return [rows(hidden, inputsOf(shape)), take(hidden), rows(springs, hidden), take(springs)];
}

/** @param {Float64Array} flat @param {Shape} shape @returns {(number[] | number[][])[]} W1, b1, W2, b2 as lists for JSON */
export function rowsOf(flat, shape) {
  const [w1, b1, w2, b2] = partsOf(flat, shape);
  return [w1.map((row) => [...row]), [...b1], w2.map((row) => [...row]), [...b2]];
}

/** Generates random weights. A seed gives the same weights in every browser.
 * @param {Shape} shape @param {number} seed @returns {Float64Array} */
export function randomWeights(shape, seed) {
  const flat = new Float64Array(countOf(shape));
  const [w1, , w2] = partsOf(flat, shape);
  const draw = normal(seed);
  const first = 2 * Math.sqrt(2 / (shape.hidden + inputsOf(shape)));
  const second = 3 * Math.sqrt(2 / (shape.hidden + shape.springs));
  for (const row of w1) for (let k = 0; k < row.length; k++) row[k] = first * draw();
  for (const row of w2) for (let k = 0; k < row.length; k++) row[k] = second * draw();
  return flat;
}

/** Makes a generator of random numbers with a nearly normal distribution. Each number is the sum of twelve uniform random
 * numbers, minus 6. We use a sum, because a sum is the same in all browsers.
 * @param {number} seed @returns {() => number} */
function normal(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += uniform();
    return sum;
  };
}

/** Copies the weights of a robot for a new robot that has other masses or springs. The weights of a new mass or spring are
 * zero. So the network ignores a new mass, and does not move a new spring.
 * @param {Float64Array} flat @param {Shape} shape @param {readonly (number | null)[]} masses each mass's old
 *   number, or null for a new mass
 * @param {readonly (number | null)[]} springs each spring's old number, or null for a new spring @returns {Float64Array} */
export function carriedOver(flat, shape, masses, springs) {
  const next = { ...shape, masses: masses.length, springs: springs.length };
  const carried = new Float64Array(countOf(next));
  const [w1, b1, w2, b2] = partsOf(flat, shape);
  const [n1, c1, n2, c2] = partsOf(carried, next);
  c1.set(b1);
  n1.forEach((row, k) => {
    row.set(w1[k].subarray(0, shape.waves));
    masses.forEach((was, mass) => {
      if (was === null) return;
      const from = shape.waves + MASS_INPUTS * was;
      row.set(w1[k].subarray(from, from + MASS_INPUTS), shape.waves + MASS_INPUTS * mass);
    });
    row.set(w1[k].subarray(-GOAL_INPUTS), row.length - GOAL_INPUTS);
  });
  springs.forEach((was, spring) => {
    if (was === null) return;
    n2[spring].set(w2[was]);
    c2[spring] = b2[was];
  });
  return carried;
}

/** @param {Float64Array} flat @param {Shape} shape @param {string} name of the robot @returns {string} a file's text */
export function toFile(flat, shape, name) {
  return `${JSON.stringify({ eglantine: "robot weights", version: FILE_VERSION, name, ...shape, weights: [...flat] })}\n`;
}

/** @param {string} text @param {Shape} shape @returns {Float64Array | "broken" | "other"} the weights in a file;
 *   `other` if they belong to another robot */
export function fromFile(text, shape) {
  if (text.length > LONGEST_FILE) return "broken";
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    return "broken";
  }
  if (content?.eglantine !== "robot weights" || content.version !== FILE_VERSION || !Array.isArray(content.weights)) return "broken";
  const keys = /** @type {(keyof Shape)[]} */ (Object.keys(shape));
  if (keys.some((key) => content[key] !== shape[key]) || content.weights.length !== countOf(shape)) return "other";
  const numbers = content.weights.every((/** @type {unknown} */ w) => typeof w === "number" && Math.abs(w) <= LARGEST_WEIGHT);
  return numbers ? Float64Array.from(content.weights) : "broken";
}

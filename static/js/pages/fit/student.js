// Student's t distribution, for the bands of a fit.

const HALVINGS = 54;

/** The quantiles computed so far. A key consists of `outside` and the degrees of freedom. @type {Map<string, number>} */
const known = new Map();

/** Computes a quantile of Student's t distribution: the number t for which P(|T| ≤ t) = 1 − `outside`. `freedom` must be a
 * whole number.
 * @param {number} outside the probability of both tails together @param {number} freedom the degrees of freedom
 * @returns {number} NaN if `freedom` is less than 1 */
export function studentQuantile(outside, freedom) {
  if (!(freedom >= 1)) return NaN;
  const key = `${outside} ${freedom}`;
  const quantile = known.get(key) ?? bisected(outside, freedom);
  known.set(key, quantile);
  return quantile;
}

/** Bisects the angle θ with t = √n·tan θ. @param {number} outside @param {number} freedom @returns {number} */
function bisected(outside, freedom) {
  let [low, high] = [0, Math.PI / 2];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (inside(middle, freedom) < 1 - outside) low = middle;
    else high = middle;
  }
  return Math.sqrt(freedom) * Math.tan((low + high) / 2);
}

/** Computes P(|T| ≤ √n·tan θ) for Student's t distribution. Source: Abramowitz and Stegun, "Handbook of Mathematical
 * Functions", 26.7.3 and 26.7.4.
 * @param {number} angle θ @param {number} n degrees of freedom @returns {number} */
function inside(angle, n) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = n % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = n === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= n - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

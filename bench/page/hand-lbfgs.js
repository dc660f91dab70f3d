// L-BFGS as a person would write it by hand: Nocedal and Wright, algorithms 7.4 and 3.5, on typed arrays that are made once.

const DECREASE = 1e-4;
const CURVATURE = 0.9;
const MOST_TRIALS = 80;

/** @param {Float64Array} x @param {Float64Array} g @returns {number} Rosenbrock's function, and its gradient into `g` */
export function rosenbrock(x, g) {
  let value = 0;
  g.fill(0);
  for (let i = 0; i + 1 < x.length; i++) {
    const a = x[i + 1] - x[i] * x[i];
    const b = 1 - x[i];
    value += 100 * a * a + b * b;
    g[i] -= 400 * a * x[i] + 2 * b;
    g[i + 1] += 200 * a;
  }
  return value;
}

/** @param {Float64Array} u @param {Float64Array} v */
function dot(u, v) {
  let sum = 0;
  for (let i = 0; i < u.length; i++) sum += u[i] * v[i];
  return sum;
}

/** @param {Float64Array} v */
function largest(v) {
  let most = 0;
  for (let i = 0; i < v.length; i++) most = Math.max(most, Math.abs(v[i]));
  return most;
}

/** Makes a function that minimises f, a function of n numbers.
 * @param {(x: Float64Array, g: Float64Array) => number} f returns the value, and puts the gradient into `g`
 * @param {number} n @param {{memory: number, tolerance: number, most: number}} options
 * @returns {(start: Float64Array) => {x: Float64Array, evaluations: number}} */
export function lbfgs(f, n, { memory, tolerance, most }) {
  const array = () => new Float64Array(n);
  let [x, g, at, gradient] = [array(), array(), array(), array()];
  const d = array();
  const steps = Array.from({ length: memory }, array);
  const changes = Array.from({ length: memory }, array);
  const curvatures = new Float64Array(memory);
  const alphas = new Float64Array(memory);

  return (start) => {
    x.set(start);
    let value = f(x, g);
    let evaluations = 1;
    let [count, next, scale] = [0, 0, 1];
    for (let iteration = 0; iteration < most; iteration++) {
      if (largest(g) <= tolerance * Math.max(1, Math.abs(value))) break;
      for (let i = 0; i < n; i++) d[i] = -g[i];
      for (let k = 0; k < count; k++) {
        const j = (next - 1 - k + memory) % memory;
        const alpha = curvatures[j] * dot(steps[j], d);
        alphas[j] = alpha;
        const change = changes[j];
        for (let i = 0; i < n; i++) d[i] -= alpha * change[i];
      }
      for (let i = 0; i < n; i++) d[i] *= scale;
      for (let k = count - 1; k >= 0; k--) {
        const j = (next - 1 - k + memory) % memory;
        const rest = alphas[j] - curvatures[j] * dot(changes[j], d);
        const step = steps[j];
        for (let i = 0; i < n; i++) d[i] += rest * step[i];
      }
      const slope = dot(g, d);
      let t = count === 0 ? Math.min(1, 1 / Math.sqrt(dot(g, g))) : 1;
      let [low, lowValue, lowSlope, high, highValue, highSlope] = [0, value, slope, Infinity, 0, 0];
      let trial = value;
      let found = false;
      for (let trials = 0; trials < MOST_TRIALS && !found; trials++) {
        for (let i = 0; i < n; i++) at[i] = x[i] + t * d[i];
        trial = f(at, gradient);
        evaluations += 1;
        const along = dot(gradient, d);
        const nearly = trial <= value + 1e-12 * Math.abs(value) && along <= (2 * DECREASE - 1) * slope;
        if (!(trial <= value + DECREASE * t * slope || nearly) || (low > 0 && trial >= lowValue && !nearly)) {
          [high, highValue, highSlope] = [t, trial, along];
        } else if (Math.abs(along) <= -CURVATURE * slope) {
          found = true;
        } else {
          if (high === Infinity ? along >= 0 : along * (high - low) > 0) [high, highValue, highSlope] = [low, lowValue, lowSlope];
          [low, lowValue, lowSlope] = [t, trial, along];
        }
        if (found) break;
        t = high === Infinity ? 3 * t : interpolated(low, lowValue, lowSlope, high, highValue, highSlope);
      }
      if (!found) break;
      const [step, change] = [steps[next], changes[next]];
      for (let i = 0; i < n; i++) step[i] = at[i] - x[i];
      for (let i = 0; i < n; i++) change[i] = gradient[i] - g[i];
      const [curvature, square] = [dot(step, change), dot(change, change)];
      if (curvature > 2 ** -52 * square) {
        curvatures[next] = 1 / curvature;
        scale = curvature / square;
        next = (next + 1) % memory;
        count = Math.min(count + 1, memory);
      }
      [x, at] = [at, x];
      [g, gradient] = [gradient, g];
      value = trial;
    }
    return { x, evaluations };
  };
}

/** Finds the minimum point of a cubic between a and b. The cubic has the values fa, fb and the slopes da, db at a and b. If the
 * point is not in the middle 80 % of the interval, returns the middle of a and b.
 * @param {number} a @param {number} fa @param {number} da @param {number} b @param {number} fb @param {number} db */
function interpolated(a, fa, da, b, fb, db) {
  const p = da + db - (3 * (fa - fb)) / (a - b);
  const q = Math.sign(b - a) * Math.sqrt(Math.max(p * p - da * db, 0));
  const part = 1 - (db + q - p) / (db - da + 2 * q);
  return a + (part >= 0.1 && part <= 0.9 ? part : 0.5) * (b - a);
}

// Programs as a person would write them by hand in plain JavaScript.

/** Value, gradient and Hessian of x^y + K. @param {number} x @param {number} y @param {number} K */
export function powerJet(x, y, K) {
  const z = x ** y;
  const log = Math.log(x);
  const slope = y / x;
  const zx = z * slope;
  const cross = z / x + zx * log;
  return { f: z + K, g: [zx, z * log], h: [[(zx * (y - 1)) / x, cross], [cross, z * log * log]] };
}

/** Computes the gradient of a linear regression's mean squared error. `gradient` gets the derivatives by w, then by b.
 * @param {Float64Array} x row by row @param {Float64Array} y @param {Float64Array} w @param {number} b
 * @param {Float64Array} gradient */
export function regressionGradient(x, y, w, b, gradient) {
  const n = y.length;
  const m = w.length;
  gradient.fill(0);
  for (let i = 0; i < n; i++) {
    const row = i * m;
    let residual = b - y[i];
    for (let j = 0; j < m; j++) residual += x[row + j] * w[j];
    const ct = (2 * residual) / n;
    for (let j = 0; j < m; j++) gradient[j] += ct * x[row + j];
    gradient[m] += ct;
  }
}

/** @type {Record<string, [(a: number, b: number) => number, (a: number, b: number) => number, (a: number, b: number) => number]>}
 * Three functions of (a, b) for each kind of instruction in bench/specs.py: the value, and the derivatives by a and by b. */
const OPERATIONS = {
  mean: [(a, b) => (a + b) / 2, () => 0.5, () => 0.5],
  difference: [(a, b) => (a - b) / 2, () => 0.5, () => -0.5],
  product: [(a, b) => a * b, (_, b) => b, (a) => a],
  root: [(a, b) => Math.sqrt(a * a + b * b + 0.5) / 2, (a, b) => a / 2 / Math.sqrt(a * a + b * b + 0.5), (a, b) => b / 2 / Math.sqrt(a * a + b * b + 0.5)],
  ratio: [(a, b) => a / (b * b + 1), (_, b) => 1 / (b * b + 1), (a, b) => (-2 * a * b) / (b * b + 1) ** 2],
};

/** Runs a straight-line program, then goes backwards through its instructions. Returns [value, ...gradient].
 * @param {[string, number, number][]} instructions @param {number[]} inputs @param {number} scale */
export function straightLineTape(instructions, inputs, scale) {
  const n = inputs.length;
  const values = inputs.map((x) => x * scale);
  for (const [kind, a, b] of instructions) values.push(OPERATIONS[kind][0](values[a], values[b]));
  const cts = values.map((_, k) => (k >= values.length - n ? 1 : 0));
  for (let k = instructions.length - 1; k >= 0; k--) {
    const [kind, a, b] = instructions[k];
    const ct = cts[n + k];
    const [x, y] = [values[a], values[b]];
    cts[a] += ct * OPERATIONS[kind][1](x, y);
    cts[b] += ct * OPERATIONS[kind][2](x, y);
  }
  const total = values.slice(-n).reduce((a, b) => a + b);
  return [total, ...cts.slice(0, n).map((ct) => ct * scale)];
}

// The problems of bench/problems.py as a person would write them by hand, derivative included.

/** Σ √distance over all pairs of points. @param {Float64Array} x @param {Float64Array} y @returns {number} */
export function pairsValue(x, y) {
  let total = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = x[i] - x[j];
      const dy = y[i] - y[j];
      total += Math.sqrt(Math.sqrt(dx * dx + dy * dy));
    }
  }
  return total;
}

/** Returns Σ √distance over all pairs of points, and writes its gradient into `gx` and `gy`. For a pair with the difference d
 * and the distance n = |d|, the gradient of √n is d / (2 n √n).
 * @param {Float64Array} x @param {Float64Array} y @param {Float64Array} gx @param {Float64Array} gy @returns {number} */
export function pairsGradient(x, y, gx, gy) {
  const n = x.length;
  let total = 0;
  gx.fill(0);
  gy.fill(0);
  for (let i = 0; i < n; i++) {
    const xi = x[i];
    const yi = y[i];
    let gxi = 0;
    let gyi = 0;
    for (let j = 0; j < i; j++) {
      const dx = xi - x[j];
      const dy = yi - y[j];
      const distance = Math.sqrt(dx * dx + dy * dy);
      const root = Math.sqrt(distance);
      total += root;
      const ct = 0.5 / (distance * root);
      gxi += ct * dx;
      gyi += ct * dy;
      gx[j] -= ct * dx;
      gy[j] -= ct * dy;
    }
    gx[i] += gxi;
    gy[i] += gyi;
  }
  return total;
}

/** x, v ↦ √(v·x + y), again and again. @param {number} x @param {number} y @param {number} links @returns {number} */
export function chainValue(x, y, links) {
  let v = x;
  for (let k = 0; k < links; k++) v = Math.sqrt(v * x + y);
  return v * x;
}

/** Writes the value of the chain (`chainValue`) and its gradient into `out`. `tape` is an array for the chain's values.
 * @param {number} x @param {number} y @param {Float64Array} tape of length links + 1 @param {Float64Array} out */
export function chainGradient(x, y, tape, out) {
  const links = tape.length - 1;
  let v = x;
  tape[0] = v;
  for (let k = 0; k < links; k++) {
    v = Math.sqrt(v * x + y);
    tape[k + 1] = v;
  }
  let ct = x;
  let gx = v;
  let gy = 0;
  for (let k = links; k > 0; k--) {
    const inner = (0.5 * ct) / tape[k];
    gy += inner;
    gx += inner * tape[k - 1];
    ct = inner * x;
  }
  out[0] = v * x;
  out[1] = gx + ct;
  out[2] = gy;
}

/** The mean squared error of a linear regression.
 * @param {Float64Array} x row by row @param {Float64Array} y @param {Float64Array} w @param {number} b @returns {number} */
export function regressionValue(x, y, w, b) {
  const m = w.length;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    let residual = b - y[i];
    for (let j = 0; j < m; j++) residual += x[i * m + j] * w[j];
    total += residual * residual;
  }
  return total / y.length;
}

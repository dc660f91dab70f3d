// The problems of bench/array_problems.py with their derivatives, as a person would write them by hand. A maker takes the
// flat arrays and returns {run, result}. Each call of `run` writes value and gradient into the same array.

const MAPS = 8;
const IMAGE = 28;
const OUT = IMAGE - 2;

/** @type {Record<string, (args: Float64Array[]) => {run: () => Float64Array, result: (found: Float64Array) => number[]}>} */
export const handArrays = {
  matmul16: ([a, b]) => made(16 * 16, (out) => product(a, b, 16, 16, 16, out)),
  matmul64: ([a, b]) => made(64 * 64, (out) => product(a, b, 64, 64, 64, out)),
  matmul256: ([a, b]) => made(256 * 256, (out) => product(a, b, 256, 256, 256, out)),
  mlp: perceptron,
  convolution,
  gp: gaussianProcess,
  logistic,
};

/** @param {number} size @param {(out: Float64Array) => void} compute */
function made(size, compute) {
  const out = new Float64Array(size);
  return {
    run: () => {
      compute(out);
      return out;
    },
    result: (/** @type {Float64Array} */ found) => Array.from(found),
  };
}

/** Writes the matrix product a·b into `out`. The loops read b row by row, which is fast because of the processor's caches.
 * @param {Float64Array} a @param {Float64Array} b @param {number} n @param {number} inner @param {number} m @param {Float64Array} out */
function product(a, b, n, inner, m, out) {
  out.fill(0, 0, n * m);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < inner; k++) {
      const x = a[i * inner + k];
      for (let j = 0; j < m; j++) out[i * m + j] += x * b[k * m + j];
    }
  }
}

/** @param {Float64Array[]} args */
function perceptron([x, scores, w1, b1, w2, b2]) {
  const [batch, inputs, hidden, classes] = [32, 64, 32, 10];
  const h = new Float64Array(batch * hidden);
  const ctH = new Float64Array(hidden);
  const logits = new Float64Array(classes);
  const shares = new Float64Array(classes);
  const at = [1, 1 + inputs * hidden, 1 + inputs * hidden + hidden, 1 + (inputs + 1 + classes) * hidden];
  return made(at[3] + classes, (out) => {
    out.fill(0);
    const [g1, gb1, g2, gb2] = at.map((start, k) => out.subarray(start, at[k + 1] ?? out.length));
    product(x, w1, batch, inputs, hidden, h);
    for (let i = 0; i < batch; i++) {
      for (let j = 0; j < hidden; j++) h[i * hidden + j] = Math.tanh(h[i * hidden + j] + b1[j]);
      let [top, total, sum] = [-Infinity, 0, 0];
      for (let c = 0; c < classes; c++) {
        let z = b2[c];
        for (let j = 0; j < hidden; j++) z += h[i * hidden + j] * w2[j * classes + c];
        logits[c] = z;
        if (z > top) top = z;
        shares[c] = Math.exp(scores[i * classes + c]);
        total += shares[c];
      }
      for (let c = 0; c < classes; c++) sum += Math.exp(logits[c] - top);
      const logSum = Math.log(sum);
      ctH.fill(0);
      for (let c = 0; c < classes; c++) {
        const share = shares[c] / total;
        out[0] -= (share * (logits[c] - top - logSum)) / batch;
        const ct = (Math.exp(logits[c] - top) / sum - share) / batch;
        gb2[c] += ct;
        for (let j = 0; j < hidden; j++) {
          g2[j * classes + c] += ct * h[i * hidden + j];
          ctH[j] += ct * w2[j * classes + c];
        }
      }
      for (let j = 0; j < hidden; j++) {
        const value = h[i * hidden + j];
        ctH[j] *= 1 - value * value;
        gb1[j] += ctH[j];
      }
      for (let k = 0; k < inputs; k++) {
        const input = x[i * inputs + k];
        for (let j = 0; j < hidden; j++) g1[k * hidden + j] += input * ctH[j];
      }
    }
  });
}

/** @param {Float64Array[]} args */
function convolution([image, kernels, bias]) {
  const count = MAPS * OUT * OUT;
  return made(1 + MAPS * 9 + MAPS, (out) => {
    out.fill(0);
    let value = 0;
    for (let k = 0; k < MAPS; k++) {
      for (let i = 0; i < OUT; i++) {
        for (let j = 0; j < OUT; j++) {
          let z = bias[k];
          for (let p = 0; p < 3; p++) {
            for (let q = 0; q < 3; q++) z += kernels[k * 9 + p * 3 + q] * image[(i + p) * IMAGE + j + q];
          }
          if (z <= 0) continue;
          value += z * z;
          const ct = (2 * z) / count;
          out[1 + MAPS * 9 + k] += ct;
          for (let p = 0; p < 3; p++) {
            for (let q = 0; q < 3; q++) out[1 + k * 9 + p * 3 + q] += ct * image[(i + p) * IMAGE + j + q];
          }
        }
      }
    }
    out[0] = value / count;
  });
}

/** The log-likelihood and its gradient. The derivative by log θₖ is ½ Σ (α αᵀ − K⁻¹) ∘ ∂K/∂log θₖ.
 * @param {Float64Array[]} args */
function gaussianProcess([x, y, theta]) {
  const n = x.length;
  const [k, inverse] = [new Float64Array(n * n), new Float64Array(n * n)];
  const alpha = new Float64Array(n);
  return made(4, (out) => {
    const [length, amplitude, noise] = theta.map(Math.exp);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const d = (x[i] - x[j]) / length;
        k[i * n + j] = amplitude * Math.exp(-0.5 * d * d) + (i === j ? noise : 0);
      }
    }
    let logs = 0;
    for (let i = 0; i < n; i++) { // Cholesky's factor replaces the lower triangle
      for (let j = 0; j <= i; j++) {
        let total = k[i * n + j];
        for (let m = 0; m < j; m++) total -= k[i * n + m] * k[j * n + m];
        k[i * n + j] = i === j ? Math.sqrt(total) : total / k[j * n + j];
      }
      logs += Math.log(k[i * n + i]);
    }
    for (let c = 0; c < n; c++) { // the inverse of the factor: its column c is stored in row c
      const column = inverse.subarray(c * n, (c + 1) * n).fill(0);
      for (let i = c; i < n; i++) {
        let total = i === c ? 1 : 0;
        for (let m = c; m < i; m++) total -= k[i * n + m] * column[m];
        column[i] = total / k[i * n + i];
      }
    }
    for (let i = 0; i < n; i++) { // K⁻¹ replaces the upper triangle
      for (let j = i; j < n; j++) {
        let total = 0;
        for (let m = j; m < n; m++) total += inverse[i * n + m] * inverse[j * n + m];
        if (i === j) alpha[i] = total;
        else k[i * n + j] = total;
      }
    }
    const diagonal = Float64Array.from(alpha);
    alpha.fill(0);
    for (let i = 0; i < n; i++) {
      alpha[i] += diagonal[i] * y[i];
      for (let j = i + 1; j < n; j++) {
        alpha[i] += k[i * n + j] * y[j];
        alpha[j] += k[i * n + j] * y[i];
      }
    }
    out.fill(0);
    let fit = 0;
    for (let i = 0; i < n; i++) {
      fit += y[i] * alpha[i];
      const own = 0.5 * (alpha[i] * alpha[i] - diagonal[i]);
      out[2] += own * amplitude;
      out[3] += own * noise;
      for (let j = i + 1; j < n; j++) {
        const d = (x[i] - x[j]) / length;
        const ct = (alpha[i] * alpha[j] - k[i * n + j]) * amplitude * Math.exp(-0.5 * d * d);
        out[1] += ct * d * d;
        out[2] += ct;
      }
    }
    out[0] = -0.5 * fit - logs;
  });
}

/** @param {Float64Array[]} args */
function logistic([x, y, w, b]) {
  const m = w.length;
  const n = y.length;
  return made(m + 2, (out) => {
    out.fill(0);
    for (let i = 0; i < n; i++) {
      let z = 0;
      for (let k = 0; k < m; k++) z += x[i * m + k] * w[k];
      const sign = y[i] > 0 ? 1 : -1;
      const e = Math.exp(-sign * (z + b[0]));
      out[0] += Math.log(1 + e) / n;
      const ct = (-sign * e) / (1 + e) / n;
      for (let k = 0; k < m; k++) out[1 + k] += ct * x[i * m + k];
      out[m + 1] += ct;
    }
  });
}

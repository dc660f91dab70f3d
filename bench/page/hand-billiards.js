// Billiards (app/simulations/billiards.py) and its derivative, written by hand. The program checks each pair of balls once. The
// backward sweep visits only the pairs that collided.

const RADIUS = 0.03;
const REACH = 2 * RADIUS;
const DT = 0.003;
const BOUNCE = -(1 + 0.8) / 2;
const SOFTENING = 1e-6;
const LEAST_APPROACH = 1e-3;
const TARGET = 10;
const GOAL = [0.9, 0.75];
const LAYERS = 4;

/** Makes a simulation with the given number of steps. We allocate its arrays here, and every call uses the same arrays.
 * @param {number} steps */
export function handBilliards(steps) {
  const rack = [0, 0];
  for (let i = 0; i < LAYERS; i++) {
    for (let j = 0; j <= i; j++) rack.push(0.5 + REACH * i, 0.5 + REACH * j - 0.7 * RADIUS * i);
  }
  const n = rack.length >> 1;
  const size = 2 * n;
  const start = Float64Array.from(rack);
  const xs = new Float64Array((steps + 1) * size);
  const vs = new Float64Array((steps + 1) * size);
  const shift = new Float64Array(size);
  const [cx, cv] = [new Float64Array(size), new Float64Array(size)];
  /** The collisions: step, i, j of each. @type {number[]} */
  const hits = [];

  return { value, gradient };

  /** @param {ArrayLike<number>} x the cue ball's @param {ArrayLike<number>} v @returns {number} */
  function value(x, v) {
    forward(x, v);
    const last = steps * size + 2 * TARGET;
    return (xs[last] - GOAL[0]) ** 2 + (xs[last + 1] - GOAL[1]) ** 2;
  }

  /** Returns the value, and writes the gradient with respect to the cue ball's x and v into `out`.
   * @param {ArrayLike<number>} x @param {ArrayLike<number>} v @param {Float64Array} out */
  function gradient(x, v, out) {
    out[0] = value(x, v);
    const last = steps * size + 2 * TARGET;
    cx.fill(0);
    cv.fill(0);
    cx[2 * TARGET] = 2 * (xs[last] - GOAL[0]);
    cx[2 * TARGET + 1] = 2 * (xs[last + 1] - GOAL[1]);
    backward();
    [out[1], out[2], out[3], out[4]] = [cx[0], cx[1], cv[0], cv[1]];
  }

  /** @param {ArrayLike<number>} x @param {ArrayLike<number>} v */
  function forward(x, v) {
    hits.length = 0;
    xs.set(start);
    vs.fill(0, 0, size);
    [xs[0], xs[1], vs[0], vs[1]] = [x[0], x[1], v[0], v[1]];
    for (let step = 0; step < steps; step++) {
      const at = step * size;
      const next = at + size;
      for (let k = 0; k < size; k++) {
        vs[next + k] = vs[at + k];
        shift[k] = 0;
      }
      for (let i = 0; i < n; i++) {
        const a = at + 2 * i;
        const ax = xs[a] + DT * vs[a];
        const ay = xs[a + 1] + DT * vs[a + 1];
        for (let j = 0; j < i; j++) {
          const b = at + 2 * j;
          const dx = ax - (xs[b] + DT * vs[b]);
          const dy = ay - (xs[b + 1] + DT * vs[b + 1]);
          if (dx * dx + dy * dy < REACH * REACH) collide(step, i, j, dx, dy);
        }
      }
      for (let k = 0; k < size; k++) xs[next + k] = xs[at + k] + DT * vs[next + k] + shift[k];
    }
  }

  /** @param {number} step @param {number} i @param {number} j @param {number} dx @param {number} dy */
  function collide(step, i, j, dx, dy) {
    const [a, b, next] = [step * size + 2 * i, step * size + 2 * j, (step + 1) * size];
    const distance = Math.sqrt(dx * dx + dy * dy);
    const ux = dx / (distance + SOFTENING);
    const uy = dy / (distance + SOFTENING);
    const approach = ux * (vs[a] - vs[b]) + uy * (vs[a + 1] - vs[b + 1]);
    if (!(approach < 0)) return;
    hits.push(step, i, j);
    const jx = BOUNCE * approach * ux;
    const jy = BOUNCE * approach * uy;
    const back = Math.min((distance - REACH) / Math.min(-LEAST_APPROACH, approach) - DT, 0);
    vs[next + 2 * i] += jx;
    vs[next + 2 * i + 1] += jy;
    vs[next + 2 * j] -= jx;
    vs[next + 2 * j + 1] -= jy;
    shift[2 * i] += back * jx;
    shift[2 * i + 1] += back * jy;
    shift[2 * j] -= back * jx;
    shift[2 * j + 1] -= back * jy;
  }

  function backward() {
    let hit = hits.length;
    for (let step = steps - 1; step >= 0; step--) {
      for (let k = 0; k < size; k++) cv[k] += DT * cx[k];
      if (hit === 0 || hits[hit - 3] !== step) continue;
      const first = hit;
      while (hit > 0 && hits[hit - 3] === step) hit -= 3;
      const [ctX, ctV] = [cx.slice(), cv.slice()];
      for (let k = hit; k < first; k += 3) collideBackward(step, hits[k + 1], hits[k + 2], ctX, ctV);
    }
  }

  /** @param {number} step @param {number} i @param {number} j @param {Float64Array} ctX of positions after the step
   * @param {Float64Array} ctV of velocities after it */
  function collideBackward(step, i, j, ctX, ctV) {
    const [a, b] = [step * size + 2 * i, step * size + 2 * j];
    const dx = xs[a] + DT * vs[a] - (xs[b] + DT * vs[b]);
    const dy = xs[a + 1] + DT * vs[a + 1] - (xs[b + 1] + DT * vs[b + 1]);
    const distance = Math.sqrt(dx * dx + dy * dy);
    const soft = distance + SOFTENING;
    const [ux, uy] = [dx / soft, dy / soft];
    const [wx, wy] = [vs[a] - vs[b], vs[a + 1] - vs[b + 1]];
    const approach = ux * wx + uy * wy;
    const slowest = Math.min(-LEAST_APPROACH, approach);
    const time = (distance - REACH) / slowest;
    const back = Math.min(time - DT, 0);
    const [jx, jy] = [BOUNCE * approach * ux, BOUNCE * approach * uy];
    const [qx, qy] = [ctX[2 * i] - ctX[2 * j], ctX[2 * i + 1] - ctX[2 * j + 1]];
    const ctJx = ctV[2 * i] - ctV[2 * j] + back * qx;
    const ctJy = ctV[2 * i + 1] - ctV[2 * j + 1] + back * qy;
    const ctTime = time - DT < 0 ? qx * jx + qy * jy : 0;
    let ctDistance = ctTime / slowest;
    let ctApproach = BOUNCE * (ctJx * ux + ctJy * uy);
    if (!(-LEAST_APPROACH < approach)) ctApproach -= (ctTime * time) / slowest;
    const ctUx = BOUNCE * approach * ctJx + ctApproach * wx;
    const ctUy = BOUNCE * approach * ctJy + ctApproach * wy;
    ctDistance -= (ctUx * ux + ctUy * uy) / soft;
    const ctDx = ctUx / soft + (ctDistance * dx) / distance;
    const ctDy = ctUy / soft + (ctDistance * dy) / distance;
    const ctVx = ctApproach * ux + DT * ctDx;
    const ctVy = ctApproach * uy + DT * ctDy;
    cx[2 * i] += ctDx;
    cx[2 * i + 1] += ctDy;
    cv[2 * i] += ctVx;
    cv[2 * i + 1] += ctVy;
    cx[2 * j] -= ctDx;
    cx[2 * j + 1] -= ctDy;
    cv[2 * j] -= ctVx;
    cv[2 * j + 1] -= ctVy;
  }
}

// The mass-spring robot (app/simulations/robot.py) and its derivative, written by hand. The forward pass stores the states, the
// hidden layer and the actuations of every step. The backward pass computes springs and contacts again.

const DT = 0.004;
const GRAVITY = -4.8;
const GROUND = 0.1;
const GOAL = [0.9, 0.2];
const HIDDEN = 32;
const WAVES = 10;
const FREQUENCY = 10;
const SENSITIVITY = 0.05;
const KEPT = Math.exp(-15 * DT);
const SLACK = 1e-4;
const LEAST_FALL = -1e-4;

/** Makes a simulation with the given number of steps. We allocate its arrays here, and every call uses the same arrays.
 * @param {{objects: number[][], springs: any[]}} robot @param {number} steps */
export function handRobot({ objects, springs }, steps) {
  const n = objects.length;
  const m = springs.length;
  const size = 2 * n;
  const inputs = WAVES + 4 * n + 2;
  const start = Float64Array.from(objects.flat());
  const ends = Int32Array.from(springs.flatMap((spring) => [2 * spring.a, 2 * spring.b]));
  const rest = Float64Array.from(springs, (spring) => spring.rest_length);
  const stiffness = Float64Array.from(springs, (spring) => DT * spring.stiffness);
  const actuation = Float64Array.from(springs, (spring) => spring.actuation);
  const waves = new Float64Array(steps * WAVES);
  for (let t = 0; t < steps; t++) {
    for (let j = 0; j < WAVES; j++) waves[t * WAVES + j] = Math.sin(FREQUENCY * t * DT + j * ((2 * Math.PI) / WAVES));
  }
  const xs = new Float64Array((steps + 1) * size);
  const vs = new Float64Array((steps + 1) * size);
  const hidden = new Float64Array(steps * HIDDEN);
  const acts = new Float64Array(steps * m);
  const seen = new Float64Array(inputs);
  const ctSeen = new Float64Array(inputs);
  const ctHidden = new Float64Array(HIDDEN);
  const pulled = new Float64Array(size);
  const [cx, cv, ctPulled] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];

  return { value, gradient };

  /** @param {Float64Array} W1 @param {Float64Array} b1 @param {Float64Array} W2 @param {Float64Array} b2 @returns {number} */
  function value(W1, b1, W2, b2) {
    xs.set(start);
    vs.fill(0, 0, size);
    for (let t = 0; t < steps; t++) {
      look(t);
      think(t, W1, b1, W2, b2);
      pull(t);
      move(t);
    }
    return -xs[steps * size];
  }

  /** Writes the network's inputs at step t into `seen`. @param {number} t */
  function look(t) {
    const at = t * size;
    let [centreX, centreY] = [0, 0];
    for (let j = 0; j < n; j++) {
      centreX += xs[at + 2 * j];
      centreY += xs[at + 2 * j + 1];
    }
    centreX /= n;
    centreY /= n;
    for (let j = 0; j < WAVES; j++) seen[j] = waves[t * WAVES + j];
    for (let j = 0; j < n; j++) {
      const to = WAVES + 4 * j;
      seen[to] = SENSITIVITY * (xs[at + 2 * j] - centreX);
      seen[to + 1] = SENSITIVITY * (xs[at + 2 * j + 1] - centreY);
      seen[to + 2] = SENSITIVITY * vs[at + 2 * j];
      seen[to + 3] = SENSITIVITY * vs[at + 2 * j + 1];
    }
    seen[inputs - 2] = GOAL[0] - centreX;
    seen[inputs - 1] = GOAL[1] - centreY;
  }

  /** @param {number} t @param {Float64Array} W1 @param {Float64Array} b1 @param {Float64Array} W2 @param {Float64Array} b2 */
  function think(t, W1, b1, W2, b2) {
    for (let k = 0; k < HIDDEN; k++) {
      let sum = b1[k];
      for (let j = 0; j < inputs; j++) sum += W1[k * inputs + j] * seen[j];
      hidden[t * HIDDEN + k] = Math.tanh(sum);
    }
    for (let i = 0; i < m; i++) {
      let sum = b2[i];
      for (let k = 0; k < HIDDEN; k++) sum += W2[i * HIDDEN + k] * hidden[t * HIDDEN + k];
      acts[t * m + i] = Math.tanh(sum);
    }
  }

  /** Computes the springs' impulses on the masses in step t, and writes them into `pulled`. @param {number} t */
  function pull(t) {
    const at = t * size;
    pulled.fill(0);
    for (let i = 0; i < m; i++) {
      const [a, b] = [ends[2 * i], ends[2 * i + 1]];
      const dx = xs[at + a] - xs[at + b];
      const dy = xs[at + a + 1] - xs[at + b + 1];
      const length = Math.sqrt(dx * dx + dy * dy) + SLACK;
      const target = rest[i] * (1 + actuation[i] * acts[t * m + i]);
      const force = (stiffness[i] * (length - target)) / length;
      pulled[a] -= force * dx;
      pulled[a + 1] -= force * dy;
      pulled[b] += force * dx;
      pulled[b + 1] += force * dy;
    }
  }

  /** @param {number} t */
  function move(t) {
    const [at, next] = [t * size, (t + 1) * size];
    for (let k = 0; k < size; k += 2) {
      const ox = KEPT * vs[at + k] + pulled[k];
      const oy = KEPT * vs[at + k + 1] + DT * GRAVITY + pulled[k + 1];
      const height = xs[at + k + 1];
      if (height + DT * oy < GROUND && oy < LEAST_FALL) {
        const impact = -(height - GROUND) / oy;
        xs[next + k] = xs[at + k] + impact * ox;
        xs[next + k + 1] = height + impact * oy;
        vs[next + k] = 0;
        vs[next + k + 1] = 0;
      } else {
        xs[next + k] = xs[at + k] + DT * ox;
        xs[next + k + 1] = height + DT * oy;
        vs[next + k] = ox;
        vs[next + k + 1] = oy;
      }
    }
  }

  /** Returns the value, and writes the gradient with respect to the weights into the arrays of `out`.
   * @param {Float64Array} W1 @param {Float64Array} b1 @param {Float64Array} W2 @param {Float64Array} b2
   * @param {Float64Array[]} out @returns {number} */
  function gradient(W1, b1, W2, b2, out) {
    const found = value(W1, b1, W2, b2);
    for (const part of out) part.fill(0);
    cx.fill(0);
    cv.fill(0);
    cx[0] = -1;
    for (let t = steps - 1; t >= 0; t--) {
      moveBackward(t);
      pullBackward(t, W2, out[2], out[3]);
      thinkBackward(t, W1, out[0], out[1]);
      lookBackward();
    }
    return found;
  }

  /** @param {number} t */
  function moveBackward(t) {
    const at = t * size;
    pull(t);
    for (let k = 0; k < size; k += 2) {
      const ox = KEPT * vs[at + k] + pulled[k];
      const oy = KEPT * vs[at + k + 1] + DT * GRAVITY + pulled[k + 1];
      const height = xs[at + k + 1];
      let ctX = cv[k] + DT * cx[k];
      let ctY = cv[k + 1] + DT * cx[k + 1];
      if (height + DT * oy < GROUND && oy < LEAST_FALL) {
        const impact = -(height - GROUND) / oy;
        const ctImpact = cx[k] * ox + cx[k + 1] * oy;
        ctX = impact * cx[k];
        ctY = impact * cx[k + 1] - (ctImpact * impact) / oy;
        cx[k + 1] -= ctImpact / oy;
      }
      ctPulled[k] = ctX;
      ctPulled[k + 1] = ctY;
      cv[k] = KEPT * ctX;
      cv[k + 1] = KEPT * ctY;
    }
  }

  /** @param {number} t @param {Float64Array} W2 @param {Float64Array} ctW2 @param {Float64Array} ctB2 */
  function pullBackward(t, W2, ctW2, ctB2) {
    const at = t * size;
    ctHidden.fill(0);
    for (let i = 0; i < m; i++) {
      const [a, b] = [ends[2 * i], ends[2 * i + 1]];
      const dx = xs[at + a] - xs[at + b];
      const dy = xs[at + a + 1] - xs[at + b + 1];
      const distance = Math.sqrt(dx * dx + dy * dy);
      const length = distance + SLACK;
      const act = acts[t * m + i];
      const target = rest[i] * (1 + actuation[i] * act);
      const force = (stiffness[i] * (length - target)) / length;
      const ctJx = ctPulled[b] - ctPulled[a];
      const ctJy = ctPulled[b + 1] - ctPulled[a + 1];
      const ctForce = ctJx * dx + ctJy * dy;
      const ctLength = (ctForce * (stiffness[i] - force)) / length;
      const ctDx = force * ctJx + (ctLength * dx) / distance;
      const ctDy = force * ctJy + (ctLength * dy) / distance;
      cx[a] += ctDx;
      cx[a + 1] += ctDy;
      cx[b] -= ctDx;
      cx[b + 1] -= ctDy;
      if (actuation[i] === 0) continue;
      const ct = ((-ctForce * stiffness[i]) / length) * rest[i] * actuation[i] * (1 - act * act);
      ctB2[i] += ct;
      for (let k = 0; k < HIDDEN; k++) {
        ctW2[i * HIDDEN + k] += ct * hidden[t * HIDDEN + k];
        ctHidden[k] += ct * W2[i * HIDDEN + k];
      }
    }
  }

  /** @param {number} t @param {Float64Array} W1 @param {Float64Array} ctW1 @param {Float64Array} ctB1 */
  function thinkBackward(t, W1, ctW1, ctB1) {
    look(t);
    ctSeen.fill(0);
    for (let k = 0; k < HIDDEN; k++) {
      const h = hidden[t * HIDDEN + k];
      const ct = ctHidden[k] * (1 - h * h);
      ctB1[k] += ct;
      for (let j = 0; j < inputs; j++) {
        ctW1[k * inputs + j] += ct * seen[j];
        ctSeen[j] += ct * W1[k * inputs + j];
      }
    }
  }

  function lookBackward() {
    let ctCentreX = -ctSeen[inputs - 2];
    let ctCentreY = -ctSeen[inputs - 1];
    for (let j = 0; j < n; j++) {
      const from = WAVES + 4 * j;
      cx[2 * j] += SENSITIVITY * ctSeen[from];
      cx[2 * j + 1] += SENSITIVITY * ctSeen[from + 1];
      cv[2 * j] += SENSITIVITY * ctSeen[from + 2];
      cv[2 * j + 1] += SENSITIVITY * ctSeen[from + 3];
      ctCentreX -= SENSITIVITY * ctSeen[from];
      ctCentreY -= SENSITIVITY * ctSeen[from + 1];
    }
    for (let j = 0; j < n; j++) {
      cx[2 * j] += ctCentreX / n;
      cx[2 * j + 1] += ctCentreY / n;
    }
  }
}

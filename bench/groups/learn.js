// The browser's half of the group `learn`: steps of gradient descent on the same network, weights and points.

import { contest, inMemory, OURS } from "../page/contest.js";
import { HandNetwork, train } from "../page/hand-network.js";
import { perCall } from "../page/timing.js";

const NODES = "JS, an object for each node";
const TENSORFLOW = "TensorFlow.js 4.22, CPU";
/** TensorFlow.js computes with 32 bits. */
const ROUGH = 1e-3;

/** @param {any} lab */
export async function* rows(lab) {
  const { networks, points, ...course } = lab.work;
  const { batch, steps } = course;
  const { meet, missing } = contest(lab);
  for (const { hidden, weights } of networks) {
    const sizes = [2, ...hidden, 2];
    const ours = lab.problems && ourTraining(lab, hidden, weights, points, course);
    const perStep = (/** @type {() => unknown} */ call) => perCall((calls) => {
      for (let k = 0; k < calls; k++) call();
    }, 1e3 / steps);
    const byHand = () => {
      const network = new HandNetwork(sizes, weights);
      train(network, points, course);
      return network.weights;
    };
    /** @type {(() => number[]) | null} */
    let byTensors = null;
    const found = await meet({
      [OURS]: { result: () => ours(), sample: perStep(() => ours()) },
      [NODES]: { result: byHand, sample: perStep(byHand) },
      [TENSORFLOW]: {
        tolerance: ROUGH,
        result: async () => {
          byTensors = tensorTraining(await lab.load("tfjs.js"), sizes, weights, points, course);
          return byTensors();
        },
        sample: perStep(() => byTensors?.()),
      },
    }, { warmUps: 2, rounds: 9 });
    yield {
      title: `a step of ${sizes.join("–")}, ${batch} points`, unit: "µs", ...found,
      missing: { ...missing, ...found.missing },
      note: "Gradient descent on the data set two moons, from the same weights. The weights after 100 steps are equal.",
    };
  }
}

/** @param {any} lab @param {number[]} hidden @param {number[]} weights @param {number[][]} points @param {any} course
 * @returns {() => number[]} a function that trains our network by one call of a kernel and returns the weights */
function ourTraining(lab, hidden, weights, points, { batch, rate, steps }) {
  const [json, wasm] = lab.problems.compile_training(lab.toPy?.(hidden) ?? hidden, batch, rate, steps).toJs();
  const { params: [start, data], results, main } = inMemory({ wasm, abi: JSON.parse(json) });
  data.set(points.flat());
  return () => {
    start.set(weights);
    main();
    return Array.from(results[0]);
  };
}

/** Makes a function that trains the network with TensorFlow.js and returns the weights. Each batch of points is a matrix.
 * @param {any} tf @param {number[]} sizes @param {number[]} weights @param {number[][]} points
 * @param {{batch: number, rate: number, steps: number}} course @returns {() => number[]} */
function tensorTraining(tf, sizes, weights, points, { batch, rate, steps }) {
  const batches = Array.from({ length: points.length / batch }, (_, b) => ({
    x: tf.tensor2d(points.slice(b * batch, (b + 1) * batch)),
    wanted: tf.tensor2d(points.slice(b * batch, (b + 1) * batch).map((_point, i) => ((b * batch + i) % 2 === 0 ? [1, 0] : [0, 1]))),
  }));
  const begin = () => {
    let at = 0;
    return sizes.slice(1).flatMap((size, k) => {
      const matrix = weights.slice(at, at + size * sizes[k]);
      const biases = weights.slice((at += size * sizes[k]), (at += size));
      return [tf.tensor2d(matrix, [size, sizes[k]]), tf.tensor1d(biases)];
    });
  };
  const loss = (/** @type {any} */ x, /** @type {any} */ wanted) => (/** @type {any[]} */ ...parts) => {
    let outputs = x;
    for (let k = 0; k < parts.length; k += 2) {
      const z = tf.add(tf.matMul(outputs, parts[k], false, true), parts[k + 1]);
      outputs = k + 2 < parts.length ? tf.tanh(z) : z;
    }
    return tf.mean(tf.sub(tf.logSumExp(outputs, 1), tf.sum(tf.mul(outputs, wanted), 1)));
  };
  return () => {
    let parts = begin();
    for (let step = 0; step < steps; step++) {
      const { x, wanted } = batches[Math.max(0, step - 1) % batches.length];
      const after = tf.tidy(() => {
        const { grads } = tf.valueAndGrads(loss(x, wanted))(parts);
        return parts.map((/** @type {any} */ part, /** @type {number} */ k) => tf.sub(part, tf.mul(grads[k], rate)));
      });
      tf.dispose(parts);
      parts = after;
    }
    const found = parts.flatMap((/** @type {any} */ part) => Array.from(part.dataSync()));
    tf.dispose(parts);
    return found;
  };
}

// A network as TensorFlow Playground computes it: with an object for each node and each link. A link adds up the derivatives of
// the examples' losses with respect to its weight. Hidden nodes apply tanh. Softmax turns the outputs into probabilities.

/** @typedef {{inputs: Link[], outputs: Link[], bias: number, total: number, output: number, inputSlope: number, outputSlope: number, sum: number}} Node */
/** @typedef {{from: Node, to: Node, weight: number, sum: number}} Link */

export class HandNetwork {
  /** @param {readonly number[]} sizes of all layers @param {ArrayLike<number>} weights for each layer its rows, then its biases */
  constructor(sizes, weights) {
    /** @type {Node[][]} */
    this.layers = sizes.map((size) => Array.from({ length: size }, () => ({
      inputs: [], outputs: [], bias: 0, total: 0, output: 0, inputSlope: 0, outputSlope: 0, sum: 0,
    })));
    let at = 0;
    for (let k = 1; k < sizes.length; k++) {
      for (const to of this.layers[k]) {
        for (const from of this.layers[k - 1]) {
          const link = { from, to, weight: weights[at++], sum: 0 };
          to.inputs.push(link);
          from.outputs.push(link);
        }
      }
      for (const node of this.layers[k]) node.bias = weights[at++];
    }
  }

  /** @param {ArrayLike<number>} x */
  forward(x) {
    const { layers } = this;
    for (let i = 0; i < layers[0].length; i++) layers[0][i].output = x[i];
    for (let k = 1; k < layers.length; k++) {
      for (const node of layers[k]) {
        let total = node.bias;
        for (const link of node.inputs) total += link.weight * link.from.output;
        node.total = total;
        node.output = k === layers.length - 1 ? total : Math.tanh(total);
      }
    }
  }

  /** Adds an example's derivatives to the sums. @param {number} label the right class */
  backward(label) {
    const { layers } = this;
    const last = layers[layers.length - 1];
    let most = -Infinity;
    for (const node of last) most = Math.max(most, node.output);
    let size = 0;
    for (const node of last) size += Math.exp(node.output - most);
    last.forEach((node, k) => {
      node.outputSlope = Math.exp(node.output - most) / size - (k === label ? 1 : 0);
    });
    for (let k = layers.length - 1; k >= 1; k--) {
      for (const node of layers[k]) {
        node.inputSlope = k === layers.length - 1 ? node.outputSlope : node.outputSlope * (1 - node.output * node.output);
        node.sum += node.inputSlope;
        for (const link of node.inputs) link.sum += node.inputSlope * link.from.output;
      }
      if (k === 1) continue;
      for (const node of layers[k - 1]) {
        node.outputSlope = 0;
        for (const link of node.outputs) node.outputSlope += link.weight * link.to.inputSlope;
      }
    }
  }

  /** Subtracts rate · (mean derivative) from each weight. Sets the sums of derivatives to 0.
   * @param {number} rate @param {number} count of examples */
  update(rate, count) {
    for (let k = 1; k < this.layers.length; k++) {
      for (const node of this.layers[k]) {
        node.bias -= (rate / count) * node.sum;
        node.sum = 0;
        for (const link of node.inputs) {
          link.weight -= (rate / count) * link.sum;
          link.sum = 0;
        }
      }
    }
  }

  /** @returns {number[]} all weights, in the order of the constructor */
  get weights() {
    return this.layers.slice(1).flatMap((layer) => [
      ...layer.flatMap((node) => node.inputs.map((link) => link.weight)),
      ...layer.map((node) => node.bias),
    ]);
  }
}

/** Trains by gradient descent on batches of points. As in a training by eg.stepper, the first two steps use the first batch.
 * @param {HandNetwork} network @param {readonly (readonly number[])[]} points the points, whose classes alternate
 * @param {{batch: number, rate: number, steps: number}} course */
export function train(network, points, { batch, rate, steps }) {
  for (let step = 0; step < steps; step++) {
    const first = Math.max(0, step - 1) * batch;
    for (let i = 0; i < batch; i++) {
      const k = (first + i) % points.length;
      network.forward(points[k]);
      network.backward(k % 2);
    }
    network.update(rate, batch);
  }
}

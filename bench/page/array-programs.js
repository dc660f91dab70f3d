// The problems of bench/array_problems.py for libraries of arrays. A maker takes the library and the flat arrays with
// their shapes, and returns {run, result}. `run` computes the numbers. `result` lists these numbers in our order.

/** @typedef {{run: () => any, result: (found: any) => number[]}} Program */
/** @typedef {(library: any, args: Float64Array[], shapes: number[][]) => Program} Maker */

const listed = (/** @type {ArrayLike<number>[]} */ parts) => parts.flatMap((part) => Array.from(part));

/** The programs for TensorFlow.js (npm @tensorflow/tfjs-core). We use its CPU backend, which computes with 32-bit floats.
 * @type {Record<string, Maker>} */
export const tensorflowArrays = {
  matmul16: tensorflowProduct,
  matmul64: tensorflowProduct,
  matmul256: tensorflowProduct,
  mlp: (tf, args, shapes) => {
    const [x, scores, ...unknowns] = tensors(tf, args, shapes);
    const shares = tf.softmax(scores);
    const loss = (/** @type {any[]} */ ...[w1, b1, w2, b2]) => {
      const logits = tf.add(tf.matMul(tf.tanh(tf.add(tf.matMul(x, w1), b1)), w2), b2);
      return tf.div(tf.neg(tf.sum(tf.mul(shares, tf.logSoftmax(logits)))), x.shape[0]);
    };
    return derived(tf, loss, unknowns);
  },
  logistic: (tf, args, shapes) => {
    const [x, y, w, b] = tensors(tf, args, shapes);
    const signs = tf.sub(tf.mul(tf.cast(tf.greater(y, 0), "float32"), 2), 1);
    const loss = (/** @type {any[]} */ ...[weights, offset]) => {
      const margins = tf.mul(signs, tf.add(tf.matMul(x, weights.expandDims(1)).reshape([y.size]), offset));
      return tf.mean(tf.log(tf.add(tf.exp(tf.neg(margins)), 1)));
    };
    return derived(tf, loss, [w, b]);
  },
};

/** @param {any} tf @param {Float64Array[]} args @param {number[][]} shapes @returns {Program} */
function tensorflowProduct(tf, args, shapes) {
  const [a, b] = tensors(tf, args, shapes);
  return { run: () => tf.tidy(() => tf.matMul(a, b).dataSync()), result: (found) => listed([found]) };
}

/** @param {any} tf @param {Float64Array[]} args @param {number[][]} shapes @returns {any[]} */
function tensors(tf, args, shapes) {
  return args.map((arg, k) => tf.tensor(Float32Array.from(arg), shapes[k]));
}

/** Value and gradient. @param {any} tf @param {any} loss @param {any[]} unknowns @returns {Program} */
function derived(tf, loss, unknowns) {
  const both = tf.valueAndGrads(loss);
  return {
    run: () => tf.tidy(() => {
      const { value, grads } = both(unknowns);
      return [value, ...grads].map((tensor) => tensor.dataSync());
    }),
    result: listed,
  };
}

/** The programs for jax-js (npm @jax-js/jax). We use its Wasm backend, which computes with 64-bit floats. Programs for jax-js
 * must count the references to arrays. @type {Record<string, Maker>} */
export const jaxJsArrays = {
  matmul16: jaxJsProduct,
  matmul64: jaxJsProduct,
  matmul256: jaxJsProduct,
  mlp: (jax, args, shapes) => {
    const { numpy: np } = jax;
    const count = np.array([shapes[0][0]], { dtype: np.float64 });
    const loss = (/** @type {any[]} */ ...[x, scores, w1, b1, w2, b2]) => {
      const shares = jax.nn.softmax(scores);
      const logits = np.matmul(np.tanh(np.matmul(x, w1).add(b1)), w2).add(b2);
      return shares.mul(jax.nn.logSoftmax(logits)).sum().mul(-1).div(count.ref).sum();
    };
    return jaxJsDerived(jax, loss, arrays(jax, args, shapes), [2, 3, 4, 5]);
  },
};

/** @param {any} jax @param {Float64Array[]} args @param {number[][]} shapes @returns {Program} */
function jaxJsProduct(jax, args, shapes) {
  const [a, b] = arrays(jax, args, shapes);
  const product = jax.jit((/** @type {any} */ left, /** @type {any} */ right) => jax.numpy.matmul(left, right));
  return { run: () => product(a.ref, b.ref).dataSync(), result: (found) => listed([found]) };
}

/** @param {any} jax @param {Float64Array[]} args @param {number[][]} shapes @returns {any[]} */
function arrays(jax, args, shapes) {
  return args.map((arg, k) => jax.numpy.array(arg.slice(), { dtype: jax.numpy.float64 }).reshape(shapes[k]));
}

/** @param {any} jax @param {any} loss @param {any[]} all @param {number[]} argnums @returns {Program} */
function jaxJsDerived(jax, loss, all, argnums) {
  const both = jax.jit(jax.valueAndGrad(loss, { argnums }));
  return {
    run: () => {
      const [value, grads] = both(...all.map((array) => array.ref));
      return [value, ...grads].map((array) => array.dataSync());
    },
    result: listed,
  };
}

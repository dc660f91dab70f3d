// TensorFlow.js and jax-js compute with whole arrays, so each problem is written without loops. Each maker returns
// {gradient, value}: functions that take the problem's arguments as typed arrays and return plain numbers.

/** A problem's functions, written for one library. Each library needs its own version: the libraries have different names
 * for functions, and a program for jax-js must count references to arrays.
 * @typedef {Record<string, (...args: Float64Array[]) => number[]>} Peer */

/** The problems for TensorFlow.js (npm @tensorflow/tfjs-core). We use its CPU backend, which computes with 32-bit floats.
 * @param {any} tf @returns {Record<string, (...sizes: number[]) => Peer>} */
export function tensorflowProblems(tf) {
  const flat = (/** @type {any[]} */ ...tensors) => tensors.flatMap((tensor) => Array.from(tensor.dataSync()));
  /** @param {any} loss @param {(args: Float64Array[]) => any[]} place @param {number} data how many arguments are data */
  const derived = (loss, place, data = 0) => {
    /** @type {any[]} */
    const kept = [];
    const arranged = (/** @type {Float64Array[]} */ args) => {
      if (kept.length < data) kept.push(...place(args).slice(0, data));
      return [...kept, ...place(args).slice(data)];
    };
    return {
      gradient: (/** @type {Float64Array[]} */ ...args) => tf.tidy(() => {
        const all = arranged(args);
        for (const tensor of kept) tf.keep(tensor);
        const unknowns = (/** @type {any[]} */ ...rest) => loss(...all.slice(0, data), ...rest);
        const { value, grads } = tf.valueAndGrads(unknowns)(all.slice(data));
        return flat(value, ...grads);
      }),
      value: (/** @type {Float64Array[]} */ ...args) => tf.tidy(() => {
        const all = arranged(args);
        for (const tensor of kept) tf.keep(tensor);
        return flat(loss(...all));
      }),
    };
  };
  return {
    pairs(n) {
      const diagonal = tf.eye(n);
      const gaps = (/** @type {any} */ a) => tf.sub(a.expandDims(1), a.expandDims(0));
      const loss = (/** @type {any} */ x, /** @type {any} */ y) => {
        const roots = tf.sqrt(tf.sqrt(tf.addN([tf.square(gaps(x)), tf.square(gaps(y)), diagonal])));
        return tf.div(tf.sub(tf.sum(roots), n), 2);
      };
      return derived(loss, (args) => args.map((a) => tf.tensor1d(Float32Array.from(a))));
    },
    regression(n, m) {
      const loss = (/** @type {any} */ x, /** @type {any} */ y, /** @type {any} */ w, /** @type {any} */ b) =>
        tf.mean(tf.square(tf.sub(tf.add(tf.matMul(x, w.expandDims(1)).reshape([n]), b), y)));
      const place = (/** @type {Float64Array[]} */ args) => {
        const [x, y, w, b] = args.map((a) => tf.tensor1d(Float32Array.from(a)));
        return [x.reshape([n, m]), y, w, b];
      };
      return derived(loss, place, 2);
    },
  };
}

/** npm @jax-js/jax on its Wasm backend, with 64 bits.
 * @param {any} jax @returns {Record<string, (...sizes: number[]) => Peer>} */
export function jaxJsProblems(jax) {
  const { numpy: np } = jax;
  const placed = (/** @type {Float64Array} */ a, shape = [a.length]) => np.array(a.slice(), { dtype: np.float64 }).reshape(shape);
  const flat = (/** @type {any[]} */ arrays) => arrays.flatMap((a) => Array.from(a.dataSync()));
  /** @param {any} loss @param {number} count of arguments @param {number} data how many of them are data @param {any} shapes */
  const derived = (loss, count, data = 0, shapes = []) => {
    const argnums = Array.from({ length: count - data }, (_, k) => data + k);
    const both = jax.jit(jax.valueAndGrad(loss, { argnums }));
    const alone = jax.jit(loss);
    /** @type {any[]} */
    const kept = [];
    const arranged = (/** @type {Float64Array[]} */ args) => {
      if (kept.length < data) kept.push(...args.slice(0, data).map((a, k) => placed(a, shapes[k])));
      return [...kept.map((a) => a.ref), ...args.slice(data).map((a) => placed(a))];
    };
    return {
      gradient(/** @type {Float64Array[]} */ ...args) {
        const [value, grads] = both(...arranged(args));
        return flat([value, ...grads]);
      },
      value: (/** @type {Float64Array[]} */ ...args) => flat([alone(...arranged(args))]),
    };
  };
  return {
    pairs(n) {
      const gaps = (/** @type {any} */ a) => a.ref.reshape([n, 1]).sub(a.reshape([1, n]));
      const loss = (/** @type {any} */ x, /** @type {any} */ y) => {
        const squared = np.square(gaps(x)).add(np.square(gaps(y))).add(np.eye(n, n, { dtype: np.float64 }));
        return np.sqrt(np.sqrt(squared)).sum().sub(n).div(2);
      };
      return derived(loss, 2);
    },
    regression(n, m) {
      const count = np.array([n], { dtype: np.float64 }); // a plain number would be rounded to 32 bits
      const loss = (/** @type {any} */ x, /** @type {any} */ y, /** @type {any} */ w, /** @type {any} */ b) =>
        np.square(np.dot(x, w).add(b).sub(y)).sum().div(count.ref).sum();
      return derived(loss, 4, 2, [[n, m], [n]]);
    },
  };
}

// Makes a function from a module's bytes and its ABI. JavaScript calls the function with numbers, arrays and plain objects. A
// call needs no Python, and copies nothing but the arguments and results.

/** @typedef {import("../model/types.js").Abi} Abi */
/** @typedef {import("../model/types.js").AbiType} AbiType */
/** @typedef {import("../model/types.js").AbiValue} AbiValue */
/** @typedef {import("../model/types.js").Leaf} Leaf */
/** @typedef {import("./instance.js").Evaluate} Evaluate */
/** @typedef {(value: any, index: number) => void} Write */
/** @typedef {(index: number) => any} Read */

import { instanceOf, realsOf } from "./instance.js";

/** If an array has at least this many elements, copying it in one call is faster than a loop. */
const MANY = 64;

/**
 * A compiled function that can be called.
 * @typedef {object} Kernel
 * @property {(...args: any[]) => any} call - takes values and returns a value. The ABI says which types they have
 * @property {Evaluate | null} evaluate - a fast way to call the function, or null (see `Instance` in instance.js)
 * @property {(...args: any[]) => (Float64Array | Int32Array)[]} run - takes values. Returns views of the result's leaves. The
 *   views are valid until the next call. If you leave out the last arguments, they keep their values from the previous call
 * @property {(k: number, value: any) => void} place - writes the value into the memory as argument k
 * @property {(rounds: number) => void} refuel - limits the work of all later calls together, mainly the number of loop rounds.
 *   A call throws when the limit is reached. If a module counts its work, use `refuel` before the first call
 * @property {number} bytes - the size of the module in bytes
 * @property {() => void} destroy - releases the memory. After this, each call throws
 */

/** @param {Uint8Array<ArrayBuffer>} bytes @param {Abi} abi
 * @param {(memory: () => Float64Array) => Record<string, Function>} hosts makes the imported functions, by their labels
 * @returns {Kernel} @throws {Error} if the module does not fit its ABI */
export function instantiate(bytes, abi, hosts = () => ({})) {
  const { run, refuel, grows, bufferNow, evaluate } = instanceOf(bytes, abi, hosts);
  const take = () => {
    const buffer = bufferNow();
    const views = { f64: realsOf(buffer), i32: new Int32Array(buffer) };
    const writers = abi.params.map((param) => writerOf(param, views));
    const leaves = abi.result.leaves.map((leaf) => viewOf(leaf, views));
    return { buffer, writers, read: readerOf(abi.result, views), leaves };
  };

  /** Views of the memory: typed arrays for reading and writing it. `evaluate` does not need them, so we make them at the first
   * call of another function. Without them, instantiating a module takes 180 µs instead of 200 µs. */
  let taken = evaluate ? null : take();
  /** Runs the module. If the memory has grown, makes new views, because the old views are empty now. */
  const runAndLook = () => {
    try {
      run();
    } finally {
      if (grows && taken?.buffer.byteLength === 0) taken = take();
    }
  };
  const kernel = {
    /** @param {any[]} args */
    call(...args) {
      kernel.run(...args);
      return taken?.read(0);
    },
    /** @param {any[]} args */
    run(...args) {
      const { writers } = (taken ??= take());
      for (let k = 0; k < args.length; k++) writers[k](args[k], 0);
      runAndLook();
      return taken.leaves;
    },
    /** @param {number} k @param {any} value */
    place(k, value) {
      (taken ??= take()).writers[k](value, 0);
    },
    evaluate,
    refuel,
    bytes: bytes.length,
    destroy() {
      kernel.call = kernel.run = kernel.place = kernel.evaluate = gone;
    },
  };
  return kernel;
}

/** @returns {never} */
function gone() {
  throw new Error("This kernel was destroyed.");
}

/** @typedef {{f64: Float64Array, i32: Int32Array}} Views */

/** @param {Leaf} leaf @param {Views} views @returns {Float64Array | Int32Array} all elements of the leaf */
function viewOf({ dtype, dims, at }, views) {
  const first = at / views[dtype].BYTES_PER_ELEMENT;
  return views[dtype].subarray(first, first + dims.reduce((product, dim) => product * dim, 1));
}

/** @param {AbiValue} value @param {Views} views @returns {Write} */
function writerOf({ type, leaves }, views) {
  const rest = [...leaves];
  return writer(type, () => next(rest), views, 0);
}

/** @param {AbiValue} value @param {Views} views @returns {Read} */
function readerOf({ type, leaves }, views) {
  const rest = [...leaves];
  return reader(type, () => next(rest), views, 0);
}

/** @param {Leaf[]} rest @returns {Leaf} */
function next(rest) {
  const leaf = rest.shift();
  if (leaf === undefined) throw new Error("The ABI lists fewer leaves than its types have.");
  return leaf;
}

// A vec adds a leading dimension to each leaf of its elements (struct of arrays). So one row-major index locates an element in
// all leaves. We compute it from the outer vecs to the inner ones: if a vec of length n has the index i, its element k has the
// index i · n + k.

/** @param {AbiType} type @param {() => Leaf} take @param {Views} views @param {number} depth the number of vecs that
 * contain this value @returns {Write} */
function writer(type, take, views, depth) {
  if (type === "unit") return () => {};
  if (isScalar(type)) {
    const leaf = checked(take(), depth);
    const view = views[leaf.dtype];
    const start = leaf.at / view.BYTES_PER_ELEMENT;
    return (value, index) => {
      view[start + index] = value;
    };
  }
  if (type.vec !== undefined && isScalar(type.of)) return scalarsWriter(type.vec, checked(take(), depth + 1), views);
  if (type.vec !== undefined) {
    const n = type.vec;
    const element = writer(type.of, take, views, depth + 1);
    return (value, index) => {
      checkLength(value, n);
      for (let k = 0; k < n; k++) element(value[k], index * n + k);
    };
  }
  const keys = type.tuple !== undefined ? type.tuple.map((/** @type {any} */ _, /** @type {number} */ k) => k) : Object.keys(type.struct);
  const members = type.tuple ?? type.struct;
  const writers = keys.map((/** @type {any} */ key) => writer(members[key], take, views, depth));
  return (value, index) => {
    for (let k = 0; k < keys.length; k++) writers[k](value[keys[k]], index);
  };
}

/** Makes a function that writes a Vec of scalars. Such Vecs are frequent, so we avoid a function call for each element.
 * @param {number} n @param {Leaf} leaf @param {Views} views @returns {Write} */
function scalarsWriter(n, leaf, views) {
  const view = views[leaf.dtype];
  const start = leaf.at / view.BYTES_PER_ELEMENT;
  return (value, index) => {
    checkLength(value, n);
    const first = start + index * n;
    if (n >= MANY && ArrayBuffer.isView(value)) view.set(/** @type {any} */ (value), first);
    else for (let k = 0; k < n; k++) view[first + k] = value[k];
  };
}

/** @param {AbiType} type */
function isScalar(type) {
  return type === "real" || type === "bool" || type.fin !== undefined;
}

/** @param {ArrayLike<unknown>} value @param {number} n */
function checkLength(value, n) {
  if (value.length !== n) throw new RangeError(`Expected ${n} elements, found ${value.length}.`);
}

/** @param {AbiType} type @param {() => Leaf} take @param {Views} views @param {number} depth vecs around @returns {Read} */
function reader(type, take, views, depth) {
  if (type === "unit") return () => undefined;
  if (isScalar(type)) {
    const leaf = checked(take(), depth);
    const view = views[leaf.dtype];
    const start = leaf.at / view.BYTES_PER_ELEMENT;
    return type === "bool" ? (index) => view[start + index] !== 0 : (index) => view[start + index];
  }
  if (type.vec !== undefined) {
    const n = type.vec;
    const element = reader(type.of, take, views, depth + 1);
    return (index) => {
      const elements = new Array(n);
      for (let k = 0; k < n; k++) elements[k] = element(index * n + k);
      return elements;
    };
  }
  if (type.tuple !== undefined) {
    const readers = type.tuple.map((/** @type {AbiType} */ member) => reader(member, take, views, depth));
    return (index) => readers.map((/** @type {Read} */ read) => read(index));
  }
  const names = Object.keys(type.struct);
  const readers = names.map((name) => reader(type.struct[name], take, views, depth));
  return (index) => {
    /** @type {Record<string, any>} */
    const struct = {};
    for (let k = 0; k < names.length; k++) struct[names[k]] = readers[k](index);
    return struct;
  };
}

/** @param {Leaf} leaf @param {number} depth @returns {Leaf} */
function checked(leaf, depth) {
  if (leaf.dims.length !== depth) throw new Error("A leaf of the ABI has other dimensions than its type.");
  return leaf;
}

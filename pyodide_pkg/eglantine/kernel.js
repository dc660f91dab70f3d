// A kernel as JavaScript calls it: numbers, arrays and plain objects in, the same out, with no Python in between.
// This script's value is a function: (exports of the instance, ABI) → kernel.

(exports, abi) => {
  "use strict";
  const MANY = 64; // from so many elements on, copying at once is faster than a loop
  const main = exports[abi.export];
  const memory = exports[abi.memory.export];
  const buffer = memory === undefined ? new ArrayBuffer(0) : memory.buffer;
  const views = { f64: new Float64Array(buffer), i32: new Int32Array(buffer) };

  function run() {
    try {
      main();
    } catch (error) {
      const number = exports.trap?.value;
      if (!number) throw error;
      exports.trap.value = 0;
      throw new RangeError(abi.traps[number - 1].message, { cause: error });
    }
  }

  const isScalar = (type) => type === "real" || type === "bool" || type.fin !== undefined;
  const members = (type) => Object.entries(type.tuple ?? type.struct);

  // Leaves in flattening order. A vec adds a leading dimension to each leaf of its elements, so that one row-major
  // index says which element of all those leaves is meant: index * n + k at each vec on the way down.
  const cursor = (value) => {
    let next = 0;
    return () => value.leaves[next++];
  };

  function writer(type, take) {
    if (type === "unit") return () => {};
    if (isScalar(type)) {
      const { dtype, at } = take();
      const view = views[dtype];
      const start = at / view.BYTES_PER_ELEMENT;
      return (value, index) => { view[start + index] = value; };
    }
    if (type.vec !== undefined) return vecWriter(type.vec, type.of, take);
    const writers = members(type).map(([name, of]) => [name, writer(of, take)]);
    return (value, index) => {
      for (const [name, write] of writers) {
        if (value[name] === undefined && write.length) throw new TypeError(`Expected a field ${name}; it is missing.`);
        write(value[name], index);
      }
    };
  }

  function vecWriter(n, of, take) {
    const check = (value) => {
      if (value?.length !== n) throw new RangeError(`Expected ${n} elements, found ${value?.length ?? typeof value}.`);
    };
    if (isScalar(of)) {
      const { dtype, at } = take();
      const view = views[dtype];
      const start = at / view.BYTES_PER_ELEMENT;
      return (value, index) => {
        check(value);
        const first = start + index * n;
        const there = value.buffer === buffer && value.byteOffset === first * view.BYTES_PER_ELEMENT;
        if (there && value.BYTES_PER_ELEMENT === view.BYTES_PER_ELEMENT) return;
        if (n >= MANY) view.set(value, first);
        else for (let k = 0; k < n; k++) view[first + k] = value[k];
      };
    }
    const write = writer(of, take);
    return (value, index) => {
      check(value);
      for (let k = 0; k < n; k++) write(value[k], index * n + k);
    };
  }

  function reader(type, take) {
    if (type === "unit") return () => undefined;
    if (isScalar(type)) {
      const { dtype, at } = take();
      const view = views[dtype];
      const start = at / view.BYTES_PER_ELEMENT;
      return type === "bool" ? (index) => view[start + index] !== 0 : (index) => view[start + index];
    }
    if (type.vec !== undefined) {
      const n = type.vec;
      const read = reader(type.of, take);
      return (index) => {
        const elements = new Array(n);
        for (let k = 0; k < n; k++) elements[k] = read(index * n + k);
        return elements;
      };
    }
    const readers = members(type).map(([name, of]) => [name, reader(of, take)]);
    if (type.tuple !== undefined) return (index) => readers.map(([, read]) => read(index));
    return (index) => {
      const struct = {};
      for (const [name, read] of readers) struct[name] = read(index);
      return struct;
    };
  }

  const read = reader(abi.result.type, cursor(abi.result));
  if (abi.params.every((param) => param.type === "real")) return ofReals();
  const writers = abi.params.map((param) => writer(param.type, cursor(param)));
  return (...values) => {
    writers.forEach((write, k) => write(values[k], 0));
    run();
    return read(0);
  };

  /** The kernel of a function of Reals alone, the frequent case: no loop, no closure for each argument. */
  function ofReals() {
    const { f64 } = views;
    const places = abi.params.map((param) => param.leaves[0].at >> 3);
    const [a, b, c] = places;
    switch (places.length) {
      case 0: return () => (run(), read(0));
      case 1: return (x) => ((f64[a] = x), run(), read(0));
      case 2: return (x, y) => ((f64[a] = x), (f64[b] = y), run(), read(0));
      case 3: return (x, y, z) => ((f64[a] = x), (f64[b] = y), (f64[c] = z), run(), read(0));
    }
    return (...values) => {
      for (let k = 0; k < places.length; k++) f64[places[k]] = values[k];
      run();
      return read(0);
    };
  }
};

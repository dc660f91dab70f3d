// Makes a kernel that JavaScript can call. The kernel takes and returns numbers, arrays and plain objects, and it does
// not use Python.
//
// The value of this script is a function that returns a kernel. The parameters of this function are:
// exports: the exports of the kernel's instance.
// abi: the ABI of the kernel.
// loopBytes, loopAbi: the bytes and the ABI of a second module, which loops over many points.
// gate: an object. `gate.running` is true while a call uses the memory.

(exports, abi, loopBytes, loopAbi, gate) => {
  "use strict";
  const MANY = 64; // from so many elements on, copying at once is faster than a loop
  const main = exports[abi.export];
  const memory = exports[abi.memory.export];
  let buffer, views, f64, put, get, putPoint, getPoint, runLoop;

  /** Memory that has grown leaves its old buffer empty: then look at it anew. */
  const refresh = () => { if (buffer.byteLength === 0 && memory !== undefined) look(); };

  /** Throws an error if another call uses the memory. A call runs this before it writes anything to the memory. */
  function begin() {
    if (gate.running) throw new Error(`${abi.name} was called within a call of it, or of a kernel that shares its memory. Both calls use the same memory, so one must end before the other begins. Compile another kernel for the inner call.`);
    refresh();
  }

  function run(enter) {
    // eslint-disable-next-line no-use-before-define -- nothing runs before there is a kernel
    if (abi.fuel !== undefined) exports.fuel.value = BigInt(kernel.fuel);
    gate.running = true;
    try {
      enter();
    } catch (error) {
      const number = exports.trap?.value;
      if (!number) throw error;
      exports.trap.value = 0;
      throw new RangeError(abi.traps[number - 1].message, { cause: error });
    } finally {
      gate.running = false;
      refresh();
    }
  }

  /** An index below n: the module's reads rely on it. */
  function checked(value, n) {
    const k = Number(value);
    if (!(k >= 0 && k < n && Number.isInteger(k))) throw new RangeError(`An index must be a whole number below ${n}, but this one is ${value}.`);
    return k;
  }

  const isScalar = (type) => type === "real" || type === "bool" || type.fin !== undefined;
  const members = (type) => Object.entries(type.tuple ?? type.struct);

  // Returns a function that gives the leaves of a parameter or result one after the other.
  //
  // A vec adds a leading dimension to each leaf of its elements. So one row-major index finds an element in all of
  // these leaves. For element k of a vec of n elements, `index` becomes index * n + k.
  const cursor = (value) => {
    let next = 0;
    return () => value.leaves[next++];
  };

  function writer(type, take) {
    if (type === "unit") return () => {};
    if (isScalar(type)) {
      const { dtype, at } = take();
      const cells = views[dtype];
      const start = at / cells.BYTES_PER_ELEMENT;
      if (type.fin === undefined) return (value, index) => { cells[start + index] = value; };
      return (value, index) => { cells[start + index] = checked(value, type.fin); };
    }
    if (type.vec !== undefined) return vecWriter(type.vec, type.of, take);
    const writers = members(type).map(([name, of]) => [name, writer(of, take)]);
    return (value, index) => {
      for (const [name, write] of writers) {
        if (value[name] === undefined && write.length) throw new TypeError(`The field ${name} is missing. Add it.`);
        write(value[name], index);
      }
    };
  }

  function vecWriter(n, of, take) {
    const check = (value) => {
      if (value?.length !== n) throw new RangeError(`A list here must have ${n} elements, but it has ${value?.length ?? "none"}.`);
    };
    if (isScalar(of)) {
      const { dtype, at } = take();
      const cells = views[dtype];
      const start = at / cells.BYTES_PER_ELEMENT;
      return (value, index) => {
        check(value);
        if (of.fin !== undefined) for (let k = 0; k < n; k++) checked(value[k], of.fin);
        const first = start + index * n;
        const there = value.buffer === buffer && value.byteOffset === first * cells.BYTES_PER_ELEMENT;
        if (there && value.BYTES_PER_ELEMENT === cells.BYTES_PER_ELEMENT) return;
        if (n >= MANY) cells.set(value, first);
        else for (let k = 0; k < n; k++) cells[first + k] = value[k];
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
      const cells = views[dtype];
      const start = at / cells.BYTES_PER_ELEMENT;
      return type === "bool" ? (index) => cells[start + index] !== 0 : (index) => cells[start + index];
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

  function look() {
    buffer = memory === undefined ? new ArrayBuffer(0) : memory.buffer;
    views = { f64: new Float64Array(buffer), i32: new Int32Array(buffer) };
    f64 = views.f64;
    put = abi.params.map((param) => writer(param.type, cursor(param)));
    get = reader(abi.result.type, cursor(abi.result));
    if (runLoop === undefined) return;
    putPoint = loopAbi.params.map((param) => writer(param.type.of, cursor(param)));
    getPoint = reader(loopAbi.result.type.of, cursor(loopAbi.result));
  }

  look();
  const kernel = abi.params.every((param) => param.type === "real") ? ofReals() : (...values) => {
    begin();
    put.forEach((write, k) => write(values[k], 0));
    run(main);
    return get(0);
  };
  return Object.assign(kernel, { batch, view });

  /** The kernel of a function of Reals alone, the frequent case: no loop, no closure for each argument. */
  function ofReals() {
    const places = abi.params.map((param) => param.leaves[0].at >> 3);
    const [a, b, c] = places;
    switch (places.length) {
      case 0: return () => (begin(), run(main), get(0));
      case 1: return (x) => (begin(), (f64[a] = x), run(main), get(0));
      case 2: return (x, y) => (begin(), (f64[a] = x), (f64[b] = y), run(main), get(0));
      case 3: return (x, y, z) => (begin(), (f64[a] = x), (f64[b] = y), (f64[c] = z), run(main), get(0));
    }
    return (...values) => {
      begin();
      for (let k = 0; k < places.length; k++) f64[places[k]] = values[k];
      run(main);
      return get(0);
    };
  }

  /** The values at the points whose arguments are in the columns: an array, of doubles if they are numbers. */
  function batch(...columns) {
    begin();
    if (runLoop === undefined) startLoop();
    const n = columns[0]?.length;
    if (n === undefined || columns.length !== putPoint.length || columns.some((column) => column?.length !== n)) {
      const found = columns.map((column) => column?.length ?? typeof column).join(", ");
      throw new RangeError(`The call needs ${putPoint.length} columns of one length, but it gives columns of ${found}.`);
    }
    const results = abi.result.type === "real" ? new Float64Array(n) : new Array(n);
    const { points, count } = loopAbi;
    for (let start = 0; start < n; start += points) {
      const m = Math.min(points, n - start);
      putPoint.forEach((write, k) => {
        for (let i = 0; i < m; i++) write(columns[k][start + i], i);
      });
      views.i32[count >> 2] = m;
      run(runLoop);
      for (let i = 0; i < m; i++) results[start + i] = getPoint(i);
    }
    return results;
  }

  function startLoop() {
    const missing = Math.ceil((loopAbi.memory.bytes - memory.buffer.byteLength) / 65536);
    if (missing > 0) memory.grow(missing);
    const loop = new WebAssembly.Instance(new WebAssembly.Module(loopBytes), { kernel: exports });
    runLoop = loop.exports[loopAbi.export];
    look();
  }

  /** The view of a parameter that is one array, or for "return" of the result. It is valid until the memory grows. */
  function view(name) {
    refresh();
    const value = name === "return" ? abi.result : abi.params.find((param) => param.name === name);
    if (value?.leaves.length !== 1) throw new TypeError(`${name} is not the name of one array. Choose one of this kernel.`);
    const [{ dtype, dims, at }] = value.leaves;
    const first = at / views[dtype].BYTES_PER_ELEMENT;
    return views[dtype].subarray(first, first + dims.reduce((product, n) => product * n, 1));
  }
};

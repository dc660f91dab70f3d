// Runs modules for another process. A message on standard input contains a module and the calls of its
// function. A message on standard output contains the outcome of these calls. Each message consists of two
// lengths (uint32), a head in JSON, and bytes.
//
// In:  {entry, sizes: [wasm, arguments of each call …], writes: [[at, size] …], reads: [[at, size] …],
//       imports: [[module, name, label, how many results] …]}, then the bytes of `sizes` one after another.
// Out: {invalid} or {calls: [{stop, trap, hosts: [[import, [bits of each argument …]] …]} …]}, then the bytes
//      that were read after each call that did not stop.
import { readSync, writeSync } from "node:fs";

const HOSTS = { halved: (x) => 0.5 * x + 1, product: (x, y) => x * y, note: () => undefined };

function read(size) {
  const data = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const got = readSync(0, data, at, size - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return data;
}

function write(head, chunks) {
  const json = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(chunks.reduce((sum, { length }) => sum + length, 0), 4);
  const data = Buffer.concat([lengths, json, ...chunks]);
  for (let at = 0; at < data.length; ) at += writeSync(1, data, at);
}

const bits = new DataView(new ArrayBuffer(8));

function hex(number) {
  bits.setFloat64(0, number);
  return bits.getBigUint64(0).toString(16);
}

/** Substitutes for the imports. They record in `seen` each call that has an effect. */
function importsOf(imports, seen) {
  const object = {};
  for (const [k, [module, name, label, results]] of imports.entries()) {
    object[module] ??= {};
    object[module][name] = (...args) => {
      if (results === 0) seen.push([k, args.map(hex)]);
      return HOSTS[label]?.(...args);
    };
  }
  return object;
}

function instantiate(wasm, head, seen) {
  try {
    if (!WebAssembly.validate(wasm)) return { invalid: "WebAssembly.validate says so" };
    return { exports: new WebAssembly.Instance(new WebAssembly.Module(wasm), importsOf(head.imports, seen)).exports };
  } catch (error) {
    return { invalid: String(error) };
  }
}

for (;;) {
  const lengths = read(8);
  const head = JSON.parse(read(lengths.readUInt32LE(0)).toString());
  const data = read(lengths.readUInt32LE(4));
  const [size, ...sizes] = head.sizes;
  const seen = [];
  const { exports, invalid } = instantiate(data.subarray(0, size), head, seen);
  if (invalid) {
    write({ invalid }, []);
    continue;
  }
  let from = size;
  const chunks = [];
  const calls = sizes.map((length) => {
    let memory = Buffer.from(exports.memory.buffer);
    const to = from + length;
    for (const [at, n] of head.writes) {
      data.copy(memory, at, from, from + n);
      from += n;
    }
    if (from !== to) throw new Error("the arguments' sizes do not add up");
    let stop = null;
    try {
      exports[head.entry]();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      stop = error.message;
    }
    const trap = exports.trap.value;
    exports.trap.value = 0;
    memory = Buffer.from(exports.memory.buffer);
    if (stop === null) for (const [at, n] of head.reads) chunks.push(Buffer.from(memory.subarray(at, at + n)));
    return { stop, trap, hosts: seen.splice(0) };
  });
  write({ calls }, chunks);
}

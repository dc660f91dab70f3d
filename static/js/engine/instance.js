// An instance of a compiled module, and the fast path for modules of Reals only.

/** @typedef {import("../model/types.js").Abi} Abi */
/** Makes the host functions that a module imports, by their labels. `memory`: returns the module's memory as Reals.
 * @typedef {(memory: () => Float64Array) => Record<string, Function>} Hosts */
/** Calls a module. `args` and `results` contain all Reals of the arguments and of the result, in the ABI's order.
 * @typedef {(args: ArrayLike<number>, results: Float64Array) => void} Evaluate */
/**
 * An instance of a compiled module.
 * @typedef {object} Instance
 * @property {() => void} run - calls the module's function. Arguments and results are in the memory
 * @property {(rounds: number) => void} refuel - limits the work of all later calls together, mainly the number of loop rounds.
 *   Works only if the module counts its work
 * @property {boolean} grows - true if the memory can grow
 * @property {() => ArrayBuffer} bufferNow - returns the present buffer of the memory
 * @property {Evaluate | null} evaluate - a fast way to call the module. It is null if a parameter is not a Real, if the result
 *   does not consist of Reals, or if the memory can grow
 */

const ABI_VERSION = 1;
/** The compiled modules. The keys are the bytes of the modules. A compiled module contains the code that the browser has
 * optimised, so a new instance of the module is fast at once.
 * @type {WeakMap<Uint8Array, WebAssembly.Module>} */
const compiled = new WeakMap();

/** @param {Uint8Array<ArrayBuffer>} bytes @param {Abi} abi @param {Hosts} hosts
 * @returns {Instance} @throws {Error} if the module does not fit its ABI */
export function instanceOf(bytes, abi, hosts = () => ({})) {
  if (abi.abi !== ABI_VERSION) throw new Error(`This page reads ABI ${ABI_VERSION}; the module has ABI ${abi.abi}.`);
  /** @type {() => ArrayBuffer} */
  let bufferNow = () => new ArrayBuffer(0);
  const given = abi.imports.length > 0 ? hosts(() => realsOf(bufferNow())) : {};
  if (!abi.imports.every(({ label }) => label in given)) throw new Error("The module needs host functions, which this page does not give.");
  const imports = { host: Object.fromEntries(abi.imports.map(({ name, label }) => [name, given[label]])) };
  const module = compiled.get(bytes) ?? new WebAssembly.Module(bytes);
  compiled.set(bytes, module);
  const { exports } = new WebAssembly.Instance(module, imports);
  const memory = exports[abi.memory.export];
  const main = exports[abi.export];
  if (typeof main !== "function") throw new Error(`The module exports no function \`${abi.export}\`.`);
  const run = /** @type {() => void} */ (main);
  const tank = abi.fuel === undefined ? null : /** @type {WebAssembly.Global} */ (exports[abi.fuel.export]);
  const refuel = (/** @type {number} */ rounds) => {
    if (tank !== null) tank.value = BigInt(rounds);
  };
  // A function of scalars may need no memory at all.
  const grows = abi.memory.max_pages !== undefined;
  if (memory instanceof WebAssembly.Memory) bufferNow = () => memory.buffer;
  return { run, refuel, grows, bufferNow, evaluate: grows ? null : fastPath(abi, realsOf(bufferNow()), run) };
}

/** @param {ArrayBuffer} buffer */
export function realsOf(buffer) {
  return new Float64Array(buffer, 0, buffer.byteLength >> 3);
}

/** @param {Abi} abi @param {Float64Array} f64 @param {() => void} run @returns {Evaluate | null} */
function fastPath(abi, f64, run) {
  const leaves = [...abi.params, abi.result].flatMap((value) => value.leaves);
  const scalars = abi.params.every((param) => param.type === "real");
  if (!scalars || leaves.some((leaf) => leaf.dtype !== "f64")) return null;
  const inputs = abi.params.map((param) => param.leaves[0].at >> 3);
  const outputs = abi.result.leaves.flatMap((leaf) => {
    const count = leaf.dims.reduce((product, dim) => product * dim, 1);
    return Array.from({ length: count }, (_, k) => (leaf.at >> 3) + k);
  });
  return (args, results) => {
    for (let k = 0; k < inputs.length; k++) f64[inputs[k]] = args[k];
    run();
    for (let k = 0; k < outputs.length; k++) results[k] = f64[outputs[k]];
  };
}

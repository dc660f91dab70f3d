// Functions that all groups share: for our kernels from Pyodide, missing contestants, contests, and rows in parts.

import { instantiate } from "/js/engine/kernel.js";
import { compete } from "./timing.js";

export const OURS = "ours";
export const ROSE = "Rose 0.4.10";
export const HAND = "hand JS";

/** @param {any} lab */
export function contest(lab) {
  const absent = [[OURS, lab.missing.ours], [ROSE, lab.missing.rose]].filter(([, reason]) => reason !== null);
  const missing = Object.fromEntries(absent);

  /** Lets the available contestants compete. @param {Record<string, any>} contestants @param {{warmUps: number, rounds: number}} options */
  async function meet(contestants, options) {
    const here = Object.entries(contestants).filter(([name]) => !absent.some(([gone]) => name.startsWith(gone)));
    const found = await compete(Object.fromEntries(here), { check: lab.check, ...options });
    const gone = Object.fromEntries(absent.filter(([name]) => name in contestants));
    return { ...found, missing: { ...gone, ...found.missing } };
  }

  return { meet, missing };
}

/** Compiles a kernel in Python, instantiates it and calls it. Returns the kernel, its module, its ABI and each step's time.
 * @param {() => any} compile @param {(kernel: any) => void} call */
export function ourKernel(compile, call) {
  const start = performance.now();
  const pair = compile();
  const compiled = performance.now();
  const [json, wasm] = pair.toJs();
  pair.destroy();
  const reply = JSON.parse(json);
  const abi = reply.abi instanceof Object ? reply.abi : reply;
  const received = performance.now();
  const kernel = instantiate(wasm, abi);
  const instantiated = performance.now();
  call(kernel);
  const end = performance.now();
  const parts = {
    total: end - start,
    Python: compiled - start,
    "hand over": received - compiled,
    instantiate: instantiated - received,
    "first call": end - instantiated,
  };
  return { kernel, parts, wasm, abi };
}

/** Instantiates a module. Returns `main`, and views of the memory: one for each argument and each result.
 * @param {{wasm: Uint8Array<ArrayBuffer>, abi: any}} ours */
export function inMemory({ wasm, abi }) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
  const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abi.memory.export]);
  const main = /** @type {() => void} */ (exports[abi.export]);
  const view = (/** @type {{at: number, dims: number[]}} */ { at, dims }) => new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
  const params = abi.params.map((/** @type {any} */ param) => view(param.leaves[0]));
  return { params, results: abi.result.leaves.map(view), main };
}

/** Calls `make`. Returns its result, or null if it throws an error.
 * @template T @param {() => T} make @returns {T | null} */
export function attempt(make) {
  try {
    return make();
  } catch {
    return null;
  }
}

/** Yields a row with the total times of all contestants, and then a row for each part of our own time.
 * @param {{title: string, unit: string, target?: number, aim?: number, note?: string}} row
 * @param {any} found @param {Record<string, number>} targets the targets for our parts, by the parts' names */
export function* inParts(row, { samples, compared, wrong, missing }, targets = {}) {
  const parts = (/** @type {string} */ part) => Object.fromEntries(
    Object.entries(samples).map(([name, all]) => [name, all.map((/** @type {any} */ sample) => sample[part])]),
  );
  yield { ...row, samples: parts("total"), compared, wrong, missing };
  for (const part of Object.keys(samples.ours?.[0] ?? {})) {
    if (part === "total") continue;
    yield { title: `  of it: ${part}`, unit: row.unit, target: targets[part], samples: { ours: parts(part).ours }, missing: {} };
  }
}

/** Compiles a function with Rose. Returns the compiled function, and the sizes of its module and its memory. Rose does not
 * return the module's bytes, so we wrap WebAssembly.compile. @param {any} rose the package's exports @param {any} f */
export async function roseKernel(rose, f) {
  const memory = new WebAssembly.Memory({ initial: 0 });
  const original = WebAssembly.compile;
  let bytes = 0;
  WebAssembly.compile = (source) => {
    bytes = source.byteLength;
    return original(source);
  };
  try {
    return { call: await rose.compile(f, { memory }), bytes, memoryBytes: memory.buffer.byteLength };
  } finally {
    WebAssembly.compile = original;
  }
}

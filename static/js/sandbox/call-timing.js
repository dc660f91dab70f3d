// Measures how long a call takes without Python. It times several series of calls on this worker's thread and takes the fastest
// one.

import { instantiate } from "../engine/kernel.js";

/** @typedef {import("../model/types.js").Abi} Abi */

const LARGEST_MODULE = 1 << 20;
const LARGEST_MEMORY = 1 << 24;
const BUDGET_MS = 8;
/** The longest time, in microseconds, that a call through Python may take if we are to measure the call without Python. The
 * measurement repeats the call many times. */
const LONGEST_US = 20_000;
const SERIES_MS = 1;

/** Measures how long a call takes without Python, in microseconds. Returns null if the call would take too long, or cannot run
 * without Python.
 * @param {Uint8Array<ArrayBuffer>} bytes the module @param {Abi} abi @param {readonly any[]} args
 * @param {number} onceUs how long the same call took through Python, in microseconds @returns {number | null} */
export function callMicroseconds(bytes, abi, args, onceUs) {
  const tooLong = onceUs > LONGEST_US || bytes.length > LARGEST_MODULE || abi.memory.bytes > LARGEST_MEMORY;
  if (tooLong || abi.imports.length > 0) return null;
  try {
    const kernel = instantiate(bytes, abi);
    kernel.run(...args);
    const best = leastMs(() => kernel.run(...args));
    kernel.destroy();
    return 1000 * best;
  } catch {
    return null;
  }
}

/** @param {() => void} call @returns {number} milliseconds of one call */
function leastMs(call) {
  let count = 1;
  let best = Infinity;
  const end = performance.now() + BUDGET_MS;
  for (;;) {
    const start = performance.now();
    for (let k = 0; k < count; k++) call();
    const now = performance.now();
    best = Math.min(best, now > start ? (now - start) / count : Infinity);
    if (now > end) return best;
    if (now - start < SERIES_MS / 4) count *= 2;
  }
}

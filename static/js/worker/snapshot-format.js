// How a snapshot of Python's memory is kept; tools/make_snapshot.mjs writes it, snapshot.js reads it.
//
// Gzipped, little-endian: the number of pages, the pages' numbers (both of 32 bits), the pages. A page is the exclusive or of
// what is to be there and of what the module's own data put there, which is nothing from `startBytes` on; a page that is not
// listed is as the data have it.

/** What the manifest says of a snapshot: Pyodide's own head in base64, the size of memory, the extent and checksum of the
 * module's own data, and the checksum of the pages.
 * @typedef {{head: string, heapBytes: number, startBytes: number, start: number, pages: number}} SnapshotInfo */

export const PAGE = 4096;

/** Where Python keeps the address of the function that it calls C functions through: another one in each engine, set before
 * anything runs. It is neither in a snapshot nor in the checksum.
 * @param {any} module Pyodide's @returns {number} a word of its memory */
export function trampolineOf(module) {
  const at = (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2]) >>> 2;
  if (!(at > 0)) throw new Error("Found a Pyodide without a trampoline; expected that of the version which is pinned.");
  return at;
}

/** @param {Int32Array} words @returns {number} that differs where one word does, and else very probably */
export function checksum(words) {
  const { length } = words;
  let sum = 0;
  for (let i = 0; i < length; i++) sum = (Math.imul(sum, 31) + words[i]) | 0;
  return sum;
}

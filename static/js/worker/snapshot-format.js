// The format of a snapshot of Python's memory. tools/make_snapshot.mjs writes it and snapshot.js reads it.
//
// The file is gzipped little-endian data: the number of pages, the pages' indices (32 bits each), and the pages. A stored page
// is the exclusive or of two things: the content of the page in the snapshot, and the module's initial data at the same place.
// The initial data are zero from the address `startBytes` on. A page that is not stored equals the initial data.

/** A snapshot's entry in the manifest. `head`: Pyodide's own header in base64. `heapBytes`: the size of the memory.
 * `startBytes` and `start`: the size and the checksum of the module's initial data. `pages`: the checksum of the stored pages.
 * @typedef {{head: string, heapBytes: number, startBytes: number, start: number, pages: number}} SnapshotInfo */

export const PAGE = 4096;

/** Finds the word of memory that contains the address of Python's function for calling C functions. The address depends on the
 * engine. So the snapshot and the checksum omit this word.
 * @param {any} module Pyodide's module @returns {number} the index of the word in the module's memory */
export function trampolineOf(module) {
  const at = (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2]) >>> 2;
  if (!(at > 0)) throw new Error("This Pyodide has no trampoline, so it is not the pinned version.");
  return at;
}

/** @param {Int32Array} words @returns {number} a checksum. It differs if one word does, and very probably if several do */
export function checksum(words) {
  const { length } = words;
  let sum = 0;
  for (let i = 0; i < length; i++) sum = (Math.imul(sum, 31) + words[i]) | 0;
  return sum;
}

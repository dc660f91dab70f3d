// Starts Python from a snapshot of its memory in which our packages have been imported (tools/make_snapshot.mjs).

import { checksum, PAGE, trampolineOf } from "./snapshot-format.js";

/** @typedef {import("./snapshot-format.js").SnapshotInfo} SnapshotInfo */
/** @typedef {{numbers: Uint32Array, words: Int32Array}} Pages */

/** @param {ArrayBuffer} bytes of the unpacked file @returns {Pages} */
export function readPages(bytes) {
  const [count] = new Uint32Array(bytes, 0, 1);
  return { numbers: new Uint32Array(bytes, 4, count), words: new Int32Array(bytes, 4 + count * 4, (count * PAGE) / 4) };
}

/** Makes options for `loadPyodide`. With these options, Python continues from a snapshot.
 * @param {SnapshotInfo} info @param {Promise<Pages>} coming the snapshot's pages
 * @param {Promise<WebAssembly.Module>} compiling Pyodide's module @param {Promise<any>} script the imported pyodide.asm.mjs */
export function startFrom(info, coming, compiling, script) {
  for (const part of [coming, compiling, script]) part.catch(() => {}); // an error reaches whoever awaits the part
  return {
    _loadSnapshot: Uint8Array.from(atob(info.head), (letter) => letter.charCodeAt(0)),
    /** @param {any} settings @returns {Promise<any>} */
    async createPyodideModule(settings) {
      settings.INITIAL_MEMORY = info.heapBytes; // by default Pyodide takes the length of the head
      let start = new Int32Array();
      let trampoline = 0;
      settings.preRun.unshift((/** @type {any} */ module) => {
        start = new Int32Array(module.HEAPU8.slice(0, info.startBytes).buffer);
        trampoline = start[trampolineOf(module)];
        start[trampolineOf(module)] = 0;
      });
      const { default: createModule } = await script;
      // Pyodide waits for ever if a module cannot be compiled, so we await the module ourselves.
      const [module, pages] = await Promise.all([createModule(settings), coming, compiling]);
      if (checksum(start) !== info.start) throw new Error("The snapshot belongs to another module.");
      if (checksum(pages.words) !== info.pages) throw new Error("The snapshot is damaged.");
      restore(new Int32Array(module.HEAPU8.buffer), start, pages);
      module.HEAP32[trampolineOf(module)] = trampoline;
      return module;
    },
  };
}

/** Copies a snapshot's pages into the memory of an engine that has just started.
 * @param {Int32Array} memory @param {Int32Array} start the memory's initial content @param {Pages} pages */
function restore(memory, start, { numbers, words }) {
  const size = PAGE / 4;
  memory.set(start);
  numbers.forEach((page, k) => {
    const content = words.subarray(k * size, (k + 1) * size);
    const at = page * size;
    if (at < start.length) {
      for (let i = 0; i < size; i++) memory[at + i] ^= content[i];
    } else {
      memory.set(content, at);
    }
  });
}

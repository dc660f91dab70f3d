// Starts Python, imports our packages, and saves Python's memory in a file. static/js/worker/snapshot.js restores the memory
// from this file.
//
//   node make_snapshot.mjs PYODIDE_FOLDER JOB_JSON
//
// JOB_JSON is {stdlib, python, pythonPath, imports, pages, info}: the paths of the two zips, the folder into which `python` is
// unpacked, the modules to import, and the two files to write. snapshot-format.js describes these files.
//
// Pyodide can save and restore its memory (`_makeSnapshot`, `_loadSnapshot`, both undocumented). pyodide.asm.wasm already
// contains much of this memory, so we save only the pages of memory that differ from the module's initial data. We save only
// the differences.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { PAGE, checksum, trampolineOf } from "../static/js/worker/snapshot-format.js";

// This program does not call invalidate_caches. So the saved Python remembers the list of files in the standard library's zip.
// After a start from the snapshot, it can import modules from this zip as soon as the zip is there.
const IMPORT = `
def load(names):
    import gc, importlib
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # only outside Pyodide
    importlib.import_module("app.service").Service().warm_up(0)
    gc.collect()

load
`;

/** @typedef {import("../static/js/worker/snapshot-format.js").SnapshotInfo} SnapshotInfo */

class Stopped extends Error {}

// The same files must give the same bytes. So this Python gets no random numbers, no real time and no path of this machine. All
// visitors have the same hash seed for this reason, but the page gives `random` a new seed.
let drawn = 0;
crypto.randomFillSync = (view) => {
  view.forEach((_, k) => {
    drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0; // Numerical Recipes' generator
    view[k] = drawn >>> 24;
  });
  return view;
};
let seconds = 0;
Date.now = () => 1000 * ++seconds; // the time moves on, because Python compares times to notice changed folders
performance.now = () => 1000 * ++seconds;

const [folder, jobText] = argv.slice(2);
argv[1] = "python"; // the name under which Python thinks it runs
const job = JSON.parse(jobText);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const { default: createModule } = await import(pathToFileURL(join(folder, "pyodide.asm.mjs")).href);

try {
  const { pages, info } = await make();
  writeFileSync(job.pages, gzipSync(pages, { level: 9 }));
  writeFileSync(job.info, JSON.stringify(info));
} catch (error) {
  console.error(error.message); // not its stack, which would print a line of a million characters
  exit(1);
}

/** @returns {Promise<{pages: Uint8Array, info: SnapshotInfo}>} */
async function make() {
  const start = await startMemory();
  const pyodide = await loadPyodide({ indexURL: folder, stdLibURL: job.stdlib, _makeSnapshot: true });
  pyodide.unpackArchive(new Uint8Array(readFileSync(job.python)), "zip", { extractDir: job.pythonPath });
  const load = pyodide.runPython(IMPORT);
  const names = pyodide.toPy(job.imports);
  load(names);
  load.destroy();
  names.destroy();
  pyodide.runPython("del load");
  wipeFree(pyodide._module);
  pyodide._module.HEAP32[trampolineOf(pyodide._module)] = 0;
  return pack(pyodide.makeMemorySnapshot(), start);
}

/** @returns {Promise<Uint8Array>} the memory with the module's initial data, before anything has run in it */
async function startMemory() {
  let memory = new Uint8Array();
  const createPyodideModule = (settings) => {
    settings.preRun.unshift((module) => {
      const end = module.HEAPU8.findLastIndex(Boolean) + 1;
      module.HEAP32[trampolineOf(module)] = 0;
      memory = module.HEAPU8.slice(0, Math.ceil(end / PAGE) * PAGE);
      throw new Stopped();
    });
    return createModule(settings);
  };
  await loadPyodide({ indexURL: folder, stdLibURL: job.stdlib, createPyodideModule }).catch((error) => {
    if (!(error instanceof Stopped)) throw error;
  });
  return memory;
}

/** Fills malloc's free memory with zeros, because its content would be sent for nothing. */
function wipeFree(module) {
  const end = () => module.HEAPU32[module._emscripten_get_sbrk_ptr() >>> 2];
  const taken = [];
  for (let size = 1 << 20; size >= 16; size >>= 1) {
    const before = end();
    for (let at = module._malloc(size); ; at = module._malloc(size)) {
      taken.push(at);
      if (end() !== before) break;
      module.HEAPU8.fill(0, at, at + size);
    }
  }
  for (const at of taken) module._free(at);
}

/** @param {Uint8Array} snapshot in Pyodide's form @param {Uint8Array} before a whole number of pages
 * @returns {{pages: Uint8Array, info: SnapshotInfo}} */
function pack(snapshot, before) {
  const headBytes = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1]; // Pyodide's head: magic, its length, …
  const heap = snapshot.slice(headBytes);
  before.forEach((byte, i) => (heap[i] ^= byte));
  const numbers = [];
  for (let page = 0; page * PAGE < heap.length; page++) {
    if (heap.subarray(page * PAGE, (page + 1) * PAGE).some(Boolean)) numbers.push(page);
  }
  const parts = numbers.map((page) => heap.subarray(page * PAGE, (page + 1) * PAGE));
  const head = Buffer.from(snapshot.slice(0, headBytes)).toString("base64");
  const content = Buffer.concat(parts);
  const sumOf = (bytes) => checksum(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
  return {
    pages: Buffer.concat([Buffer.from(Uint32Array.of(numbers.length, ...numbers).buffer), content]),
    info: { head, heapBytes: heap.length, startBytes: before.length, start: sumOf(before), pages: sumOf(content) },
  };
}

// Starts Python from parts that the page hands over, because the sandbox can fetch nothing.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { lend } from "./lending.js";
import { writeFiles } from "./python.js";
import { readPages, startFrom } from "./snapshot.js";

/** @typedef {import("./handed.js").Handed} Handed */
/** @typedef {import("./python.js").Pyodide} Pyodide */
/** A Python that was started from parts that the page has sent. `reason`: why the snapshot was not used, or "". `files`: a
 * promise. After it has settled, all of Python's files are present, and a program can import any module.
 * @typedef {{pyodide: Pyodide, service: any, start: "snapshot" | "files", reason: string, files: Promise<void>}} HandedPython */
/** The arguments for starting Python. `manifest`: the build's manifest. `createModule`: the script of Pyodide's engine.
 * `begin`: a function that makes the service and tests it.
 * @typedef {{manifest: Record<string, string>, createModule: any, begin: (pyodide: Pyodide) => any}} Wanted */

/** Invented addresses for the parts of Python. If Pyodide fetches such an address, it gets the part that the page has sent. */
const FOLDER = new URL("../../", import.meta.url).href;
const MODULE = `${FOLDER}pyodide.asm.wasm`;
const LIBRARY = `${FOLDER}stdlib.zip`;

/** @param {Wanted} wanted @param {Handed} parts @returns {Promise<HandedPython>} */
export async function bootHanded(wanted, parts) {
  const compiling = parts.coming("engine").then((bytes) => WebAssembly.compile(bytes));
  let reason = "there is none";
  if (Object.hasOwn(JSON.parse(wanted.manifest.handed), "snapshot")) {
    try {
      return await fromSnapshot(wanted, parts, compiling);
    } catch (error) {
      reason = String(error);
    }
  }
  return fromFiles(wanted, parts, compiling, reason);
}

/** @param {Wanted} wanted @param {Handed} parts @param {Promise<WebAssembly.Module>} compiling @returns {Promise<HandedPython>} */
async function fromSnapshot({ manifest, createModule, begin }, parts, compiling) {
  const pages = parts.coming("snapshot").then(readPages);
  const script = Promise.resolve({ default: createModule });
  const options = startFrom(JSON.parse(manifest.snapshotInfo), pages, compiling, script);
  const takeBack = lend({ [MODULE]: Promise.resolve(""), [LIBRARY]: Promise.resolve("") }, compiling);
  try {
    const pyodide = await loadPyodide({ ...settings(manifest), ...options });
    pyodide.pyimport("random").seed(); // otherwise every visitor would get the same numbers
    const service = begin(pyodide);
    /** @type {any} */ (pyodide)._api.config.createPyodideModule = null; // otherwise it would keep the snapshot's pages in memory
    parts.drop("snapshot");
    const files = Promise.all([parts.wanted("stdlib"), parts.wanted("python")]).then((both) => writeFiles(pyodide, manifest, both));
    return { pyodide, service, start: "snapshot", reason: "", files };
  } finally {
    takeBack();
  }
}

/** @param {Wanted} wanted @param {Handed} parts @param {Promise<WebAssembly.Module>} compiling @param {string} reason
 * @returns {Promise<HandedPython>} */
async function fromFiles({ manifest, createModule, begin }, parts, compiling, reason) {
  const library = parts.wanted("stdlib");
  const takeBack = lend({ [MODULE]: Promise.resolve(""), [LIBRARY]: library }, compiling);
  try {
    const options = /** @type {any} */ ({ ...settings(manifest), createPyodideModule: createModule });
    // Pyodide never finishes if a library does not arrive or a module cannot be compiled, so we await both ourselves.
    const [pyodide, archive] = await Promise.all([loadPyodide(options), parts.wanted("python"), library, compiling]);
    pyodide.unpackArchive(archive, "zip", { extractDir: manifest.pythonPath });
    return { pyodide, service: begin(pyodide), start: "files", reason, files: Promise.resolve() };
  } finally {
    takeBack();
  }
}

/** @param {Record<string, string>} manifest */
function settings(manifest) {
  return { indexURL: FOLDER, packageBaseUrl: FOLDER, lockFileContents: JSON.parse(manifest.lock), stdLibURL: LIBRARY };
}

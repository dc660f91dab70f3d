// Python from parts that the page hands over: in the sandbox nothing can be fetched.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { lend } from "./lending.js";
import { writeFiles } from "./python.js";
import { readPages, startFrom } from "./snapshot.js";

/** @typedef {import("./handed.js").Handed} Handed */
/** @typedef {import("./python.js").Pyodide} Pyodide */
/** `files` settles when a program may import anything.
 * @typedef {{pyodide: Pyodide, service: any, start: "snapshot" | "files", reason: string, files: Promise<void>}} HandedPython */
/** What to start: the manifest of the build, the engine's script, and `begin`, which makes the service and tries it.
 * @typedef {{manifest: Record<string, string>, createModule: any, begin: (pyodide: Pyodide) => any}} Wanted */

/** Addresses that stand for parts: Pyodide asks for them, and is lent what the page has sent. Nothing is really there. */
const FOLDER = new URL("../../", import.meta.url).href;
const MODULE = `${FOLDER}pyodide.asm.wasm`;
const LIBRARY = `${FOLDER}stdlib.zip`;

/** @param {Wanted} wanted @param {Handed} parts @returns {Promise<HandedPython>} */
export async function bootHanded(wanted, parts) {
  const compiling = parts.coming("engine").then((bytes) => WebAssembly.compile(bytes));
  let reason = "there is none";
  if (wanted.manifest.snapshot !== undefined) {
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
    pyodide.pyimport("random").seed(); // it would give every visitor the same numbers
    const service = begin(pyodide);
    /** @type {any} */ (pyodide)._api.config.createPyodideModule = null; // it would hold the pages for ever
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
    // Pyodide goes on without a library that does not come, or a module that cannot be compiled, and gets nowhere.
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

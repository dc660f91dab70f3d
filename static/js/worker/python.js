// Python in a worker: fetches Pyodide, the standard library and our package, and tells how far it is.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { countFetches } from "./fetching.js";

/** @typedef {Awaited<ReturnType<typeof loadPyodide>>} Pyodide */

const VENDOR = new URL("../../vendor/pyodide/", import.meta.url);
const BUILD = new URL("../../build/", import.meta.url);
/** Share of the way that fetching takes; the rest is unpacking and importing. */
const FETCHING = 0.85;

/** @param {Record<string, string>} manifest names of the built files by what they are
 * @param {(share: number) => void} onProgress from 0 to 1
 * @returns {Promise<Pyodide>} in which `eglantine` and `app` can be imported */
export async function bootPython(manifest, onProgress) {
  const package_ = new URL(manifest.python, BUILD).href;
  countFetches(["pyodide.asm.wasm", manifest.stdlib, manifest.python], (share) => onProgress(FETCHING * share));
  const archive = fetch(package_).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(package_))));
  const pyodide = await loadPyodide({ indexURL: VENDOR.href, stdLibURL: new URL(manifest.stdlib, BUILD).href });
  onProgress(FETCHING + 0.05);
  pyodide.unpackArchive(await archive, "zip", { extractDir: manifest.pythonPath });
  return pyodide;
}

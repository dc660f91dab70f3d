// Python in a worker: from a snapshot of its memory where that fits, else from files, as Pyodide starts by itself.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { watchFetches } from "./fetching.js";
import { readPages, startFrom } from "./snapshot.js";

/** @typedef {Awaited<ReturnType<typeof loadPyodide>>} Pyodide */
/** What has started, and why not otherwise. A snapshot holds modules but no files: `needFiles` brings them, for programs that
 * import more.
 * @typedef {{pyodide: Pyodide, service: any, start: "snapshot" | "files", refusal: string, hasFiles: () => boolean,
 *   needFiles: () => Promise<void>}} Python */

const VENDOR = new URL("../../vendor/pyodide/", import.meta.url);
const BUILD = new URL("../../build/", import.meta.url);
/** Where Pyodide puts its standard library. */
const LIBRARY = "/lib/python314.zip";
/** Share of the way that fetching takes; the rest is unpacking and importing. */
const FETCHING = 0.85;
/** Stands for a standard library without anything in it. */
const NOTHING = new URL("nothing.zip", BUILD).href;

/** @param {Record<string, string>} manifest names of the built files by what they are
 * @param {(share: number) => void} onProgress from 0 to 1
 * @param {boolean} withFiles whether they are to be there before `begin`
 * @param {(pyodide: Pyodide) => any} begin makes the service and tries it: what fails there has not started either
 * @returns {Promise<Python>} in which `eglantine` and `app` can be imported */
export async function bootPython(manifest, onProgress, withFiles, begin) {
  let refusal = "there is none";
  if (manifest.snapshot !== undefined) {
    try {
      return await fromSnapshot(manifest, onProgress, withFiles, begin);
    } catch (error) {
      refusal = String(error);
    }
  }
  return fromFiles(manifest, onProgress, begin, refusal);
}

/** @param {Record<string, string>} manifest @param {(share: number) => void} onProgress @param {boolean} withFiles
 * @param {(pyodide: Pyodide) => any} begin @returns {Promise<Python>} */
async function fromSnapshot(manifest, onProgress, withFiles, begin) {
  const names = ["pyodide.asm.wasm", manifest.snapshot, ...(withFiles ? [manifest.stdlib, manifest.python] : [])];
  const unwatch = watchFetches(names, (share) => onProgress(FETCHING * share), NOTHING);
  try {
    const pages = fetch(new URL(manifest.snapshot, BUILD)).then(readPages);
    const options = startFrom(JSON.parse(manifest.snapshotInfo), pages, import(new URL("pyodide.asm.mjs", VENDOR).href));
    let files = withFiles ? fetchFiles(manifest) : null;
    const pyodide = await loadPyodide({ ...settings(manifest), stdLibURL: NOTHING, ...options });
    onProgress(FETCHING + 0.1);
    pyodide.pyimport("random").seed(); // it would give every visitor the same numbers
    let hasFiles = false;
    const needFiles = async () => {
      files ??= fetchFiles(manifest);
      if (!hasFiles) writeFiles(pyodide, manifest, await files);
      hasFiles = true;
    };
    if (withFiles) await needFiles();
    return { pyodide, service: begin(pyodide), start: "snapshot", refusal: "", hasFiles: () => hasFiles, needFiles };
  } finally {
    unwatch();
  }
}

/** @param {Record<string, string>} manifest @param {(share: number) => void} onProgress
 * @param {(pyodide: Pyodide) => any} begin @param {string} refusal @returns {Promise<Python>} */
async function fromFiles(manifest, onProgress, begin, refusal) {
  const names = ["pyodide.asm.wasm", manifest.stdlib, manifest.python];
  const unwatch = watchFetches(names, (share) => onProgress(FETCHING * share));
  try {
    const archive = fetched(manifest.python);
    const stdLibURL = new URL(manifest.stdlib, BUILD).href;
    const pyodide = await loadPyodide({ ...settings(manifest), stdLibURL });
    onProgress(FETCHING + 0.05);
    pyodide.unpackArchive(await archive, "zip", { extractDir: manifest.pythonPath });
    return { pyodide, service: begin(pyodide), start: "files", refusal, hasFiles: () => true, needFiles: async () => {} };
  } finally {
    unwatch();
  }
}

/** What both ways give Pyodide; its list of packages is not asked for, since only this origin has any.
 * @param {Record<string, string>} manifest */
function settings(manifest) {
  return { indexURL: VENDOR.href, packageBaseUrl: VENDOR.href, lockFileContents: JSON.parse(manifest.lock) };
}

/** @param {Record<string, string>} manifest @returns {Promise<[ArrayBuffer, ArrayBuffer]>} the standard library, our package */
function fetchFiles(manifest) {
  return Promise.all([fetched(manifest.stdlib), fetched(manifest.python)]);
}

/** @param {Pyodide} pyodide @param {Record<string, string>} manifest @param {[ArrayBuffer, ArrayBuffer]} files */
function writeFiles(pyodide, manifest, [library, package_]) {
  pyodide.FS.writeFile(LIBRARY, new Uint8Array(library));
  pyodide.unpackArchive(package_, "zip", { extractDir: manifest.pythonPath });
  pyodide.pyimport("importlib").invalidate_caches();
}

/** @param {string} name of a built file @returns {Promise<ArrayBuffer>} */
async function fetched(name) {
  const response = await fetch(new URL(name, BUILD));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.arrayBuffer();
}

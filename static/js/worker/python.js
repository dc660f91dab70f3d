// Starts Python in a worker: from a snapshot of its memory if possible, otherwise from files, as Pyodide usually does.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { fetched, sharesOf, unpacked } from "./fetching.js";
import { forgetPython, keepPython } from "./keeping.js";
import { compileEngine, lend } from "./lending.js";
import { readPages, startFrom } from "./snapshot.js";

/** @typedef {Awaited<ReturnType<typeof loadPyodide>>} Pyodide */
/** @typedef {(share: number) => void} OnShare from 0 to 1 */
/** A started Python. `refusal`: the reason why the snapshot did not work, or "". `hasFiles`: true if all of Python's files are
 * present. `needFiles`: fetches the missing files. They are needed to import modules that the snapshot does not contain.
 * `engine`: Pyodide's compiled module, or null after a start from files.
 * @typedef {{pyodide: Pyodide, service: any, start: "snapshot" | "light" | "files", refusal: string, engine: WebAssembly.Module | null,
 *   hasFiles: () => boolean, needFiles: () => Promise<void>}} Python */
/** The arguments for starting Python. `manifest`: the list of built files. `engine`: Pyodide's compiled module from an earlier
 * Python, or null. `begin`: a function that makes the service and tests it. If it throws an error, the start has failed.
 * `onKept`: called when this device has stored all files that the next visit needs.
 * @typedef {{manifest: Record<string, string>, engine: WebAssembly.Module | null, begin: (pyodide: Pyodide) => any,
 *   onKept: () => void}} Wanted */

const VENDOR = new URL("../../vendor/pyodide/", import.meta.url);
export const BUILD = new URL("../../build/", import.meta.url);
/** Pyodide's path for the standard library. */
export const LIBRARY = "/lib/python314.zip";
/** The address where Pyodide looks for its module. */
export const MODULE = new URL("pyodide.asm.wasm", VENDOR).href;
/** An empty archive. We use it instead of the standard library if Python starts from a snapshot. */
const NOTHING = new URL("nothing.zip", BUILD).href;
/** When Python has run for this long, we store its files on this device for the next visit. */
export const KEEP_MS = 1000;
/** The part of the progress bar that shows fetching. The rest shows unpacking and importing. */
export const FETCHING = 0.85;

/** @param {Wanted} wanted @param {OnShare} onShare
 * @returns {Promise<Python>} a Python that can import `eglantine` and `app` */
export async function bootPython(wanted, onShare) {
  let refusal = "there is none";
  if (wanted.manifest.snapshot !== undefined) {
    try {
      return await fromSnapshot(wanted, onShare);
    } catch (error) {
      refusal = String(error);
      if (wanted.manifest.keeps !== "nothing") await forgetPython();
    }
  }
  return fromFiles(wanted, onShare, refusal);
}

/** @param {Wanted} wanted @param {OnShare} onShare @returns {Promise<Python>} */
async function fromSnapshot({ manifest, engine, begin, onKept }, onShare) {
  const ofPages = (/** @type {number} */ share) => onShare(FETCHING * share);
  // We start to fetch, compile and read everything now, before Pyodide asks for it.
  const [ofModule, ofSnapshot] = [new URL(manifest.engine, BUILD), new URL(manifest.snapshot, BUILD)];
  /** @type {import("./keeping.js").Brought} */
  const brought = new Map();
  const digests = digestsOf(manifest);
  const compiling = engine === null ? compileEngine(ofModule, digests[manifest.engine], brought) : Promise.resolve(engine);
  const pages = unpacked(ofSnapshot, digests[manifest.snapshot], ofPages, brought).then(readPages);
  const script = import(new URL(manifest.engineScript, BUILD).href);
  const options = startFrom(JSON.parse(manifest.snapshotInfo), pages, compiling, script);
  const takeBack = lend({ [MODULE]: Promise.resolve(""), [NOTHING]: Promise.resolve("") }, compiling);
  try {
    const pyodide = await loadPyodide({ ...settings(manifest), stdLibURL: NOTHING, ...options });
    onShare(FETCHING + 0.1);
    pyodide.pyimport("random").seed(); // otherwise every visitor would get the same numbers
    let hasFiles = false;
    /** @type {Promise<void> | null} */
    let filesCome = null;
    const needFiles = () => (filesCome ??= fetchFiles(manifest).then((files) => {
      writeFiles(pyodide, manifest, files);
      hasFiles = true;
    }));
    const service = begin(pyodide);
    if (manifest.keeps !== "nothing") setTimeout(keepPython, KEEP_MS, [ofSnapshot, ofModule], brought, onKept);
    /** @type {any} */ (pyodide)._api.config.createPyodideModule = null; // otherwise it would keep the snapshot's pages in memory
    return { pyodide, service, start: "snapshot", refusal: "", engine: await compiling, hasFiles: () => hasFiles, needFiles };
  } finally {
    takeBack();
  }
}

/** @param {Wanted} wanted @param {OnShare} onShare @param {string} refusal @returns {Promise<Python>} */
async function fromFiles({ manifest, begin }, onShare, refusal) {
  const [ofLibrary, ofPackage] = sharesOf(2, (share) => onShare(FETCHING * share));
  const stdLibURL = new URL(manifest.stdlib, BUILD).href;
  const library = fetched(new URL(stdLibURL), ofLibrary);
  const compiling = compileEngine(new URL(manifest.engine, BUILD), digestsOf(manifest)[manifest.engine], new Map());
  const takeBack = lend({ [MODULE]: Promise.resolve(""), [stdLibURL]: library }, compiling);
  try {
    const { default: createPyodideModule } = await import(new URL(manifest.engineScript, BUILD).href);
    const options = /** @type {any} */ ({ ...settings(manifest), stdLibURL, createPyodideModule });
    // Pyodide never finishes if a library does not arrive or a module cannot be compiled, so we await both ourselves.
    const ofOurs = fetched(new URL(manifest.python, BUILD), ofPackage);
    const [pyodide, archive] = await Promise.all([loadPyodide(options), ofOurs, library, compiling]);
    onShare(FETCHING + 0.05);
    pyodide.unpackArchive(archive, "zip", { extractDir: manifest.pythonPath });
    const service = begin(pyodide);
    return { pyodide, service, start: "files", refusal, engine: null, hasFiles: () => true, needFiles: async () => {} };
  } finally {
    takeBack();
  }
}

/** Returns Pyodide's settings. They are the same for every way of starting Python. They contain our own list of packages, so
 * that Pyodide does not fetch packages from another site.
 * @param {Record<string, string>} manifest */
export function settings(manifest) {
  return { indexURL: VENDOR.href, packageBaseUrl: VENDOR.href, lockFileContents: JSON.parse(manifest.lock) };
}

/** @param {Record<string, string>} manifest @returns {Record<string, string>} the SHA-256 of each kept file, by name */
export function digestsOf(manifest) {
  return JSON.parse(manifest.digests ?? "{}"); // without hashes no kept file is used
}

/** @param {Record<string, string>} manifest
 * @returns {Promise<[ArrayBuffer, ArrayBuffer]>} the standard library, our package */
export function fetchFiles(manifest) {
  const noOne = () => {};
  return Promise.all([fetched(new URL(manifest.stdlib, BUILD), noOne), fetched(new URL(manifest.python, BUILD), noOne)]);
}

/** @param {Pyodide} pyodide @param {Record<string, string>} manifest @param {[ArrayBuffer, ArrayBuffer]} files */
export function writeFiles(pyodide, manifest, [library, package_]) {
  pyodide.FS.writeFile(LIBRARY, new Uint8Array(library));
  pyodide.unpackArchive(package_, "zip", { extractDir: manifest.pythonPath });
  pyodide.pyimport("sys").path_importer_cache.clear(); // importlib.invalidate_caches would import all of importlib.metadata
}

// Starts Python where the connection is slow: from few modules and without a snapshot (tools/light.py).
//
// The light archive is gzipped. It contains the length of a list (32 bits), the list [[name, length], …] as JSON, and then the
// contents of the listed files. The first file is a zip with modules of the standard library. The other files are our modules,
// and their names are their paths below the folder `pythonPath`.

import { loadPyodide } from "../../vendor/pyodide/pyodide.mjs";
import { sharesOf, unpacked } from "./fetching.js";
import { keepPython, keptResponse } from "./keeping.js";
import { compileEngine, lend } from "./lending.js";
import { BUILD, digestsOf, fetchFiles, FETCHING, KEEP_MS, LIBRARY, MODULE, settings, writeFiles } from "./python.js";

/** @typedef {import("./python.js").Pyodide} Pyodide */
/** @typedef {import("./python.js").Wanted} Wanted */
/** @typedef {import("./python.js").Python} Python */

/** The address that we give Pyodide for its standard library. */
const ABRIDGED = new URL("abridged.zip", BUILD).href;
/** Modules that the light archive replaces by small substitutes (STAND_INS in tools/light.py). Each module comes after the
 * modules that it imports. */
const STAND_INS = ["socket", "subprocess", "asyncio", "pyodide.common", "pyodide._package_loader"];

/** Starts Python from the light archive. Returns null if the build has no light archive, if the start fails, or if this device
 * has stored the snapshot. The caller must then start Python in another way.
 * @param {Wanted} wanted @param {(share: number) => void} onShare @returns {Promise<Python | null>} */
export async function bootLight(wanted, onShare) {
  const { light, snapshot } = wanted.manifest;
  if (light === undefined || (await keptResponse(new URL(snapshot, BUILD))) !== null) return null;
  return fromLight(wanted, onShare).catch(() => null);
}

/** @param {Wanted} wanted @param {(share: number) => void} onShare @returns {Promise<Python>} */
async function fromLight({ manifest, engine, begin, onKept }, onShare) {
  const [ofModule, ofArchive] = [new URL(manifest.engine, BUILD), new URL(manifest.light, BUILD)];
  /** @type {import("./keeping.js").Brought} */
  const brought = new Map();
  const digests = digestsOf(manifest);
  const [onModule, onArchive] = sharesOf(2, (share) => onShare(FETCHING * share));
  const compiling = engine === null ? compileEngine(ofModule, digests[manifest.engine], brought, onModule) : Promise.resolve(engine);
  const reading = unpacked(ofArchive, digests[manifest.light], onArchive, brought).then(readArchive);
  const library = reading.then(([[, zip]]) => zip);
  for (const part of [compiling, library]) part.catch(() => {}); // an error reaches whoever awaits the part
  const takeBack = lend({ [MODULE]: Promise.resolve(""), [ABRIDGED]: library }, compiling);
  try {
    const { default: createPyodideModule } = await import(new URL(manifest.engineScript, BUILD).href);
    const options = /** @type {any} */ ({ ...settings(manifest), stdLibURL: ABRIDGED, createPyodideModule });
    // Pyodide never finishes if a library does not arrive or a module cannot be compiled, so we await both ourselves.
    const [pyodide, [, ...modules]] = await Promise.all([loadPyodide(options), reading, compiling]);
    onShare(FETCHING + 0.05);
    for (const [name, content] of modules) {
      const path = `${manifest.pythonPath}/${name}`;
      pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      pyodide.FS.writeFile(path, content);
    }
    const service = begin(pyodide);
    if (manifest.keeps !== "nothing") setTimeout(keepPython, KEEP_MS, [ofArchive, ofModule], brought, onKept);
    let hasFiles = false;
    /** @type {Promise<void> | null} */
    let filesCome = null;
    const needFiles = () => (filesCome ??= fetchFiles(manifest).then((files) => {
      abridgeNoLonger(pyodide, files[0]);
      writeFiles(pyodide, manifest, files);
      hasFiles = true;
    }));
    return { pyodide, service, start: "light", refusal: "", engine: await compiling, hasFiles: () => hasFiles, needFiles };
  } finally {
    takeBack();
  }
}

/** @param {ArrayBuffer} bytes of the unpacked archive @returns {[name: string, content: Uint8Array<ArrayBuffer>][]} */
function readArchive(bytes) {
  const [length] = new Uint32Array(bytes, 0, 1);
  /** @type {[string, number][]} */
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  let at = 4 + length;
  return list.map(([name, size]) => {
    at += size;
    return [name, new Uint8Array(bytes, at - size, size)];
  });
}

/** Replaces the substitutes (`STAND_INS`) by the real modules, because modules that are imported later may need the real ones.
 * @param {Pyodide} pyodide @param {ArrayBuffer} library */
function abridgeNoLonger(pyodide, library) {
  pyodide.FS.writeFile(LIBRARY, new Uint8Array(library));
  pyodide.pyimport("zipimport")._zip_directory_cache.clear();
  pyodide.pyimport("sys").path_importer_cache.clear();
  const [{ reload }, asyncio] = [pyodide.pyimport("importlib"), pyodide.pyimport("asyncio")];
  const { run } = asyncio; // Pyodide's own
  for (const name of STAND_INS) reload(pyodide.pyimport(name));
  asyncio.run = run;
}

// Exports modules as self-contained files. For each module Python writes a script, its types and a page (eg.export).

import { loadManifest } from "./presets.js";
import { PythonWorker } from "./python-worker.js";

/** @typedef {import("../model/types.js").Module} Module */

const LONGEST_MS = 20_000;

/** Writes the exported files with a second Python, so an export does not wait for other requests. The second Python starts in
 * half a second.
 * @param {Readonly<Record<string, Module>>} modules the modules to export, by the names of their files
 * @returns {Promise<Map<string, Uint8Array> | null>} the files by their names; null if Python did not answer */
export async function exportedFiles(modules) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const manifest = await loadManifest();
  /** @type {(isThere: boolean) => void} */
  let tell = () => {};
  const started = new Promise((resolve) => {
    tell = resolve;
  });
  const python = new PythonWorker(manifest, ({ phase }) => phase !== "loading" && tell(phase === "ready"), { longestMs: LONGEST_MS });
  try {
    python.start();
    if (!(await started)) return null;
    for (const [name, { wasm, abi }] of Object.entries(modules)) {
      const reply = await python.ask("export", [JSON.stringify(abi), name]);
      if (!("answer" in reply)) return null;
      files.set(`${name}.wasm`, wasm);
      for (const [file, text] of Object.entries(reply.answer)) files.set(file, new TextEncoder().encode(text));
    }
    return files;
  } finally {
    python.destroy();
  }
}

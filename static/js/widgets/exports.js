// The button that saves a page's compiled code.

/** @typedef {import("../model/types.js").Module} Module */

import * as texts from "../texts.js";
import { download } from "./downloads.js";

/** Attaches a button that exports compiled modules. The first press loads the script for exporting.
 * @param {HTMLButtonElement} button @param {string} name of the archive
 * @param {() => Readonly<Record<string, Module>> | null | Promise<Readonly<Record<string, Module>>>} modules in use, by file name
 * @param {(message: string) => void} notify
 * @param {() => string | null} instead the formula that these modules compute if you are typing a different one, else null */
export function attachExport(button, name, modules, notify, instead = () => null) {
  const make = async () => {
    const wanted = await modules();
    const formula = instead();
    if (wanted === null) return null;
    const { exportedFiles } = await import("../engine/exporting.js");
    const files = await exportedFiles(wanted);
    if (files === null) throw new Error("Python did not answer.");
    return { name, files, say: texts.insteadOfTyped(texts.exported(files.size), formula) };
  };
  attachArchive(button, make, notify);
}

/** Attaches a button that saves an archive of files. @param {HTMLButtonElement} button
 * @param {() => Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} make makes the archive
 * @param {(message: string) => void} notify */
export function attachArchive(button, make, notify) {
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    notify(texts.EXPORTING);
    try {
      const archive = await make();
      if (archive !== null) {
        const { zip } = await import("../model/zip.js");
        download(`${archive.name}.zip`, new Blob([zip(archive.files)], { type: "application/zip" }));
      }
      notify(archive === null ? "" : archive.say);
    } catch {
      notify(texts.NOT_EXPORTED);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}

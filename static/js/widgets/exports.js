// The button that saves a page's compiled code.

/** @typedef {import("../model/types.js").Module} Module */

import * as texts from "../texts.js";
import { download } from "./downloads.js";

/** Makes a button export compiled modules. We load the script that writes the files when the button is first pressed.
 * @param {HTMLButtonElement} button @param {string} name the name of the archive
 * @param {() => Readonly<Record<string, Module>> | null | Promise<Readonly<Record<string, Module>>>} modules returns the
 *   modules by file name @param {(message: string) => void} notify shows a message
 * @param {() => string | null} instead returns the modules' formula if the visitor is typing a different one; otherwise null */
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

/** Makes a button save an archive of files. @param {HTMLButtonElement} button
 * @param {() => Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} make returns the archive's name
 *   and files and a message, or null for no archive @param {(message: string) => void} notify shows a message */
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

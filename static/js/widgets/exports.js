// The button that keeps a page's compiled code.

/** @typedef {import("../model/types.js").Module} Module */

import { zip } from "../model/zip.js";
import * as texts from "../texts.js";
import { download } from "./downloads.js";

/** What it takes is loaded when it is pressed.
 * @param {HTMLButtonElement} button @param {string} name of the archive
 * @param {() => Readonly<Record<string, Module>> | null} modules that are in use, by the names of their files; null for none
 * @param {(message: string) => void} notify
 * @param {() => string | null} instead the formula that they are of, where another one is being typed */
export function attachExport(button, name, modules, notify, instead = () => null) {
  const make = async () => {
    const wanted = modules();
    const formula = instead();
    if (wanted === null) return null;
    const { exportedFiles } = await import("../engine/exporting.js");
    const files = await exportedFiles(wanted);
    if (files === null) throw new Error("Python did not answer.");
    return { name, files, say: texts.insteadOfTyped(texts.exported(files.size), formula) };
  };
  attachArchive(button, make, notify);
}

/** A button that keeps an archive of files. @param {HTMLButtonElement} button
 * @param {() => Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} make what is kept
 * @param {(message: string) => void} notify */
export function attachArchive(button, make, notify) {
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    notify(texts.EXPORTING);
    try {
      const made = await make();
      if (made !== null) download(`${made.name}.zip`, new Blob([zip(made.files)], { type: "application/zip" }));
      notify(made === null ? "" : made.say);
    } catch {
      notify(texts.NOT_EXPORTED);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}

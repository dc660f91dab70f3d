// The button that keeps a page's compiled code.

/** @typedef {import("../model/types.js").Module} Module */

import { zip } from "../model/zip.js";
import * as texts from "../texts.js";
import { download } from "./downloads.js";

/** What it takes is loaded when it is pressed.
 * @param {HTMLButtonElement} button @param {string} name of the archive
 * @param {() => Readonly<Record<string, Module>> | null} modules that are in use, by the names of their files; null for none
 * @param {(message: string) => void} notify */
export function attachExport(button, name, modules, notify) {
  button.addEventListener("click", async () => {
    const wanted = modules();
    if (wanted === null || button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    notify(texts.EXPORTING);
    try {
      const { exportedFiles } = await import("../engine/exporting.js");
      const files = await exportedFiles(wanted);
      if (files === null) throw new Error("Python did not answer.");
      download(`${name}.zip`, new Blob([zip(files)], { type: "application/zip" }));
      notify(texts.exported(files.size));
    } catch {
      notify(texts.NOT_EXPORTED);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}

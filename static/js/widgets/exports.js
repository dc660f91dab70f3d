// The button that keeps a page's compiled code.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Module} Module */

import { zip } from "../model/zip.js";
import * as texts from "../texts.js";
import { download } from "./downloads.js";

/** What it takes is loaded when it is pressed.
 * @param {HTMLButtonElement} button @param {string} name of the archive
 * @param {() => Readonly<Record<string, Module>> | null} modules that are in use, by the names of their files; null for none
 * @param {(message: string) => void} notify */
export function attachExport(button, name, modules, notify) {
  const make = async () => {
    const wanted = modules();
    if (wanted === null) return null;
    const { exportedFiles } = await import("../engine/exporting.js");
    const files = await exportedFiles(wanted);
    if (files === null) throw new Error("Python did not answer.");
    return { name, files, say: texts.exported(files.size) };
  };
  attachArchive(button, make, notify);
}

/** The button that gives the two files of an <eglantine-plot>, and a page with one.
 * @param {HTMLButtonElement} button @param {() => {artifact: Artifact, doc: Doc}} shown @param {(message: string) => void} notify */
export function attachEmbed(button, shown, notify) {
  const make = async () => {
    const { embedded } = await import("../plot/embedding.js");
    const { artifact, doc } = shown();
    return { name: "plot", files: await embedded(artifact, doc), say: texts.EMBEDDED };
  };
  attachArchive(button, make, notify);
}

/** @param {HTMLButtonElement} button
 * @param {() => Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} make what is kept
 * @param {(message: string) => void} notify */
function attachArchive(button, make, notify) {
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

// The button that keeps an <eglantine-plot> of what is shown.

/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Doc} Doc */

import * as texts from "../../texts.js";
import { attachArchive } from "../../widgets/exports.js";

/** The button that gives the two files of an <eglantine-plot>, and a page with one.
 * @param {HTMLButtonElement} button @param {() => {artifact: Artifact, doc: Doc, instead: string | null}} shown and the
 * formula that it is, where another one is being typed @param {(message: string) => void} notify */
export function attachEmbed(button, shown, notify) {
  const make = async () => {
    const { artifact, doc, instead } = shown();
    const { embedded } = await import("../../plot/embedding.js");
    return { name: "plot", files: await embedded(artifact, doc), say: texts.insteadOfTyped(texts.EMBEDDED, instead) };
  };
  attachArchive(button, make, notify);
}

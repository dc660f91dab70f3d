// The button that saves an <eglantine-plot> of the formula shown.

/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Doc} Doc */

import { offerElement } from "../../page/foot.js";
import * as texts from "./texts.js";
import { attachArchive } from "../../widgets/exports.js";

/** Attaches the button "Embed". The button saves the two files that the element <eglantine-plot> needs, and an example page.
 * `instead`: the formula in the saved files if it differs from the typed formula; else null.
 * @param {HTMLButtonElement} button
 * @param {() => Promise<{artifact: Artifact, doc: Doc, instead: string | null}>} shown @param {(message: string) => void} notify */
export function attachEmbed(button, shown, notify) {
  const make = async () => {
    const { artifact, doc, instead } = await shown();
    const { embedded } = await import("../../plot/embedding.js");
    return { name: "plot", files: await embedded(artifact, doc), say: texts.insteadOfTyped(texts.EMBEDDED, instead) };
  };
  attachArchive(button, make, notify);
  offerElement(async () => {
    const { artifact, doc } = await shown();
    const { elementLines } = await import("../../plot/embedding.js");
    return elementLines(artifact, doc);
  });
}

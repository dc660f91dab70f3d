// The files that any other page needs to show a formula: the element's script, the formula's module, and an example page.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Doc} Doc */

import { BUILD, loadManifest } from "../engine/manifest.js";
import { isCurve, pack } from "./plot-module.js";

/** @param {Artifact} artifact @param {Doc} doc @returns {Promise<Map<string, Uint8Array>>} the files by name */
export async function embedded(artifact, doc) {
  const manifest = await loadManifest();
  const response = await fetch(new URL(manifest.plot, BUILD));
  if (!response.ok) throw new Error(`${manifest.plot}: ${response.status}`);
  return new Map([
    ["eglantine-plot.js", new Uint8Array(await response.arrayBuffer())],
    ["formula.wasm", pack(artifact, doc)],
    ["plot.html", new TextEncoder().encode(page(artifact.text, doc.point))],
  ]);
}

/** Returns two lines of HTML that show a formula in any web page. The second line contains the formula's compiled module.
 * @param {Artifact} artifact @param {Doc} doc @returns {string} */
export function elementLines(artifact, doc) {
  const script = new URL("eglantine-plot.js", BUILD).href;
  const module = btoa(String.fromCharCode(...pack(artifact, doc)));
  return `<script type="module" src="${script}"></script>
<eglantine-plot src="data:application/wasm;base64,${module}" formula="${escapedText(artifact.text)}"></eglantine-plot>`;
}

/** @param {string} text @returns {string} the text, escaped for HTML */
function escapedText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** @param {string} formula @param {import("../model/types.js").Point} point @returns {string} */
function page(formula, [x, y]) {
  const escaped = escapedText(formula);
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escaped}</title>
<script type="module" src="eglantine-plot.js"></script>
<eglantine-plot src="formula.wasm" formula="${escaped}" x="${x}"${isCurve(formula) ? "" : ` y="${y}"`}></eglantine-plot>
</html>
`;
}

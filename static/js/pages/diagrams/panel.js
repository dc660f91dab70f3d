// The buttons and lists of the diagrams page.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<DiagramDoc>} Page */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./view.js").DiagramView} DiagramView */
/**
 * The parts of the page that the panel needs, and the functions that its controls call.
 * @typedef {object} DiagramParts
 * @property {Page} page
 * @property {DiagramView} display
 * @property {readonly string[]} names - the names of the gallery's diagrams
 * @property {DiagramDoc} doc
 * @property {DiagramArtifact} artifact
 * @property {Placed} placed
 * @property {(id: string) => void} choose - shows another diagram
 * @property {() => void} resample - lays out the diagram with another seed
 * @property {() => void} vary - shows layouts with other seeds
 * @property {() => void} unpin - removes the pin, so that the dragged shape can move again
 */

import { attachControls } from "../../page/controls.js";
import { download } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { svgOf, valuesOf } from "./drawing.js";
import * as texts from "./texts.js";

/** Pixels of a PNG for one unit of the diagram. */
const PNG_SCALE = 3;

/** @param {DiagramParts} diagrams @returns {() => void} removes the listeners outside the page's own elements */
export function attachDiagramPanel(diagrams) {
  const { page, display, names } = diagrams;
  const list = display.find("[name=diagram]");
  for (const name of names) list.add(new Option(texts.DIAGRAMS[name].title, name));
  const svg = () => new Blob([svgOf(diagrams.artifact, diagrams.placed.shown)], { type: "image/svg+xml" });
  const modules = () => ({ [nameOf(diagrams)]: diagrams.artifact });
  attachExport(display.find(".export"), "diagram", modules, (message) => display.notify(message));
  return attachControls({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    actions: {
      ...page.actions,
      ".resample": () => diagrams.resample(),
      ".vary": () => diagrams.vary(),
      ".pin": () => diagrams.unpin(),
      ".svg": () => download(`${nameOf(diagrams)}.svg`, svg()),
      ".png": async () => download(`${nameOf(diagrams)}.png`, await png(svg(), diagrams.artifact.size)),
      ".csv": () => download(`${nameOf(diagrams)}.csv`, new Blob([csv(diagrams)], { type: "text/csv" })),
    },
    changes: { diagram: ({ value }) => diagrams.choose(value) },
    keys: { n: () => diagrams.resample() },
  });
}

/** The name of the diagram's files. @param {DiagramParts} diagrams */
function nameOf({ doc }) {
  return doc.id.replace(/^.*[:/]/, "");
}

/** @param {Blob} svg @param {readonly [number, number]} size @returns {Promise<Blob>} */
async function png(svg, [width, height]) {
  const picture = new Image(width * PNG_SCALE, height * PNG_SCALE);
  picture.src = URL.createObjectURL(svg);
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * PNG_SCALE, height: height * PNG_SCALE });
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.fillStyle = "white";
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The browser made no PNG.")) : resolve(blob)), "image/png");
  });
}

/** @param {DiagramParts} diagrams @returns {string} every number of every shape */
function csv({ artifact, placed }) {
  const rows = valuesOf(artifact, placed.shown).flatMap((values, k) =>
    Object.entries(values).flatMap(([name, value]) => (typeof value === "number" ? [`"${artifact.shapes[k].name.replaceAll('"', '""')}",${name},${value}`] : [])),
  );
  return ["shape,attribute,value", ...rows, ""].join("\n");
}

// Starts the diagrams page.

import { loadDiagram, loadDiagramCards, loadManifest } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Diagrams } from "./diagrams.js";
import { attachRegistry } from "./registry.js";

startPage(
  loadDiagram,
  (root, loaded, compiler) => {
    const diagrams = new Diagrams(root, loaded, compiler);
    showGallery(diagrams);
    attachRegistry(diagrams.display.find(".registry"), (id) => show(diagrams, id));
    return diagrams.page;
  },
  { slow: texts.DIAGRAM_SLOW, died: texts.DIED_DIAGRAM, absent: texts.NO_DIAGRAMS },
);

/** Shows the gallery's pictures once the first diagram can be dragged. @param {Diagrams} diagrams */
async function showGallery(diagrams) {
  const cards = await loadDiagramCards(await loadManifest());
  diagrams.display.showCards(cards, (id) => show(diagrams, id));
}

/** @param {Diagrams} diagrams @param {string} id */
function show(diagrams, id) {
  diagrams.choose(id);
  diagrams.display.find(".place").scrollIntoView({ block: "nearest" });
}

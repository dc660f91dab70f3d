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
    attachTrio(diagrams);
    return diagrams.page;
  },
  { slow: texts.DIAGRAM_SLOW, died: texts.DIED_DIAGRAM, absent: texts.NO_DIAGRAMS },
);

/** Shows the gallery's pictures. Call this when the first diagram can be dragged. @param {Diagrams} diagrams */
async function showGallery(diagrams) {
  const cards = await loadDiagramCards(await loadManifest());
  diagrams.display.showCards(cards, (id) => show(diagrams, id));
}

/** Loads the section for Penrose programs when somebody opens it, or when a link contains such programs.
 * @param {Diagrams} diagrams */
function attachTrio(diagrams) {
  const place = diagrams.display.find(".trio");
  /** @type {Promise<void> | null} */
  let loading = null;
  const load = () => (loading ??= import("./trio-panel.js").then(({ TrioPanel }) => {
    const panel = new TrioPanel(diagrams, place);
    diagrams.onDraw = () => panel.show();
    panel.show();
  }));
  place.addEventListener("toggle", load);
  diagrams.onDraw = () => {
    if (diagrams.doc.trio !== null) load();
  };
}

/** @param {Diagrams} diagrams @param {string} id */
function show(diagrams, id) {
  diagrams.choose(id);
  diagrams.display.find(".place").scrollIntoView({ block: "nearest" });
}

// Starts the home page: a surface that you can drag at once, then the gallery's pictures as they come into view.

import { loadManifest, loadPresets } from "../../engine/presets.js";
import { attachShell } from "../../page/shell.js";
import { definePlot } from "../../plot/plot-element.js";
import { pack } from "../../plot/plot-module.js";
import * as texts from "../../formula-texts.js";

/** The example on the home page and its first point. At this point, no part of the surface hides the disc of the quadratic
 * approximation. */
const SHOWN = "egg-crate";
const POINT = /** @type {const} */ ([1.3, -2.4]);

async function start() {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  definePlot();
  const plot = /** @type {import("../../plot/plot-element.js").EglantinePlot} */ (root.querySelector("eglantine-plot"));
  /** @type {import("./gallery.js").Gallery | null} */
  let gallery = null;
  attachShell(() => {
    plot.repaint();
    gallery?.repaint();
  });
  const manifest = await loadManifest();
  const presets = await loadPresets(manifest, texts.EXAMPLES);
  const { artifact, doc } = presets.find(({ id }) => id === SHOWN) ?? presets[0];
  plot.use(pack(artifact, { ...doc, point: POINT }));
  performance.mark("draggable");
  const { Gallery } = await import("./gallery.js");
  gallery = new Gallery(root, manifest, presets);
}

start().catch((error) => {
  const notice = document.querySelector(".notice");
  if (notice !== null) notice.textContent = texts.NO_PRESETS;
  throw error;
});

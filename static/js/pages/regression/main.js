// Starts the regression page. It needs no Python: the build compiled its kernels.

import { loadManifest, loadRegression } from "../../engine/presets.js";
import { attachShell } from "../../page/shell.js";
import * as texts from "./texts.js";
import { Fitting } from "./fitting.js";
import { Regression } from "./regression.js";

async function start() {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {Regression["page"] | null} */
  let page = null;
  attachShell(() => page?.repaint());
  const { beginning, artifact } = await loadRegression(await loadManifest());
  page = new Regression(root, beginning, new Fitting(beginning, artifact)).page;
  root.dataset.shown = "";
  performance.mark("draggable");
}

start().catch((error) => {
  const notice = document.querySelector(".notice");
  if (notice !== null) notice.textContent = texts.NO_POINTS;
  throw error;
});

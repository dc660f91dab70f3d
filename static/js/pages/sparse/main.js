// Starts the page Sparse. Its kernel was compiled by the build, so it needs no Python.

import { instantiate } from "../../engine/kernel.js";
import { loadManifest, loadSprings } from "../../engine/presets.js";
import { attachShell } from "../../page/shell.js";
import * as texts from "./texts.js";
import { SparsePage } from "./sparse-page.js";

async function start() {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {SparsePage | null} */
  let page = null;
  // The net starts again at each visit.
  attachShell(() => page?.page.repaint(), { isKept: false });
  try {
    const { beginning, step } = await loadSprings(await loadManifest());
    page = new SparsePage(root, beginning, step, instantiate(step.wasm, step.abi));
    performance.mark("draggable");
  } catch (error) {
    const notice = root.querySelector(".notice");
    if (notice !== null) notice.textContent = texts.NO_NET;
    throw error;
  } finally {
    root.dataset.shown = "";
  }
}

start();

// Starts a page with Python. The page draws its compiled presets at once while Python loads.

/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {{showStatus: (status: Status) => void, repaint?: () => void, refresh: () => void}} PageWithPython */
/** The messages that a page shows. `slow`: Python took too long. `died`: Python crashed. `absent`: the page could not start.
 * @typedef {{slow: string, died: string, absent: string}} Words */

import { Compiler } from "../engine/compiler.js";
import { loadManifest } from "../engine/presets.js";
import { attachShell } from "./shell.js";

/** Starts a page: loads the results of the build, makes the page and starts Python.
 * @template L
 * @param {(manifest: Record<string, string>) => Promise<L>} load loads the results of the build
 * @param {(root: HTMLElement, loaded: L, compiler: Compiler) => PageWithPython} make @param {Words} words
 * @param {{firstTier?: boolean}} wants `firstTier`: true if the page computes formulas without Python (in the first tier) until
 * Python is ready */
export async function startPage(load, make, words, { firstTier = false } = {}) {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {PageWithPython | null} */
  let page = null;
  attachShell(() => page?.repaint?.());
  try {
    const manifest = await loadManifest();
    const loaded = await load(manifest);
    /** @type {Status | null} */
    let last = null;
    const compiler = new Compiler(manifest, (status) => {
      last = status;
      page?.showStatus(status);
      if (status.phase === "ready") performance.mark("editable");
    }, (reason) => ({
      message: reason === "slow" ? words.slow : words.died,
      column: 0,
      end_column: 0,
      suggestion: null,
      kind: "CompileError",
    }), () => page?.refresh());
    // The files for the picture have arrived. So the network is free, and we can load other files while we draw the picture.
    // The first tier loads before Python, because it is small.
    if (firstTier) compiler.loadFirstTier();
    compiler.start();
    page = make(root, loaded, compiler);
    if (last !== null) page.showStatus(last);
    performance.mark("draggable");
    root.querySelector(".retry")?.addEventListener("click", () => compiler.retry());
  } catch (error) {
    const notice = document.querySelector(".notice");
    if (notice !== null) notice.textContent = words.absent;
    throw error;
  } finally {
    root.dataset.shown = "";
  }
}

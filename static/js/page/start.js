// Starts a page with Python. The page draws its compiled presets at once while Python loads.

/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {{showStatus: (status: Status) => void, repaint?: () => void, refresh: () => void}} PageWithPython */
/** @typedef {{slow: string, died: string, absent: string}} Words messages: Python was too slow, it died, the start failed */

import { Compiler } from "../engine/compiler.js";
import { loadManifest } from "../engine/presets.js";
import { attachShell } from "./shell.js";

/** @template L
 * @param {(manifest: Record<string, string>) => Promise<L>} load loads the results of the build
 * @param {(root: HTMLElement, loaded: L, compiler: Compiler) => PageWithPython} make @param {Words} words
 * @param {{firstTier?: boolean}} wants whether the page interprets formulas until Python is ready */
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
    // The picture's files have arrived. So Python's files can now use the network while the picture is drawn.
    // The first tier is small, so it loads first.
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

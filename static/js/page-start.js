// How a page with Python starts: what was compiled beforehand is drawn, then Python loads beside it.

/** @typedef {import("./engine/compiler.js").Status} Status */
/** @typedef {{showStatus: (status: Status) => void, repaint?: () => void, refresh: () => void}} PageWithPython */
/** @typedef {{slow: string, died: string, absent: string}} Words why something was not compiled, and that the start failed */

import { Compiler } from "./engine/compiler.js";
import { loadManifest } from "./engine/presets.js";
import { attachShell } from "./shell.js";

/** @template L
 * @param {(manifest: Record<string, string>) => Promise<L>} load what was compiled beforehand
 * @param {(root: HTMLElement, loaded: L, compiler: Compiler) => PageWithPython} make @param {Words} words */
export async function startPage(load, make, words) {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {PageWithPython | null} */
  let page = null;
  attachShell(() => page?.repaint?.());
  try {
    const manifest = await loadManifest();
    const loaded = await load(manifest);
    const compiler = new Compiler(manifest, (status) => {
      page?.showStatus(status);
      if (status.phase === "ready") performance.mark("editable");
    }, (reason) => ({
      message: reason === "slow" ? words.slow : words.died,
      column: 0,
      end_column: 0,
      suggestion: null,
      kind: "CompileError",
    }), () => page?.refresh());
    page = make(root, loaded, compiler);
    performance.mark("draggable");
    root.querySelector(".retry")?.addEventListener("click", () => compiler.retry());
    // The picture first: Python starts when it has been painted.
    requestAnimationFrame(() => setTimeout(() => compiler.start()));
  } catch (error) {
    const notice = document.querySelector(".notice");
    if (notice !== null) notice.textContent = words.absent;
    throw error;
  } finally {
    root.dataset.shown = "";
  }
}

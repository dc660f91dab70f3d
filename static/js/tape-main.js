// Starts the tape page: the examples' tapes, compiled beforehand, then Python beside them.

import { Tape } from "./demos/tape.js";
import { Compiler } from "./engine/compiler.js";
import { loadManifest, loadTapes } from "./engine/presets.js";
import { attachShell } from "./shell.js";
import * as texts from "./texts.js";

async function start() {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  attachShell(() => {});
  /** @type {Tape | null} */
  let page = null;
  const manifest = await loadManifest();
  const presets = await loadTapes(manifest);
  const compiler = new Compiler(manifest, (status) => {
    page?.showStatus(status);
    if (status.phase === "ready") performance.mark("editable");
  }, (reason) => ({
    message: reason === "slow" ? texts.SLOW : texts.DIED,
    column: 0,
    end_column: 0,
    suggestion: null,
    kind: "CompileError",
  }), () => {});
  page = new Tape(root, presets, compiler);
  root.dataset.shown = "";
  performance.mark("draggable");
  root.querySelector(".retry")?.addEventListener("click", () => compiler.retry());
  // The picture first: Python starts when it has been painted.
  requestAnimationFrame(() => setTimeout(() => compiler.start()));
}

start().catch((error) => {
  const notice = document.querySelector(".notice");
  if (notice !== null) notice.textContent = texts.NO_PRESETS;
  throw error;
});

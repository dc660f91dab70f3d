// Starts the robot page: texts and theme, the robot compiled beforehand, then Python beside it.

import { Robot } from "./demos/robot.js";
import { Compiler } from "./engine/compiler.js";
import { loadManifest, loadRobot } from "./engine/presets.js";
import { attachShell } from "./shell.js";
import * as texts from "./texts.js";

async function start() {
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {Robot | null} */
  let page = null;
  attachShell(() => page?.repaint());

  const manifest = await loadManifest();
  const { beginning, artifact } = await loadRobot(manifest);
  const compiler = new Compiler(manifest, (status) => page?.display.showStatus(status), (reason) => ({
    message: reason === "slow" ? texts.ROBOT_SLOW : texts.DIED_ROBOT,
    column: 0,
    end_column: 0,
    suggestion: null,
    kind: "CompileError",
  }), () => {});
  page = new Robot(root, beginning, artifact, compiler);
  root.dataset.shown = "";
  performance.mark("draggable");
  root.querySelector(".retry")?.addEventListener("click", () => compiler.retry());
  // The picture first: Python starts when it has been painted.
  requestAnimationFrame(() => setTimeout(() => compiler.start()));
}

start().catch((error) => {
  const notice = document.querySelector(".notice");
  document.querySelector("main")?.setAttribute("data-shown", "");
  if (notice !== null) notice.textContent = texts.NO_ROBOT;
  throw error;
});

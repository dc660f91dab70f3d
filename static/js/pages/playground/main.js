// Starts the playground. It shows the program as plain text at once, then loads its editor. Python loads meanwhile.

import { loadManifest } from "../../engine/presets.js";
import { attachShell, sharedFragment } from "../../page/shell.js";
import * as texts from "./texts.js";
import { Playground } from "./playground.js";
import { PlaygroundSession } from "./session.js";

async function start() {
  attachShell(() => {}, { isKept: false }); // the playground keeps its program itself
  const root = /** @type {HTMLElement} */ (document.querySelector("main"));
  /** @type {Playground | null} */
  let page = null;
  /** @type {import("../../engine/python-worker.js").Status | null} */
  let last = null;
  const session = new PlaygroundSession(await loadManifest(), (status) => {
    last = status;
    page?.showStatus(status);
    if (status.phase === "ready") performance.mark("editable");
  });
  session.start();
  page = new Playground(root, session);
  if (last !== null) page.showStatus(last);
  await page.begin(sharedFragment());
  window.addEventListener("hashchange", () => page.open(sharedFragment()));
  // Marks the moment from which you can use the page, under the same name as on the other pages.
  performance.mark("draggable");
  // The editor's scripts load after the program has been painted.
  const { editor } = page;
  requestAnimationFrame(() => setTimeout(() => {
    editor.upgrade().catch(() => {
      // If the editor does not load, the plain text area is enough.
    });
  }));
}

start().catch((error) => {
  const notice = document.querySelector(".notice");
  if (notice !== null) notice.textContent = texts.NO_PROGRAM;
  throw error;
});

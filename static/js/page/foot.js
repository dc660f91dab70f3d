// The foot of every page: full screen, and the buttons for texts to copy (copied-texts.js).

/** A function that returns two lines of HTML, or null. In another site, these lines show the page's picture without Python.
 * Only the page Quadratic has such a function.
 * @type {(() => Promise<string>) | null} */
let lines = null;

/** @param {() => Promise<string>} make the two lines of an element that any page can hold */
export function offerElement(make) {
  lines = make;
}

/** Makes the buttons in the page's footer work. A page that is embedded in another site does not have these buttons.
 * @param {() => string} fragment the page's state as in a link, without the # */
export function attachFoot(fragment) {
  attachFullScreen();
  document.querySelector("footer .embed-page")?.addEventListener("click", async () => {
    const { showEmbedding } = await import("./copied-texts.js");
    await showEmbedding(fragment(), lines);
  });
  document.querySelector("footer .report")?.addEventListener("click", async () => {
    const { showReport } = await import("./copied-texts.js");
    showReport();
  });
  const dialog = document.querySelector("dialog.copied-text");
  dialog?.querySelector(".close")?.addEventListener("click", () => /** @type {HTMLDialogElement} */ (dialog).close());
}

/** Attaches the button for full screen. The button stays hidden if the browser has no full screen. */
function attachFullScreen() {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("footer .full-screen"));
  if (button === null || !document.fullscreenEnabled) return;
  button.hidden = false;
  button.addEventListener("click", () => (document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()));
  document.addEventListener("fullscreenchange", () => (button.ariaPressed = String(document.fullscreenElement !== null)));
}

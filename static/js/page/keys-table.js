// The table of a page's keys: the button "?" and the key "?" open it. The browser closes it on Escape and gives the focus back.

import { isTyping } from "./controls.js";

/** Attaches the page's `<dialog class="keys">` to its buttons and its key. */
export function attachKeysTable() {
  const table = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.keys"));
  const toggle = () => (table.open ? table.close() : table.showModal());
  for (const button of document.querySelectorAll(".open-keys, .keys .close")) button.addEventListener("click", toggle);
  window.addEventListener("keydown", (event) => {
    // While the table is open, its keys are there to be read: the page hears none of them.
    if (table.open) event.stopPropagation();
    if (event.key !== "?" || isTyping(event)) return;
    toggle();
    event.preventDefault();
  }, { capture: true });
}

// The table that explains a page's keys. The button "?" and the key "?" open it. The key Escape closes it. The browser does
// this by itself, and then gives the focus back to the element that had it before.

import { isTyping } from "./controls.js";

/** Opens and closes the table of keys, `<dialog class="keys">`, when you press its buttons or the key "?". */
export function attachKeysTable() {
  const table = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.keys"));
  const toggle = () => (table.open ? table.close() : table.showModal());
  for (const button of document.querySelectorAll(".open-keys, .keys .close")) button.addEventListener("click", toggle);
  window.addEventListener("keydown", (event) => {
    // The open table only explains the keys, so the page must not act on them.
    if (table.open) event.stopPropagation();
    if (event.key !== "?" || isTyping(event)) return;
    toggle();
    event.preventDefault();
  }, { capture: true });
}

// The words of a page's HTML.

import { TEXTS } from "../texts.js";

/** Fills them in: the element's text, or its label where only a sign is shown. */
export function fillTexts() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = TEXTS[/** @type {HTMLElement} */ (element).dataset.text ?? ""];
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const label = TEXTS[/** @type {HTMLElement} */ (element).dataset.label ?? ""];
    element.setAttribute("aria-label", label);
    element.setAttribute("title", label);
  }
}

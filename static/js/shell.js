// What is around every page: its theme, the way to the other pages, and its fragment.

import { attachTheme } from "./widgets/theme.js";

/** Attaches the header. Call it once, first.
 * @param {() => void} onTheme draws the page's pictures again, in the colours of another theme */
export function attachShell(onTheme) {
  attachTheme(/** @type {HTMLButtonElement} */ (document.querySelector("header .theme")), onTheme);
  const current = document.querySelector("nav [aria-current]");
  const nav = current?.parentElement;
  if (!(current instanceof HTMLElement) || !nav) return;
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

/** @returns {string} what a shared link says after its #; "" for none, or where it only leads to a place on the page */
export function sharedFragment() {
  const fragment = location.hash.slice(1);
  return document.getElementById(fragment) === null ? fragment : "";
}

// What is around every page: its theme, the way to the other pages, and its fragment.

import { attachTheme } from "./widgets/theme.js";

/** Attaches the header. Call it once, first.
 * @param {() => void} onTheme draws the page's pictures again, in the colours of another theme */
export function attachShell(onTheme) {
  attachTheme(/** @type {HTMLButtonElement} */ (document.querySelector("header .theme")), onTheme);
  if (document.readyState === "complete") attachOffline();
  else window.addEventListener("load", attachOffline);
  const current = document.querySelector("nav [aria-current]");
  const nav = current?.parentElement;
  if (!(current instanceof HTMLElement) || !nav) return;
  const show = (/** @type {HTMLElement} */ link) => {
    nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  };
  show(current);
  // A browser leaves a link that is cut off by a little where it is.
  nav.addEventListener("focusin", ({ target }) => target instanceof HTMLElement && show(target));
}

/** Not needed for anything that is seen. */
async function attachOffline() {
  const { keepOffline } = await import("./offline.js");
  await keepOffline();
}

/** @returns {string} what a shared link says after its #; "" for none, or where it only leads to a place on the page */
export function sharedFragment() {
  const fragment = location.hash.slice(1);
  return document.getElementById(fragment) === null ? fragment : "";
}

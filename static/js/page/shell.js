// What is around every page: its theme, the way to the other pages, and its fragment.

import { attachTheme } from "../widgets/theme.js";
import { attachKeysTable } from "./keys-table.js";

/** Where a page's last state is kept, before the page's name. */
const LAST = "eglantine.last.1.";
const LONGEST_KEPT = 20_000;

/** Attaches the header. Call it once, first: a page that is opened without a fragment gets its last one then.
 * @param {() => void} onTheme draws the page's pictures again, in the colours of another theme
 * @param {{isKept?: boolean}} options `isKept`: whether the page begins where it was left on this device */
export function attachShell(onTheme, { isKept = true } = {}) {
  if (isKept) attachLast();
  attachTheme(/** @type {HTMLButtonElement} */ (document.querySelector("header .theme")), onTheme);
  attachKeysTable();
  if (document.readyState === "complete") attachOffline();
  else window.addEventListener("load", attachOffline);
}

/** Opens the page where it was left, and keeps where it is being left; both are the fragment that a link would have, which
 * the page reads with the same care. */
function attachLast() {
  // A page has several addresses, such as quadratic.html, quadratic and quadratic/. Its link to itself has one.
  const key = LAST + (document.querySelector("nav [aria-current]")?.getAttribute("href")?.split("/").at(-1) ?? "");
  try {
    const kept = localStorage.getItem(key);
    if (kept !== null && location.hash === "") history.replaceState({ isLast: true }, "", `#${kept}`);
    window.addEventListener("pagehide", () => {
      const fragment = sharedFragment();
      if (fragment !== "" && fragment.length <= LONGEST_KEPT) localStorage.setItem(key, fragment);
    });
  } catch {
    // Without storage a page begins with its first example.
  }
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

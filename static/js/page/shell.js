// The parts that every page has: the theme, the table of keys, the foot, the page's last state, and its use without a network.

import { attachTheme } from "../widgets/theme.js";
import { attachFoot } from "./foot.js";
import { attachKeysTable } from "./keys-table.js";

/** We store the page's last state under this key, followed by the page's name. */
const LAST = "eglantine.last.1.";
const LONGEST_KEPT = 20_000;

/** Attaches the parts that every page has. Call this once, before the page reads the fragment (the part after #) of its
 * address. If the page was opened without a fragment, this function restores the fragment of the last visit.
 * @param {() => void} onTheme redraws the page's pictures in the colours of another theme
 * @param {{isKept?: boolean}} options `isKept`: true if the page should begin in the state in which you left it on this
 *   device */
export function attachShell(onTheme, { isKept = true } = {}) {
  if (isKept) attachLast();
  attachTheme(/** @type {HTMLButtonElement} */ (document.querySelector("header .theme")), onTheme);
  attachKeysTable();
  attachFoot(sharedFragment);
  if (document.readyState === "complete") attachOffline();
  else window.addEventListener("load", attachOffline);
}

/** Restores the page's last state, and stores the state when you leave the page. The state is stored as a link's fragment, so
 * the page checks it like a link. */
function attachLast() {
  // A page has several addresses, such as quadratic.html, quadratic and quadratic/. The canonical address is always the same.
  const key = LAST + (document.querySelector("link[rel=canonical]")?.getAttribute("href")?.split("/").at(-1) ?? "");
  try {
    const lastFragment = localStorage.getItem(key);
    if (lastFragment !== null && location.hash === "") history.replaceState({ isLast: true }, "", `#${lastFragment}`);
    window.addEventListener("pagehide", () => {
      const fragment = sharedFragment();
      if (fragment !== "" && fragment.length <= LONGEST_KEPT) localStorage.setItem(key, fragment);
    });
  } catch {
    // Without storage a page begins with its first example.
  }
}

/** Loaded late, because nothing visible needs it. */
async function attachOffline() {
  const { keepOffline } = await import("./offline.js");
  await keepOffline();
}

/** @returns {string} a shared link's text after the #; "" if there is none or it only names a place on the page */
export function sharedFragment() {
  const fragment = location.hash.slice(1);
  return document.getElementById(fragment) === null ? fragment : "";
}

// The parts that every page has: the theme, the table of keys, the foot, the page's last state, and its use without a network.

import { attachTheme } from "../widgets/theme.js";
import { attachFoot } from "./foot.js";
import { attachKeysTable } from "./keys-table.js";
import { isUsed } from "./used.js";

/** We store the page's last state under this key, followed by the page's name. */
const LAST = "eglantine.last.1.";
const LONGEST_KEPT = 20_000;

/** Makes the parts work that every page has, such as the theme and the table of keys. A page's state is in the fragment of its
 * address, which is the part after the #. If the page was opened without a fragment, this function restores the fragment of the
 * last visit. So call it once, before the page reads the fragment.
 * @param {() => void} onTheme redraws the page's pictures in the colours of another theme
 * @param {{isKept?: boolean}} options `isKept`: true if the page should begin in the state in which the visitor left it */
export function attachShell(onTheme, { isKept = true } = {}) {
  if (isKept) attachLast();
  attachTheme(/** @type {HTMLButtonElement} */ (document.querySelector("header .theme")), onTheme);
  attachKeysTable();
  attachFoot(sharedFragment);
  if (document.readyState === "complete") attachOffline();
  else window.addEventListener("load", attachOffline);
}

/** Restores the state that the page had at the last visit, and stores the state when the visitor leaves the page. We store the
 * state as the fragment of a link, so the page checks a stored state as it checks a link. */
function attachLast() {
  // A page has several addresses, such as quadratic.html, quadratic and quadratic/. The canonical address is always the same.
  const key = LAST + (document.querySelector("link[rel=canonical]")?.getAttribute("href")?.split("/").at(-1) ?? "");
  try {
    const lastFragment = localStorage.getItem(key);
    if (lastFragment !== null && location.hash === "") history.replaceState({ isLast: true }, "", `#${lastFragment}`);
    window.addEventListener("pagehide", () => {
      const fragment = sharedFragment();
      if (isUsed() && fragment !== "" && fragment.length <= LONGEST_KEPT) localStorage.setItem(key, fragment);
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

// Stores an exported site in the browser, so that it works without a network. We store no other site. If we stored a site that
// a developer is changing, its pages would not show the changes.

import { isSlowHere } from "../engine/connection.js";
import { registerServiceWorker } from "../engine/workers.js";

/** The longest time to wait for Python before we fetch the whole site. The limit is for pages that never load Python. */
const PATIENCE_MS = 6000;
/** On a slow connection we wait longer for Python, because fetching the whole site would delay Python's files. */
const SLOW_PATIENCE_MS = 60_000;
const CACHES = "eglantine-";

/** If the page is part of an exported site, stores this site in the browser, so that it works without a network. Otherwise
 * removes an exported site that was stored earlier at this address. Call this when the page has loaded. */
export async function keepOffline() {
  if (!("serviceWorker" in navigator) || !isSecureContext || document.documentElement.dataset.embedded !== undefined) return;
  if (document.querySelector("meta[name=offline]") === null) {
    await forget();
  } else if (!(/** @type {any} */ (navigator).connection?.saveData)) {
    await pythonOrPatience(); // Python needs the network first
    await registerServiceWorker();
  }
}

/** Removes everything that an exported site at this address has stored in the browser. */
async function forget() {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHES)).map((name) => caches.delete(name)));
}

/** @returns {Promise<unknown>} */
function pythonOrPatience() {
  const python = new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("python").length === 0) return;
      observer.disconnect();
      resolve(null);
    }).observe({ type: "mark", buffered: true });
  });
  const patience = new Promise((resolve) => {
    setTimeout(resolve, isSlowHere() ? SLOW_PATIENCE_MS : PATIENCE_MS);
  });
  return Promise.race([python, patience]);
}

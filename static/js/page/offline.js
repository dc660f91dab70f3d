// Keeps the site for when there is no network, where it was exported for that; elsewhere nothing may be kept, since a page
// that is being worked on would not be seen to change.

import { registerServiceWorker } from "../engine/workers.js";

/** So long a page that wants no Python, or does not get it, is left alone. */
const PATIENCE_MS = 6000;
const CACHES = "eglantine-";

/** Call it when the page has been loaded. */
export async function keepOffline() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  if (document.querySelector("meta[name=offline]") === null) {
    await forget();
  } else if (!(/** @type {any} */ (navigator).connection?.saveData)) {
    await pythonOrPatience(); // it wants the network first
    await registerServiceWorker();
  }
}

/** What a site that was served from this address before has left. */
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
    setTimeout(resolve, PATIENCE_MS);
  });
  return Promise.race([python, patience]);
}

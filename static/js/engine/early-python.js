// A Python that begins before the page's own scripts have come. Whoever wants one of its kind takes it over.

import { loadManifest } from "./manifest.js";
import { WatchedWorker } from "./workers.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** `said`: what it has said while nobody listened.
 * @typedef {{worker: WatchedWorker, manifest: Manifest | null, said: any[], isDead: boolean}} Early */

const KEPT = "eglantine.python";
/** The word in its name that begins the worker before there is a message for it. */
const AT_ONCE = "pages";

/** @returns {boolean} whether a worker has said that Python is kept on this device */
export function isKept() {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false; // not everywhere may a page keep something
  }
}

/** Lets the next visit know. */
export function noteKept() {
  try {
    localStorage.setItem(KEPT, "");
  } catch {
    // Then Python begins when the page has come.
  }
}

/** Until it is taken. Two scripts that are loaded apart hand it over here. @type {Early | null} */
let early = null;

export async function beginEarly() {
  /** @type {Early} */
  const begun = {
    worker: new WatchedWorker("worker.js", (data) => begun.said.push(data), () => {
      begun.isDead = true;
    }, { begins: AT_ONCE }),
    manifest: null,
    said: [],
    isDead: false,
  };
  early = begun;
  begun.manifest = await loadManifest();
  begun.worker.postMessage({ manifest: begun.manifest, engine: null });
}

/** @param {Manifest} manifest @returns {Early | null} one that starts this, if one does */
export function takeEarly(manifest) {
  if (early === null || early.isDead || early.manifest !== manifest) return null;
  const taken = early;
  early = null;
  return taken;
}

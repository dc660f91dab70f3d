// Starts Python before the page's own scripts have loaded. The first part of the page that needs this Python takes it over.

import { loadManifest } from "./manifest.js";
import { WatchedWorker } from "./workers.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** `said`: messages that arrived before anybody listened.
 * @typedef {{worker: WatchedWorker, manifest: Manifest | null, said: any[], isDead: boolean}} Early */

const KEPT = "eglantine.python";
/** A worker with this word in its name starts Python without waiting for a message. */
const AT_ONCE = "pages";

/** @returns {boolean} whether a worker has said that Python is kept on this device */
export function isKept() {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false; // some browsers and settings give a page no storage
  }
}

/** Tells the next visit that Python is kept on this device. */
export function noteKept() {
  try {
    localStorage.setItem(KEPT, "");
  } catch {
    // Without this note, the next visit starts Python only when the page has loaded.
  }
}

/** The early Python until a part of the page takes it. Two scripts that load separately share it here. @type {Early | null} */
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

/** @param {Manifest} manifest @returns {Early | null} an early Python of this manifest's build, or null if there is none */
export function takeEarly(manifest) {
  if (early === null || early.isDead || early.manifest !== manifest) return null;
  const taken = early;
  early = null;
  return taken;
}

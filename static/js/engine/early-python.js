// Starts Python before the page's own scripts have loaded. The first part of the page that needs this Python takes it over.

import { isFastHere } from "./connection.js";
import { loadManifest } from "./manifest.js";
import { WatchedWorker } from "./workers.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** A Python that started before the page's own scripts. `said`: the messages from Python that arrived before these scripts
 * listened.
 * @typedef {{worker: WatchedWorker, manifest: Manifest | null, said: any[], isDead: boolean}} Early */

const KEPT = "eglantine.python";
/** If a worker's name contains one of these words, the worker starts Python without waiting for a message. The word "light"
 * also means that this device has stored the light archive and not the snapshot. We store this word for the next visit. */
const [AT_ONCE, LIGHT] = ["pages", "light"];

/** @returns {boolean} true if a worker has noted that this device has stored Python */
export function isKept() {
  return note() !== null;
}

/** @returns {boolean} true if the stored Python is the light archive */
export function isLightKept() {
  return note() === LIGHT;
}

/** @returns {string | null} the note of the last visit */
function note() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // some browsers and settings give a page no storage
  }
}

/** Notes for the next visit that this device has stored Python's files. But if Python started from the light archive and the
 * connection is fast now, removes the note, so that the next visit fetches and stores the snapshot.
 * @param {string} [start] what Python started from, such as "light" */
export function noteKept(start) {
  try {
    if (start !== LIGHT) localStorage.setItem(KEPT, "");
    else if (isFastHere()) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, LIGHT);
  } catch {
    // Without this note, the next visit starts Python only when the page has loaded.
  }
}

/** The Python that started before the page's own scripts. null if there is none, or if `takeEarly` has returned it. Two scripts
 * that load separately share this variable. @type {Early | null} */
let early = null;

export async function beginEarly() {
  /** @type {Early} */
  const begun = {
    worker: new WatchedWorker("worker.js", (data) => begun.said.push(data), () => {
      begun.isDead = true;
    }, { begins: isLightKept() ? LIGHT : AT_ONCE }),
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

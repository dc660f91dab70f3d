// The build's manifest, which maps each role to the name of a built file. All files of a manifest come from the same build.

/** @typedef {Record<string, string>} Manifest */

/** The folder of built files. */
export const BUILD = new URL("../../build/", import.meta.url);
const MANIFEST = new URL("manifest.json", BUILD);

/** The manifest, or null before we load it. We load it only once, so that the page and an early Python (see early-python.js)
 * use files of the same build.
 * @type {Promise<Manifest> | null} */
let loading = null;

/** @returns {Promise<Manifest>} */
export function loadManifest() {
  loading ??= newestManifest();
  return loading;
}

/** @returns {Promise<Manifest>} the site's present manifest, which may be newer than a page that was opened long ago */
export async function newestManifest() {
  const response = await fetch(MANIFEST);
  if (!response.ok) throw new Error(`${MANIFEST}: ${response.status}`);
  const manifest = await response.json();
  // An embedded page stores nothing, and neither do its workers.
  return globalThis.document?.documentElement.dataset.embedded === undefined ? manifest : { ...manifest, keeps: "nothing" };
}

// What the build made: names of files by what they are. Its scripts, modules and snapshot belong together.

/** @typedef {Record<string, string>} Manifest */

const MANIFEST = new URL("../../build/manifest.json", import.meta.url);

/** Once for a page: what it begins with, and what begins before it, are of one build. @type {Promise<Manifest> | null} */
let loading = null;

/** @returns {Promise<Manifest>} */
export function loadManifest() {
  loading ??= newestManifest();
  return loading;
}

/** @returns {Promise<Manifest>} of the site as it is now, when a page may have been open for long */
export async function newestManifest() {
  const response = await fetch(MANIFEST);
  if (!response.ok) throw new Error(`${MANIFEST}: ${response.status}`);
  return response.json();
}

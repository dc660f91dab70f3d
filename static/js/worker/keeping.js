// Keeps Python's files on this device, unpacked and ready for use. Reading 21 MB from here takes a third of the time that the
// browser's own cache takes. A file's address contains the hash of its content, so a kept file is never out of date.

const KEPT = "eglantine.python";

/** Files that came from the network, keyed by address. @typedef {Map<string, Promise<ArrayBuffer>>} Brought */

/** Reads a file that is kept on this device.
 * @param {URL} url @param {string | undefined} sha256 the hash of the expected content, in hexadecimal
 * @returns {Promise<ArrayBuffer | null>} the file, or null if it is not kept or has another hash */
export async function kept(url, sha256) {
  const bytes = await (await keptResponse(url))?.arrayBuffer().catch(() => null);
  if (bytes === undefined) return null;
  if (bytes !== null && (await isMade(bytes, sha256))) return bytes;
  return dropped(url);
}

/** Compiles a kept WebAssembly module, and computes the hash of its file at the same time. Compiling a module does not run its
 * code, so this is safe. A module with a wrong hash is not returned, but deleted.
 * @param {URL} url @param {string | undefined} sha256 @returns {Promise<WebAssembly.Module | null>} */
export async function keptModule(url, sha256) {
  const response = await keptResponse(url);
  if (response === null) return null;
  try {
    const bytes = response.clone().arrayBuffer();
    const hashing = bytes.then((whole) => isMade(whole, sha256));
    const [module, isOurs] = await Promise.all([WebAssembly.compileStreaming(response), hashing]);
    return isOurs ? module : dropped(url);
  } catch {
    return dropped(url); // it is not a module
  }
}

/** Deletes a damaged or forged file from the cache. @param {URL} url
 * @returns {Promise<null>} */
async function dropped(url) {
  await (await caches.open(KEPT)).delete(url).catch(() => {});
  return null;
}

/** @param {URL} url @returns {Promise<Response | null>} the kept file, which any script of this origin may have put there */
export async function keptResponse(url) {
  try {
    return (await caches.match(url, { cacheName: KEPT })) ?? null; // unlike `open`, this makes no cache
  } catch {
    return null; // some browsers and settings give a page no storage
  }
}

/** @param {ArrayBuffer} bytes that nobody else can change @param {string | undefined} sha256
 * @returns {Promise<boolean>} whether they have this hash */
export async function isMade(bytes, sha256) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** Deletes all files in the cache, because Python did not start from them. */
export async function forgetPython() {
  await globalThis.caches?.delete(KEPT);
}

/** Puts the files from the network into the cache. Deletes cached files that this build does not need for starting Python.
 * @param {readonly URL[]} wanted all files that the next visit needs @param {Brought} brought the files from the network;
 *   emptied afterwards
 * @param {() => void} onKept called when the cache has all wanted files */
export async function keepPython(wanted, brought, onKept) {
  if (wanted.some(isKeptBySite)) {
    onKept();
  } else {
    try {
      const cache = await caches.open(KEPT);
      const addresses = wanted.map(({ href }) => href);
      for (const { url } of await cache.keys()) if (!addresses.includes(url)) await cache.delete(url);
      for (const [url, bytes] of brought) await cache.put(url, new Response(await bytes, { headers: headersOf(url) }));
      if ((await cache.keys()).length === wanted.length) onKept();
    } catch {
      // The device may have no room left. The browser's own cache may still have the files.
    }
  }
  brought.clear();
}

/** @param {string} url @returns {HeadersInit} the media type, which a browser needs to compile a module while it reads it */
function headersOf(url) {
  return new URL(url).pathname.endsWith(".wasm") ? { "Content-Type": "application/wasm" } : {};
}

/** @param {URL} url @returns {boolean} whether the site's service worker answered, and so keeps the file */
function isKeptBySite(url) {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url.href));
  return entries.some(({ workerStart }) => workerStart > 0);
}

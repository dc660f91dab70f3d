// Keeps what Python is made of as it is used: neither compressed nor to be asked for. 21 MB come so in a third of the time
// that they take from the browser's own cache. Addresses say what is behind them, so nothing kept is ever out of date.

const KEPT = "eglantine.python";

/** Files that came from the network, by their addresses. @typedef {Map<string, Promise<ArrayBuffer>>} Brought */

/** @param {URL} url @param {string | undefined} sha256 of what is to be there, in hexadecimal
 * @returns {Promise<ArrayBuffer | null>} what was kept of it; null if that is nothing, or anything else */
export async function kept(url, sha256) {
  const bytes = await (await found(url))?.arrayBuffer().catch(() => null);
  if (bytes === undefined) return null;
  if (bytes !== null && (await isMade(bytes, sha256))) return bytes;
  return dropped(url);
}

/** Compiles while it hashes: compiling runs nothing, and a module that is not ours is dropped. Both read one stream.
 * @param {URL} url @param {string | undefined} sha256 @returns {Promise<WebAssembly.Module | null>} */
export async function keptModule(url, sha256) {
  const response = await found(url);
  if (response === null) return null;
  try {
    const bytes = response.clone().arrayBuffer();
    const hashing = bytes.then((whole) => isMade(whole, sha256));
    const [module, isOurs] = await Promise.all([WebAssembly.compileStreaming(response), hashing]);
    return isOurs ? module : dropped(url);
  } catch {
    return dropped(url); // it is no module
  }
}

/** @param {URL} url of what somebody else has put there, or what is damaged @returns {Promise<null>} */
async function dropped(url) {
  await (await caches.open(KEPT)).delete(url).catch(() => {});
  return null;
}

/** @param {URL} url @returns {Promise<Response | null>} what lies there, whoever has put it there */
async function found(url) {
  try {
    return (await (await caches.open(KEPT)).match(url)) ?? null;
  } catch {
    return null; // not everywhere may a page keep something
  }
}

/** @param {ArrayBuffer} bytes that nobody else can change @param {string | undefined} sha256 @returns {Promise<boolean>} */
async function isMade(bytes, sha256) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** Forgets what does not start. */
export async function forgetPython() {
  await globalThis.caches?.delete(KEPT);
}

/** Keeps what the network has brought, and forgets what belongs to no start like this one.
 * @param {readonly URL[]} wanted all that is to be there for the next @param {Brought} brought which is then empty
 * @param {() => void} onKept when all of it is there */
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
      // There may be no room; the browser's own cache may have it too.
    }
  }
  brought.clear();
}

/** @param {string} url @returns {HeadersInit} without which a module is not compiled as it is read */
function headersOf(url) {
  return new URL(url).pathname.endsWith(".wasm") ? { "Content-Type": "application/wasm" } : {};
}

/** @param {URL} url @returns {boolean} whether the site's service worker has answered it, which keeps everything */
function isKeptBySite(url) {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url.href));
  return entries.some(({ workerStart }) => workerStart > 0);
}

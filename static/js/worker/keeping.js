// Keeps what Python is made of as it is used: neither compressed nor to be asked for. 21 MB come so in a third of the time
// that they take from the browser's own cache. Addresses say what is behind them, so nothing kept is ever out of date.

const KEPT = "eglantine.python";
const WASM = "application/wasm";

/** @param {URL} url @returns {Promise<Response | null>} what was kept of it */
export async function kept(url) {
  try {
    return (await (await caches.open(KEPT)).match(url)) ?? null;
  } catch {
    return null; // not everywhere may a page keep something
  }
}

/** Forgets what does not start. */
export async function forgetPython() {
  await globalThis.caches?.delete(KEPT);
}

/** Keeps a snapshot and Pyodide's own module, unless they are, and forgets all others. Nothing is asked of the network for it.
 * @param {URL} snapshot @param {ArrayBuffer} pages its content @param {URL} engine @param {() => void} onKept */
export async function keepPython(snapshot, pages, engine, onKept) {
  if (isKeptBySite(snapshot) || ((await kept(snapshot)) !== null && (await kept(engine)) !== null)) {
    onKept();
    return;
  }
  try {
    const response = await fetch(engine, { mode: "same-origin", cache: "only-if-cached" });
    if (!response.ok) return;
    const module = await response.arrayBuffer();
    const cache = await caches.open(KEPT);
    const wanted = [snapshot.href, engine.href];
    for (const { url } of await cache.keys()) if (!wanted.includes(url)) await cache.delete(url);
    await cache.put(engine, new Response(module, { headers: { "Content-Type": WASM } }));
    await cache.put(snapshot, new Response(pages));
    onKept();
  } catch {
    // There may be no room; the browser's own cache has it too.
  }
}

/** @param {URL} url @returns {boolean} whether the site's service worker has answered it, which keeps everything */
function isKeptBySite(url) {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url.href));
  return entries.some(({ workerStart }) => workerStart > 0);
}

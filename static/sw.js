// Keeps the whole site in the browser, for when there is no network. Only a site that was exported has it (tools/export.py,
// which fills in the two tables): while a page is being worked on, nothing may stand between it and its files.
//
// Files are kept by the hash of their content, and a version is a table of paths and hashes. A version is installed when every
// file of it is there and is what its hash says, and each page is served from one version. So versions never mix, and what did
// not change is not fetched again.

/** @type {Record<string, string>} path below the scope → SHA-256 of its content, without gzip, in hexadecimal */
const FILES = {};
/** @type {Record<string, string>} suffix → media type */
const TYPES = {};

const CACHE = "eglantine-1";
const AT_ONCE = 4;
const INDEX = "index.html";
/** So long the newer version has for taking over; then this one answers, and the next visit may try again. */
const PATIENCE_MS = 5000;
/** A page that lets the newer version take over and, once it has, asks again for it to answer. Who asks in the middle of that
 * may wait for ever (Chromium), so the page first listens for its end. */
const AGAIN = `<!doctype html><script>
  const { serviceWorker } = navigator;
  const again = () => location.reload();
  serviceWorker.addEventListener("controllerchange", again);
  serviceWorker.getRegistration().then(({ waiting }) => waiting === null ? again() : waiting.postMessage("take over"));
  setTimeout(again, ${PATIENCE_MS});
</script>`;
/** How gzip begins. */
const GZIP = [0x1f, 0x8b];
/** With these the page may share memory with its workers, so that Python can be interrupted, on hosts that set no headers. */
const HEADERS = {
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

const worker = /** @type {any} */ (self);
/** @type {string} */
const scope = worker.registration.scope;
/** When this version last answered with `AGAIN`. */
let askedAtMs = -Infinity;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "take over") worker.skipWaiting();
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method === "GET" && path !== null) event.respondWith(respond(request, path));
});

/** @param {string} url @returns {string | null} the file of this version that it names */
function pathOf(url) {
  const [address] = url.split(/[?#]/);
  if (!address.startsWith(scope)) return null;
  const path = address.slice(scope.length) || INDEX;
  return Object.hasOwn(FILES, path) ? path : null;
}

/** Fetches what is not there yet of this version. */
async function install() {
  const cache = await caches.open(CACHE);
  const paths = Object.keys(FILES);
  const rest = paths.values();
  const fetchRest = async () => {
    for (const path of rest) {
      if ((await cache.match(keyOf(path))) === undefined) await cache.put(keyOf(path), await fetched(path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchRest));
}

/** Forgets what other versions had: no page of theirs is open any more. */
async function tidy() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const kept = await cache.keys();
  await Promise.all(kept.filter(({ url }) => !wanted.has(url)).map((key) => cache.delete(key)));
}

/** @param {Request} request @param {string} path @returns {Promise<Response>} */
async function respond(request, path) {
  if (request.mode === "navigate" && (await makesWay(request))) {
    return new Response(AGAIN, { headers: { "Content-Type": "text/html" } });
  }
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(path))) ?? (await restored(cache, path));
}

/** Whether a newer version may take over, since no page of this one stays open; it is asked once in a while.
 * @param {Request} request of a page @returns {Promise<boolean>} */
async function makesWay(request) {
  if (!worker.registration.waiting || performance.now() - askedAtMs < 2 * PATIENCE_MS) return false;
  const open = await worker.clients.matchAll({ type: "window" });
  const staying = open.length - (/** @type {any} */ (request).isReloadNavigation ? 1 : 0);
  if (staying > 0) return false;
  askedAtMs = performance.now();
  return true;
}

/** A file that the browser has dropped. @param {Cache} cache @param {string} path @returns {Promise<Response>} */
async function restored(cache, path) {
  try {
    const response = await fetched(path);
    await cache.put(keyOf(path), response.clone());
    return response;
  } catch {
    worker.registration.update();
    return Response.error();
  }
}

/** @param {string} path @returns {Promise<Response>} of what its hash says
 * @throws {Error} the server has another file under this name, or none */
async function fetched(path) {
  for (const cache of /** @type {const} */ (["default", "reload"])) {
    const response = await fetch(new URL(path === INDEX ? "./" : path, scope), { cache });
    const bytes = await unpacked(await response.arrayBuffer());
    if (response.ok && (await digestOf(bytes)) === FILES[path]) return new Response(bytes, { headers: headersOf(path) });
  }
  throw new Error(`Found another ${path} than this version's; expected the one whose hash it has.`);
}

/** What is in a file that is gzip by its own account, which a host may have undone on the way; others as they are.
 * @param {ArrayBuffer} bytes @returns {Promise<ArrayBuffer>} */
async function unpacked(bytes) {
  const isPacked = GZIP.every((byte, k) => new Uint8Array(bytes)[k] === byte);
  if (!isPacked) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @param {string} path @returns {Record<string, string>} */
function headersOf(path) {
  const type = TYPES[path.slice(path.lastIndexOf("."))] ?? "application/octet-stream";
  return { ...HEADERS, "Content-Type": type };
}

/** @param {string} path @returns {string} the address under which its content is kept */
function keyOf(path) {
  return new URL(`content/${FILES[path]}/${path.slice(path.lastIndexOf("."))}`, scope).href;
}

/** @param {ArrayBuffer} bytes @returns {Promise<string>} */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

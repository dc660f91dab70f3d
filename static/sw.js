// Keeps the whole site in the browser, for when there is no network. Only a site that was exported has it (tools/export.py,
// which fills in the tables): while a page is being worked on, nothing may stand between it and its files.
//
// Files are kept by the hash of their content, and a version is a table of paths and hashes. A version is installed when every
// file of it is there and is what its hash says, and each page is served from one version. So versions never mix, and what did
// not change is not fetched again.
//
// Every script of this origin can write to the cache, so nothing in it is believed: each file is hashed whenever it is served,
// and only its bytes are used. The hashes stand here, in the worker's own script, which no cache can change. A file that is
// not what its hash says comes from the network again.

/** @type {Record<string, string>} path below the scope → SHA-256 of its content, without gzip, in hexadecimal */
const FILES = {};
/** @type {Record<string, string>} suffix → media type */
const TYPES = {};
/** @type {Record<string, string>} path of a page → its Content-Security-Policy; "" → that of every other file */
const POLICIES = {};
/** @type {Record<string, string>} what a page says that is damaged and cannot be fetched: language, title, sentence */
const WORDS = {};

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
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
/** Of the two pages that this script writes itself. */
const OWN_POLICY = "default-src 'none'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
  const path = address.slice(scope.length);
  const names = path === "" || path.endsWith("/") ? [`${path}${INDEX}`] : [path, `${path}.html`];
  return names.find((name) => Object.hasOwn(FILES, name)) ?? null;
}

/** Fetches what is not there yet of this version. */
async function install() {
  const cache = await caches.open(CACHE);
  const paths = Object.keys(FILES);
  const rest = paths.values();
  const fetchRest = async () => {
    for (const path of rest) {
      if ((await sound(cache, path)) === null) await cache.put(keyOf(path), new Response(await fetched(path)));
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
  if (request.mode === "navigate" && (await makesWay(request))) return ownPage(AGAIN, 200);
  const cache = await caches.open(CACHE);
  const bytes = (await sound(cache, path)) ?? (await restored(cache, path));
  return bytes === null ? lost(request, path) : new Response(bytes, { headers: headersOf(path) });
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

/** A file as it is kept. What is hashed is what is returned, so nobody can change it in between.
 * @param {Cache} cache @param {string} path @returns {Promise<ArrayBuffer | null>} null if it is not there, or is another */
async function sound(cache, path) {
  const found = await cache.match(keyOf(path));
  if (found === undefined) return null;
  const bytes = await found.arrayBuffer();
  return (await digestOf(bytes)) === FILES[path] ? bytes : null;
}

/** A file that the browser has dropped, or that somebody has put another one in the place of.
 * @param {Cache} cache @param {string} path @returns {Promise<ArrayBuffer | null>} null if it cannot be fetched */
async function restored(cache, path) {
  try {
    const bytes = await fetched(path);
    await cache.put(keyOf(path), new Response(bytes)).catch(() => {}); // without room it is fetched each time
    return bytes;
  } catch {
    await cache.delete(keyOf(path));
    worker.registration.update().catch(() => {});
    return null;
  }
}

/** @param {Request} request @param {string} path @returns {Response} that says what is lacking, and what to do */
function lost(request, path) {
  if (request.mode === "navigate") return ownPage(damaged(), 503);
  const sentence = `Found no sound copy of ${path} on this device and none on the network; connect to the network and reload.`;
  return new Response(sentence, { status: 503, headers: { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" } });
}

/** @returns {string} a page in the words of this site, which the export has made safe for HTML */
function damaged() {
  const { language, title, sentence, again } = WORDS;
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${sentence}</p><p><a href="">${again}</a></p>`;
}

/** @param {string} text @param {number} status @returns {Response} */
function ownPage(text, status) {
  const headers = { ...HEADERS, "Content-Security-Policy": OWN_POLICY, "Content-Type": "text/html; charset=utf-8" };
  return new Response(text, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}

/** @param {string} path @returns {Promise<ArrayBuffer>} what its hash says, so it does not matter how old an answer is
 * @throws {Error} the server has another file under this name, or none */
async function fetched(path) {
  for (const cache of /** @type {const} */ (["force-cache", "reload"])) {
    const response = await fetch(new URL(path === INDEX ? "./" : path, scope), { cache });
    const bytes = await unpacked(await response.arrayBuffer());
    if (response.ok && (await digestOf(bytes)) === FILES[path]) return bytes;
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

/** The policy is a worker's too, for the one in its page's HTML does not bind it.
 * @param {string} path @returns {Record<string, string>} */
function headersOf(path) {
  const type = TYPES[path.slice(path.lastIndexOf("."))] ?? "application/octet-stream";
  return { ...HEADERS, "Content-Security-Policy": POLICIES[path] ?? POLICIES[""], "Content-Type": type };
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

// Keeps the whole site in the browser for use without a network. Only an exported site has this worker. While you work on a
// page, there is no such worker, because you then need the newest files. tools/export.py fills in the tables.
//
// Each file is stored under the hash of its content, so an unchanged file is not fetched again. A version of the site is a
// table of paths and hashes. A version is installed when all its files are stored and match their hashes. All files of a page
// come from the same version.
//
// Every script of this origin can write to the cache, so we trust nothing in it: we hash each file whenever we serve it, and
// use only the bytes that we hashed. The hashes are in this script, which no page can change. If a file does not match its
// hash, we fetch it from the network again.

/** @type {Record<string, string>} path below the scope → SHA-256 of its unpacked content, in hexadecimal */
const FILES = {};
/** @type {Record<string, string>} suffix → media type */
const TYPES = {};
/** @type {Record<string, string>} path of a page → its Content-Security-Policy; "" → the policy of every other file */
const POLICIES = {};
/** @type {Record<string, string>} texts for a damaged page that cannot be fetched: language, title, sentence */
const WORDS = {};

const CACHE = "eglantine-1";
const AT_ONCE = 4;
const INDEX = "index.html";
/** We wait this long for a newer version of this script to take over. After that, this version answers, and a later visit tries
 * again. */
const PATIENCE_MS = 5000;
/** The HTML of a page that tells the newer version of this script to take over. The page reloads after the takeover, and then
 * the newer version answers. In Chromium, a page that reloads earlier may wait for ever. */
const AGAIN = `<!doctype html><script>
  const { serviceWorker } = navigator;
  const again = () => location.reload();
  serviceWorker.addEventListener("controllerchange", again);
  serviceWorker.getRegistration().then(({ waiting }) => waiting === null ? again() : waiting.postMessage("take over"));
  setTimeout(again, ${PATIENCE_MS});
</script>`;
/** The first two bytes of gzip. */
const GZIP = [0x1f, 0x8b];
/** With these headers, a page may share memory with its workers, and so it can interrupt Python. Many web servers do not send
 * them. */
const HEADERS = {
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
/** The Content-Security-Policy of the two pages that this script writes itself. */
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

/** @param {string} url @returns {string | null} the path of this version's file at that address */
function pathOf(url) {
  const [address] = url.split(/[?#]/);
  if (!address.startsWith(scope)) return null;
  const path = address.slice(scope.length);
  const names = path === "" || path.endsWith("/") ? [`${path}${INDEX}`] : [path, `${path}.html`];
  return names.find((name) => Object.hasOwn(FILES, name)) ?? null;
}

/** Fetches all files of this version that are not cached yet. Fetches files with the same content only once. */
async function install() {
  const cache = await caches.open(CACHE);
  const paths = new Map(Object.keys(FILES).map((path) => [keyOf(path), path]));
  const rest = paths.values();
  const fetchRest = async () => {
    for (const path of rest) {
      if ((await sound(cache, path)) === null) await cache.put(keyOf(path), new Response(await fetched(path)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchRest));
}

/** Deletes the cached files of other versions. This is safe, because no page of another version is open any more. */
async function tidy() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const keys = await cache.keys();
  await Promise.all(keys.filter(({ url }) => !wanted.has(url)).map((key) => cache.delete(key)));
}

/** @param {Request} request @param {string} path @returns {Promise<Response>} */
async function respond(request, path) {
  if (request.mode === "navigate" && (await makesWay(request))) return ownPage(AGAIN, 200);
  const cache = await caches.open(CACHE);
  const bytes = (await sound(cache, path)) ?? (await restored(cache, path));
  return bytes === null ? lost(request, path) : new Response(bytes, { headers: headersOf(path) });
}

/** Returns true if a newer version of this script should take over now. It should not while another page of this version is
 * open. After an attempt to take over, the next attempt comes at least 10 seconds later.
 * @param {Request} request of a page @returns {Promise<boolean>} */
async function makesWay(request) {
  if (!worker.registration.waiting || performance.now() - askedAtMs < 2 * PATIENCE_MS) return false;
  const open = await worker.clients.matchAll({ type: "window" });
  const staying = open.length - (/** @type {any} */ (request).isReloadNavigation ? 1 : 0);
  if (staying > 0) return false;
  askedAtMs = performance.now();
  return true;
}

/** Reads a file from the cache and checks its hash. Returns the hashed bytes, because the cached file could change after the
 * check.
 * @param {Cache} cache @param {string} path @returns {Promise<ArrayBuffer | null>} null if it is missing or has another hash */
async function sound(cache, path) {
  const response = await cache.match(keyOf(path));
  if (response === undefined) return null;
  const bytes = await response.arrayBuffer();
  return (await digestOf(bytes)) === FILES[path] ? bytes : null;
}

/** Fetches a file again after the browser has deleted it from the cache, or after another script has changed it.
 * @param {Cache} cache @param {string} path @returns {Promise<ArrayBuffer | null>} null if it cannot be fetched */
async function restored(cache, path) {
  try {
    const bytes = await fetched(path);
    await cache.put(keyOf(path), new Response(bytes)).catch(() => {}); // if there is no room, we fetch it each time
    return bytes;
  } catch {
    await cache.delete(keyOf(path));
    worker.registration.update().catch(() => {});
    return null;
  }
}

/** @param {Request} request @param {string} path @returns {Response} says which file is missing and what to do */
function lost(request, path) {
  if (request.mode === "navigate") return ownPage(damaged(), 503);
  const sentence = `Found no sound copy of ${path} on this device and none on the network; connect to the network and reload.`;
  return new Response(sentence, { status: 503, headers: { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" } });
}

/** @returns {string} a page with this site's texts, which the export has made safe for HTML */
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

/** Fetches a file and checks its hash. Because of this check, we can also use a copy from the browser's HTTP cache.
 * @param {string} path @returns {Promise<ArrayBuffer>}
 * @throws {Error} if the server has no file with this name, or a different file */
async function fetched(path) {
  for (const cache of /** @type {const} */ (["force-cache", "reload"])) {
    const response = await fetch(new URL(path === INDEX ? "./" : path, scope), { cache });
    const bytes = await unpacked(await response.arrayBuffer());
    if (response.ok && (await digestOf(bytes)) === FILES[path]) return bytes;
  }
  throw new Error(`Found another ${path} than this version's; expected the one whose hash it has.`);
}

/** Unpacks a file if its first bytes show that it is compressed by gzip. Other files are unpacked already.
 * @param {ArrayBuffer} bytes @returns {Promise<ArrayBuffer>} */
async function unpacked(bytes) {
  const isPacked = GZIP.every((byte, k) => new Uint8Array(bytes)[k] === byte);
  if (!isPacked) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Makes a file's HTTP headers. They contain the security policy, because a policy in a page's HTML does not apply to workers.
 * @param {string} path @returns {Record<string, string>} */
function headersOf(path) {
  const type = TYPES[path.slice(path.lastIndexOf("."))] ?? "application/octet-stream";
  return { ...HEADERS, "Content-Security-Policy": POLICIES[path] ?? POLICIES[""], "Content-Type": type };
}

/** @param {string} path @returns {string} the address under which the cache keeps the file's content */
function keyOf(path) {
  return new URL(`content/${FILES[path]}/${path.slice(path.lastIndexOf("."))}`, scope).href;
}

/** @param {ArrayBuffer} bytes @returns {Promise<string>} */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

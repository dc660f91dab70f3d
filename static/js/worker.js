// Runs Python in a worker. Python loads once, then answers one request at a time. JavaScript makes a new call into Python for
// each request, because V8 optimises Pyodide's interpreter only between calls.
//
// The page sends {manifest, engine, isSlow} and {interrupt} once each, and {id, method, args} for each request. The worker
// sends {kind: "progress", share}, {kind: "ready", start, refusal, engine}, {kind: "begun", id}, {kind: "answer", id, answer,
// modules}, {kind: "note", id, note}, {kind: "interrupted", id}, {kind: "kept", start} and {kind: "failed", reason}.
// `interrupt` is a shared buffer. The page writes the number 2 into it to interrupt Python.

import "./worker/alive.js";
import { bootPython } from "./worker/python.js";
// The imports of python.js, named here so that the browser asks for all of them at once.
import "../vendor/pyodide/pyodide.mjs";
import "./worker/fetching.js";
import "./worker/keeping.js";
import "./worker/lending.js";
import "./worker/snapshot.js";
import "./worker/snapshot-format.js";

/** The class `Service` of this Python module answers the page's requests. Visitors' programs do not run in this worker, but in
 * a sandbox (sandbox/worker.js). */
const SERVICE = "app.service";
/** The two words that may be in a worker's name. With either word, the worker starts Python without waiting for a message from
 * the page. With "light", it starts Python from the light archive instead of the snapshot. */
const [AT_ONCE, LIGHT] = ["pages", "light"];
const WARM_UPS = 6;
const WARM_UP_MS = 40;

/** @type {import("./worker/python.js").Python} */
let python;

/** The manifest, or null if the worker waits for the page's message before it starts Python.
 * @type {Promise<Record<string, string>> | null} */
let begun = null;

/** @type {Uint8Array | null} */
let interrupt = null;

/** The request to which new notes belong. */
let current = 0;

/** The timer that starts Python's remaining work after an answer. */
let afterwards = 0;

self.onmessage = async ({ data }) => {
  // A user's mistake gives an ordinary answer. After any other error we no longer trust this interpreter.
  try {
    if (data.manifest !== undefined) await (begun === null ? boot(data) : agree(data.manifest));
    else if (data.interrupt !== undefined) obey(data.interrupt);
    else await answer(data);
  } catch (error) {
    self.postMessage(isInterrupt(error) ? { kind: "interrupted", id: data.id } : { kind: "failed", reason: String(error) });
  }
};

const [, begins] = self.name.split(" ");
if (begins === AT_ONCE || begins === LIGHT) beginByName();

/** Starts Python from the site's newest manifest. */
async function beginByName() {
  try {
    begun = fetch(new URL("../build/manifest.json", import.meta.url)).then((response) => response.json());
    await boot({ manifest: await begun, engine: null, isSlow: begins === LIGHT });
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {Record<string, string>} manifest of the page @throws {Error} if it belongs to another build */
async function agree(manifest) {
  if (JSON.stringify(manifest) !== JSON.stringify(await begun)) throw new Error("This Python belongs to another build than the page.");
}

/** @param {{manifest: Record<string, string>, engine: WebAssembly.Module | null, isSlow: boolean}} wanted */
async function boot({ manifest, engine, isSlow }) {
  const begin = (/** @type {import("./worker/python.js").Pyodide} */ pyodide) => {
    const service = pyodide.pyimport(SERVICE).Service(note);
    service.warm_up(0);
    return service;
  };
  const onShare = (/** @type {number} */ share) => self.postMessage({ kind: "progress", share });
  const onKept = () => self.postMessage({ kind: "kept", start: python.start });
  const wanted = { manifest, engine, begin, onKept };
  const light = isSlow ? await (await import("./worker/light.js")).bootLight(wanted, onShare) : null;
  python = light ?? (await bootPython(wanted, onShare));
  obey(interrupt);
  self.postMessage({ kind: "ready", start: python.start, refusal: python.refusal, engine: python.engine });
  for (let k = 1; k <= WARM_UPS; k++) setTimeout(() => python.service.warm_up(k), WARM_UP_MS * k);
}

/** Sets the buffer that the page uses to interrupt Python. The buffer may arrive before or after Python is ready.
 * @param {Uint8Array | null} buffer */
function obey(buffer) {
  interrupt = buffer;
  if (buffer !== null && python !== undefined) python.pyodide.setInterruptBuffer(buffer);
}

/** @param {{id: number, method: string, args: unknown[]}} request */
async function answer({ id, method, args }) {
  self.postMessage({ kind: "begun", id });
  clearTimeout(afterwards);
  current = id;
  const given = python.pyodide.toPy(args);
  const reply = await ask(method, given);
  const [json, ...modules] = reply.toJs();
  reply.destroy();
  given.destroy();
  const buffers = modules.map((/** @type {Uint8Array} */ bytes) => bytes.buffer);
  self.postMessage({ kind: "answer", id, answer: JSON.parse(json), modules: buffers }, { transfer: buffers });
  afterwards = setTimeout(finish);
}

/** Passes a request to Python. If Python fails while some of its files are missing, fetches these files and asks again.
 * @param {string} method @param {any} given @returns {Promise<any>} */
async function ask(method, given) {
  try {
    return await python.service.ask(method, given);
  } catch (error) {
    if (isInterrupt(error) || python.hasFiles()) throw error;
    await python.needFiles();
    return python.service.ask(method, given);
  }
}

/** Does the work that remains after the last answer, and sends the results as notes. */
function finish() {
  try {
    python.service.afterwards();
  } catch (error) {
    if (!isInterrupt(error)) self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {any} error @returns {boolean} */
function isInterrupt(error) {
  return error?.type === "KeyboardInterrupt";
}

/** @param {string} json from Python, during an answer or afterwards */
function note(json) {
  self.postMessage({ kind: "note", id: current, note: JSON.parse(json) });
}

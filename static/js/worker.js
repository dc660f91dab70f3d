// Python beside the page. It loads once, then answers one request at a time, each as its own entry from
// JavaScript: V8 optimises Pyodide's interpreter only between entries.
//
// Comes: {manifest, service} once, then {id, method, args}. Goes: {kind: "progress", share}, {kind: "ready"},
// {kind: "answer", id, answer, modules}, {kind: "note", id, note} and {kind: "failed", reason}.

import { bootPython } from "./worker/python.js";

/** The Python modules whose `Service` can answer, by what a page calls them. Only the playground's runs a visitor's
 * code. @type {Record<string, string>} */
const SERVICES = { pages: "app.service", playground: "app.playground" };
const WARM_UPS = 6;
const WARM_UP_MS = 40;

/** @type {import("./worker/python.js").Pyodide} */
let pyodide;

/** @type {any} the Python object that answers, a `Service` */
let service = null;

/** The request whose notes come now. */
let current = 0;

/** What the last answer left for afterwards. */
let afterwards = 0;

self.onmessage = async ({ data }) => {
  // A user's mistakes are answers; whatever else happened, this interpreter is not to be trusted with more.
  try {
    if (data.manifest !== undefined) await boot(data.manifest, SERVICES[data.service]);
    else await answer(data);
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
};

/** @param {Record<string, string>} manifest @param {string} module */
async function boot(manifest, module) {
  pyodide = await bootPython(manifest, (share) => self.postMessage({ kind: "progress", share }));
  service = pyodide.pyimport(module).Service(note);
  self.postMessage({ kind: "progress", share: 0.97 });
  service.warm_up(0);
  self.postMessage({ kind: "ready" });
  for (let k = 1; k <= WARM_UPS; k++) setTimeout(() => service.warm_up(k), WARM_UP_MS * k);
}

/** @param {{id: number, method: string, args: unknown[]}} request */
async function answer({ id, method, args }) {
  clearTimeout(afterwards);
  current = id;
  const given = pyodide.toPy(args);
  const reply = await service.ask(method, given);
  const [json, ...modules] = reply.toJs();
  reply.destroy();
  given.destroy();
  const buffers = modules.map((/** @type {Uint8Array} */ bytes) => bytes.buffer);
  self.postMessage({ kind: "answer", id, answer: JSON.parse(json), modules: buffers }, { transfer: buffers });
  afterwards = setTimeout(finish);
}

/** Does what need not be waited for; it tells of it in notes. */
function finish() {
  try {
    service.afterwards();
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {string} json from Python, while it answers or afterwards */
function note(json) {
  self.postMessage({ kind: "note", id: current, note: JSON.parse(json) });
}

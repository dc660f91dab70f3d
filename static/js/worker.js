// Python beside the page. It loads once, then answers one request at a time, each as its own entry from
// JavaScript: V8 optimises Pyodide's interpreter only between entries.

import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const VENDOR = new URL("../vendor/pyodide/", import.meta.url);
const BUILD = new URL("../build/", import.meta.url);
/** Share of the loading bar that fetching takes; the rest is unpacking and importing. */
const FETCHING = 0.85;
const WARM_UPS = 6;
/** How much gzip shrinks pyodide.asm.wasm: a compressed answer tells only its compressed size. */
const GZIP_RATIO = 2.7;

/** @type {any} the Python object that answers, an `app.service.Service` */
let service = null;

/** The formulas of the last answer, which come after it. */
let formulas = 0;

self.onmessage = async ({ data }) => {
  if (data.manifest !== undefined) await boot(data.manifest);
  else if (data.table !== undefined) answerTable(data);
  else if (data.robot !== undefined) answerRobot(data);
  else answer(data);
};

/** @param {Record<string, string>} manifest */
async function boot(manifest) {
  try {
    const standardLibrary = new URL(manifest.stdlib, BUILD).href;
    const package_ = new URL(manifest.python, BUILD).href;
    countFetches(["pyodide.asm.wasm", manifest.stdlib, manifest.python]);
    const archive = fetch(package_).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(package_))));
    const pyodide = await loadPyodide({ indexURL: VENDOR.href, stdLibURL: standardLibrary });
    progress(FETCHING + 0.05);
    pyodide.unpackArchive(await archive, "zip", { extractDir: manifest.pythonPath });
    service = pyodide.pyimport("app.service").Service();
    progress(0.97);
    service.answer("x^y", ["x", "y"]).destroy();
    self.postMessage({ kind: "ready" });
    for (let k = 0; k < WARM_UPS; k++) setTimeout(() => service.answer(`x^y+${k}`, ["x", "y"]).destroy(), 40 * (k + 1));
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {{id: number, text: string, names: string[]}} request */
function answer({ id, text, names }) {
  try {
    const pair = service.answer(text, names);
    const [json, wasm] = pair.toJs();
    pair.destroy();
    self.postMessage({ kind: "answer", id, answer: JSON.parse(json), wasm: wasm.buffer }, { transfer: [wasm.buffer] });
    clearTimeout(formulas);
    formulas = setTimeout(() => self.postMessage({ kind: "formulas", id, tex: JSON.parse(service.formulas()) }));
  } catch (error) {
    // A formula's mistakes are answers; whatever else happened, this interpreter is not to be trusted with more.
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {{id: number, table: string}} request */
function answerTable({ id, table }) {
  try {
    const triple = service.table(table);
    const [json, shot, paths] = triple.toJs();
    triple.destroy();
    const transfer = [shot.buffer, paths.buffer];
    self.postMessage({ kind: "answer", id, answer: JSON.parse(json), wasm: shot.buffer, paths: paths.buffer }, { transfer });
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {{id: number, robot: string}} request */
function answerRobot({ id, robot }) {
  try {
    const triple = service.robot(robot);
    const [json, training, motion] = triple.toJs();
    triple.destroy();
    const transfer = [training.buffer, motion.buffer];
    const modules = { training: training.buffer, motion: motion.buffer };
    self.postMessage({ kind: "answer", id, answer: JSON.parse(json), ...modules }, { transfer });
  } catch (error) {
    self.postMessage({ kind: "failed", reason: String(error) });
  }
}

/** @param {number} share */
function progress(share) {
  self.postMessage({ kind: "progress", share });
}

/** Counts the bytes of the large files as Pyodide fetches them, beside its own reading.
 * @param {string[]} names how their URLs end */
function countFetches(names) {
  const plainFetch = self.fetch.bind(self);
  /** @type {Map<string, {done: number, total: number}>} */
  const files = new Map(names.map((name) => [name, { done: 0, total: 0 }]));
  const report = () => {
    const all = [...files.values()];
    if (all.some((file) => file.total === 0)) return;
    const done = all.reduce((sum, file) => sum + file.done, 0);
    progress((FETCHING * done) / all.reduce((sum, file) => sum + file.total, 0));
  };
  self.fetch = async (input, init) => {
    const response = await plainFetch(input, init);
    const file = files.get(names.find((name) => response.url.endsWith(name)) ?? "");
    if (file !== undefined && response.body !== null) count(response.clone(), file, report);
    return response;
  };
}

/** @param {Response} response @param {{done: number, total: number}} file @param {() => void} report */
async function count(response, file, report) {
  const ratio = response.headers.get("content-encoding") === null ? 1 : GZIP_RATIO;
  file.total = ratio * Number(response.headers.get("content-length")) || 1;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    file.done = Math.min(file.total, file.done + value.length);
    report();
  }
  file.done = file.total;
  report();
}

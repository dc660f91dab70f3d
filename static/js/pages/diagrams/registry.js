// The diagrams of the program Penrose. The page shows them if the server has the folder with their files, as with
// `python3 serve.py --diagrams FOLDER`. Each diagram is given as a list of shapes and a graph of operations that computes the
// energy.

/** @typedef {{name: string, file: string, size: number}} Entry */

import * as texts from "./texts.js";

/** The ids of these diagrams begin with this. */
export const PENROSE = "penrose:";
/** The diagram of a visitor's trio. */
export const OF_TRIO = `${PENROSE}trio`;
const LONGEST_NAME = 100;

/** @param {string} file @returns {Promise<Response>} */
async function fetched(file) {
  const response = await fetch(new URL(`diagrams/${file}`, document.baseURI));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response;
}

/** @param {string} file @returns {Promise<string>} */
async function unpacked(file) {
  const { body } = await fetched(file);
  return new Response(/** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (body).pipeThrough(new DecompressionStream("gzip"))).text();
}

/** @type {Promise<Entry[]> | null} */
let listed = null;

/** @returns {Promise<Entry[]>} all diagrams of the folder */
function entries() {
  listed ??= fetched("index.json").then(async (response) => {
    /** @type {Record<string, {file: string, n_ops: number}>} */
    const index = await response.json();
    return Object.entries(index).map(([name, { file, n_ops: size }]) => ({ name, file, size }));
  });
  return listed;
}

/** The files of a diagram: its graph, and its shapes. @param {string} id @returns {Promise<[string, string]>} */
export async function filesOf(id) {
  const entry = (await entries()).find(({ name }) => name === id.slice(PENROSE.length));
  if (entry === undefined) throw new Error(id);
  return Promise.all([unpacked(entry.file), unpacked(entry.file.replace("graphs/", "shapes/").replace(".json.gz", ".shapes.json.gz"))]);
}

/** @param {string} id @returns {boolean} whether it can be the id of one of these diagrams */
export function isPenrose(id) {
  return id.startsWith(PENROSE) && id.length <= LONGEST_NAME;
}

/** @param {string} id @returns {{title: string, note: string}} */
export function titleOf(id) {
  if (id === OF_TRIO) return { title: texts.TRIO_TITLE, note: texts.TRIO_NOTE };
  return isPenrose(id) ? { title: id.slice(PENROSE.length), note: texts.PENROSE_NOTE } : texts.DIAGRAMS[id];
}

/** Fills the list of diagrams when the section `place` is opened for the first time. @param {HTMLDetailsElement} place
 * @param {(id: string) => void} choose */
export function attachRegistry(place, choose) {
  const list = /** @type {HTMLElement} */ (place.querySelector("ul"));
  const words = /** @type {HTMLElement} */ (place.querySelector(".registry-about"));
  place.addEventListener("toggle", async () => {
    if (!place.open || list.childElementCount > 0) return;
    const all = await entries().catch(() => null);
    words.textContent = all === null ? texts.NO_REGISTRY : texts.registryAbout(all.length);
    list.replaceChildren(...(all ?? []).map(({ name, size }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: texts.registryEntry(name, size) });
      button.addEventListener("click", () => choose(`${PENROSE}${name}`));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
  });
}

// The presets with their modules, compiled when the page was built: usable before Python has loaded.

/** @typedef {import("../model/types.js").Preset} Preset */

const BUILD = new URL("../../build/", import.meta.url);

/** @returns {Promise<Record<string, string>>} names of the built files by what they are */
export async function loadManifest() {
  return (await fetched("manifest.json")).json();
}

/** @param {Record<string, string>} manifest @returns {Promise<Preset[]>} the default first */
export async function loadPresets(manifest) {
  const { presets } = await (await fetched(manifest.presets)).json();
  return presets.map(fromJson);
}

/** @param {string} name @returns {Promise<Response>} */
async function fetched(name) {
  const response = await fetch(new URL(name, BUILD));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/** @param {any} entry @returns {Preset} */
function fromJson(entry) {
  const names = ["x", "y", ...entry.params.map((/** @type {{name: string}} */ param) => param.name)];
  const wasm = Uint8Array.from(atob(entry.wasm), (letter) => letter.charCodeAt(0));
  return {
    id: entry.id,
    title: entry.title,
    note: entry.note,
    doc: { presetId: entry.id, text: entry.text, params: entry.params, region: entry.region, point: entry.point },
    artifact: { text: entry.text, names, wasm, abi: entry.abi, tex: entry.tex, cost: entry.cost },
  };
}

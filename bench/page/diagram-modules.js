// The modules of a diagram's energies in the page: fetched graphs, instances, and views of their memory.

/** The first bytes of a custom section: its kind, its length, and the length of its name. Engines ignore such a section. */
const SECTION = [0, 5, 4];

let modules = 0;

/** @typedef {import("./diagram-stages.js").Part & {frozen: Float64Array}} Part */
/** Compiled modules from Python. `wasms` has their bytes, and `abis` has their ABIs. `inputs` has the numbers of the graph's
 * inputs that are arguments of every module. `of[k]` lists the modules of stage k, by their positions in `wasms`.
 * @typedef {{inputs: number[], of: number[][], abis: any[], wasms: Uint8Array<ArrayBuffer>[]}} Handed */

/** A graph's file. @param {string} file @returns {Promise<Blob>} */
export async function fetched(file) {
  const answer = await fetch(`/diagrams/${file}`);
  if (!answer.ok) throw new Error(`/diagrams/${file}: ${answer.status}`);
  return answer.blob();
}

/** A graph's JSON. @param {Blob} file @returns {Promise<string>} */
export function unpacked(file) {
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** The inputs that take part in any stage, in order. @param {any} graph @returns {number[]} */
export function everyInput(graph) {
  const found = new Set(graph.stages.flatMap((/** @type {any} */ stage) => stage.inputs));
  return [...found].sort((a, b) => a - b);
}

/** @param {any} reply of Diagram.compile @param {number[]} inputs @returns {Handed} */
export function taken(reply, inputs) {
  const [json, ...wasms] = reply.toJs();
  reply.destroy();
  return { ...JSON.parse(json), inputs, wasms };
}

/** Instantiates the modules. First makes each module's bytes unique (`fresh`), so that the engine compiles the module again.
 * @param {Handed} handed
 * @param {ArrayLike<number>} x0 the values of all inputs @returns {Part[]} */
export function instances({ inputs, abis, wasms }, x0) {
  const moved = new Set(inputs);
  const others = Float64Array.from(x0).filter((_, k) => !moved.has(k));
  return wasms.map((wasm, k) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fresh(wasm)));
    const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abis[k].memory.export]);
    const view = (/** @type {{at: number, dims: number[]}} */ { at, dims }) =>
      new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
    const [x, frozen, weight] = abis[k].params.map((/** @type {any} */ param) => view(param.leaves[0]));
    const [phi, gradient] = abis[k].result.leaves.map(view);
    frozen.set(others);
    return { main: /** @type {() => void} */ (exports[abis[k].export]), x, frozen, weight, phi, gradient };
  });
}

/** Returns a copy of a module with a new custom section. Engines cache modules by their bytes, so they compile the copy.
 * @param {Uint8Array} wasm @returns {Uint8Array<ArrayBuffer>} */
export function fresh(wasm) {
  modules += 1;
  const name = [modules & 127, (modules >> 7) & 127, (modules >> 14) & 127, 0]; // ASCII
  const longer = new Uint8Array(wasm.length + SECTION.length + name.length);
  longer.set(wasm);
  longer.set(SECTION, wasm.length);
  longer.set(name, wasm.length + SECTION.length);
  return longer;
}

// Pyodide fetches and compiles its parts one after the other. We start with all parts at once and hand Pyodide the results.

import { arrived } from "./fetching.js";
import { keptModule } from "./keeping.js";

/** Compiles Pyodide's own module, from this device or else from the network.
 * @param {URL} url of the module @param {string | undefined} sha256 of the module
 * @param {import("./keeping.js").Brought} brought a map. A copy of the module is added to it if it came from the network
 * @param {import("./fetching.js").OnShare} onShare
 * @returns {Promise<WebAssembly.Module>} @throws {Error} if the file is missing or is not a module */
export async function compileEngine(url, sha256, brought, onShare = () => {}) {
  const keptEngine = await keptModule(url, sha256);
  if (keptEngine !== null) return keptEngine;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const copy = arrived(response.clone(), onShare);
  copy.catch(() => {}); // an error reaches whoever awaits the copy
  brought.set(url.href, copy);
  const isNamed = response.headers.get("content-type") === "application/wasm"; // some hosts do not know the type
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Replaces two functions of the browser, so that Pyodide starts without the network. If Pyodide fetches an address in `files`,
 * it gets this file. If Pyodide instantiates a module, it gets an instance of `engine`.
 * @param {Record<string, Promise<BodyInit>>} files keyed by address
 * @param {Promise<WebAssembly.Module>} [engine] Pyodide's compiled module
 * @returns {() => void} a function that restores the browser's own functions */
export function lend(files, engine) {
  const { fetch } = self;
  const { instantiateStreaming } = WebAssembly;
  self.fetch = async (input, init) => {
    const file = files[String(input)];
    return file === undefined ? fetch.call(self, input, init) : new Response(await file);
  };
  if (engine !== undefined) {
    WebAssembly.instantiateStreaming = async (_, imports) => {
      const module = await engine;
      return { module, instance: await WebAssembly.instantiate(module, imports) };
    };
  }
  return () => {
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  };
}

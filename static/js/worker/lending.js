// Pyodide fetches and compiles its parts when it comes to them, one after the other; what is lent it finds there.

import { keptModule } from "./keeping.js";

/** @param {URL} url of Pyodide's own module @param {string | undefined} sha256 of it
 * @param {import("./keeping.js").Brought} brought gets a copy of what the network brings
 * @returns {Promise<WebAssembly.Module>} @throws {Error} it is not there, or none */
export async function compileEngine(url, sha256, brought) {
  const found = await keptModule(url, sha256);
  if (found !== null) return found;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const copy = response.clone().arrayBuffer();
  copy.catch(() => {}); // who awaits it hears of it
  brought.set(url.href, copy);
  const isNamed = response.headers.get("content-type") === "application/wasm"; // not every host knows the type
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Answers some requests of Pyodide's in the place of the network, and gives it a compiled module.
 * @param {Record<string, Promise<BodyInit>>} files by their addresses
 * @param {Promise<WebAssembly.Module>} [engine] for whatever module it wants first
 * @returns {() => void} ends that */
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

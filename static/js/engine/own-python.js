// Where Python runs that no visitor's program ever reaches: in a worker of this page's own.

/** What is to be started: `engine` is Pyodide's module, if one is compiled; `isNewest` asks for the site's newest scripts.
 * @typedef {{manifest: Record<string, string>, engine: WebAssembly.Module | null, isNewest: boolean, onMessage: (data: any) => void,
 *   onDeath: () => void}} Opening */
/** Where Python runs. `said` is what it said before anybody listened; `interrupt` tells whether Python can be interrupted; `kill`
 * ends it as the system may, without a word.
 * @typedef {{said: readonly any[], ask: (request: {id: number, method: string, args: readonly unknown[]}) => void,
 *   interrupt: () => boolean, kill: () => void, terminate: () => void}} Place */

import { takeEarly } from "./early-python.js";
import { WatchedWorker } from "./workers.js";

/** What Python takes for Ctrl-C. */
const SIGINT = 2;

/** @param {Opening} opening @returns {Place} */
export function openOwn({ manifest, engine, isNewest, onMessage, onDeath }) {
  const interrupt = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  const early = takeEarly(manifest);
  const worker = early?.worker ?? new WatchedWorker("worker.js", onMessage, onDeath, { isNewest });
  if (early === null) worker.postMessage({ manifest, engine });
  else Object.assign(worker, { onMessage, onDeath });
  worker.postMessage({ interrupt });
  return {
    said: early?.said ?? [],
    ask: (request) => {
      interrupt?.fill(0);
      worker.postMessage(request);
    },
    interrupt: () => {
      interrupt?.fill(SIGINT);
      return interrupt !== null;
    },
    kill: () => worker.worker.terminate(),
    terminate: () => worker.terminate(),
  };
}

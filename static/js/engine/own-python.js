// Runs Python in one of the page's own workers. A visitor's program never runs there.

/** Settings for starting Python. `engine`: Pyodide's compiled module, or null if it is not compiled yet. `isNewest`: true if
 * Python must use the site's newest scripts.
 * @typedef {{manifest: Record<string, string>, engine: WebAssembly.Module | null, isNewest: boolean, onMessage: (data: any) => void,
 *   onDeath: () => void}} Opening */
/** A running Python. `said`: the messages from Python that arrived before the page listened. `interrupt`: interrupts Python, or
 * returns false if this is impossible. `kill`: ends Python abruptly, without a message to the page.
 * @typedef {{said: readonly any[], ask: (request: {id: number, method: string, args: readonly unknown[]}) => void,
 *   interrupt: () => boolean, kill: () => void, terminate: () => void}} Place */

import { isSlowHere } from "./connection.js";
import { isLightKept, takeEarly } from "./early-python.js";
import { WatchedWorker } from "./workers.js";

/** The number that Python reads as Ctrl-C. */
const SIGINT = 2;

/** @param {Opening} opening @returns {Place} */
export function openOwn({ manifest, engine, isNewest, onMessage, onDeath }) {
  const interrupt = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  const early = takeEarly(manifest);
  const worker = early?.worker ?? new WatchedWorker("worker.js", onMessage, onDeath, { isNewest });
  if (early === null) worker.postMessage({ manifest, engine, isSlow: isSlowHere() || isLightKept() });
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

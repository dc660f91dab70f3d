// Where Python runs that no visitor's program ever reaches: in a worker of this page's own.

import { takeEarly } from "./early-python.js";
import { WatchedWorker } from "./workers.js";

/** @typedef {import("./python-worker.js").Place} Place */
/** @typedef {import("./python-worker.js").Opening} Opening */

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

// The one place where a script is started by its address, as the page's policy demands (Trusted Types): by a name from a
// list, from beside this file.

/** @typedef {"worker.js" | "descent.worker.js" | "training.worker.js"} WorkerName */

const SCRIPTS = new URL("../", import.meta.url);
/** @type {Record<WorkerName, true>} */
const NAMES = { "worker.js": true, "descent.worker.js": true, "training.worker.js": true };

/** @type {{createScriptURL: (name: string) => any} | undefined} absent where a browser knows no Trusted Types */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("eglantine", { createScriptURL: addressOf });

/** @param {WorkerName} name @returns {Worker} */
export function startWorker(name) {
  return new Worker(policy === undefined ? addressOf(name) : policy.createScriptURL(name), { type: "module" });
}

/** @param {string} name @returns {string} */
function addressOf(name) {
  if (!Object.hasOwn(NAMES, name)) throw new TypeError(`Found the script ${name}; expected one of ${Object.keys(NAMES).join(", ")}.`);
  return new URL(name, SCRIPTS).href;
}

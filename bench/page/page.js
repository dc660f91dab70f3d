// Starts the bench's worker and hands its reports, one at a time, to the program that drives the browser.

/** @type {any[]} */
const reports = [];
/** @type {((report: any) => void) | null} */
let waiting = null;

/** @param {any} report */
function receive(report) {
  if (waiting === null) {
    reports.push(report);
  } else {
    waiting(report);
    waiting = null;
  }
}

globalThis.bench = {
  /** @param {any} options for the worker */
  start(options) {
    // Our server's content security policy only accepts script addresses from a trusted-types policy of this name.
    const policy = /** @type {any} */ (globalThis).trustedTypes.createPolicy("eglantine", { createScriptURL: String });
    const worker = new Worker(policy.createScriptURL(new URL("worker.js", import.meta.url)), { type: "module" });
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => receive({ kind: "failed", reason: event.message ?? "the worker did not load" });
    worker.postMessage(options);
  },

  /** @returns {Promise<any>} the next report: a row, `done` or `failed` */
  next() {
    if (reports.length > 0) return Promise.resolve(reports.shift());
    return new Promise((resolve) => {
      waiting = resolve;
    });
  },
};

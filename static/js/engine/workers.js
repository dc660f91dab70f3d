// Starts workers, and makes the sandboxed frame for visitors' programs. The page's policy (Trusted Types) lets only this file
// start a script by its address. It starts only the scripts on a list, all from this site.

/** @typedef {"worker.js" | "pages/billiards/descent.worker.js" | "pages/robot/training.worker.js"} WorkerName */

const MOST_FAILURES = 3;
/** A worker that has sent no message for this long counts as dead. */
const LONGEST_START_MS = 30_000;
const SCRIPTS = new URL("../", import.meta.url);
/** The folder of the site's newest scripts. A page that has been open for a long time may run older scripts. */
const NEWEST = new URL("../js/", SCRIPTS);
const OFFLINE = "../sw.js";
/** The names of two elements in the page's head. One contains the document of the frame for Python. The other contains the
 * document of the frame for a program's pictures (tools/sandbox.py). */
const FRAMES = ["sandbox", "pictures"];
/** @type {Record<WorkerName | typeof OFFLINE, true>} */
const NAMES = { "worker.js": true, "pages/billiards/descent.worker.js": true, "pages/robot/training.worker.js": true, [OFFLINE]: true };

/** @type {{createScriptURL: (name: string, folder?: URL) => any, createHTML: (name: string) => any} | undefined} undefined if
 * the browser has no Trusted Types */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("eglantine", {
  createScriptURL: addressOf,
  createHTML: documentOf,
});

/** A worker. When it ends, `onDeath` is called, even if the browser has ended the worker. */
export class WatchedWorker {
  /** @param {WorkerName} name @param {(data: any) => void} onMessage @param {() => void} onDeath
   * @param {{isNewest?: boolean, begins?: string}} options `isNewest`: true to use the site's newest script instead of this
   *   page's own script. `begins`: a word that becomes part of the worker's name. The worker can read its name at once, but a
   *   message from a busy page may arrive late */
  constructor(name, onMessage, onDeath, { isNewest = false, begins = "" } = {}) {
    this.onMessage = onMessage;
    this.onDeath = onDeath;
    /** The unique name of the worker and of its lock. */
    this.label = `${name} ${begins} ${performance.timeOrigin} ${Math.random()}`;
    this.left = new AbortController();
    const folder = isNewest ? NEWEST : SCRIPTS;
    const address = policy === undefined ? addressOf(name, folder) : policy.createScriptURL(name, folder);
    this.worker = new Worker(address, { type: "module", name: this.label });
    this.timer = self.setTimeout(() => this.die(), LONGEST_START_MS);
    this.worker.onmessage = ({ data }) => {
      clearTimeout(this.timer);
      if (data.kind === "alive") this.watch();
      else this.onMessage(data);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.die();
    };
  }

  /** @param {any} message */
  postMessage(message) {
    this.worker.postMessage(message);
  }

  terminate() {
    clearTimeout(this.timer);
    this.left.abort();
    this.worker.terminate();
  }

  /** Asks for the lock that the worker holds while it runs. When we get the lock, the worker has ended. @private */
  watch() {
    navigator.locks?.request(this.label, { signal: this.left.signal }, () => this.die()).catch(() => {});
  }

  /** @private */
  die() {
    if (this.left.signal.aborted) return;
    this.terminate();
    this.onDeath();
  }
}

/** A worker that we replace when it dies, up to a limited number of times. `onDeath` must send the work to the new worker
 * again. */
export class LastingWorker {
  /** @param {WorkerName} name @param {(data: any) => void} onMessage @param {(isBack: boolean) => void} onDeath */
  constructor(name, onMessage, onDeath) {
    this.name = name;
    this.onMessage = onMessage;
    this.onDeath = onDeath;
    /** How many workers in a row have died without sending a message. */
    this.failures = 0;
    this.worker = this.begin();
  }

  /** @param {any} message */
  postMessage(message) {
    this.worker.postMessage(message);
  }

  terminate() {
    this.worker.terminate();
  }

  /** @private @returns {WatchedWorker} */
  begin() {
    const onMessage = (/** @type {any} */ data) => {
      this.failures = 0;
      this.onMessage(data);
    };
    return new WatchedWorker(this.name, onMessage, () => {
      this.failures += 1;
      const isBack = this.failures < MOST_FAILURES;
      if (isBack) this.worker = this.begin();
      this.onDeath(isBack);
    });
  }
}

/** Makes a frame that can run scripts. The frame has an origin of its own, so its scripts cannot use this site's storage.
 * @param {"sandbox" | "pictures"} [name] of its document @param {any} [root] the element that shows the frame, or null for a
 *   hidden frame
 * @returns {any} the frame. If you remove it from the page, everything that runs in it ends */
export function sandboxedFrame(name = "sandbox", root = null) {
  const { document } = /** @type {any} */ (globalThis); // workers compile this file too, without DOM types
  const frame = document.createElement("iframe");
  frame.hidden = root === null;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.allow = "cross-origin-isolated"; // lets the frame and its workers share memory with each other
  frame.srcdoc = policy === undefined ? documentOf(name) : policy.createHTML(name);
  (root ?? document.body ?? document.documentElement).append(frame);
  return frame;
}

/** Starts the service worker, which stores the site for use without a network. Only an exported site has a service worker. */
export async function registerServiceWorker() {
  const address = policy === undefined ? addressOf(OFFLINE) : policy.createScriptURL(OFFLINE);
  await navigator.serviceWorker.register(address, { scope: new URL("../", SCRIPTS).href, updateViaCache: "none" });
}

/** @param {string} name @param {URL} [folder] @returns {string} */
function addressOf(name, folder = SCRIPTS) {
  if (!Object.hasOwn(NAMES, name)) throw new TypeError(`${name} is no worker of ours. Start one of ${Object.keys(NAMES).join(", ")}.`);
  return new URL(name, folder).href;
}

/** @param {string} name @returns {string} a document in the page's head; its policy allows only its own script */
function documentOf(name) {
  const element = /** @type {any} */ (globalThis).document.querySelector(`meta[name="${name}"]`);
  if (!FRAMES.includes(name) || element === null) throw new TypeError(`This page has no frame ${name}. Only a page with a sandbox can run programs.`);
  return element.content;
}

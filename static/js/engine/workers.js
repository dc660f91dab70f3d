// The one place where a script is started by its address, as the page's policy demands (Trusted Types): by a name from a
// list, from beside this file. It makes the sandboxed frame too, in which visitors' programs run.

/** @typedef {"worker.js" | "pages/billiards/descent.worker.js" | "pages/robot/training.worker.js"} WorkerName */

const MOST_FAILURES = 3;
/** A worker of which nothing is heard for so long has not started. */
const LONGEST_START_MS = 30_000;
const SCRIPTS = new URL("../", import.meta.url);
/** Where the site's newest scripts are, when a page may have been open for long. */
const NEWEST = new URL("../js/", SCRIPTS);
const OFFLINE = "../sw.js";
/** The element of the page's head that holds the frame's document (tools/sandbox.py). */
const SANDBOX = "sandbox";
/** @type {Record<WorkerName | typeof OFFLINE, true>} */
const NAMES = { "worker.js": true, "pages/billiards/descent.worker.js": true, "pages/robot/training.worker.js": true, [OFFLINE]: true };

/** @type {{createScriptURL: (name: string, folder?: URL) => any, createHTML: (name: string) => any} | undefined} absent where a
 * browser knows no Trusted Types */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("eglantine", {
  createScriptURL: addressOf,
  createHTML: documentOf,
});

/** A worker of which the page hears when it dies, however it does. */
export class WatchedWorker {
  /** @param {WorkerName} name @param {(data: any) => void} onMessage @param {() => void} onDeath
   * @param {{isNewest?: boolean, begins?: string}} options `isNewest`: the script that the site has now, not that of this page;
   *   `begins`: a word that the worker finds in its name at once: messages wait until a busy page has time to pass them on */
  constructor(name, onMessage, onDeath, { isNewest = false, begins = "" } = {}) {
    this.onMessage = onMessage;
    this.onDeath = onDeath;
    /** What its lock is called, unlike any other's. */
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

  /** Waits for the lock that it holds for as long as it lives. @private */
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

/** A worker that is replaced when it dies, but not for ever; it is told its work anew by whoever hears of that. */
export class LastingWorker {
  /** @param {WorkerName} name @param {(data: any) => void} onMessage @param {(isBack: boolean) => void} onDeath */
  constructor(name, onMessage, onDeath) {
    this.name = name;
    this.onMessage = onMessage;
    this.onDeath = onDeath;
    /** How often in a row one died without a word. */
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

/** A frame that can run scripts and has an origin of its own, so that none of this site's storage is in its reach. It is not
 * shown. @returns {any} an element of the page; whoever removes it ends all that runs there */
export function sandboxedFrame() {
  const { document } = /** @type {any} */ (globalThis); // workers share types with this file
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.allow = "cross-origin-isolated"; // the frame and its workers may share memory with each other
  frame.srcdoc = policy === undefined ? documentOf(SANDBOX) : policy.createHTML(SANDBOX);
  (document.body ?? document.documentElement).append(frame);
  return frame;
}

/** Starts what keeps the site for when there is no network; an exported site has it beside its pages. */
export async function registerServiceWorker() {
  const address = policy === undefined ? addressOf(OFFLINE) : policy.createScriptURL(OFFLINE);
  await navigator.serviceWorker.register(address, { scope: new URL("../", SCRIPTS).href, updateViaCache: "none" });
}

/** @param {string} name @param {URL} [folder] @returns {string} */
function addressOf(name, folder = SCRIPTS) {
  if (!Object.hasOwn(NAMES, name)) throw new TypeError(`Found the script ${name}; expected one of ${Object.keys(NAMES).join(", ")}.`);
  return new URL(name, folder).href;
}

/** @param {string} name @returns {string} a document that came with the page; its policy names the one script that may run in it */
function documentOf(name) {
  const element = /** @type {any} */ (globalThis).document.querySelector(`meta[name="${name}"]`);
  if (name !== SANDBOX || element === null) throw new TypeError(`Found no document ${name}; expected a page with a ${SANDBOX}.`);
  return element.content;
}

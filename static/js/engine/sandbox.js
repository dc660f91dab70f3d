// Runs visitors' programs with Python, in a worker of a sandboxed frame that has its own origin. The page sends the frame all
// files that the frame needs, and receives messages from the frame over one port. The page trusts no message. It checks the
// shape of each message, uses the message only as data, and accepts an answer only to the current request.

import { isSlowHere } from "./connection.js";
import { isLightKept } from "./early-python.js";
import { loadManifest } from "./manifest.js";
import { SandboxFiles } from "./sandbox-files.js";
import { heard } from "./sandbox-messages.js";
import { sandboxedFrame } from "./workers.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./own-python.js").Opening} Opening */
/** @typedef {import("./own-python.js").Place} Place */

/** A frame that has sent no message for this long counts as dead. */
const LONGEST_START_MS = 60_000;
/** We wait this long after Python's start, and then store its files on this device for the next visit. */
const KEEP_MS = 1000;
/** One frame may ask for at most this many parts. */
const MOST_WANTS = 100;
/** The parts of Python that the page sends without a request, roughly in the order of their use. */
const AT_ONCE = /** @type {const} */ (["worker", "engine", "snapshot"]);
/** The share of the progress bar for fetching files. The rest is for compiling and unpacking. */
const BRINGING = 0.9;
/** The names of packages begin with this. */
const PACKAGE = "package/";
/** No program can begin without these parts. */
const FILES = ["stdlib", "python"];

export class Sandbox {
  /** @param {Manifest | Promise<Manifest>} manifest @param {(data: any) => void} onMessage @param {() => void} onDeath */
  constructor(manifest, onMessage, onDeath) {
    this.onMessage = onMessage;
    this.onDeath = onDeath;
    /** The messages that arrived before anybody listened. @type {any[]} */
    this.said = [];
    this.isEnded = false;
    this.isReady = false;
    this.wants = 0;
    /** The parts that programs still wait for. */
    this.missing = new Set(FILES);
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.port.onmessage = ({ data }) => this.receive(data);
    this.port.addEventListener("close", () => this.die()); // the system may end the frame
    /** @type {HTMLIFrameElement} */
    this.frame = sandboxedFrame();
    this.frame.addEventListener("load", () => this.frame.contentWindow?.postMessage(null, "*", [port2]), { once: true });
    this.timer = window.setTimeout(() => this.die(), LONGEST_START_MS);
    /** @type {SandboxFiles | null} */
    this.files = null;
    this.handOver(manifest).catch(() => this.die());
  }

  /** @param {{id: number, method: string, args: readonly unknown[]}} request */
  ask(request) {
    if (this.missing.size > 0) this.onMessage({ kind: "loading" });
    this.post({ kind: "ask", ...request });
  }

  /** @returns {boolean} whether Python can be interrupted; otherwise it has to be replaced */
  interrupt() {
    this.post({ kind: "interrupt" });
    return globalThis.crossOriginIsolated;
  }

  /** Ends the frame abruptly, without a message to the page. */
  kill() {
    this.frame.remove();
  }

  /** Ends the frame and all workers in it. */
  terminate() {
    this.isEnded = true;
    clearTimeout(this.timer);
    this.port.onmessage = null;
    this.port.close();
    this.frame.remove();
  }

  /** Sends the worker the parts of Python that it needs to start. @protected @param {Manifest | Promise<Manifest>} coming */
  async handOver(coming) {
    const isSlow = isSlowHere() || isLightKept();
    const manifest = isSlow ? await (await import("./slow-sandbox.js")).withoutSnapshot(await coming) : await coming;
    const files = new SandboxFiles(manifest);
    this.files = files;
    const names = AT_ONCE.filter((name) => Object.hasOwn(files.parts, name));
    const shares = Object.fromEntries(names.map((name) => [name, 0]));
    const progress = () => Object.values(shares).reduce((sum, share) => sum + share, 0) / names.length;
    const part = (/** @type {string} */ name) => files.part(name, (share) => {
      shares[name] = share;
      this.tell({ kind: "progress", share: BRINGING * progress() });
    });
    const started = part("worker").then((script) => {
      this.post({ kind: "start", script }, [script]);
      this.post({ kind: "boot", manifest });
    });
    const rest = names.filter((name) => name !== "worker").map((name) => this.give(name, part(name), started));
    await Promise.all([started, ...rest]);
  }

  /** @private @param {string} name @param {Promise<ArrayBuffer>} coming @param {Promise<void>} [started] */
  async give(name, coming, started) {
    const bytes = await coming.catch(() => undefined); // Python also starts without a snapshot
    await started;
    this.post({ kind: "part", name, bytes }, bytes === undefined ? [] : [bytes]);
    if (this.missing.delete(name) && this.missing.size === 0) this.tell({ kind: "loaded" });
  }

  /** @private @param {any} data */
  receive(data) {
    if (this.isEnded) return;
    const message = heard(data);
    if (message === null) return; // a program can send anything
    if (message.kind === "gone") this.die();
    else if (message.kind === "want") this.bring(message.name);
    else if (message.kind !== "ready") this.tell(message);
    else if (!this.isReady) this.begin(message);
  }

  /** @private @param {any} ready */
  begin(ready) {
    this.isReady = true;
    clearTimeout(this.timer);
    if (ready.start === "files") {
      this.missing.clear();
      this.files?.forget();
    }
    this.tell(ready);
    setTimeout(() => this.files?.keep(() => this.tell({ kind: "kept" })), KEEP_MS);
  }

  /** Answers the worker's request for a part of Python or a package. The answer for an unknown name has no bytes. @private
   * @param {string} name */
  bring(name) {
    this.wants += 1;
    if (this.files === null || this.wants > MOST_WANTS) this.die();
    else if (FILES.includes(name) || name.startsWith(PACKAGE)) this.give(name, this.files.part(name));
    else this.give(name, Promise.reject(new Error("not to be had")));
  }

  /** @protected @param {any} message */
  tell(message) {
    if (!this.isEnded) this.onMessage(message);
  }

  /** @protected @param {any} message @param {Transferable[]} [transfer] */
  post(message, transfer = []) {
    if (!this.isEnded) this.port.postMessage(message, transfer);
  }

  /** @private */
  die() {
    if (this.isEnded) return;
    this.terminate();
    this.onDeath();
  }
}

/** The sandbox that started before the page's own scripts. null if there is none, or if the page already uses it.
 * @type {{sandbox: Sandbox, manifest: Manifest | null} | null} */
let early = null;

export async function beginEarlySandbox() {
  const coming = loadManifest();
  const sandbox = new Sandbox(coming, (data) => sandbox.said.push(data), () => {});
  const begun = { sandbox, manifest: /** @type {Manifest | null} */ (null) };
  early = begun;
  begun.manifest = await coming;
}

/** @param {Opening} opening @returns {Place} */
export function openSandbox({ manifest, onMessage, onDeath }) {
  if (early === null || early.sandbox.isEnded || early.manifest !== manifest) return new Sandbox(manifest, onMessage, onDeath);
  const { sandbox } = early;
  early = null;
  return Object.assign(sandbox, { onMessage, onDeath });
}

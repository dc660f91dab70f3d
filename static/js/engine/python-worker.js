// The page's end of a worker with Python: numbered requests, of which only the newest is answered. What takes too long is
// interrupted, where the page shares memory with its workers; a worker that is not heard of then, or dies, is replaced.

/** @typedef {{phase: "loading", share: number} | {phase: "ready"} | {phase: "failed"}} Status share from 0 to 1 */
/** How a request ends: Python's answer and what bytes came with it, or why there is none; `told` is what an interrupted
 * Python answered all the same.
 * @typedef {{answer: any, modules: Uint8Array<ArrayBuffer>[]} | {error: Failure, told?: any} | {superseded: true}} Reply */
/** The worker took too long, died by itself, or was told to stop. @typedef {"slow" | "died" | "stopped"} Failure */
/** `onNote` hears what Python tells before the answer and after it, until the next request is sent.
 * @typedef {{longestMs?: number, onNote?: (note: any) => void}} AskOptions */
/** `begun`: whether the worker has heard of it. `isSecond`: whether a worker died of it, or before it, already.
 * @typedef {{id: number, method: string, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void,
 *   begun: boolean, isSecond: boolean}} Request */

import { noteKept, takeEarly } from "./early-python.js";
import { newestManifest } from "./manifest.js";
import { WatchedWorker } from "./workers.js";

const LONGEST_MS = 2000;
/** So long Python may take to stop where it was interrupted: compiled code, and programs that catch it, do not. */
const GRACE_MS = 300;
/** What it does after an answer, and to become fast, may keep a request waiting for so long. */
const LONGEST_BUSY_MS = 2000;
/** What Python takes for Ctrl-C. */
const SIGINT = 2;
/** A worker that fails this often before it is ready is not started again by itself. */
const MOST_FAILURES = 3;

export class PythonWorker {
  /** @param {Record<string, string>} manifest names of the built files by what they are
   * @param {(status: Status) => void} onStatus
   * @param {{longestMs?: number, service?: import("./early-python.js").ServiceName}} options `longestMs`: an answer that takes longer is
   *   "slow"; `service`: what answers, in worker.js */
  constructor(manifest, onStatus, { longestMs = LONGEST_MS, service = "pages" } = {}) {
    this.manifest = manifest;
    this.onStatus = onStatus;
    this.longestMs = longestMs;
    this.service = service;
    this.lastId = 0;
    this.failures = 0;
    this.ready = false;
    /** The one sent last; its notes are heard. @type {Request | null} */
    this.sent = null;
    /** The one being answered. @type {Request | null} */
    this.running = null;
    /** @type {Request | null} */
    this.waiting = null;
    /** @type {WatchedWorker | null} */
    this.worker = null;
    /** Pyodide's module, which the first worker has compiled for all that follow. @type {WebAssembly.Module | null} */
    this.engine = null;
    /** Whether this page's own scripts and modules may be older than the site. */
    this.isNewest = false;
    this.timer = 0;
    /** Why what is running is being interrupted. @type {Failure | null} */
    this.ending = null;
    /** Shared with the worker, where that is possible. @type {Uint8Array<SharedArrayBuffer> | null} */
    this.interrupt = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  }

  /** Whether a request would be answered at once, and stand in no other's way. */
  get isIdle() {
    return this.ready && this.running === null && this.waiting === null;
  }

  /** Starts a worker, in place of any there is. */
  start() {
    this.worker?.terminate();
    this.ready = false;
    this.sent = null;
    this.onStatus({ phase: "loading", share: 0 });
    this.interrupt?.fill(0);
    const { manifest, service, engine } = this;
    const [onMessage, onDeath] = [(/** @type {any} */ data) => this.receive(data), () => this.fail("died")];
    const early = takeEarly(manifest, service);
    if (early === null) {
      this.worker = new WatchedWorker("worker.js", onMessage, onDeath, { isNewest: this.isNewest });
      this.worker.postMessage({ manifest, service, engine });
    } else {
      this.worker = Object.assign(early.worker, { onMessage, onDeath });
    }
    this.worker.postMessage({ interrupt: this.interrupt });
    for (const data of early?.said ?? []) this.receive(data);
  }

  /** Starts over after `failed`. */
  retry() {
    this.failures = 0;
    this.start();
  }

  /** Ends the request that is being answered, and with it the worker if need be. */
  stop() {
    if (this.running !== null) this.end("stopped");
  }

  destroy() {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param {string} method a name in `METHODS` of app/service.py @param {readonly unknown[]} args as JSON could hold them
   * @param {AskOptions} options
   * @returns {Promise<Reply>} `superseded` if a newer request came first */
  ask(method, args, options = {}) {
    return new Promise((resolve) => {
      this.waiting?.resolve({ superseded: true });
      this.waiting = { id: ++this.lastId, method, args, options, resolve, begun: false, isSecond: false };
      this.send();
    });
  }

  /** @private */
  send() {
    if (!this.ready || this.running !== null || this.waiting === null) return;
    const request = this.waiting;
    this.running = request;
    this.sent = request;
    this.waiting = null;
    this.interrupt?.fill(0);
    this.watch(request, LONGEST_BUSY_MS);
    this.worker?.postMessage({ id: request.id, method: request.method, args: request.args });
  }

  /** @private @param {any} message */
  receive(message) {
    switch (message.kind) {
      case "progress":
        this.onStatus({ phase: "loading", share: message.share });
        break;
      case "ready":
        this.ready = true;
        this.failures = 0;
        this.engine = message.engine;
        performance.mark("python", { detail: { start: message.start, refusal: message.refusal } });
        this.onStatus({ phase: "ready" });
        this.send();
        break;
      case "kept":
        noteKept();
        break;
      case "begun":
        if (this.running !== null && message.id === this.running.id && this.ending === null) {
          this.running.begun = true;
          this.watch(this.running, 0);
        }
        break;
      case "interrupted":
        if (message.id === this.running?.id) this.finish({ error: this.ending ?? "stopped" });
        break;
      case "answer":
        if (message.id === this.running?.id && this.ending !== null) {
          this.finish({ error: this.ending, told: message.answer });
        } else if (message.id === this.running?.id) {
          const modules = message.modules.map((/** @type {ArrayBuffer} */ bytes) => new Uint8Array(bytes));
          this.finish({ answer: message.answer, modules });
        }
        break;
      case "note":
        if (message.id === this.sent?.id) this.sent?.options.onNote?.(message.note);
        break;
      default:
        this.fail("died");
    }
  }

  /** @private @param {Reply} reply */
  finish(reply) {
    clearTimeout(this.timer);
    this.ending = null;
    const request = this.running;
    this.running = null;
    request?.resolve(this.waiting === null ? reply : { superseded: true });
    this.send();
  }

  /** Allows a request its time from now on, and some more. @private @param {Request} request @param {number} moreMs */
  watch({ options }, moreMs) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end("slow"), (options.longestMs ?? this.longestMs) + moreMs);
  }

  /** Interrupts what is running; if that does not end it, the worker goes. @private @param {Failure} reason */
  end(reason) {
    clearTimeout(this.timer);
    if (reason === "slow" && this.running?.begun === false) {
      this.fail("died");
    } else if (this.interrupt === null) {
      this.fail(reason);
    } else {
      this.ending = reason;
      this.interrupt[0] = SIGINT;
      this.timer = window.setTimeout(() => this.fail(reason), GRACE_MS);
    }
  }

  /** @private @param {Failure} reason */
  fail(reason) {
    if (!this.ready) this.failures += 1;
    this.ready = false;
    if (reason === "died" && this.ending === null) this.askAgain();
    if (this.running !== null) this.finish({ error: this.ending ?? reason });
    clearTimeout(this.timer);
    if (this.failures === 0) {
      this.start();
    } else if (this.failures < MOST_FAILURES) {
      this.startNewest();
    } else {
      this.worker?.terminate();
      this.worker = null;
      this.onStatus({ phase: "failed" });
    }
  }

  /** Starts what the site has now: a page may have been open while another version took the place of its own.
   * @private */
  async startNewest() {
    const failed = this.worker;
    failed?.terminate();
    this.engine = null;
    const manifest = await newestManifest().catch(() => this.manifest);
    if (this.worker !== failed) return; // somebody was quicker
    this.manifest = manifest;
    this.isNewest = true;
    this.start();
  }

  /** What was being asked when the worker died is asked once more, unless something newer waits; but a visitor's program,
   * which may have done something, only runs when they say so. @private */
  askAgain() {
    const { running } = this;
    if (running === null || running.isSecond || this.waiting !== null || this.service === "playground") return;
    clearTimeout(this.timer);
    this.running = null;
    this.waiting = { ...running, begun: false, isSecond: true };
  }
}

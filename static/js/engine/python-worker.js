// The page's end of a worker with Python: numbered requests, of which only the newest is answered; a worker that
// dies or takes too long is replaced.

/** @typedef {{phase: "loading", share: number} | {phase: "ready"} | {phase: "failed"}} Status share from 0 to 1 */
/** How a request ends: Python's answer and what bytes came with it, or why there is none.
 * @typedef {{answer: any, modules: Uint8Array<ArrayBuffer>[]} | {error: Failure} | {superseded: true}} Reply */
/** The worker took too long, died by itself, or was told to stop. @typedef {"slow" | "died" | "stopped"} Failure */
/** `onNote` hears what Python tells before the answer and after it, until the next request is sent.
 * @typedef {{longestMs?: number, onNote?: (note: any) => void}} AskOptions */
/** @typedef {{id: number, method: string, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void}} Request */

import { startWorker } from "./workers.js";

const LONGEST_MS = 2000;
/** A worker that fails this often before it is ready is not started again by itself. */
const MOST_FAILURES = 3;

export class PythonWorker {
  /** @param {Record<string, string>} manifest names of the built files by what they are
   * @param {(status: Status) => void} onStatus
   * @param {{longestMs?: number, service?: "pages" | "playground"}} options `longestMs`: an answer that takes longer is
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
    /** @type {Worker | null} */
    this.worker = null;
    this.timer = 0;
  }

  /** Starts a worker, in place of any there is. */
  start() {
    this.worker?.terminate();
    this.ready = false;
    this.sent = null;
    this.onStatus({ phase: "loading", share: 0 });
    const worker = startWorker("worker.js");
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail("died");
    };
    worker.postMessage({ manifest: this.manifest, service: this.service });
    this.worker = worker;
  }

  /** Starts over after `failed`. */
  retry() {
    this.failures = 0;
    this.start();
  }

  /** Ends the request that is being answered, and with it the worker. */
  stop() {
    if (this.running !== null) this.fail("stopped");
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
      this.waiting = { id: ++this.lastId, method, args, options, resolve };
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
    this.timer = window.setTimeout(() => this.fail("slow"), request.options.longestMs ?? this.longestMs);
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
        performance.mark("python", { detail: { start: message.start, refusal: message.refusal } });
        this.onStatus({ phase: "ready" });
        this.send();
        break;
      case "answer":
        if (message.id === this.running?.id) {
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
    const request = this.running;
    this.running = null;
    request?.resolve(this.waiting === null ? reply : { superseded: true });
    this.send();
  }

  /** @private @param {Failure} reason */
  fail(reason) {
    if (!this.ready) this.failures += 1;
    this.ready = false;
    if (this.running !== null) this.finish({ error: reason });
    if (this.failures < MOST_FAILURES) {
      this.start();
    } else {
      this.worker?.terminate();
      this.worker = null;
      this.onStatus({ phase: "failed" });
    }
  }
}

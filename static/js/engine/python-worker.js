// The page's end of a worker with Python: numbered requests, of which only the newest is answered. What takes too long is
// interrupted, where the page shares memory with its workers; a worker that is not heard of then, or dies, is replaced.

/** @typedef {{phase: "loading", share: number} | {phase: "ready"} | {phase: "failed"}} Status share from 0 to 1 */
/** How a request ends: Python's answer and what bytes came with it, or why there is none; `told` is what an interrupted
 * Python answered all the same.
 * @typedef {{answer: any, modules: Uint8Array<ArrayBuffer>[]} | {error: Failure, told?: any} | {superseded: true}} Reply */
/** The worker took too long, or loading packages for a program did; it died by itself, or was told to stop.
 * @typedef {"slow" | "loading" | "died" | "stopped"} Failure */
/** `onNote` hears what Python tells before the answer and after it, until the next request is sent.
 * @typedef {{longestMs?: number, onNote?: (note: any) => void}} AskOptions */
/** `begun`: whether the worker has heard of it. `isSecond`: whether a worker died of it, or before it, already.
 * @typedef {{id: number, method: string, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void,
 *   begun: boolean, isSecond: boolean}} Request */
/** @typedef {import("./own-python.js").Opening} Opening */
/** @typedef {import("./own-python.js").Place} Place */
/** `isSandboxed`: a visitor's programs run there, so what one has ended in is never used again, and nothing is asked twice.
 * @typedef {{longestMs?: number, open?: (opening: Opening) => Place, isSandboxed?: boolean}} PythonOptions */

import { noteKept } from "./early-python.js";
import { newestManifest } from "./manifest.js";
import { openOwn } from "./own-python.js";

const LONGEST_MS = 2000;
/** So long Python may take to stop where it was interrupted: compiled code, and programs that catch it, do not. */
const GRACE_MS = 300;
/** What it does after an answer, and to become fast, may keep a request waiting for so long. */
const LONGEST_BUSY_MS = 2000;
/** So long packages may take to load for one program; its own limit stands still meanwhile. */
const LONGEST_LOADING_MS = 60_000;
/** A worker that fails this often before it is ready is not started again by itself. */
const MOST_FAILURES = 3;

export class PythonWorker {
  /** @param {Record<string, string>} manifest names of the built files by what they are
   * @param {(status: Status) => void} onStatus
   * @param {PythonOptions} options `longestMs`: an answer that takes longer is "slow" */
  constructor(manifest, onStatus, { longestMs = LONGEST_MS, open = openOwn, isSandboxed = false } = {}) {
    this.manifest = manifest;
    this.onStatus = onStatus;
    this.longestMs = longestMs;
    this.open = open;
    this.isSandboxed = isSandboxed;
    this.lastId = 0;
    this.failures = 0;
    this.ready = false;
    /** The one sent last; its notes are heard. @type {Request | null} */
    this.sent = null;
    /** The one sent before it. What our own service tells after an answer may come when the next request is on its way.
     * @type {Request | null} */
    this.before = null;
    /** The one being answered. @type {Request | null} */
    this.running = null;
    /** @type {Request | null} */
    this.waiting = null;
    /** @type {Place | null} */
    this.worker = null;
    /** Pyodide's module, which the first worker has compiled for all that follow. @type {WebAssembly.Module | null} */
    this.engine = null;
    /** Whether this page's own scripts and modules may be older than the site. */
    this.isNewest = false;
    this.timer = 0;
    /** What is left of the running request's time, and since when it runs. */
    this.clock = { leftMs: 0, since: 0, isPaused: false, loadingMs: 0 };
    /** Why what is running is being interrupted. @type {Failure | null} */
    this.ending = null;
    /** Whether Python is interrupted before it is replaced. */
    this.canInterrupt = true;
  }

  /** Whether a request would be answered at once, and stand in no other's way. */
  get isIdle() {
    return this.ready && this.running === null && this.waiting === null;
  }

  /** Starts a worker, in place of any there is. */
  start() {
    this.worker?.terminate();
    this.ready = false;
    [this.sent, this.before] = [null, null];
    this.onStatus({ phase: "loading", share: 0 });
    const { manifest, engine, isNewest } = this;
    const [onMessage, onDeath] = [(/** @type {any} */ data) => this.receive(data), () => this.fail("died")];
    const worker = this.open({ manifest, engine, isNewest, onMessage, onDeath });
    this.worker = worker;
    for (const data of worker.said) this.receive(data);
  }

  /** Starts over after `failed`. */
  retry() {
    this.failures = 0;
    this.start();
  }

  /** Ends the request that is being answered, and with it the worker if need be. A request that waits for Python is not asked.
   * If there is neither, a visitor's program may still have left something running, so its Python is replaced. */
  stop() {
    if (this.running !== null) this.end("stopped");
    else if (this.waiting !== null) this.forgetWaiting();
    else if (this.isSandboxed && this.ready) this.start();
  }

  /** Replaces Python. What it is being asked has no answer; a request that waits goes to the new one. */
  replace() {
    this.ready = false;
    this.finish({ superseded: true });
    this.start();
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
  forgetWaiting() {
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve({ error: "stopped" });
  }

  /** @private */
  send() {
    if (!this.ready || this.running !== null || this.waiting === null) return;
    const request = this.waiting;
    this.running = request;
    [this.before, this.sent] = [this.isSandboxed ? null : this.sent, request];
    this.waiting = null;
    this.clock.loadingMs = LONGEST_LOADING_MS;
    this.watch(request, LONGEST_BUSY_MS);
    this.worker?.ask({ id: request.id, method: request.method, args: request.args });
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
        // Once: a program that says so again gets no more time.
        if (this.running !== null && message.id === this.running.id && !this.running.begun && this.ending === null) {
          this.running.begun = true;
          this.watch(this.running, 0);
        }
        break;
      case "loading":
        this.pause();
        break;
      case "loaded":
        this.resume();
        break;
      case "interrupted":
        if (message.id === this.running?.id) this.finishInterrupted({ error: this.ending ?? "stopped" });
        break;
      case "answer":
        if (message.id === this.running?.id && this.ending !== null) {
          this.finishInterrupted({ error: this.ending, told: message.answer });
        } else if (message.id === this.running?.id) {
          const modules = message.modules.map((/** @type {ArrayBuffer} */ bytes) => new Uint8Array(bytes));
          this.finish({ answer: message.answer, modules });
        }
        break;
      case "note":
        [this.sent, this.before].find((request) => request?.id === message.id)?.options.onNote?.(message.note);
        break;
      default:
        this.fail("died");
    }
  }

  /** @private @param {Reply} reply */
  finish(reply) {
    clearTimeout(this.timer);
    this.ending = null;
    this.clock.isPaused = false;
    const request = this.running;
    this.running = null;
    request?.resolve(this.waiting === null ? reply : { superseded: true });
    this.send();
  }

  /** Ends an interrupted request. What a visitor's program has left behind is not used again. @private @param {Reply} reply */
  finishInterrupted(reply) {
    if (this.isSandboxed) this.ready = false;
    this.finish(reply);
    if (this.isSandboxed) this.start();
  }

  /** Allows a request its time from now on, and some more. @private @param {Request} request @param {number} moreMs */
  watch({ options }, moreMs) {
    this.clock.leftMs = (options.longestMs ?? this.longestMs) + moreMs;
    if (!this.clock.isPaused) this.runClock();
  }

  /** @private */
  runClock() {
    clearTimeout(this.timer);
    this.clock.since = performance.now();
    this.timer = window.setTimeout(() => this.end("slow"), this.clock.leftMs);
  }

  /** Lets the running request's time stand still while what it needs is loaded, which has a time of its own. */
  pause() {
    const { clock } = this;
    if (this.running === null || this.ending !== null || clock.isPaused) return;
    const now = performance.now();
    Object.assign(clock, { isPaused: true, leftMs: clock.leftMs - (now - clock.since), since: now });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end("loading"), clock.loadingMs);
  }

  /** Its time goes on. */
  resume() {
    const { clock } = this;
    if (this.running === null || this.ending !== null || !clock.isPaused) return;
    clock.loadingMs -= performance.now() - clock.since;
    clock.isPaused = false;
    this.runClock();
  }

  /** Interrupts what is running; if that does not end it, the worker goes. @private @param {Failure} reason */
  end(reason) {
    clearTimeout(this.timer);
    if (reason === "slow" && this.running?.begun === false) {
      this.fail("died");
    } else if (this.canInterrupt && this.worker?.interrupt()) {
      this.ending = reason;
      this.timer = window.setTimeout(() => this.fail(reason), GRACE_MS);
    } else {
      this.fail(reason);
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
    if (running === null || running.isSecond || this.waiting !== null || this.isSandboxed) return;
    clearTimeout(this.timer);
    this.running = null;
    this.waiting = { ...running, begun: false, isSecond: true };
  }
}

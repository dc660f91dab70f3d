// Sends a page's requests to a worker with Python. Requests have numbers, and only the newest request gets an answer. If the
// page shares memory with its workers, it interrupts a request that takes too long. It replaces a worker that dies or does not
// stop.

/** @typedef {{phase: "loading", share: number} | {phase: "ready"} | {phase: "failed"}} Status share from 0 to 1 */
/** How a request ended: with Python's answer and the bytes of modules, with the reason why there is no answer, or because a
 * newer request came. `told`: Python's answer, if it arrived after an interrupt.
 * @typedef {{answer: any, modules: Uint8Array<ArrayBuffer>[]} | {error: Failure, told?: any} | {superseded: true}} Reply */
/** Why a request has no answer: the program was too slow, loading its packages took too long, the worker died, or the request
 * was stopped.
 * @typedef {"slow" | "loading" | "died" | "stopped"} Failure */
/** Options of a request. `longestMs`: the time limit. `onNote`: called with each note that Python sends about the request.
 * Notes may come before or after the answer.
 * @typedef {{longestMs?: number, onNote?: (note: any) => void}} AskOptions */
/** A request to Python. `begun`: true if the worker has started to work on the request. `isSecond`: true if we send the request
 * for the second time, because the first time it ended without an answer.
 * @typedef {{id: number, method: string, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void,
 *   begun: boolean, isSecond: boolean}} Request */
/** @typedef {import("./own-python.js").Opening} Opening */
/** @typedef {import("./own-python.js").Place} Place */
/** Settings for a `PythonWorker`. `longestMs`: the usual time limit of a request. `open`: starts Python. `isSandboxed`: true if
 * visitors' programs run in this Python. In this case we replace Python after an interrupt, and never send a request twice.
 * @typedef {{longestMs?: number, open?: (opening: Opening) => Place, isSandboxed?: boolean}} PythonOptions */

import { noteKept } from "./early-python.js";
import { newestManifest } from "./manifest.js";
import { openOwn } from "./own-python.js";

const LONGEST_MS = 2000;
/** The time that Python gets to stop after an interrupt. Then we replace Python. Compiled code does not stop at an interrupt,
 * and a program may catch the interrupt. */
const GRACE_MS = 300;
/** The longest time that Python may take before it begins to work on a request. It may still be busy with its warm-up, or with
 * work that follows the previous answer. */
const LONGEST_BUSY_MS = 2000;
/** The longest time that a program may spend on loading packages. This time does not count towards the program's own time
 * limit. */
const LONGEST_LOADING_MS = 60_000;
/** The number of times that workers may fail before they are ready. Then we do not restart them any more. */
const MOST_FAILURES = 3;

export class PythonWorker {
  /** @param {Record<string, string>} manifest the names of the built files, by role
   * @param {(status: Status) => void} onStatus
   * @param {PythonOptions} options `longestMs`: an answer that takes longer counts as "slow" */
  constructor(manifest, onStatus, { longestMs = LONGEST_MS, open = openOwn, isSandboxed = false } = {}) {
    this.manifest = manifest;
    this.onStatus = onStatus;
    this.longestMs = longestMs;
    this.open = open;
    this.isSandboxed = isSandboxed;
    this.lastId = 0;
    this.failures = 0;
    this.ready = false;
    /** The request sent last. We accept its notes. @type {Request | null} */
    this.sent = null;
    /** The request before `sent`. Python may still send notes about it until it receives the newest request.
     * @type {Request | null} */
    this.before = null;
    /** The request being answered. @type {Request | null} */
    this.running = null;
    /** @type {Request | null} */
    this.waiting = null;
    /** @type {Place | null} */
    this.worker = null;
    /** Pyodide's module. The first worker compiles it, and all later ones reuse it. @type {WebAssembly.Module | null} */
    this.engine = null;
    /** True if new workers should load the site's newest scripts, because this page's own scripts may be out of date. */
    this.isNewest = false;
    this.timer = 0;
    /** The clock of the running request. `leftMs`: the time that the request had left at the moment `since`. `loadingMs`: the
     * time that is left for loading packages. */
    this.clock = { leftMs: 0, since: 0, isPaused: false, loadingMs: 0 };
    /** Why the running request is being interrupted. @type {Failure | null} */
    this.ending = null;
    /** True if we interrupt Python before we replace it. */
    this.canInterrupt = true;
  }

  /** True if Python has nothing to do. It would answer a new request at once. */
  get isIdle() {
    return this.ready && this.running === null && this.waiting === null;
  }

  /** Starts a worker, and replaces a running one. */
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

  /** Stops the running request. If it does not stop, ends the worker. If no request is running, drops the waiting request. If
   * there is no request at all, replaces a sandboxed Python, because a visitor's program may still be doing something. */
  stop() {
    if (this.running !== null) this.end("stopped");
    else if (this.waiting !== null) this.forgetWaiting();
    else if (this.isSandboxed && this.ready) this.start();
  }

  /** Ends this Python and starts a new one. The running request gets no answer. The new Python gets the waiting request. */
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

  /** @param {string} method a name in `METHODS` of app/service.py @param {readonly unknown[]} args values that JSON can hold
   * @param {AskOptions} options
   * @returns {Promise<Reply>} `superseded` if a newer request came before the answer */
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
        noteKept(message.start);
        break;
      case "begun":
        // Only the first of these messages counts, so a program that repeats it gets no more time.
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
        if (message.id === this.running?.id) this.receiveInterrupted();
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

  /** Called when Python says that it was interrupted. If we wanted to end the running request, ends it. Otherwise the interrupt
   * was for the previous request and came late, so we send the running request once more. @private */
  receiveInterrupted() {
    if (this.ending === null) this.askAgain();
    if (this.running === null) this.send();
    else this.finishInterrupted({ error: this.ending ?? "stopped" });
  }

  /** Ends an interrupted request. If Python has run a visitor's program, also replaces Python. @private @param {Reply} reply */
  finishInterrupted(reply) {
    if (this.isSandboxed) this.ready = false;
    this.finish(reply);
    if (this.isSandboxed) this.start();
  }

  /** Starts the clock for a request. Adds `moreMs` to its time limit. @private @param {Request} request
   * @param {number} moreMs */
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

  /** Stops the running request's clock while packages load. A separate time limit applies to loading. */
  pause() {
    const { clock } = this;
    if (this.running === null || this.ending !== null || clock.isPaused) return;
    const now = performance.now();
    Object.assign(clock, { isPaused: true, leftMs: clock.leftMs - (now - clock.since), since: now });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end("loading"), clock.loadingMs);
  }

  /** Lets the running request's clock go on. */
  resume() {
    const { clock } = this;
    if (this.running === null || this.ending !== null || !clock.isPaused) return;
    clock.loadingMs -= performance.now() - clock.since;
    clock.isPaused = false;
    this.runClock();
  }

  /** Interrupts the running request. If the request does not end, replaces the worker. @private @param {Failure} reason */
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

  /** Starts Python with the site's newest scripts. The site may have changed while this page was open, and the old scripts may
   * be gone. @private */
  async startNewest() {
    const failed = this.worker;
    failed?.terminate();
    this.engine = null;
    const manifest = await newestManifest().catch(() => this.manifest);
    if (this.worker !== failed) return; // another call was faster
    this.manifest = manifest;
    this.isNewest = true;
    this.start();
  }

  /** Sends the running request once more, because it ended without an answer. Does nothing if a newer request waits, or if
   * Python is sandboxed. Only the visitor may run a program again, because a program can have effects. @private */
  askAgain() {
    const { running } = this;
    if (running === null || running.isSecond || this.waiting !== null || this.isSandboxed) return;
    clearTimeout(this.timer);
    this.running = null;
    this.waiting = { ...running, begun: false, isSecond: true };
  }
}

// The playground's questions to its Python, one after the other. A question that a newer one of its kind replaces,
// before it was asked, is not asked at all.

import { PythonWorker } from "./python-worker.js";

/** @typedef {import("./python-worker.js").AskOptions} AskOptions */
/** @typedef {import("./python-worker.js").Reply} Reply */
/** @typedef {"run" | "show" | "call" | "names"} Method */
/** @typedef {{method: Method, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void}} Question */

const BUILD = new URL("../../build/", import.meta.url);
const PACKAGES = new URL("../../vendor/pypi/", import.meta.url);
/** Longest for what the page asks by itself: a function that takes longer to show is too long to read. */
const LONGEST_MS = 10_000;

export class PlaygroundSession {
  /** @param {Record<string, string>} manifest @param {(status: import("./python-worker.js").Status) => void} onStatus */
  constructor(manifest, onStatus) {
    this.manifest = manifest;
    this.worker = new PythonWorker(manifest, onStatus, { service: "playground", longestMs: LONGEST_MS });
    /** @type {Question[]} */
    this.waiting = [];
    /** @type {Question | null} */
    this.running = null;
    /** @type {Promise<EditorName[]> | null} */
    this.known = null;
  }

  start() {
    this.worker.start();
  }

  retry() {
    this.worker.retry();
  }

  /** Ends what is running, if anything is; Python then starts again. */
  stop() {
    this.worker.stop();
  }

  destroy() {
    this.worker.destroy();
  }

  /** @param {string} text @param {number} longestMs @param {(text: string) => void} onPrinted @returns {Promise<Reply>} */
  run(text, longestMs, onPrinted) {
    return this.ask("run", [text, PACKAGES.href], { longestMs, onNote: (note) => onPrinted(note.printed) });
  }

  /** @param {string} name @param {string} kind @returns {Promise<Reply>} */
  show(name, kind) {
    return this.ask("show", [name, kind], {});
  }

  /** @param {string} name @param {string} kind @param {readonly string[]} texts @param {(text: string) => void} onPrinted
   * @returns {Promise<Reply>} */
  call(name, kind, texts, onPrinted) {
    return this.ask("call", [name, kind, texts], { onNote: (note) => onPrinted(note.printed) });
  }

  /** @typedef {{name: string, kind: string, signature: string, about: string}} EditorName */
  /** What can be written after `eg.`; it is asked for once. @returns {Promise<EditorName[]>} */
  names() {
    this.known ??= this.fetchNames().catch(() => {
      this.known = null;
      return [];
    });
    return this.known;
  }

  /** @private @returns {Promise<EditorName[]>} */
  async fetchNames() {
    const response = await fetch(new URL(this.manifest.sources, BUILD));
    const sources = new Uint8Array(response.ok ? await response.arrayBuffer() : []);
    const reply = await this.ask("names", [sources], {});
    if (!("answer" in reply)) throw new Error("no names");
    return reply.answer;
  }

  /** @private @param {Method} method @param {readonly unknown[]} args @param {AskOptions} options @returns {Promise<Reply>} */
  ask(method, args, options) {
    return new Promise((resolve) => {
      const older = this.waiting.findIndex((question) => question.method === method);
      if (older >= 0) this.waiting.splice(older, 1)[0].resolve({ superseded: true });
      this.waiting.push({ method, args, options, resolve });
      this.next();
    });
  }

  /** @private */
  async next() {
    if (this.running !== null) return;
    const question = this.waiting.shift();
    if (question === undefined) return;
    this.running = question;
    const reply = await this.worker.ask(question.method, question.args, question.options);
    this.running = null;
    if ("error" in reply) {
      // What the program defined is gone with its interpreter, so nothing that was to be asked of it makes sense.
      for (const { resolve } of this.waiting.splice(0)) resolve({ error: reply.error });
    }
    question.resolve(reply);
    this.next();
  }
}

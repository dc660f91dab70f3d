// Sends the page's requests to the Python that runs visitors' programs, one after the other. While a request waits, a newer
// request of the same kind replaces it.

import { BUILD } from "../../engine/manifest.js";
import { PythonWorker } from "../../engine/python-worker.js";
import { openSandbox } from "../../engine/sandbox.js";
import { isAnswer, isNote } from "./answers.js";

/** @typedef {import("../../engine/python-worker.js").AskOptions} AskOptions */
/** @typedef {import("../../engine/python-worker.js").Reply} Reply */
/** @typedef {"run" | "show" | "call" | "names" | "export"} Method */
/** @typedef {import("../../widgets/code-names.js").EditorName} EditorName */
/** Functions that are called while a program runs. `onPrinted`: called with printed text. `onShown`: called with the JSON of a
 * picture. `onLoading`: called with a package's name when the package begins to load, and with null when it has loaded.
 * @typedef {{onPrinted: (text: string) => void, onShown: (picture: string) => void, onLoading: (name: string | null) => void}} RunEvents */
/** @typedef {{method: Method, args: readonly unknown[], options: AskOptions, resolve: (reply: Reply) => void}} Question */
/** @typedef {import("../../engine/python-worker.js").Failure} Failure */

const PACKAGE = "package/";
/** The time limit for the page's own requests, such as listings. */
const LONGEST_MS = 10_000;

export class PlaygroundSession {
  /** @param {Record<string, string>} manifest @param {(status: import("../../engine/python-worker.js").Status) => void} onStatus */
  constructor(manifest, onStatus) {
    this.manifest = manifest;
    /** True if a program has run in this Python. The program may have left names or timers in it. */
    this.hasProgram = false;
    const hear = (/** @type {import("../../engine/python-worker.js").Status} */ status) => {
      if (status.phase !== "ready") this.hasProgram = false;
      onStatus(status);
    };
    this.worker = new PythonWorker(manifest, hear, { open: openSandbox, isSandboxed: true, longestMs: LONGEST_MS });
    /** The packages that a program may load. We ignore notes about other packages, because a program can forge notes. */
    this.packages = Object.keys(JSON.parse(manifest.handed ?? "{}")).filter((name) => name.startsWith(PACKAGE)).map((name) => name.slice(PACKAGE.length));
    /** The length of the program that ran last, in UTF-16 units. */
    this.length = 0;
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

  /** Stops the running request and everything that a program left running. Python then starts again.
   * @returns {boolean} true if a request about the program was running or waiting; the reply will say that it was stopped */
  stop() {
    const isTold = [this.running, ...this.waiting].some((question) => question !== null && question.method !== "names");
    this.worker.stop();
    return isTold;
  }

  destroy() {
    this.worker.destroy();
  }

  /** Runs a program. @param {string} text the program @param {number} longestMs the time limit @param {RunEvents} events
   * @param {boolean} isEdit true if the program that ran last is the same, or an earlier text of the same program; Python then
   *   keeps its state
   * @returns {Promise<Reply>} */
  run(text, longestMs, events, isEdit) {
    if (!isEdit && this.hasProgram) this.replacePython();
    this.length = text.length;
    return this.ask("run", [text, this.packages], { longestMs, onNote: (note) => this.hear(note, events) });
  }

  /** @param {string} name @param {string} kind @returns {Promise<Reply>} */
  show(name, kind) {
    return this.ask("show", [name, kind], {});
  }

  /** @param {string} name @param {string} kind @param {readonly string[]} texts @param {(text: string) => void} onPrinted
   * @returns {Promise<Reply>} */
  call(name, kind, texts, onPrinted) {
    return this.ask("call", [name, kind, texts], { onNote: (note) => this.hear(note, { onPrinted, onShown: () => {}, onLoading: () => {} }) });
  }

  /** Exports a function as a module, with files that help other web pages to use the module.
   * @param {string} name @param {string} kind
   * @returns {Promise<Map<string, Uint8Array> | null>} the files by name; null if Python did not answer */
  async export(name, kind) {
    const reply = await this.ask("export", [name, kind], {});
    if (!("answer" in reply) || !reply.answer.ok) return null;
    const texts = Object.entries(reply.answer.files).map(([file, text]) => /** @type {const} */ ([file, new TextEncoder().encode(text)]));
    return new Map([[`${reply.answer.name}.wasm`, reply.modules[0]], ...texts]);
  }

  /** Returns the names that can follow `eg.` in a program. Asks Python for the names only once.
   * @returns {Promise<EditorName[]>} */
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

  /** @private @param {any} note @param {RunEvents} events */
  hear(note, { onPrinted, onShown, onLoading }) {
    if (!isNote(note)) return;
    if (note.printed !== undefined) onPrinted(note.printed);
    else if (note.shown !== undefined) onShown(note.shown);
    else if (note.loading !== undefined && this.packages.includes(note.loading)) {
      this.worker.pause();
      onLoading(note.loading);
    } else if (note.loaded !== undefined) {
      this.worker.resume();
      onLoading(null);
    }
  }

  /** Starts a new Python and cancels the waiting requests about the previous program. @private */
  replacePython() {
    for (const { resolve } of this.waiting.splice(0)) resolve({ superseded: true });
    this.known = null;
    this.worker.replace();
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
    const reply = this.believed(question, await this.worker.ask(question.method, question.args, question.options));
    this.running = null;
    if (question.method === "run" && "answer" in reply) this.hasProgram = true;
    if ("error" in reply) {
      this.known = null; // these names came from a Python that we no longer trust
      this.dropWaiting(reply.error);
    }
    question.resolve(reply);
    this.next();
  }

  /** Cancels the waiting requests after Python has ended. Keeps a waiting request to run a program, unless the visitor has
   * pressed Stop. @private @param {Failure} error */
  dropWaiting(error) {
    const isKept = (/** @type {Question} */ { method }) => method === "run" && error !== "stopped";
    const dropped = this.waiting.filter((question) => !isKept(question));
    this.waiting = this.waiting.filter(isKept);
    for (const { resolve } of dropped) resolve({ error });
  }

  /** Checks the structure of a reply. A wrong structure means that a program has forged the reply. In this case, starts a new
   * Python and returns the error "died". @private
   * @param {Question} question @param {Reply} reply @returns {Reply} */
  believed({ method }, reply) {
    if ("told" in reply && !isAnswer(method, reply.told, 0, this.length)) delete reply.told;
    if (!("answer" in reply) || isAnswer(method, reply.answer, reply.modules.length, this.length)) return reply;
    this.worker.start();
    return { error: "died" };
  }
}

// Runs Python for visitors' programs, in a worker of the sandboxed frame. A program can do everything that JavaScript can do in
// this worker, but it can reach nothing else. The frame's security policy also holds for the worker. It forbids the worker to
// fetch anything and to turn text into code.
//
// The worker receives {kind: "begin", interrupt, alive}, {kind: "boot", manifest}, {kind: "part", name, bytes},
// {kind: "ping", token} and {kind: "ask", id, method, args}. It sends messages of these kinds, with these fields: "want"
// (name), "ready" (start, reason), "begun" (id), "note" (id, json), "answer" (id, json, modules), "interrupted" (id), "pong"
// (token) and "failed" (reason).

import { bootHanded } from "../worker/handed-python.js";
import { Handed } from "../worker/handed.js";
import { callMicroseconds } from "./call-timing.js";

/** @typedef {import("../worker/handed-python.js").HandedPython} HandedPython */

const SERVICE = "app.playground.service";
const WARM_UPS = 6;
const WARM_UP_MS = 40;

/** Shared memory that nothing ever changes. To sleep, Python waits until this memory changes or until a time limit has passed.
 * Every page may create shared memory of this kind. */
const IDLE = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);

/** The browser's original function. A program may replace the global one. */
const post = self.postMessage.bind(self);
/** @param {any} message @param {Transferable[]} [transfer] */
const say = (message, transfer = []) => post(message, transfer);

// A script needs a Trusted Types policy to start a worker. Only the name "eglantine" is allowed for a policy, and only one
// policy may have this name. We create this policy here, so a program cannot create one and cannot start a worker.
/** @type {any} */ (globalThis).trustedTypes?.createPolicy("eglantine", {});

class Sandboxed {
  /** @param {any} createModule */
  constructor(createModule) {
    this.createModule = createModule;
    this.parts = new Handed((name) => say({ kind: "want", name }));
    /** @type {HandedPython | null} */
    this.python = null;
    /** @type {Uint8Array | null} shared with the frame */
    this.interrupt = null;
    /** A port to the frame. It closes when this worker ends, so that the frame learns of the end. @type {MessagePort | null} */
    this.alive = null;
    /** The request to which new notes belong. */
    this.current = 0;
    /** The module of the function that was shown last. @type {{bytes: Uint8Array<ArrayBuffer>, abi: any} | null} */
    this.shown = null;
  }

  /** @param {any} data */
  async receive(data) {
    // A visitor's mistake gives an ordinary answer. After any other error we no longer trust this interpreter.
    try {
      if (data.kind === "begin") Object.assign(this, { interrupt: data.interrupt, alive: data.alive });
      else if (data.kind === "ping") say({ kind: "pong", token: data.token });
      else if (data.kind === "part") this.parts.take(data.name, data.bytes);
      else if (data.kind === "boot") await this.boot(data.manifest);
      else await this.answer(data);
    } catch (error) {
      say(isInterrupt(error) ? { kind: "interrupted", id: data.id } : { kind: "failed", reason: String(error) });
    }
  }

  /** @private @param {Record<string, string>} manifest */
  async boot(manifest) {
    const begin = (/** @type {import("../worker/python.js").Pyodide} */ pyodide) => {
      const newService = pyodide.pyimport(SERVICE).Service(
        (/** @type {string} */ json) => say({ kind: "note", id: this.current, json }),
        (/** @type {string} */ name) => this.bring(name),
        (/** @type {number} */ ms) => {
          Atomics.wait(IDLE, 0, 0, ms);
          pyodide.checkInterrupt();
        },
      );
      newService.warm_up(0);
      return newService;
    };
    this.python = await bootHanded({ manifest, createModule: this.createModule, begin }, this.parts);
    const { pyodide, service, start, reason } = this.python;
    // A Python that has crashed never settles its promises, so we report the crash here.
    /** @type {any} */ (pyodide)._api.on_fatal = (/** @type {any} */ error) => say({ kind: "failed", reason: String(error) });
    if (this.interrupt !== null) pyodide.setInterruptBuffer(this.interrupt);
    say({ kind: "ready", start, reason });
    this.python.files.catch(() => {}); // an error reaches whoever awaits the files
    for (let k = 1; k <= WARM_UPS; k++) setTimeout(() => service.warm_up(k), WARM_UP_MS * k);
  }

  /** Asks the page for a package that the site serves. @private @param {string} name @returns {Promise<Uint8Array>} */
  async bring(name) {
    const part = `package/${name}`;
    try {
      return new Uint8Array(await this.parts.wanted(part));
    } finally {
      this.parts.drop(part);
    }
  }

  /** @private @param {{id: number, method: string, args: unknown[]}} request */
  async answer({ id, method, args }) {
    const python = /** @type {HandedPython} */ (this.python);
    await python.files;
    say({ kind: "begun", id });
    this.current = id;
    const given = python.pyodide.toPy(args);
    const reply = await python.service.ask(method, given);
    const [json, ...modules] = reply.toJs();
    reply.destroy();
    given.destroy();
    if (method === "show") this.shown = modules.length > 0 ? { bytes: modules[0].slice(), abi: JSON.parse(json).abi } : null;
    const buffers = modules.map((/** @type {Uint8Array} */ bytes) => bytes.buffer);
    say({ kind: "answer", id, json: method === "call" ? this.timed(json) : json, modules: buffers }, buffers);
  }

  /** Measures how long a call takes without Python. In the answer to the call, sets `us` to this time in microseconds, or to
   * null if the time cannot be measured.
   * @private @param {string} json @returns {string} */
  timed(json) {
    const { args = null, us, ...answer } = JSON.parse(json);
    const { shown } = this;
    const alone = shown === null || args === null ? null : callMicroseconds(shown.bytes, shown.abi, args, us);
    return JSON.stringify({ ...answer, us: alone });
  }
}

/** @param {any} createModule pyodide.asm.mjs */
export function serve(createModule) {
  const served = new Sandboxed(createModule);
  self.onmessage = ({ data }) => served.receive(data);
}

/** @param {any} error @returns {boolean} */
function isInterrupt(error) {
  return error?.type === "KeyboardInterrupt";
}

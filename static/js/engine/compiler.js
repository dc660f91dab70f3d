// The page's end of the worker: numbered requests, of which only the newest is answered; a worker that dies or
// takes too long is replaced.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @template [A=Artifact] @typedef {{artifact: A} | {error: Diagnostic} | {superseded: true}} Answer */
/** @typedef {{phase: "loading", share: number} | {phase: "ready"} | {phase: "failed"}} Status share from 0 to 1 */
/** What the worker is asked, and how its answer becomes an artifact.
 * @typedef {{id: number, question: object, read: (message: any) => any, answer: (answer: Answer<any>) => void}} Request */

const LONGEST_MS = 2000;
/** A worker that fails this often before it is ready is not started again by itself. */
const MOST_FAILURES = 3;

export class Compiler {
  /** @param {Record<string, string>} manifest
   * @param {(status: Status) => void} onStatus
   * @param {(reason: "slow" | "died") => Diagnostic} diagnosticFor
   * @param {() => void} onFormulas when an artifact that was answered has its formulas too */
  constructor(manifest, onStatus, diagnosticFor, onFormulas) {
    this.manifest = manifest;
    this.onStatus = onStatus;
    this.diagnosticFor = diagnosticFor;
    this.onFormulas = onFormulas;
    this.lastId = 0;
    /** The last one answered, and by which request. @type {{id: number, artifact: Artifact} | null} */
    this.answered = null;
    this.failures = 0;
    this.ready = false;
    /** @type {Request | null} */
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
    this.onStatus({ phase: "loading", share: 0 });
    const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail("died");
    };
    worker.postMessage({ manifest: this.manifest });
    this.worker = worker;
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Answer>} `superseded` if a newer request came first */
  compile(text, names) {
    return this.ask({ text, names }, (message) => this.keep(text, names, message));
  }

  /** @param {string} spec of a billiards table, as JSON @returns {Promise<Answer<TableArtifact>>} */
  compileTable(spec) {
    return this.ask({ table: spec }, ({ answer, wasm, paths }) => ({
      shot: { wasm: new Uint8Array(wasm), abi: answer.shot },
      paths: { wasm: new Uint8Array(paths), abi: answer.paths },
      cost: answer.cost,
    }));
  }

  /** @param {string} spec of a robot, as JSON @returns {Promise<Answer<RobotArtifact>>} */
  compileRobot(spec) {
    return this.ask({ robot: spec }, ({ answer, training, motion }) => ({
      training: { wasm: new Uint8Array(training), abi: answer.training },
      motion: { wasm: new Uint8Array(motion), abi: answer.motion },
      cost: answer.cost,
    }));
  }

  /** @private @param {object} question @param {(message: any) => any} read @returns {Promise<Answer<any>>} */
  ask(question, read) {
    return new Promise((answer) => {
      this.waiting?.answer({ superseded: true });
      this.waiting = { id: ++this.lastId, question, read, answer };
      this.send();
    });
  }

  /** Starts over after `failed`. */
  retry() {
    this.failures = 0;
    this.start();
  }

  destroy() {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
  }

  /** @private */
  send() {
    if (!this.ready || this.running !== null || this.waiting === null) return;
    this.running = this.waiting;
    this.waiting = null;
    const { id, question } = this.running;
    this.timer = window.setTimeout(() => this.fail("slow"), LONGEST_MS);
    this.worker?.postMessage({ id, ...question });
  }

  /** @private @param {any} message */
  receive(message) {
    if (message.kind === "progress") this.onStatus({ phase: "loading", share: message.share });
    if (message.kind === "failed") this.fail("died");
    if (message.kind === "ready") {
      this.ready = true;
      this.failures = 0;
      this.onStatus({ phase: "ready" });
      this.send();
    }
    const { running } = this;
    if (message.kind === "answer" && running !== null && message.id === running.id) {
      this.finish(message.answer.ok ? { artifact: running.read(message) } : { error: message.answer.error });
    }
    if (message.kind === "formulas" && this.answered !== null && message.id === this.answered.id) {
      this.answered.artifact.tex = message.tex;
      this.onFormulas();
    }
  }

  /** @private @param {string} text @param {readonly string[]} names @param {any} message @returns {Artifact} */
  keep(text, names, message) {
    const { answer, wasm } = message;
    const artifact = { text, names, wasm: new Uint8Array(wasm), abi: answer.abi, tex: null, cost: answer.cost };
    this.answered = { id: message.id, artifact };
    return artifact;
  }

  /** @private @param {Answer<any>} answer */
  finish(answer) {
    clearTimeout(this.timer);
    const request = this.running;
    this.running = null;
    request?.answer(this.waiting === null ? answer : { superseded: true });
    this.send();
  }

  /** @private @param {"slow" | "died"} reason */
  fail(reason) {
    if (!this.ready) this.failures += 1;
    this.ready = false;
    if (this.running !== null) this.finish({ error: this.diagnosticFor(reason) });
    if (this.failures < MOST_FAILURES) {
      this.start();
    } else {
      this.worker?.terminate();
      this.worker = null;
      this.onStatus({ phase: "failed" });
    }
  }
}

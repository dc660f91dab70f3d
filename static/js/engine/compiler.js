// What the pages ask of Python: the modules of a formula, a billiards table, a robot.

import { PythonWorker } from "./python-worker.js";

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("../model/types.js").Located} Located */
/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../model/types.js").TapeArtifact} TapeArtifact */
/** @typedef {import("../model/types.js").Verdict} Verdict */
/** @typedef {import("./python-worker.js").AskOptions} AskOptions */
/** @typedef {import("./python-worker.js").Failure} Failure */
/** @typedef {import("./python-worker.js").Status} Status */
/** @template [A=Artifact] @typedef {{artifact: A} | {error: Diagnostic} | {superseded: true}} Answer */


/** A table or a robot is no program that could run away, but its compiling takes a slow or busy computer seconds. */
const LONGEST_SIMULATION_MS = 20_000;
/** A simulation is compiled and run for it, and a step of it interpreted. */
const LONGEST_SEARCH_MS = 20_000;

export class Compiler {
  /** @param {Record<string, string>} manifest
   * @param {(status: Status) => void} onStatus
   * @param {(reason: Failure) => Diagnostic} diagnosticFor
   * @param {() => void} onFormulas when an artifact that was answered has its formulas too */
  constructor(manifest, onStatus, diagnosticFor, onFormulas) {
    this.python = new PythonWorker(manifest, onStatus);
    this.diagnosticFor = diagnosticFor;
    this.onFormulas = onFormulas;
  }

  /** Starts Python, in place of any there is. */
  start() {
    this.python.start();
  }

  /** Starts over after `failed`. */
  retry() {
    this.python.retry();
  }

  destroy() {
    this.python.destroy();
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Answer>} `superseded` if a newer request came first */
  compile(text, names) {
    /** @type {Artifact | null} */
    let artifact = null;
    const read = (/** @type {any} */ answer, /** @type {Uint8Array<ArrayBuffer>[]} */ [wasm]) => {
      artifact = { text, names, wasm, abi: answer.abi, tex: null, cost: answer.cost };
      return artifact;
    };
    const onNote = (/** @type {any} */ note) => {
      if (artifact === null) return;
      artifact.tex = note.tex;
      this.onFormulas();
    };
    return this.ask("formula", [text, names], read, { onNote });
  }

  /** @param {string} spec of a billiards table, as JSON @returns {Promise<Answer<TableArtifact>>} */
  compileTable(spec) {
    return this.ask("table", [spec], (answer, [shot, paths, batch]) => ({
      shot: { wasm: shot, abi: answer.shot },
      paths: { wasm: paths, abi: answer.paths },
      batch: { wasm: batch, abi: answer.batch },
      cost: answer.cost,
    }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} spec of a robot, as JSON @returns {Promise<Answer<RobotArtifact>>} */
  compileRobot(spec) {
    return this.ask("robot", [spec], (answer, [training, motion]) => ({
      training: { wasm: training, abi: answer.training },
      motion: { wasm: motion, abi: answer.motion },
      cost: answer.cost,
    }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Answer<TapeArtifact>>} a formula's tape */
  compileTape(text, names) {
    return this.ask("tape", [text], ({ abi, nodes, result, cost }, [wasm]) => ({ text, names, wasm, abi, tex: null, nodes, result, cost }));
  }

  /** Who says whether the numbers that a formula's module gave are right: f, fx, fy, fxx, fxy, fyy.
   * @returns {import("./checker.js").Asked} */
  get formulaCheck() {
    return {
      // A formula's TeX is still to come, and would be lost.
      isFree: ({ artifact }) => this.python.isIdle && artifact.tex !== null,
      ask: ({ artifact: { text, names }, values, shown }) => this.check("check", [text, names, values, shown]),
    };
  }

  /** The same for all numbers of a tape. @returns {import("./checker.js").Asked} */
  get tapeCheck() {
    return {
      isFree: () => this.python.isIdle,
      ask: ({ artifact: { text }, values, shown }) => this.check("check_tape", [text, values, shown]),
    };
  }

  /** @private @param {string} method @param {readonly unknown[]} args
   * @returns {Promise<Verdict | null>} null where there is no answer */
  async check(method, args) {
    const reply = await this.python.ask(method, args);
    return "answer" in reply ? reply.answer : null;
  }

  /** Where the numbers of a shot or a walk stop being finite. @param {"shot_trouble" | "walk_trouble"} method @param {string} spec
   * @param {unknown} at what it is given @returns {Promise<Located | null>} null where Python finds nothing, or has no time */
  async locate(method, spec, at) {
    const reply = await this.python.ask(method, [spec, JSON.stringify(at)], { longestMs: LONGEST_SEARCH_MS });
    return "answer" in reply && reply.answer.ok ? reply.answer.trouble : null;
  }

  /** @private @template A @param {string} method @param {readonly unknown[]} args
   * @param {(answer: any, modules: Uint8Array<ArrayBuffer>[]) => A} read @param {AskOptions} options
   * @returns {Promise<Answer<A>>} */
  async ask(method, args, read, options = {}) {
    const reply = await this.python.ask(method, args, options);
    if ("superseded" in reply) return reply;
    if ("error" in reply) return { error: this.diagnosticFor(reply.error) };
    return reply.answer.ok ? { artifact: read(reply.answer, reply.modules) } : { error: reply.answer.error };
  }
}

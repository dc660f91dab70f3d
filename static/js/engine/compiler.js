// The pages' requests to Python: compile a formula, a billiards table or a robot, and check numbers.

import { loadFirstTier } from "./first-tier-files.js";
import { PythonWorker } from "./python-worker.js";

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../model/types.js").FitterArtifact} FitterArtifact */
/** @typedef {import("../model/types.js").Located} Located */
/** @typedef {import("../model/types.js").Module} Module */
/** @typedef {import("../model/types.js").NetworkArtifact} NetworkArtifact */
/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").SurveyArtifact} SurveyArtifact */
/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../model/types.js").TapeArtifact} TapeArtifact */
/** @typedef {import("../model/types.js").Verdict} Verdict */
/** @typedef {import("./python-worker.js").AskOptions} AskOptions */
/** @typedef {import("./python-worker.js").Failure} Failure */
/** @typedef {import("./python-worker.js").Status} Status */
/** @template [A=Artifact] @typedef {{artifact: A} | {error: Diagnostic} | {superseded: true}} Answer */


/** The time limit for compiling a large program, such as a billiards table, a robot or a fit. A slow or busy computer needs
 * several seconds. On a slow connection, the first fit also waits until Python's modules have arrived. */
const LONGEST_SIMULATION_MS = 20_000;
/** The time limit for compiling a diagram that is given as a graph of operations. The largest graphs have 240,000
 * operations. */
const LONGEST_GRAPH_MS = 120_000;
/** The time limit for searching a simulation for its first number that is not finite. Python compiles and runs the
 * simulation. When it finds the step with this number, it interprets this step. */
const LONGEST_SEARCH_MS = 20_000;

export class Compiler {
  /** @param {Record<string, string>} manifest
   * @param {(status: Status) => void} onStatus
   * @param {(reason: Failure) => Diagnostic} diagnosticFor
   * @param {() => void} onFormulas called when the TeX of a formula arrives, which is later than the compiled formula */
  constructor(manifest, onStatus, diagnosticFor, onFormulas) {
    this.python = new PythonWorker(manifest, onStatus);
    this.manifest = manifest;
    /** The first tier, which interprets formulas until Python is ready, or null if the page does not use it.
     * @type {Promise<import("./first-tier.js").FirstTier> | null} */
    this.tier = null;
    this.diagnosticFor = diagnosticFor;
    this.onFormulas = onFormulas;
  }

  /** Starts Python, and replaces a running one. */
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

  /** Loads the first tier. */
  loadFirstTier() {
    this.tier = loadFirstTier(this.manifest);
    this.tier.then(() => performance.mark("first tier"), () => {});
  }

  /** Lets the first tier read a formula. It can do so before Python is ready. @param {string} text
   * @param {readonly string[]} names
   * @returns {Promise<import("./first-tier.js").Early | null>} null if the first tier has no answer, or if Python is ready */
  async early(text, names) {
    if (this.tier === null || this.python.ready) return null;
    return (await this.tier).read(text, names);
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Answer>} `superseded` if a newer request came before the answer */
  compile(text, names) {
    /** @type {Artifact | null} */
    let artifact = null;
    const read = (/** @type {any} */ answer, /** @type {Uint8Array<ArrayBuffer>[]} */ [wasm]) => {
      artifact = { text, names, wasm, abi: answer.abi, tex: null, cost: answer.cost, used: answer.used, equation: answer.equation };
      return artifact;
    };
    const onNote = (/** @type {any} */ note) => {
      if (artifact === null) return;
      artifact.tex = note.tex;
      this.onFormulas();
    };
    return this.ask("formula", [text, names, true], read, { onNote });
  }

  /** @param {string} text @param {readonly string[]} names @returns {Promise<Answer<SurveyArtifact>>} */
  compileSurvey(text, names) {
    return this.ask("survey", [text, names, true], (answer, [critical, descent]) => ({
      critical: { wasm: critical, abi: answer.critical },
      descent: { wasm: descent, abi: answer.descent },
    }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} text @param {readonly string[]} names @returns {Promise<Answer<Module>>} the kernel of Taylor polynomials */
  compilePolynomial(text, names) {
    return this.ask("polynomial", [text, names], ({ abi }, [wasm]) => ({ wasm, abi }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {readonly unknown[]} question the arguments of `proven_band`
   * @returns {Promise<Answer<import("../model/types.js").BandNodes>>} */
  proveBand(question) {
    return this.ask("band", question, ({ ok: _, ...nodes }) => nodes, { longestMs: LONGEST_SIMULATION_MS });
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

  /** @param {string} text of a Bril program @param {readonly (number | boolean)[]} values of the parameters of its main function
   * @returns {Promise<Answer<{analysis: import("../model/types.js").BrilAnalysis, wasm: Uint8Array<ArrayBuffer>}>>} */
  analyseBril(text, values) {
    return this.ask("bril", [text, values], (analysis, [wasm]) => ({ analysis, wasm }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} text a formula in x and the letters to fit @returns {Promise<Answer<FitterArtifact>>} */
  compileFitter(text) {
    return this.ask("fitter", [text], ({ abis, names, cost }, modules) => {
      const named = Object.keys(abis).map((name, k) => [name, { wasm: modules[k], abi: abis[name] }]);
      return { .../** @type {import("../model/types.js").FitterModules} */ (Object.fromEntries(named)), names, cost };
    }, { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} text a formula in x and the letters to fit @param {number} capacity the largest number of points
   * @returns {Promise<Answer<{fit: Module, curve: Module}>>} two modules to export: the fit, and the formula's curve */
  compileWholeFit(text, capacity) {
    return this.ask("whole_fit", [text, capacity], (abis, [fit, curve]) => ({ fit: { wasm: fit, abi: abis.fit }, curve: { wasm: curve, abi: abis.curve } }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} spec of a network, as JSON @returns {Promise<Answer<NetworkArtifact>>} */
  compileNetwork(spec) {
    return this.ask("network", [spec], ({ abi, cost }, [wasm]) => ({ network: { wasm, abi }, cost }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} spec a network's description, as JSON @param {readonly number[]} weights
   * @returns {Promise<Answer<{module: Module, program: string}>>} the network as a module and as a Python program */
  compileTrained(spec, weights) {
    return this.ask("trained_network", [spec, weights], ({ abi, program }, [wasm]) => ({ module: { wasm, abi }, program }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} text @param {readonly string[]} names
   * @returns {Promise<Answer<TapeArtifact>>} a formula's tape */
  compileTape(text, names) {
    return this.ask("tape", [text], ({ abi, nodes, result, cost }, [wasm]) => ({ text, names, wasm, abi, tex: null, nodes, result, cost }));
  }

  /** @param {string} spec a diagram of the gallery and perhaps a seed, as JSON @returns {Promise<Answer<DiagramArtifact>>} */
  compileDiagram(spec) {
    const args = JSON.parse(spec).map((/** @type {unknown} */ given) => given ?? undefined); // Python reads undefined as None, but not null
    return this.ask("diagram", args, ({ ok: _, ...answer }, [wasm]) => ({ ...answer, wasm }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** @param {string} graph of an energy, as JSON @param {string} shapes as JSON @returns {Promise<Answer<DiagramArtifact>>} */
  compilePenrose(graph, shapes) {
    return this.ask("penrose", [graph, shapes], ({ ok: _, solver, numbers, ...answer }, [wasm, ofSolver, ofNumbers]) => ({
      ...answer,
      wasm,
      solver: { abi: solver, wasm: ofSolver },
      numbers: { abi: numbers, wasm: ofNumbers },
    }), { longestMs: LONGEST_GRAPH_MS });
  }

  /** Compiles a module that computes forces in a diagram: how strongly the chosen relations push each shape.
   * @param {string} id @param {string | null} data
   * @returns {Promise<Answer<Module>>} */
  compileForces(id, data) {
    return this.ask("diagram_forces", [id, data ?? undefined], ({ abi }, [wasm]) => ({ abi, wasm }), { longestMs: LONGEST_SIMULATION_MS });
  }

  /** Lets Python check the numbers that a formula's module computed: f, fx, fy, fxx, fxy, fyy.
   * @returns {import("./checker.js").Asked} */
  get formulaCheck() {
    return {
      // A request sent before the TeX has arrived would make us miss the note with the TeX.
      isFree: ({ artifact }) => this.python.isIdle && artifact.tex !== null,
      ask: ({ artifact: { text, names }, values, shown }) => this.check("check", [text, names, values, shown, true]),
    };
  }

  /** Checks all numbers of a tape. @returns {import("./checker.js").Asked} */
  get tapeCheck() {
    return {
      isFree: () => this.python.isIdle,
      ask: ({ artifact: { text }, values, shown }) => this.check("check_tape", [text, values, shown]),
    };
  }

  /** @private @param {string} method @param {readonly unknown[]} args
   * @returns {Promise<Verdict | null>} null if Python gave no answer */
  async check(method, args) {
    const reply = await this.python.ask(method, args);
    return "answer" in reply ? reply.answer : null;
  }

  /** Finds the first step with a number that is not finite, in a billiards shot or in a robot's walk.
   * @param {"shot_trouble" | "walk_trouble"} method @param {string} spec @param {unknown} at all arguments of the shot or walk
   * @returns {Promise<Located | null>} null if Python finds no such step or gives no answer */
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

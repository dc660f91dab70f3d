// The modules of formulas, and their solvers: from the build, or compiled by Python.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").FitterArtifact} FormulaArtifact */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("./doc.js").Beginning} Beginning */
/** @typedef {import("./fitter.js").FitterArtifact} FitterArtifact */

import { isSlowHere } from "../../engine/connection.js";
import { isLightKept } from "../../engine/early-python.js";
import { readSpec } from "./doc.js";

/** Python compiles this many formulas to warm up. The browser has then optimised most of the code that compiles a fit. */
const WARM_UPS = 24;
const WARM_UP_MS = 60;

export class FitModules {
  /** @param {Beginning} beginning @param {(file: string) => Promise<FormulaArtifact>} load
   * @param {(n: number, capacity: number) => Promise<Module>} loadSolver @param {Compiler} compiler */
  constructor(beginning, load, loadSolver, compiler) {
    this.beginning = beginning;
    this.load = load;
    this.loadSolver = loadSolver;
    this.compiler = compiler;
    /** The solvers requested so far. A key consists of the number of parameters and the capacity.
     * @type {Map<string, Promise<Module>>} */
    this.solvers = new Map();
  }

  /** @param {string} spec @returns {Promise<import("../../engine/compiler.js").Answer<FitterArtifact>>} */
  async of(spec) {
    const { compiled } = this.beginning;
    const { text, capacity } = readSpec(spec);
    const answer = Object.hasOwn(compiled, text) ? { artifact: await this.load(compiled[text]) } : await this.compiler.compileFitter(text);
    if (!("artifact" in answer)) return answer;
    return { artifact: { ...answer.artifact, solver: await this.solverFor(answer.artifact.names.length, capacity) } };
  }

  /** Lets Python compile a few formulas for practice. The browser then has optimised Python's code before the visitor types a
   * formula. Does nothing on a slow connection, because Python would have to fetch more of its own modules.
   * @param {number} done the number of practice formulas so far */
  warmUp(done = 0) {
    const { compiler } = this;
    if (done === WARM_UPS || isSlowHere() || isLightKept()) return;
    setTimeout(() => {
      if (compiler.python.isIdle) void compiler.compileFitter(`a exp(-b x) + ${done}`);
      this.warmUp(done + 1);
    }, WARM_UP_MS);
  }

  /** @private @param {number} n parameters @param {number} capacity @returns {Promise<Module>} */
  solverFor(n, capacity) {
    const name = `${n} ${capacity}`;
    const solver = this.solvers.get(name) ?? this.loadSolver(n, capacity);
    this.solvers.set(name, solver);
    solver.catch(() => this.solvers.delete(name));
    return solver;
  }

  /** @param {string} spec @returns {Promise<Record<string, Module>>} the fit and the curve as modules that need no others */
  async exported(spec) {
    const { text, capacity } = readSpec(spec);
    const answer = await this.compiler.compileWholeFit(text, capacity);
    if (!("artifact" in answer)) throw new Error("Python did not compile the fit.");
    return answer.artifact;
  }
}

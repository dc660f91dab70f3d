// Runs the program Penrose in the sandboxed frame. Penrose makes a diagram from a trio, which is three programs by a visitor.
// The frame sends the diagram to the page as text, and the page's own Python compiles this text to modules.

/** @typedef {import("../../model/types.js").Trio} Trio */
/** @typedef {import("../../engine/python-worker.js").Status} Status */
/** The results of Penrose's own compiler and optimiser. `weight`: the weight of the constraints at the end. `last`: the numbers
 * of the terms that the last stage optimises. `positioned`: the number of shapes with a position. `inputs`: the number of those
 * among them whose position the optimiser chooses. The positions of the others follow from other shapes.
 * @typedef {{compileMs: number, optimiseMs: number, isOptimised: boolean, weight: number, energy: number, last: readonly number[],
 *   inputs: number, positioned: number}} Theirs */
/** @typedef {{data: string, theirs: Theirs} | {refused: string} | {superseded: true} | {failed: string}} Ran */

import { openPenrose } from "../../engine/penrose-sandbox.js";
import { PythonWorker } from "../../engine/python-worker.js";

const LONGEST_MS = 30_000;
const LONGEST_MESSAGE = 2000;
const MOST_TERMS = 1_000_000;
const NUMBERS = /** @type {const} */ (["compileMs", "optimiseMs", "weight", "energy", "inputs", "positioned"]);

export class TrioSandbox {
  /** @param {Record<string, string>} manifest @param {(status: Status) => void} onStatus */
  constructor(manifest, onStatus) {
    this.worker = new PythonWorker(manifest, onStatus, { open: openPenrose, isSandboxed: true, longestMs: LONGEST_MS });
    this.isStarted = false;
  }

  /** @param {Trio} trio @returns {Promise<Ran>} */
  async run(trio) {
    if (!this.isStarted) this.worker.start();
    this.isStarted = true;
    const reply = await this.worker.ask("trio", [trio]);
    if ("superseded" in reply) return reply;
    if ("error" in reply) return { failed: reply.error };
    return believed(reply.answer) ?? { failed: "died" };
  }

  stop() {
    this.worker.stop();
  }
}

/** Checks that an answer has the expected structure, because code in the sandbox can forge any answer. @param {any} answer
 * @returns {Ran | null} */
function believed(answer) {
  if (typeof answer?.refused === "string") return { refused: answer.refused.slice(0, LONGEST_MESSAGE) };
  const { graph, shapes, theirs } = answer ?? {};
  if (typeof graph !== "object" || typeof shapes !== "object" || graph === null || shapes === null) return null;
  if (!NUMBERS.every((name) => typeof theirs?.[name] === "number") || !Array.isArray(theirs.last) || theirs.last.length > MOST_TERMS) return null;
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, theirs[name]]));
  const kept = /** @type {Theirs} */ (/** @type {any} */ ({ ...numbers, isOptimised: theirs.isOptimised === true, last: theirs.last }));
  return { data: JSON.stringify([JSON.stringify(graph), JSON.stringify(shapes)]), theirs: kept };
}

// Runs programs by visitors in the sandboxed frame. Such a program makes a diagram. The frame sends the diagram to the page as
// text, and the page's own Python compiles this text to a module.

/** @typedef {{line: number | null, from: number | null, to: number | null, message: string}} Trouble */
/** @typedef {{data: string} | {trouble: Trouble} | {superseded: true} | {failed: string}} Ran */

import { PythonWorker } from "../../engine/python-worker.js";
import { openSandbox } from "../../engine/sandbox.js";

const LONGEST_MS = 20_000;
const LONGEST_DATA = 4_000_000;
const LONGEST_MESSAGE = 2000;

export class ProgramSandbox {
  /** @param {Record<string, string>} manifest
   * @param {(status: import("../../engine/python-worker.js").Status) => void} onStatus */
  constructor(manifest, onStatus) {
    this.worker = new PythonWorker(manifest, onStatus, { open: openSandbox, isSandboxed: true, longestMs: LONGEST_MS });
    this.isStarted = false;
    /** True if a program has run in the present Python, or in an earlier one. */
    this.hasProgram = false;
  }

  /** Starts Python for programs, unless it has started. */
  start() {
    if (this.isStarted) return;
    this.isStarted = true;
    this.worker.start();
  }

  /** Runs a program. A different program than the last starts in a clean Python, because the last one may have changed modules.
   * @param {string} text @param {boolean} isEdit true if the program is an edit of the one that ran last @returns {Promise<Ran>} */
  async run(text, isEdit) {
    if (this.hasProgram && !isEdit) this.worker.replace();
    this.start();
    this.hasProgram = true;
    const reply = await this.worker.ask("diagram", [text], { longestMs: LONGEST_MS });
    if ("superseded" in reply) return reply;
    if ("error" in reply) return { failed: reply.error };
    return believed(reply.answer, text.length) ?? { failed: "died" };
  }
}

/** Checks that an answer from the frame has the expected structure. A program in the frame can send the page any answer.
 * @param {any} answer @param {number} length the number of characters in the program @returns {Ran | null} */
function believed(answer, length) {
  if (answer?.ok === true && typeof answer.data === "string" && answer.data.length <= LONGEST_DATA) return { data: answer.data };
  const error = answer?.ok === false ? answer.error : null;
  if (typeof error?.message !== "string") return null;
  const count = (/** @type {any} */ value, /** @type {number} */ most) => (Number.isSafeInteger(value) && value >= 0 && value <= most ? value : null);
  return {
    trouble: { message: error.message.slice(0, LONGEST_MESSAGE), line: count(error.line, length + 1), from: count(error.from, length), to: count(error.to, length) },
  };
}

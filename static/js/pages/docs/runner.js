// Runs a block of the documentation in the sandboxed frame, and returns the block's output. The playground uses the same kind
// of frame. The page shows the frame's answer only as text. So even a forged answer does no harm.

import { loadManifest } from "../../engine/manifest.js";
import { PythonWorker } from "../../engine/python-worker.js";
import { openSandbox } from "../../engine/sandbox.js";
import * as texts from "./texts.js";

/** We stop a block that runs for longer than this. Blocks of the documentation take a few seconds at most. */
const LONGEST_MS = 20_000;
const LONGEST_OUTPUT = 100_000;

/** @typedef {{output: string, note: string}} Ran */

export class Runner {
  /** @param {Record<string, string>} manifest */
  constructor(manifest) {
    /** @type {(sentence: string) => void} */
    this.say = () => {};
    this.worker = new PythonWorker(manifest, (status) => {
      if (status.phase === "loading") this.say(texts.loading(status.share));
      else if (status.phase === "failed") this.say(texts.NO_PYTHON_HERE);
    }, { open: openSandbox, isSandboxed: true, longestMs: LONGEST_MS });
    this.worker.start();
  }

  /** Runs a program. @param {string} text the program
   * @param {(sentence: string) => void} say called with a sentence about how much of Python has loaded
   * @returns {Promise<Ran>} what the program prints followed by its value, and a note about the run */
  async run(text, say) {
    this.say = say;
    let output = "";
    const onNote = (/** @type {any} */ note) => {
      if (typeof note?.printed === "string" && output.length < LONGEST_OUTPUT) output += note.printed;
    };
    const reply = await this.worker.ask("run", [text, []], { longestMs: LONGEST_MS, onNote });
    this.say = () => {};
    if (!("answer" in reply)) return { output, note: "error" in reply ? texts.BLOCK_LOST[reply.error] : "" };
    const { answer } = reply;
    if (answer?.ok === true) return { output: output + textOf(answer.value), note: texts.ranHere(Number(answer.ms)) };
    return { output: output + textOf(answer?.error?.message), note: texts.RAN_INTO_ERROR };
  }
}

/** @returns {Promise<Runner>} */
export async function startRunner() {
  return new Runner(await loadManifest());
}

/** @param {unknown} value @returns {string} */
function textOf(value) {
  return typeof value === "string" ? value.slice(0, LONGEST_OUTPUT) : "";
}

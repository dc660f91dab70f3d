// The browser's half of the group `passes`: our compiler by pass in Pyodide, each compile its own entry.

import { nextTask } from "../page/timing.js";

const WARM_UPS = 3;
const FIRST_WARM_UPS = 30;

/** @param {any} lab */
export async function* rows({ python, toPy, work, check, missing }) {
  let warmUps = FIRST_WARM_UPS;
  for (const { title, instructions, inputs, rounds } of work.programs) {
    /** @type {Record<string, number>[]} */
    const samples = [];
    if (python !== null) {
      const passed = toPy(instructions);
      for (let round = check ? 0 : -warmUps; round < (check ? 1 : rounds); round++) {
        await nextTask();
        const found = python.time_passes(passed, inputs, 1 - 1e-6 * (round + warmUps));
        if (round >= 0) samples.push(found.toJs({ dict_converter: Object.fromEntries }));
        found.destroy();
      }
      passed.destroy();
      warmUps = WARM_UPS;
    }
    yield { title, unit: "ms", samples: { passes: samples }, missing: python === null ? { ours: missing.ours } : {} };
  }
}

// The browser's half of the group `compile`: each pass of our compiler in Pyodide, and Rose's compiler. Each compilation runs in
// a separate task.

import { ROSE } from "../page/contest.js";
import { edits } from "../page/edits.js";
import { rosePrograms } from "../page/rose-programs.js";
import { nextTask } from "../page/timing.js";

const WARM_UPS = 3;

/** @param {any} lab */
export async function* rows(lab) {
  const { python, toPy, work, check, missing } = lab;
  const rose = lab.rose && rosePrograms(lab.rose);
  const { warmUp, editing } = edits(lab);
  if (!check) await warmUp();
  yield* editing("power", work.power);
  for (const { title, instructions, inputs, rounds } of work.programs) {
    /** @type {Record<string, any[]>} */
    const samples = { passes: [], [ROSE]: [] };
    /** @type {Record<string, string>} */
    const absent = { ...(python === null && { ours: missing.ours }), ...(rose === null && { [ROSE]: missing.rose }) };
    const passed = python === null ? null : toPy(instructions);
    for (let round = check ? 0 : -WARM_UPS; round < (check ? 1 : rounds); round++) {
      const scale = 1 - 1e-6 * (round + WARM_UPS);
      await nextTask();
      const ours = passed && python.time_passes(passed, inputs, scale);
      if (ours && round >= 0) samples.passes.push(ours.toJs({ dict_converter: Object.fromEntries }));
      ours?.destroy();
      await nextTask();
      if (ROSE in absent) continue;
      try {
        const start = performance.now();
        await lab.rose.compile(rose?.straightLine(instructions, inputs, scale));
        if (round >= 0) samples[ROSE].push(performance.now() - start);
      } catch (error) {
        absent[ROSE] = `${title}: ${error.message}`;
      }
    }
    passed?.destroy();
    yield { title, unit: "ms", samples, missing: absent };
  }
}

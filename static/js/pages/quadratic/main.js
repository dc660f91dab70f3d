// Starts the Quadratic page.

import { loadPresets, loadSurveys } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Quadratic } from "./quadratic.js";

startPage(
  async (manifest) => {
    /** @type {ReturnType<typeof loadSurveys> | null} */
    let surveys = null;
    return { presets: await loadPresets(manifest, texts.EXAMPLES), surveys: () => (surveys ??= loadSurveys(manifest)) };
  },
  (root, { presets, surveys }, compiler) => new Quadratic(root, presets, surveys, compiler),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
  { firstTier: true },
);

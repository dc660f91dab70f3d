// Starts the Quadratic page.

import { loadFirstTier, loadPresets, loadSurveys } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "../../texts.js";
import { Quadratic } from "./quadratic.js";

startPage(
  async (manifest) => {
    /** @type {ReturnType<typeof loadSurveys> | null} */
    let surveys = null;
    const presets = await loadPresets(manifest);
    const tier = loadFirstTier(manifest);
    tier.then(() => performance.mark("first tier"), () => {});
    return { presets, surveys: () => (surveys ??= loadSurveys(manifest)), tier };
  },
  (root, { presets, surveys, tier }, compiler) => new Quadratic(root, presets, surveys, compiler, tier),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
);

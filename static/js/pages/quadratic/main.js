// Starts the Quadratic page.

import { loadPolynomials, loadPresets, loadSurveys } from "../../engine/presets.js";
import { sharedFragment } from "../../page/shell.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Quadratic } from "./quadratic.js";

/** A link that shows more than the surface. */
const WITH_EXTRAS = /(?:^|&)(?:show|saved|order)=/;

startPage(
  async (manifest) => {
    /** @type {ReturnType<typeof loadSurveys> | null} */
    let surveys = null;
    const [presets, extras] = await Promise.all([
      loadPresets(manifest, texts.EXAMPLES),
      WITH_EXTRAS.test(sharedFragment()) ? import("./extras.js") : null,
    ]);
    return { presets, surveys: () => (surveys ??= loadSurveys(manifest)), polynomials: () => loadPolynomials(manifest), extras };
  },
  (root, loaded, compiler) => new Quadratic(root, loaded, compiler),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
  { firstTier: true },
);

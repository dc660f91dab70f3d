// Starts the fit page.

import { loadFits } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { FitPage } from "./fit-page.js";

startPage(
  loadFits,
  (root, compiled, compiler) => new FitPage(root, { ...compiled, compiler }).page,
  { slow: texts.FIT_SLOW, died: texts.DIED_FIT, absent: texts.NO_FIT },
);

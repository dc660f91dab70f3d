// Starts the Quadratic page.

import { loadPresets } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "../../texts.js";
import { Quadratic } from "./quadratic.js";

startPage(
  loadPresets,
  (root, presets, compiler) => new Quadratic(root, presets, compiler),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
);

// Starts the tape page.

import { Tape } from "./demos/tape.js";
import { loadTapes } from "./engine/presets.js";
import { startPage } from "./page-start.js";
import * as texts from "./texts.js";

startPage(
  loadTapes,
  (root, presets, compiler) => new Tape(root, presets, compiler),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
);

// Starts the tape page.

import { loadTapes } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Tape } from "./tape.js";

startPage(
  (manifest) => loadTapes(manifest, texts.TAPES),
  (root, presets, compiler) => new Tape(root, presets, compiler),
  { slow: texts.SLOW, died: texts.DIED, absent: texts.NO_PRESETS },
);

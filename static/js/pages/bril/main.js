// Starts the Bril page.

import { loadBril } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { BrilPage } from "./bril-page.js";

startPage(
  loadBril,
  (root, programs, compiler) => new BrilPage(root, programs, compiler).page,
  { slow: texts.BRIL_SLOW, died: texts.DIED_BRIL, absent: texts.NO_BRIL },
);

// Starts the page Learn.

import { loadLesson } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Learn } from "./learn.js";

startPage(
  async (manifest) => ({ manifest, ...(await loadLesson(manifest)) }),
  (root, loaded, compiler) => new Learn(root, loaded, compiler).page,
  { slow: texts.NETWORK_SLOW, died: texts.DIED_NETWORK, absent: texts.NO_NETWORK },
);

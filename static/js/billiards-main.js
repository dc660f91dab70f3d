// Starts the billiards page.

import { Billiards } from "./demos/billiards.js";
import { loadTable } from "./engine/presets.js";
import { startSimulation } from "./simulation-start.js";
import * as texts from "./texts.js";

startSimulation(
  loadTable,
  (root, { beginning, artifact }, compiler) => new Billiards(root, beginning, artifact, compiler),
  { slow: texts.TABLE_SLOW, died: texts.DIED, absent: texts.NO_TABLE },
);

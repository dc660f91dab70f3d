// Starts the billiards page.

import { loadTable } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Billiards } from "./billiards.js";

startPage(
  loadTable,
  (root, { beginning, artifact }, compiler) => new Billiards(root, beginning, artifact, compiler).page,
  { slow: texts.TABLE_SLOW, died: texts.DIED, absent: texts.NO_TABLE },
);

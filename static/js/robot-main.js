// Starts the robot page.

import { Robot } from "./demos/robot.js";
import { loadRobot } from "./engine/presets.js";
import { startPage } from "./page-start.js";
import * as texts from "./texts.js";

startPage(
  loadRobot,
  (root, { beginning, artifact }, compiler) => new Robot(root, beginning, artifact, compiler),
  { slow: texts.ROBOT_SLOW, died: texts.DIED_ROBOT, absent: texts.NO_ROBOT },
);

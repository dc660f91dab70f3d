// Starts the robot page.

import { loadRobot } from "../../engine/presets.js";
import { startPage } from "../../page/start.js";
import * as texts from "./texts.js";
import { Robot } from "./robot.js";

startPage(
  loadRobot,
  (root, { beginning, artifact }, compiler) => new Robot(root, beginning, artifact, compiler).page,
  { slow: texts.ROBOT_SLOW, died: texts.DIED_ROBOT, absent: texts.NO_ROBOT },
);

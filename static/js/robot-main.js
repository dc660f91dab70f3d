// Starts the robot page.

import { Robot } from "./demos/robot.js";
import { loadRobot } from "./engine/presets.js";
import { startSimulation } from "./simulation-start.js";
import * as texts from "./texts.js";

startSimulation(
  loadRobot,
  (root, { beginning, artifact }, compiler) => new Robot(root, beginning, artifact, compiler),
  { slow: texts.ROBOT_SLOW, died: texts.DIED_ROBOT, absent: texts.NO_ROBOT },
);

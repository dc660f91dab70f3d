// The Robot page's small picture: a walk with the trained gait.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadRobot } from "../../engine/presets.js";
import { TableFrame } from "../../model/metre-frame.js";
import { readInks } from "../../widgets/palette.js";
import { RobotCamera } from "./camera.js";
import { Gait } from "./gait.js";
import { paintRobot } from "./scene.js";
import * as robots from "./model.js";

/** The moment to show, as a share of the walk. */
const MOMENT = 0.55;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} a walk with the trained gait */
export async function thumbnail(manifest) {
  const { beginning, artifact } = await loadRobot(manifest);
  const robot = robots.robotOf(beginning, beginning.first);
  const motion = new Gait(artifact.motion, robots.shapeOf(robot, beginning)).motion(robot.weights, robots.worldOf(robot, beginning));
  const scene = { robot, motion, step: Math.round(MOMENT * robot.steps), editing: false, poses: true, ends: [], selection: null };
  const area = new RobotCamera(beginning.ground).look(scene, false, false, 0);
  return (ctx, widthPx, heightPx) =>
    paintRobot(ctx, new TableFrame(area, widthPx, heightPx), scene, readInks(ctx.canvas), beginning.ground);
}

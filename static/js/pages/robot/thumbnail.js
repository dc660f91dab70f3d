// The Robot page's small picture: a walk with the gait that was trained.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadRobot } from "../../engine/presets.js";
import { TableFrame } from "../../model/metre-frame.js";
import { readInks } from "../../widgets/palette.js";
import { RobotCamera } from "./camera.js";
import { Gait } from "./gait.js";
import { paintRobot } from "./scene.js";
import * as robots from "./model.js";

/** The moment that is shown, as a share of the walk. */
const MOMENT = 0.55;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} a walk with the gait that was trained */
export async function thumbnail(manifest) {
  const { beginning, artifact } = await loadRobot(manifest);
  const made = robots.robotOf(beginning, beginning.first);
  const motion = new Gait(artifact.motion, robots.shapeOf(made, beginning)).motion(made.weights, robots.worldOf(made, beginning));
  const scene = { robot: made, motion, step: Math.round(MOMENT * made.steps), editing: false, poses: true, ends: [], selection: null };
  const area = new RobotCamera(beginning.ground).look(scene, false, false, 0);
  return (ctx, widthPx, heightPx) =>
    paintRobot(ctx, new TableFrame(area, widthPx, heightPx), scene, readInks(ctx.canvas), beginning.ground);
}

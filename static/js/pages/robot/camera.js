// Chooses the visible part of the world. It usually contains the whole walk. On a narrow screen, it contains only the robot and
// its surroundings. In the editor, it contains only the robot.

/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("./motion.js").Motion} Motion */
/** What the camera needs to choose the visible area.
 * @typedef {{robot: Robot, motion: Motion, step: number, editing: boolean}} Walk */

import { clamp } from "../../model/numbers.js";

/** Lengths in metres. LEAST_AREA: the smallest visible area (x from, x to, y from, y to). GROWTH: the area's left and right
 * ends are multiples of this length. ROOM: the free space around a walk. EDIT_ROOM: the free space around a robot in the
 * editor. */
const LEAST_AREA = /** @type {const} */ ([0, 0.75, 0.05, 0.36]);
const GROWTH = 0.25;
const ROOM = 0.1;
const EDIT_ROOM = 0.04;
/** Metres above a robot that the camera follows. */
const HEADROOM = 0.07;
const FARTHEST = 5;
const HIGHEST = 1.5;
/** If the picture is narrower than NARROW_PX pixels, the camera follows the robot. The picture then shows FOLLOWED metres.
 * BEHIND is the fraction of this length that is behind the robot. */
const NARROW_PX = 480;
const FOLLOWED = 0.46;
const BEHIND = 0.4;
/** We draw a mark for a goal outside the picture. The mark is this many pixels from the picture's edge. */
const EDGE_PX = 20;

export class RobotCamera {
  /** @param {number} ground */
  constructor(ground) {
    this.ground = ground;
    /** The visible area. It does not change while you drag something. @type {readonly number[]} */
    this.area = LEAST_AREA;
    this.isEditing = false;
  }

  /** Chooses the visible area. @param {Walk} scene @param {boolean} held true while you drag something; the area then stays
   * @param {boolean} running true while the robot trains; the area then only grows
   * @param {number} widthPx the width of the picture @returns {readonly number[]} x from, x to, y from, y to */
  look(scene, held, running, widthPx) {
    if (held && scene.editing === this.isEditing) return this.area;
    const before = this.area;
    const keeps = running && !scene.editing && !this.isEditing;
    this.isEditing = scene.editing;
    if (scene.editing) this.area = this.around(scene);
    else if (widthPx < NARROW_PX) this.area = this.following(scene);
    else this.area = walked(scene, keeps ? before : null);
    return this.area;
  }

  /** @private @param {Walk} scene */
  around({ robot }) {
    const xs = robot.masses.map(([x]) => x);
    const ys = robot.masses.map(([, y]) => y);
    return [Math.min(...xs) - EDIT_ROOM, Math.max(...xs) + EDIT_ROOM, this.ground, Math.max(...ys) + EDIT_ROOM];
  }

  /** @private @param {Walk} scene */
  following(scene) {
    const { robot, motion, step } = scene;
    const [left, right, bottom] = walked(scene, null);
    const places = robot.masses.map((_, mass) => motion.at(step, mass)).filter(([x, y]) => Number.isFinite(x + y));
    const xs = places.map(([x]) => x);
    const middle = xs.length === 0 ? left : xs.reduce((sum, x) => sum + x, 0) / xs.length;
    const from = clamp(middle - BEHIND * FOLLOWED, left, Math.max(left, right - FOLLOWED));
    const top = Math.max(...robot.masses.map(([, y]) => y), ...places.map(([, y]) => Math.min(y, 1)));
    return [from, from + FOLLOWED, bottom, top + HEADROOM];
  }
}

/** Computes the area that shows a whole walk. If the robot walks to a goal, the area also shows the goal.
 * @param {Walk} scene @param {readonly number[] | null} before the previous area, if the new one must contain it */
function walked({ robot, motion }, before) {
  const [x0, x1, y0, y1] = LEAST_AREA;
  const xs = robot.masses.map(([x]) => x);
  const ys = robot.masses.map(([, y]) => y);
  const reach = motion.reach();
  const goals = robot.settings.aim === "goal" ? [robot.goal[0]] : [];
  const farthest = Math.max(...goals, Number.isFinite(reach.right) ? reach.right : x1) + ROOM;
  const right = Math.min(FARTHEST, GROWTH * Math.ceil(Math.max(x1, farthest) / GROWTH - 1e-9));
  const left = GROWTH * Math.floor(Math.min(x0, ...goals.map((x) => x - ROOM), ...xs) / GROWTH + 1e-9);
  const top = Math.max(y1, robot.goal[1] + ROOM, Math.max(...ys) + ROOM, Math.min(HIGHEST, reach.top));
  return before === null ? [left, right, y0, top] : [before[0], Math.max(before[1], right), y0, before[3]];
}

/** Computes the goal's position in the picture. If the goal is outside or near the edge, returns the nearest position that is
 * EDGE_PX from the edge. `isBeyond`: true if the goal is outside the picture on the left or right.
 * @param {TableFrame} frame @param {Point} goal
 * @returns {{xPx: number, yPx: number, isBeyond: boolean}} */
export function goalIn(frame, goal) {
  const [x, y] = frame.toPx(goal);
  const xPx = clamp(x, EDGE_PX, frame.widthPx - EDGE_PX);
  const yPx = clamp(y, EDGE_PX, frame.heightPx - EDGE_PX);
  return { xPx, yPx, isBeyond: Math.abs(x - xPx) > EDGE_PX };
}

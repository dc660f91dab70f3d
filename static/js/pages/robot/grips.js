// The grips of the robot page: the goal, or the masses of an edited robot. The pointer finds springs too.

/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {"goal" | number} Holdable a mass by its number */
/** @typedef {Holdable | `spring ${number}`} Found */

import { format } from "../../model/numbers.js";
import { nearestHandle } from "../../widgets/handles.js";
import { goalIn } from "./camera.js";
import * as texts from "./texts.js";

/** @param {Robot} robot @param {boolean} editing @param {TableFrame} frame
 * @returns {import("../../widgets/handles.js").Handle<Holdable>[]} */
export function holdsOf(robot, editing, frame) {
  return gripsOf(robot, editing).map((grip) => {
    const at = grip === "goal" ? robot.goal : robot.masses[grip];
    const [x, y] = frame.toPx(at);
    const { xPx, yPx } = grip === "goal" ? goalIn(frame, at) : { xPx: x, yPx: y };
    return { id: grip, place: texts.holdPlace(grip, format(at[0]), format(at[1])), keys: texts.holdKeys(grip), xPx, yPx };
  });
}

/** @param {Robot} robot @param {boolean} editing @returns {Holdable[]} */
function gripsOf({ masses }, editing) {
  return editing ? [...masses.keys()] : ["goal"];
}

/** Finds the nearest grip to a place in the picture. Returns null if no grip is closer than `reachPx` pixels. A spring can be
 * gripped only near its middle.
 * @param {Robot} robot @param {boolean} editing @param {TableFrame} frame @param {number} xPx @param {number} yPx
 * @param {number} reachPx @returns {{grip: Found, xPx: number, yPx: number} | null} */
export function nearestHold(robot, editing, frame, xPx, yPx, reachPx) {
  const mass = nearestHandle(holdsOf(robot, editing, frame), xPx, yPx, reachPx);
  let nearest = /** @type {{grip: Found, xPx: number, yPx: number} | null} */ (mass);
  let least = mass === null ? reachPx : Math.hypot(mass.xPx - xPx, mass.yPx - yPx);
  if (!editing) return nearest;
  // If masses are close together, a spring's middle can be nearer than any mass.
  robot.springs.forEach(({ a, b }, k) => {
    const [x, y] = frame.toPx(robot.masses[a]);
    const [u, v] = frame.toPx(robot.masses[b]);
    const share = ((xPx - x) * (u - x) + (yPx - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2);
    if (!(share > 0.25 && share < 0.75)) return;
    const distance = Math.hypot(x + share * (u - x) - xPx, y + share * (v - y) - yPx);
    if (distance >= Math.min(least, reachPx / 2)) return;
    least = distance;
    nearest = { grip: /** @type {Found} */ (`spring ${k}`), xPx, yPx };
  });
  return nearest;
}

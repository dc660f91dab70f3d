// The grips on the table.

/** @typedef {import("./table.js").Grip} Grip */
/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").Table} Table */

import { format } from "../../model/numbers.js";
import { placeOf } from "./table.js";
import * as texts from "./texts.js";

/** @param {Table} table @returns {Grip[]} all grips, the most wanted ones first */
export function gripsOf({ rack }) {
  return ["goal", "tip", "cue", ...rack.map((_, k) => k + 1)];
}

/** @param {Table} table @param {TableFrame} frame @returns {import("../../widgets/handles.js").Handle<Grip>[]} */
export function handlesOf(table, frame) {
  return gripsOf(table).map((grip) => {
    const at = placeOf(table, grip);
    const [xPx, yPx] = frame.toPx(at);
    return { id: grip, place: texts.gripPlace(grip, format(at[0]), format(at[1]), grip === table.target), keys: texts.gripKeys(grip), xPx, yPx };
  });
}

/** Finds the grip that is nearest to a pixel, if its distance is less than `reachPx`. For the balls of the rack, we add 3
 * pixels to the distance. So a press near two grips rather takes the goal, the arrow or the cue ball.
 * @param {Table} table @param {TableFrame} frame @param {number} xPx @param {number} yPx @param {number} reachPx
 * @returns {{grip: Grip, xPx: number, yPx: number} | null} */
export function nearestGrip(table, frame, xPx, yPx, reachPx) {
  let nearest = null;
  let least = reachPx;
  for (const grip of gripsOf(table)) {
    const [x, y] = frame.toPx(placeOf(table, grip));
    const distance = Math.hypot(x - xPx, y - yPx) + (typeof grip === "number" ? 3 : 0);
    if (distance >= least) continue;
    least = distance;
    nearest = { grip, xPx: x, yPx: y };
  }
  return nearest;
}

// Moves the goal, the cue ball, its velocity and the other balls on the billiards page, by pointer and by keys.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Table>} Page */
/** @typedef {import("../../widgets/canvas-picture.js").CanvasPicture<any>} Picture */
/** @typedef {import("../../widgets/handles.js").Handles<Grip>} Grips */
/** @typedef {import("./table.js").Grip} Grip */
/** The part of the table that a change affects: "shot" for the cue ball and its velocity, "task" for everything else. A change
 * of the shot stops a running descent.
 * @typedef {"shot" | "task"} Concern */
/**
 * The page, the table, and the functions with which gestures change the table.
 * @typedef {object} TableHands
 * @property {Page} page
 * @property {() => Table} table
 * @property {Table} first - the table that the page shows first. The key Home moves a grip back to its place on this table
 * @property {(change: (table: Table) => Table, tag: string | null, concern: Concern) => void} edit - changes the table. Changes
 *   with the same tag are undone together
 * @property {(target: number) => void} choose - chooses the ball that should reach the goal
 * @property {(at: Point) => void} add - adds a ball at a point
 */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";
import { clamp } from "../../model/numbers.js";
import { nearestGrip } from "./grips.js";
import * as tables from "./table.js";

/** An arrow key moves a grip by this many metres. */
const KEY_STEP = 0.01;

/** @param {HTMLElement} place @param {Picture} picture @param {Grips} grips @param {TableHands} hands
 * @returns {() => void} removes the listeners */
export function attachTable(place, picture, grips, hands) {
  return attachHold(place, grips, {
    find: (x, y, reach) => nearestGrip(hands.table(), picture.frame, x, y, reach),
    metres: (x, y) => picture.frame.toMetres(clamp(x, 0, picture.frame.widthPx), clamp(y, 0, picture.frame.heightPx)),
    held: (grip) => hands.page.hold(grip !== null),
    move: (grip, to) => hands.edit((table) => tables.drag(table, grip, to), `drag ${grip}`, concernOf(grip)),
    release: (grip, moved) => {
      if (!moved && typeof grip === "number") hands.choose(grip);
      if (moved && grip === "goal") hands.page.hideHint();
      hands.page.release();
    },
    place: (at) => hands.add(at),
  });
}

/** @param {TableHands} hands @param {HTMLElement} element @param {Grip} grip */
export function attachGripKeys(hands, element, grip) {
  attachKeys(element, {
    arrow: (dx, dy) => {
      const move = (/** @type {Table} */ table) => {
        const [x, y] = tables.placeOf(table, grip);
        return tables.drag(table, grip, [x + dx * KEY_STEP, y + dy * KEY_STEP]);
      };
      hands.edit(move, `keys ${grip}`, concernOf(grip));
      if (grip === "goal") hands.page.hideHint();
    },
    home: () => {
      if (typeof grip === "number") return;
      hands.edit((table) => tables.put(table, grip, tables.placeOf(hands.first, grip)), null, concernOf(grip));
    },
    zoom: () => {},
  });
  if (typeof grip !== "number") return;
  element.addEventListener("click", () => hands.choose(grip));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") hands.edit((table) => tables.removeBall(table, grip), null, "task");
  });
}

/** @param {Grip} grip @returns {Concern} */
export function concernOf(grip) {
  return grip === "cue" || grip === "tip" || grip === 0 ? "shot" : "task";
}

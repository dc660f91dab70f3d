// What a person holds on the billiards page: the goal, the cue ball, its velocity, the other balls; by pointer and by keys.

/** @typedef {import("./table.js").Grip} Grip */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("./billiards.js").Billiards} Billiards */
/** @typedef {import("./billiards.js").Concern} Concern */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";
import { clamp } from "../../model/numbers.js";
import { nearestGrip } from "./grips.js";
import * as tables from "./table.js";

/** Metres that an arrow key moves what is held. */
const KEY_STEP = 0.01;

/** @param {Billiards} page @returns {() => void} detaches */
export function attachTable(page) {
  const { display: { picture, grips }, journey } = page;
  return attachHold(page.display.find(".place"), grips, {
    find: (x, y, reach) => nearestGrip(page.table, picture.frame, x, y, reach),
    metres: (x, y) => picture.frame.toMetres(clamp(x, 0, picture.frame.widthPx), clamp(y, 0, picture.frame.heightPx)),
    held: (grip) => {
      journey.isHeld = grip !== null;
      journey.settle();
    },
    move: (grip, to) => page.edit((table) => tables.drag(table, grip, to), `drag ${grip}`, concernOf(grip)),
    release: (grip, moved) => {
      if (!moved && typeof grip === "number") page.choose(grip);
      if (moved && grip === "goal") page.hideHint();
      journey.settle();
      page.refresh();
    },
    place: (at) => page.add(at),
  });
}

/** @param {Billiards} page @param {HTMLElement} element @param {Grip} grip */
export function attachGripKeys(page, element, grip) {
  attachKeys(element, {
    arrow: (dx, dy) => {
      const move = (/** @type {Table} */ table) => {
        const [x, y] = tables.placeOf(table, grip);
        return tables.drag(table, grip, [x + dx * KEY_STEP, y + dy * KEY_STEP]);
      };
      page.edit(move, `keys ${grip}`, concernOf(grip));
      if (grip === "goal") page.hideHint();
    },
    home: () => {
      if (typeof grip === "number") return;
      page.edit((table) => tables.put(table, grip, tables.placeOf(page.first, grip)), null, concernOf(grip));
    },
    zoom: () => {},
  });
  if (typeof grip !== "number") return;
  element.addEventListener("click", () => page.choose(grip));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") page.edit((table) => tables.removeBall(table, grip), null, "task");
  });
}

/** @param {Grip} grip @returns {Concern} */
export function concernOf(grip) {
  return grip === "cue" || grip === "tip" || grip === 0 ? "shot" : "task";
}

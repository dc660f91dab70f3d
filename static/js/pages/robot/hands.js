// What a person holds on the robot page: the goal, masses and springs; by pointer and by keys.

/** @typedef {import("./grips.js").Found} Found */
/** @typedef {import("./grips.js").Holdable} Holdable */
/** @typedef {import("./robot.js").Robot} Robot */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";
import { addMass, toggleMuscle } from "./building.js";
import { nearestHold } from "./grips.js";
import * as robots from "./model.js";

/** Metres that an arrow key moves what is held. */
const KEY_STEP = 0.01;

/** @param {Robot} page @returns {() => void} detaches */
export function attachArena(page) {
  const { display: { picture, grips }, journey, options } = page;
  /** Whether what is held is the spring that was chosen before. */
  let wasChosen = false;
  return attachHold(page.display.find(".place"), grips, {
    find: (x, y, reach) => nearestHold(page.shown, options.editing, picture.frame, x, y, reach),
    metres: (x, y) => robots.onGrid(picture.frame.toMetres(x, y)),
    held: (/** @type {Found | null} */ grip) => {
      journey.isHeld = grip !== null;
      journey.settle();
      if (grip === null) return;
      wasChosen = options.chosen === "spring" && grip === `spring ${options.spring}`;
      if (isSpring(grip)) leaveFields();
      if (!options.joining) page.choose(grip);
    },
    move: (grip, to) => page.move(grip, to, `drag ${grip}`),
    release: (grip, moved) => {
      if (!moved) page.choose(grip);
      if (!moved && wasChosen) toggleMuscle(page);
      journey.settle();
      page.refresh();
    },
    place: (at) => options.editing && addMass(page, at),
  });
}

/** @param {Robot} page @param {HTMLElement} element @param {Holdable} grip */
export function attachGripKeys(page, element, grip) {
  attachKeys(element, {
    arrow: (dx, dy) => {
      const [x, y] = grip === "goal" ? page.robot.goal : page.shown.masses[grip];
      page.move(grip, robots.onGrid([x + dx * KEY_STEP, y + dy * KEY_STEP]), `keys ${grip}`);
    },
    home: () => grip === "goal" && page.move(grip, page.first.goal, null),
    zoom: () => {},
  });
  if (grip === "goal") return;
  element.addEventListener("focus", () => !page.options.joining && !page.journey.isHeld && page.choose(grip));
  element.addEventListener("click", (event) => event.detail === 0 && page.choose(grip));
}

/** @param {Found} grip */
function isSpring(grip) {
  return grip !== "goal" && typeof grip !== "number";
}

/** What is typed next is meant for what is held. */
function leaveFields() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

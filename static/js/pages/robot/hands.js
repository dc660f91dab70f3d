// Moves the goal, masses and springs on the robot page, by pointer and by keys.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<RobotDoc>} Page */
/** @typedef {import("../../widgets/canvas-picture.js").CanvasPicture<any>} Picture */
/** @typedef {import("./building.js").Workshop} Workshop */
/** @typedef {import("./grips.js").Found} Found */
/** @typedef {import("./grips.js").Holdable} Holdable */
/** @typedef {import("../../widgets/handles.js").Handles<Holdable>} Grips */
/**
 * The effects of gestures on a robot.
 * @typedef {object} RobotHands
 * @property {Page} page
 * @property {Workshop} workshop
 * @property {Point} home the place to which the key Home moves the goal
 * @property {(grip: Found, to: Point, tag: string | null) => void} move moves the goal, a mass or a spring; moves with
 *   the same tag are undone together
 * @property {(grip: Found) => void} choose selects a mass or a spring
 */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";
import { addMass, toggleMuscle } from "./building.js";
import { nearestHold } from "./grips.js";
import * as robots from "./model.js";

/** An arrow key moves a grip by this many metres. */
const KEY_STEP = 0.01;

/** @param {HTMLElement} place @param {Picture} picture @param {Grips} grips @param {RobotHands} hands
 * @returns {() => void} removes the listeners */
export function attachArena(place, picture, grips, hands) {
  const { page, workshop } = hands;
  const { options } = workshop;
  /** True if the held spring was already chosen before. */
  let wasChosen = false;
  return attachHold(place, grips, {
    find: (x, y, reach) => nearestHold(workshop.shown(), options.editing, picture.frame, x, y, reach),
    metres: (x, y) => robots.onGrid(picture.frame.toMetres(x, y)),
    held: (/** @type {Found | null} */ grip) => {
      page.hold(grip !== null);
      if (grip === null) return;
      wasChosen = options.chosen === "spring" && grip === `spring ${options.spring}`;
      if (isSpring(grip)) leaveFields();
      if (!options.joining) hands.choose(grip);
    },
    move: (grip, to) => hands.move(grip, to, `drag ${grip}`),
    release: (grip, moved) => {
      if (!moved) hands.choose(grip);
      if (!moved && wasChosen) toggleMuscle(workshop);
      page.release();
    },
    place: (at) => options.editing && addMass(workshop, at),
  });
}

/** @param {RobotHands} hands @param {HTMLElement} element @param {Holdable} grip */
export function attachGripKeys(hands, element, grip) {
  const { journey, options, shown } = hands.workshop;
  attachKeys(element, {
    arrow: (dx, dy) => {
      const [x, y] = grip === "goal" ? journey.present.goal : shown().masses[grip];
      hands.move(grip, robots.onGrid([x + dx * KEY_STEP, y + dy * KEY_STEP]), `keys ${grip}`);
    },
    home: () => grip === "goal" && hands.move(grip, hands.home, null),
    zoom: () => {},
  });
  if (grip === "goal") return;
  element.addEventListener("focus", () => !options.joining && !journey.isHeld && hands.choose(grip));
  element.addEventListener("click", (event) => event.detail === 0 && hands.choose(grip));
}

/** @param {Found} grip */
function isSpring(grip) {
  return grip !== "goal" && typeof grip !== "number";
}

/** Removes the focus from a field, because the visitor now holds a grip and the next keys are for this grip. */
function leaveFields() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

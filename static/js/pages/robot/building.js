// How a robot is built: masses and springs of the robot as it is to be, which is drawn before its modules are there.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("./robot.js").Robot} Robot */

import * as texts from "../../texts.js";
import * as robots from "./model.js";

/** @param {Robot} page @param {(robot: RobotDoc) => RobotDoc} change @param {string | null} tag changes with the same tag
 * are undone together @param {"mass" | "spring" | null} choosesNew what of a robot that grows is chosen then
 * @returns {boolean} whether anything is another */
export function build(page, change, tag, choosesNew = null) {
  const { journey, options } = page;
  const before = journey.wanted;
  journey.change(change, tag, true);
  const { masses, springs } = journey.wanted;
  if (choosesNew !== null && springs.length > before.springs.length) {
    options.chosen = choosesNew;
    if (choosesNew === "mass") options.mass = masses.length - 1;
    else options.spring = springs.length - 1;
  }
  page.refresh();
  return JSON.stringify([masses, springs]) !== JSON.stringify([before.masses, before.springs]);
}

/** A new spring between two masses; if there is one, it is chosen. @param {Robot} page @param {number} a @param {number} b */
export function join(page, a, b) {
  const { options, shown, beginning } = page;
  options.joining = false;
  const there = robots.springBetween(shown, a, b);
  if (there >= 0) {
    options.chosen = "spring";
    options.spring = there;
    page.display.notify(texts.joinedAlready(a, b));
  } else if (!build(page, (robot) => robots.addSpring(robot, a, b, beginning), null, "spring")) {
    sayFull(page);
  }
}

/** @param {Robot} page @param {Point | null} at beside the chosen mass if null */
export function addMass(page, at) {
  const { beginning, shown, options } = page;
  const place = at ?? robots.freePlace(shown, options.mass, beginning.ground);
  if (!build(page, (robot) => robots.addMass(robot, place, beginning), null, "mass")) sayFull(page);
}

/** @param {Robot} page */
function sayFull({ display, beginning: { mostMasses, mostSprings } }) {
  display.notify(texts.robotFull(mostMasses, mostSprings));
}

/** @param {Robot} page */
export function removeMass(page) {
  const { beginning, options: { mass } } = page;
  if (build(page, (robot) => robots.removeMass(robot, mass, beginning), null)) return;
  page.display.notify(mass === 0 ? texts.HEAD_STAYS : texts.LEAST_ROBOT);
}

/** @param {Robot} page */
export function removeSpring(page) {
  const { beginning, options: { spring } } = page;
  if (!build(page, (robot) => robots.removeSpring(robot, spring, beginning), null)) page.display.notify(texts.LEAST_ROBOT);
}

/** The mass or spring that is chosen. @param {Robot} page */
export function removeChosen(page) {
  const { editing, joining, chosen } = page.options;
  if (!editing || joining) return;
  if (chosen === "mass") removeMass(page);
  else removeSpring(page);
}

/** @param {Robot} page @param {boolean} muscle */
export function setMuscle(page, muscle) {
  const { options } = page;
  const { spring } = options;
  options.chosen = "spring";
  build(page, (robot) => robots.setMuscle(robot, spring, muscle), null);
}

/** The chosen spring becomes a muscle, or plain. @param {Robot} page */
export function toggleMuscle(page) {
  const { shown, options: { editing, chosen, spring } } = page;
  if (editing && chosen === "spring") setMuscle(page, !shown.springs[spring].muscle);
}

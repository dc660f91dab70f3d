// Changes the masses and springs of the robot that you are building. The robot is drawn even before its modules are compiled.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../page/journey.js").Journey<RobotDoc>} Journey */
/** What the robot's picture shows. `editing`: true in the editor. `poses`: true to draw earlier and later poses. `mass` and
 * `spring`: the last selected mass and spring. `chosen`: which of these two is selected. `joining`: true while the visitor
 * chooses a second mass to join by a spring.
 * @typedef {{editing: boolean, poses: boolean, mass: number, spring: number, chosen: "mass" | "spring", joining: boolean}} RobotOptions */
/**
 * The parts of the page that the functions for building a robot use.
 * @typedef {object} Workshop
 * @property {Journey} journey
 * @property {RobotBeginning} beginning
 * @property {RobotOptions} options
 * @property {() => RobotDoc} shown returns the robot in the picture
 * @property {(message: string) => void} notify shows a message
 * @property {() => void} refresh draws the page again
 */

import * as texts from "./texts.js";
import * as robots from "./model.js";

/** Changes the robot. @param {Workshop} workshop @param {(robot: RobotDoc) => RobotDoc} change
 * @param {string | null} tag changes with the same tag are undone together
 * @param {"mass" | "spring" | null} choosesNew the kind of part to select if the change adds one; null to select nothing
 * @returns {boolean} true if a mass or spring has changed */
export function build(workshop, change, tag, choosesNew = null) {
  const { journey, options } = workshop;
  const before = journey.wanted;
  journey.change(change, tag, true);
  const { masses, springs } = journey.wanted;
  if (choosesNew !== null && springs.length > before.springs.length) {
    options.chosen = choosesNew;
    if (choosesNew === "mass") options.mass = masses.length - 1;
    else options.spring = springs.length - 1;
  }
  workshop.refresh();
  return JSON.stringify([masses, springs]) !== JSON.stringify([before.masses, before.springs]);
}

/** Joins two masses by a spring. If they are already joined, selects the spring between them.
 * @param {Workshop} workshop @param {number} a @param {number} b */
export function join(workshop, a, b) {
  const { options, beginning } = workshop;
  options.joining = false;
  const there = robots.springBetween(workshop.shown(), a, b);
  if (there >= 0) {
    options.chosen = "spring";
    options.spring = there;
    workshop.notify(texts.joinedAlready(a, b));
  } else if (!build(workshop, (robot) => robots.addSpring(robot, a, b, beginning), null, "spring")) {
    sayFull(workshop);
  }
}

/** @param {Workshop} workshop @param {Point | null} at null puts it beside the chosen mass */
export function addMass(workshop, at) {
  const { beginning, options } = workshop;
  const place = at ?? robots.freePlace(workshop.shown(), options.mass, beginning.ground);
  if (!build(workshop, (robot) => robots.addMass(robot, place, beginning), null, "mass")) sayFull(workshop);
}

/** @param {Workshop} workshop */
function sayFull({ notify, beginning: { mostMasses, mostSprings } }) {
  notify(texts.robotFull(mostMasses, mostSprings));
}

/** @param {Workshop} workshop */
export function removeMass(workshop) {
  const { beginning, options: { mass } } = workshop;
  if (build(workshop, (robot) => robots.removeMass(robot, mass, beginning), null)) return;
  workshop.notify(mass === 0 ? texts.HEAD_STAYS : texts.LEAST_ROBOT);
}

/** @param {Workshop} workshop */
export function removeSpring(workshop) {
  const { beginning, options: { spring } } = workshop;
  if (!build(workshop, (robot) => robots.removeSpring(robot, spring, beginning), null)) workshop.notify(texts.LEAST_ROBOT);
}

/** Removes the chosen mass or spring. @param {Workshop} workshop */
export function removeChosen(workshop) {
  const { editing, joining, chosen } = workshop.options;
  if (!editing || joining) return;
  if (chosen === "mass") removeMass(workshop);
  else removeSpring(workshop);
}

/** @param {Workshop} workshop @param {boolean} muscle */
export function setMuscle(workshop, muscle) {
  const { options } = workshop;
  const { spring } = options;
  options.chosen = "spring";
  build(workshop, (robot) => robots.setMuscle(robot, spring, muscle), null);
}

/** Turns the chosen spring into a muscle, or back. @param {Workshop} workshop */
export function toggleMuscle(workshop) {
  const { shown, options: { editing, chosen, spring } } = workshop;
  if (editing && chosen === "spring") setMuscle(workshop, !shown().springs[spring].muscle);
}

// Stores a robot's weights in files, in links if they fit, and on this device while you are away.

/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */

import { isUsed } from "../../page/used.js";
import { download } from "../../widgets/downloads.js";
import { keepWeights, weightsLeft } from "./last-weights.js";
import { encodeRobot } from "./link.js";
import { keptGait, shapeOf, untrained } from "./model.js";
import { fromFile, toFile } from "./weights.js";
import * as texts from "./texts.js";

/** @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function saveWeights(robot, beginning) {
  download("robot-weights.json", new Blob([fileOf(robot, beginning)], { type: "application/json" }));
}

/** Reads a robot's weights from a file. @param {File} file @param {() => RobotDoc} present returns the present robot
 * @param {RobotBeginning} beginning
 * @returns {Promise<Float64Array | string>} the weights, or a sentence that says why the file cannot be used */
export async function loadWeights(file, present, beginning) {
  const weights = fromFile(await file.text().catch(() => ""), shapeOf(present(), beginning));
  return typeof weights === "string" ? texts.WEIGHTS_REFUSED[weights] : weights;
}

/** True if a robot still has its plan's own weights. @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function isKept(robot, beginning) {
  const original = keptGait(robot, beginning);
  return original !== null && isSame(original.weights, robot.weights);
}

/** True if a robot has trained weights. Trained weights do not fit into a link. @param {RobotDoc} robot
 * @param {RobotBeginning} beginning */
export function isTrained(robot, beginning) {
  return !isKept(robot, beginning) && !isSame(untrained(robot, beginning).weights, robot.weights);
}

/** A link's fragment. @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function fragmentOf(robot, beginning) {
  return encodeRobot(robot, beginning, isKept(robot, beginning));
}

/** Stores a robot's trained weights on this device whenever the visitor leaves the page, because they do not fit into a link.
 * @param {() => RobotDoc} present returns the present robot @param {RobotBeginning} beginning @returns {() => void} removes the
 * listeners */
export function attachKeeping(present, beginning) {
  const onLeave = () => {
    if (!isUsed()) return;
    const robot = present();
    keepWeights(fragmentOf(robot, beginning), isTrained(robot, beginning) ? fileOf(robot, beginning) : null);
  };
  window.addEventListener("pagehide", onLeave);
  return () => window.removeEventListener("pagehide", onLeave);
}

/** Gives a robot the weights that were stored when the visitor left the page with the same fragment. If none were stored,
 * returns the robot unchanged.
 * @param {RobotDoc} robot @param {RobotBeginning} beginning @param {string} fragment the fragment that the robot was read from
 * @returns {RobotDoc} */
export function withWeightsLeft(robot, beginning, fragment) {
  const weights = weightsLeft(fragment, shapeOf(robot, beginning));
  return weights === null ? robot : { ...robot, weights };
}

/** @param {RobotDoc} robot @param {RobotBeginning} beginning */
function fileOf(robot, beginning) {
  return toFile(robot.weights, shapeOf(robot, beginning), robot.name);
}

/** @param {Float64Array} weights @param {Float64Array} others of the same length */
function isSame(weights, others) {
  return weights === others || weights.every((weight, k) => weight === others[k]);
}

// A robot's weights: as a file, in links as far as these can hold them, and kept on this device while the page is away.

/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("./robot.js").Robot} Robot */

import { step } from "../../page/journey.js";
import { download } from "../../widgets/downloads.js";
import { keepWeights, weightsLeft } from "./last-weights.js";
import { encodeRobot } from "./link.js";
import { keptGait, shapeOf, untrained } from "./model.js";
import { fromFile, toFile } from "./weights.js";
import * as texts from "../../texts.js";

/** @param {Robot} page */
export function saveWeights({ robot, beginning }) {
  download("robot-weights.json", new Blob([fileOf(robot, beginning)], { type: "application/json" }));
}

/** @param {Robot} page @param {File} file */
export async function loadWeights(page, file) {
  const found = fromFile(await file.text().catch(() => ""), shapeOf(page.robot, page.beginning));
  if (typeof found === "string") {
    page.display.notify(texts.WEIGHTS_REFUSED[found]);
    return;
  }
  page.goTo(step((robot) => ({ ...robot, weights: found })));
  page.display.notify(texts.WEIGHTS_LOADED);
}

/** Whether a robot walks by the gait that came with it. @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function isKept(robot, beginning) {
  const kept = keptGait(robot, beginning);
  return kept !== null && isSame(kept.weights, robot.weights);
}

/** Whether a robot has weights that no link can hold. @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function isTrained(robot, beginning) {
  return !isKept(robot, beginning) && !isSame(untrained(robot, beginning).weights, robot.weights);
}

/** A link's fragment. @param {RobotDoc} robot @param {RobotBeginning} beginning */
export function fragmentOf(robot, beginning) {
  return encodeRobot(robot, beginning, isKept(robot, beginning));
}

/** What no link holds is there again when the page is opened where it was left.
 * @param {() => RobotDoc} present @param {RobotBeginning} beginning @returns {() => void} detaches */
export function attachKeeping(present, beginning) {
  const onLeave = () => {
    const robot = present();
    keepWeights(fragmentOf(robot, beginning), isTrained(robot, beginning) ? fileOf(robot, beginning) : null);
  };
  window.addEventListener("pagehide", onLeave);
  return () => window.removeEventListener("pagehide", onLeave);
}

/** @param {RobotDoc} robot that a fragment opens @param {RobotBeginning} beginning @param {string} fragment
 * @returns {RobotDoc} with the weights it was left with, if it was */
export function withWeightsLeft(robot, beginning, fragment) {
  const weights = weightsLeft(fragment, shapeOf(robot, beginning));
  return weights === null ? robot : { ...robot, weights };
}

/** @param {RobotDoc} robot @param {RobotBeginning} beginning */
function fileOf(robot, beginning) {
  return toFile(robot.weights, shapeOf(robot, beginning), robot.name);
}

/** @param {Float64Array} weights @param {Float64Array} others as many */
function isSame(weights, others) {
  return weights === others || weights.every((weight, k) => weight === others[k]);
}

// The sentence about a robot's walk and training, and the remedy if there is one.

/** @typedef {import("../../model/types.js").Located} Located */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../page/journey.js").Travel<Robot>} Travel */
/** @typedef {import("../../page/simulation-page.js").Outcome} Outcome */
/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./training.js").Training} Training */
/**
 * The state of a walk and its training.
 * @typedef {object} WalkState
 * @property {Robot} robot
 * @property {RobotBeginning} beginning
 * @property {Motion} motion the shown motion
 * @property {number} loss the loss of the shown motion
 * @property {Training} training
 * @property {Robot} good the last robot whose motion is finite
 * @property {Robot} sound the last robot whose motion and gradient are finite
 * @property {(weights: Float64Array) => Located | null} locate asks Python for the first number that is not finite in a walk
 *   with these weights; returns null until Python has answered
 */

import { step } from "../../page/journey.js";
import { isKept } from "./saved-weights.js";
import * as texts from "./texts.js";

/** We offer to restore the best weights if their loss is lower than the present loss by more than this. */
const WORTH_OFFERING = 0.005;

/** @param {WalkState} state @param {(travel: Travel) => void} goTo @returns {Outcome} */
export function outcomeOf(state, goTo) {
  const { training, good, sound, motion, loss } = state;
  const { running, outcome, report } = training;
  const best = report?.best;
  const trouble = motion.trouble();
  const sentence = sentenceOf(state, trouble);
  const isDiverged = outcome === "diverged";
  if (best !== undefined && isDiverged && !Number.isFinite(best.loss)) {
    return { sentence, words: texts.TO_GOOD_ROBOT, remedy: () => goTo(step(() => sound)) };
  }
  if (trouble !== null) return { sentence, words: texts.TO_GOOD_ROBOT, remedy: () => goTo(step(() => good)) };
  const isRest = !running && best !== undefined && outcome !== null;
  if (isRest && best.loss < loss - WORTH_OFFERING) {
    return { sentence, words: texts.TO_BEST, remedy: () => goTo(step((now) => ({ ...now, weights: best.weights }))) };
  }
  return { sentence, words: null, remedy: null };
}

/** @param {WalkState} state @param {ReturnType<Motion["trouble"]>} trouble @returns {string} */
function sentenceOf(state, trouble) {
  const { training: { running, outcome, iteration, report }, robot, beginning } = state;
  if (trouble?.isFinite) return texts.robotGone(trouble.step, trouble.mass);
  if (trouble !== null) return whereNotFinite(state, robot.weights) ?? texts.robotNotFinite(trouble.step, trouble.mass);
  const where = outcome === "diverged" && report?.lost ? whereNotFinite(state, report.lost) : null;
  if (where !== null) return texts.divergedBecause(iteration, where, Number.isFinite(report?.best.loss));
  const name = running ? "running" : outcome;
  return name === null ? texts.walkRests(robot.settings.aim === "goal", isKept(robot, beginning)) : texts.trainingOutcome(name, iteration, report?.best ?? null);
}

/** Returns a sentence that says where in a walk the first number occurs that is not finite.
 * @param {WalkState} state @param {Float64Array} weights the weights with which the robot walks
 * @returns {string | null} null until Python has answered */
function whereNotFinite({ locate }, weights) {
  const located = locate(weights);
  return located === null ? null : texts.located(located);
}

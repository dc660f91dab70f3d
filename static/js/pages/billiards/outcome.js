// The sentence about a shot and its descent, and the remedy if there is one.

/** @typedef {import("../../model/types.js").Located} Located */
/** @typedef {import("../../model/types.js").ShotJet} ShotJet */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../page/journey.js").Travel<Table>} Travel */
/** @typedef {import("../../page/simulation-page.js").Outcome} Outcome */
/** @typedef {import("./paths.js").Paths} Paths */
/** @typedef {import("./shooting.js").Shooting} Shooting */
/**
 * The state on which the sentence about a shot and its descent depends.
 * @typedef {object} ShotState
 * @property {Paths} paths
 * @property {ShotJet} jet - the loss and gradient of the shown shot
 * @property {Shooting} shooting
 * @property {boolean} isHeld - true while you drag something
 * @property {Table} good - the last table whose loss and gradient are finite
 * @property {() => Located | null} locate - returns the first step with a number that is not finite. It asks Python, and
 *   returns null until Python has answered
 */
/** The possible remedies. @typedef {{goTo: (travel: Travel) => void, startFromBest: () => void}} ShotRemedies */

import { step } from "../../page/journey.js";
import { withCue } from "./table.js";
import * as texts from "./texts.js";

/** The largest loss with which the target ball counts as having reached the goal. With this loss, the ball's distance from the
 * goal is a hundredth of the table's height. */
const AT_THE_GOAL = 1e-4;

/** @param {ShotState} state @param {ShotRemedies} remedies @returns {Outcome} */
export function outcomeOf(state, { goTo, startFromBest }) {
  const { shooting, good, jet } = state;
  const { best, share } = shooting.report ?? { best: { loss: NaN, iteration: 0, cue: [] }, share: 1 };
  if (!isAllFinite(jet) && !shooting.running) {
    return { sentence: whereNotFinite(state), words: texts.TO_GOOD, remedy: () => goTo(step(() => good)) };
  }
  const name = nameOf(state);
  const sentence = texts.OUTCOMES[name](jet.loss, shooting.iteration, share, best.iteration);
  if (name === "diverged" && Number.isFinite(best.loss)) {
    return { sentence, words: texts.TO_BEST, remedy: () => goTo(step((table) => withCue(table, best.cue))) };
  }
  if (name === "flat" || name === "beside" || name === "stalled") {
    return { sentence, words: texts.FROM_BEST, remedy: startFromBest };
  }
  return { sentence, words: null, remedy: null };
}

/** @param {ShotJet} jet */
export function isAllFinite({ loss, x, v }) {
  return [loss, ...x, ...v].every(Number.isFinite);
}

/** @param {ShotState} state @returns {string} the name of its sentence in `OUTCOMES` */
function nameOf({ isHeld, shooting: { running, outcome }, jet: { loss, x, v } }) {
  if (running) return "running";
  if (outcome === "converged" || outcome === "stalled") {
    if (loss <= AT_THE_GOAL) return "there";
    return outcome === "stalled" ? "stalled" : "beside";
  }
  if (outcome === null && !isHeld && Math.hypot(...x, ...v) === 0) return "flat";
  return outcome ?? "rest";
}

/** Returns a sentence about the first number that is not finite. The sentence names the operation that computed it. Until
 * Python has found this operation, the sentence names the first position that is not finite.
 * @param {ShotState} state @returns {string} */
function whereNotFinite({ paths, locate }) {
  const located = locate();
  return located === null ? texts.notFinite(paths.trouble()) : texts.located(located);
}

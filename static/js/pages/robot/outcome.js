// What is said of a robot's walk and training, and what may be done about it.

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./robot.js").Robot} Robot */

import { step } from "../../page/journey.js";
import { isKept } from "./saved-weights.js";
import { rowsOf } from "./weights.js";
import * as texts from "../../texts.js";
import * as robots from "./model.js";

/** How much better the best must be to be offered. */
const WORTH_OFFERING = 0.005;

/** @param {Robot} page @param {Motion} motion that is shown
 * @returns {{sentence: string, words: string | null, remedy: (() => void) | null}} `words` of the button that `remedy` is done by */
export function outcomeOf(page, motion) {
  const { training, good, sound, robot } = page;
  const { running, outcome, report } = training;
  const best = report?.best;
  const trouble = motion.trouble();
  const sentence = sentenceOf(page, trouble);
  const isDiverged = outcome === "diverged";
  if (best !== undefined && isDiverged && !Number.isFinite(best.loss)) {
    return { sentence, words: texts.TO_GOOD_ROBOT, remedy: () => page.goTo(step(() => sound)) };
  }
  if (trouble !== null) return { sentence, words: texts.TO_GOOD_ROBOT, remedy: () => page.goTo(step(() => good)) };
  const isRest = !running && best !== undefined && outcome !== null;
  if (isRest && best.loss < page.display.lossOf(robot, motion) - WORTH_OFFERING) {
    return { sentence, words: texts.TO_BEST, remedy: () => page.goTo(step((now) => ({ ...now, weights: best.weights }))) };
  }
  return { sentence, words: null, remedy: null };
}

/** @param {Robot} page @param {ReturnType<Motion["trouble"]>} trouble @returns {string} */
function sentenceOf(page, trouble) {
  const { training: { running, outcome, iteration, report }, robot } = page;
  if (trouble?.isFinite) return texts.robotGone(trouble.step, trouble.mass);
  if (trouble !== null) return whereNotFinite(page, robot.weights) ?? texts.robotNotFinite(trouble.step, trouble.mass);
  const where = outcome === "diverged" && report?.lost ? whereNotFinite(page, report.lost) : null;
  if (where !== null) return texts.divergedBecause(iteration, where, Number.isFinite(report?.best.loss));
  const state = running ? "running" : outcome;
  return state === null ? texts.walkRests(robot.settings.aim === "goal", isKept(robot, page.beginning)) : texts.trainingOutcome(state, iteration, report?.best ?? null);
}

/** What Python finds of a walk with numbers that are not finite. @param {Robot} page @param {Float64Array} weights
 * @returns {string | null} null while it has found nothing */
function whereNotFinite({ root, robot, journey, beginning, search }, weights) {
  if (journey.pending !== null || root.dataset.python !== "ready") return null;
  const found = search.of(weights, robots.specOf(robot), () => ({
    weights: rowsOf(weights, robots.shapeOf(robot, beginning)),
    world: robots.worldOf(robot, beginning),
    reaches: robot.settings.aim === "goal",
  }));
  return found === null ? null : texts.located(found);
}

// What is said of a shot and its descent, and what may be done about it.

/** @typedef {import("./paths.js").Paths} Paths */
/** @typedef {import("../../model/types.js").ShotJet} ShotJet */
/** @typedef {import("./billiards.js").Billiards} Billiards */

import { step } from "../../page/journey.js";
import { withCue } from "./table.js";
import * as texts from "../../texts.js";

/** A loss below it is a shot that hits: a hundredth of the table's height beside the goal. */
const AT_THE_GOAL = 1e-4;

/** @param {Billiards} page @param {Paths} paths @param {ShotJet} jet of the shot that is shown
 * @returns {{sentence: string, words: string | null, remedy: (() => void) | null}} `words` of the button that `remedy` is done by */
export function outcomeOf(page, paths, jet) {
  const { shooting, good } = page;
  const { best, share } = shooting.report ?? { best: { loss: NaN, iteration: 0, cue: [] }, share: 1 };
  if (!isAllFinite(jet) && !shooting.running) {
    return { sentence: whereNotFinite(page, paths), words: texts.TO_GOOD, remedy: () => page.goTo(step(() => good)) };
  }
  const name = nameOf(page, jet);
  const sentence = texts.OUTCOMES[name](jet.loss, shooting.iteration, share, best.iteration);
  if (name === "diverged" && Number.isFinite(best.loss)) {
    return { sentence, words: texts.TO_BEST, remedy: () => page.goTo(step((table) => withCue(table, best.cue))) };
  }
  if (name === "flat" || name === "beside" || name === "stalled") {
    return { sentence, words: texts.FROM_BEST, remedy: () => page.startFromBest() };
  }
  return { sentence, words: null, remedy: null };
}

/** @param {ShotJet} jet */
export function isAllFinite({ loss, x, v }) {
  return [loss, ...x, ...v].every(Number.isFinite);
}

/** @param {Billiards} page @param {ShotJet} jet @returns {string} what is said of a shot, in `OUTCOMES` */
function nameOf({ journey, shooting: { running, outcome } }, { loss, x, v }) {
  if (running) return "running";
  if (outcome === "converged" || outcome === "stalled") {
    if (loss <= AT_THE_GOAL) return "there";
    return outcome === "stalled" ? "stalled" : "beside";
  }
  if (outcome === null && !journey.isHeld && Math.hypot(...x, ...v) === 0) return "flat";
  return outcome ?? "rest";
}

/** Positions say it at once, if they are not finite; Python says which operation it was.
 * @param {Billiards} page @param {Paths} paths @returns {string} */
function whereNotFinite({ table, spec, journey, root, search }, paths) {
  const { cue, rack, goal, target } = table;
  const canAsk = journey.pending === null && root.dataset.python === "ready";
  const found = canAsk ? search.of(table, spec, () => ({ cue, task: { rack, goal, target } })) : null;
  return found === null ? texts.notFinite(paths.trouble()) : texts.located(found);
}

// The sentences and words that the scripts of the page Billiards show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

export const OPTIMISE = "Optimise";
export const NO_TABLE = "The table did not load. Reload the page to try again.";
export const NO_PYTHON_TABLE = "Python did not load, so you cannot change the number of balls or the walls.";
export const WAITING = "The new table compiles once Python has loaded";
export const COMPILING = "Compiling the table";
export const LOOKING = "Searching for the best place";
export const NO_BEST = "With this velocity the cue ball cannot reach the target from any place on the table. Change the velocity or the target.";
export const DESCENT_AGAIN = "The optimiser crashed and was restarted. Press Optimise to continue.";
export const NO_DESCENT = "The optimiser stopped. Reload the page to start it again.";
export const TABLE_SLOW = "This table took more than 20 seconds to compile, so the page went back to the previous table.";
/** @param {number} most */
export const tableFull = (most) => `You have ${most} balls already, and this page allows no more.`;
/** @param {number | string} grip @param {string} x @param {string} y @param {boolean} isTarget */
export const gripPlace = (grip, x, y, isTarget) => {
  const name = { goal: "Goal", tip: "Tip of the cue ball\u2019s velocity", cue: "Cue ball" }[grip] ?? `Ball ${grip}`;
  return `${name}${isTarget ? ", the target," : ""} at x ${x}, y ${y}.`;
};
/** @param {number | string} grip */
export const gripKeys = (grip) =>
  typeof grip === "number" ? "Arrow keys move it. Enter makes it the target. Delete removes it." : "Arrow keys move it.";
/** The distance from the goal at which a shot with this loss ends. @param {number} loss */
const away = (loss) => {
  const mm = 1000 * Math.sqrt(loss);
  if (mm < 0.01) return "less than 0.01\u00a0mm";
  return mm < 100 ? `${Number(mm.toPrecision(2))}\u00a0mm` : `${Number((mm / 10).toPrecision(2))}\u00a0cm`;
};
/** The state of a descent, with its loss, its iterations, the share of each step that it takes, and its best iteration. */
export const OUTCOMES = /** @type {Record<string, (loss: number, iteration: number, share: number, best: number) => string>} */ ({
  there: (loss, iteration) => `Done after ${iteration} iterations: the ball ends ${away(loss)} from the goal.`,
  beside: (loss) => `Stuck ${away(loss)} from the goal: the loss has no slope here. Try another start.`,
  stalled: (loss) => `Stalled ${away(loss)} from the goal: even tiny steps no longer help. Try another start.`,
  flat: () => "The gradient is zero, because nothing that the cue ball hits reaches the target.",
  diverged: (loss, iteration, share, best) => `Diverged in iteration ${iteration}, because the steps are too large. Iteration ${best} was the best.`,
  running: (loss, iteration, share) =>
    share === 1 ? "Descending." : `Descending with 1/${1 / share} of the step size, because larger steps overshot.`,
  paused: () => "Paused.",
  rest: () => "Drag the goal, or press Optimise.",
});
export const TO_GOOD = "Back to the last good shot";
export const FROM_BEST = "Start from the best place";
/** The first position that is not finite. @param {{step: number, ball: number} | null} trouble */
export const notFinite = (trouble) =>
  trouble === null
    ? "All positions are finite, but the loss or its gradient is not."
    : `Not finite: ball ${trouble.ball} flies off to infinity in step ${trouble.step}.`;
export const TABLE_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  table: "The table in that link cannot be set up, so the link was not used.",
};

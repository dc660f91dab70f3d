// The sentences and words that the scripts of the page Robot show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

export const TRAIN = "Train";
export const CONTINUE = "Continue";
export const EDIT = "Edit the robot";
export const DONE_EDITING = "Done editing";
export const JOIN = "Add a spring";
export const NO_ROBOT = "The robot did not load. Reload the page to try again.";
export const NO_PYTHON_ROBOT = "Python did not load, so you cannot change the robot's masses and springs.";
export const WAITING_ROBOT = "The new robot compiles once Python has loaded";
export const COMPILING_ROBOT = "Compiling the robot";
export const ROBOT_SLOW = "This robot took more than 20 seconds to compile, so the page went back to the previous robot.";
export const DIED_ROBOT = "The compiler crashed on this robot and was restarted. The page went back to the previous robot.";
export const TRAINING_AGAIN = "The training crashed, but you can continue from where it stopped.";
export const NO_TRAINING = "The training stopped. Reload the page to start it again.";
export const TO_GOOD_ROBOT = "Back to the last good robot";
export const HEAD_STAYS = "You cannot remove mass 0 (filled), because the loss measures where this mass ends.";
export const LEAST_ROBOT = "A robot needs at least two masses and a spring, so you cannot remove this part.";
export const COPIED_UNTRAINED = "Link copied. It opens an untrained robot, because weights do not fit into a link. Save them to a file instead.";
export const WEIGHTS_LOADED = "Weights loaded";
export const WEIGHTS_REFUSED = {
  broken: "That file does not hold a robot\u2019s weights, so it was not used.",
  other: "Those weights are for a robot with other masses or springs, so they were not used.",
};
/** @param {string} name */
export const robotName = (name) => ({ A: "A, all muscle", B: "B, two legs", C: "C, tall", D: "D, three legs" })[name] ?? name;
export const OWN_ROBOT = "one of your own";
/** @param {number} mass */
export const massName = (mass) => (mass === 0 ? "0, filled" : String(mass));
/** @param {number} k @param {number} a @param {number} b @param {boolean} muscle */
export const springName = (k, a, b, muscle) => `${a}\u2013${b}${muscle ? ", muscle" : ""}`;
/** @param {number} mass */
export const joinTo = (mass) => `Now choose the mass to join to mass ${mass}`;
/** @param {number} a @param {number} b */
export const joinedAlready = (a, b) => `A spring already joins masses ${a} and ${b}.`;
/** @param {number} masses @param {number} springs */
export const robotFull = (masses, springs) => `A robot on this page has at most ${masses} masses and ${springs} springs.`;
/** @param {number | "goal"} grip @param {string} x @param {string} y */
export const holdPlace = (grip, x, y) => `${grip === "goal" ? "Goal" : `Mass ${massName(grip)}`} at x ${x}, y ${y}.`;
/** @param {number | "goal"} grip */
export const holdKeys = (grip) => `Arrow keys move it.${grip === "goal" || grip === 0 ? "" : " Delete removes it."}`;
/** @param {number} friction */
export const frictionNote = (friction) =>
  friction >= 2 ? "Friction 2: feet stick where they land." : friction === 0 ? "Friction 0: ice." : "";
/** The state before any training. @param {boolean} toGoal @param {boolean} isKept whether the robot has its plan's own gait */
export const walkRests = (toGoal, isKept) => {
  if (toGoal) return "Drag the goal, then train the robot.";
  const first = isKept ? "Press Play to see the robot walk. Press Start over, then Train, to see it learn." : "Press Train to see the robot learn.";
  return `${first} The goal matters only if you train for it.`;
};
/** The state of a training.
 * @param {"running" | "done" | "paused" | "diverged"} state @param {number} iteration
 * @param {{loss: number, iteration: number} | null} best */
export const trainingOutcome = (state, iteration, best) => {
  const loss = String(Number(best?.loss.toPrecision(3))).replaceAll("-", "\u2212");
  const least = (/** @type {string} */ start) =>
    best === null || !Number.isFinite(best.loss) ? "No loss was finite." : `${start}: loss ${loss} at iteration ${best.iteration}.`;
  if (state === "running") return "Training.";
  if (state === "done" && best?.iteration === 0) return `Trained for ${iteration} iterations. None was better than the start, so the start was kept.`;
  if (state === "done") return `Trained for ${iteration} iterations. ${least("Kept the best")}`;
  if (state === "paused") return best === null ? "Paused." : `Paused. ${least("The best so far")}`;
  return `Diverged at iteration ${iteration}: the loss or its gradient is not finite. ${least("Kept the best")}`;
};
/** @param {number} iteration @param {string} where @param {boolean} isKept whether there was a best walk */
export const divergedBecause = (iteration, where, isKept) => `Diverged at iteration ${iteration}.${isKept ? " The best walk was kept." : ""} ${where}`;
/** @param {number} step @param {number} mass */
export const robotGone = (step, mass) =>
  `Mass ${mass} flies more than 1 km away in step ${step}. Use fewer springs at each mass.`;
/** @param {number} step @param {number} mass */
export const robotNotFinite = (step, mass) => `Not finite: mass ${mass} flies off to infinity in step ${step}.`;
export const ROBOT_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  robot: "The robot in that link cannot be built, so the link was not used.",
};

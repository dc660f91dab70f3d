// Writes a robot as the fragment of a link, and reads such a fragment. Anybody can write a link by hand. So the reader returns
// either a robot or the reason why it refuses the link. Weights do not fit into a link. A link says only whether the robot has
// the weights of its plan, or random weights from a seed.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {"long" | "version" | "broken" | "number" | "robot"} Refusal */

import { numbersOr, readFields } from "../../model/fragment.js";
import { isAsPlanned, keptGait, moveGoal, robotOf, set, setSteps, shapeOf, untrained } from "./model.js";
import { countOf } from "./weights.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 6000;
const LARGEST_NUMBER = 1e6;
/** The settings that are one number each. */
const NUMBERS = /** @type {const} */ (["gravity", "friction", "seed", "rate", "iterations"]);
const KEYS = ["v", "robot", "goal", "gravity", "friction", "aim", "seed", "rate", "iterations", "gait", "steps", "masses", "springs"];

/** @param {Robot} robot @param {RobotBeginning} beginning @param {boolean} isKept whether its weights are the plan's own
 * @returns {string} the fragment, without the # */
export function encodeRobot(robot, beginning, isKept) {
  const { gravity, friction, aim, seed, rate, iterations } = robot.settings;
  const fields = [
    ["v", VERSION], ["robot", robot.name], ["goal", robot.goal.map(short)], ["gravity", gravity], ["friction", friction],
    ["aim", aim], ["seed", seed], ["rate", rate], ["iterations", iterations], ["gait", isKept ? "kept" : "seed"],
  ];
  if (robot.steps !== beginning.steps) fields.push(["steps", robot.steps]);
  if (!isAsPlanned(robot, beginning)) {
    fields.push(["masses", robot.masses.flat().map(short)]);
    fields.push(["springs", springNumbers(robot)]);
  }
  return fields.map(([key, value]) => `${key}=${[value].flat().join(",")}`).join("&");
}

/** @param {string} fragment without the # @param {RobotBeginning} beginning
 * @returns {{robot: Robot} | {refused: Refusal}} */
export function decodeRobot(fragment, beginning) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const name = fields.get("robot") ?? beginning.first;
  if (!Object.hasOwn(beginning.robots, name)) return { refused: "robot" };

  const plan = robotOf(beginning, name);
  const goal = numbersOr(fields, "goal", plan.goal);
  const rest = NUMBERS.flatMap((key) => numbersOr(fields, key, [plan.settings[key]]));
  const steps = numbersOr(fields, "steps", [plan.steps]);
  const masses = numbersOr(fields, "masses", plan.masses.flat());
  const springs = numbersOr(fields, "springs", springNumbers(plan));
  const all = [...goal, ...rest, ...steps, ...masses, ...springs];
  if (!all.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER)) return { refused: "number" };
  if (goal.length !== 2 || rest.length !== 5 || steps.length !== 1) return { refused: "broken" };

  const [gravity, friction, seed, rate, iterations] = rest;
  const aim = fields.get("aim") === "goal" ? "goal" : "far";
  let robot = moveGoal(set(plan, { gravity, friction, seed, rate, iterations, aim }), [goal[0], goal[1]]);
  if (fields.has("masses") || fields.has("springs")) {
    const built = rebuilt(robot, masses, springs, beginning);
    if (built === null) return { refused: "robot" };
    robot = built;
  }
  robot = setSteps(robot, steps[0], beginning);
  const withOwnGait = (fields.get("gait") ?? "kept") === "kept" ? keptGait(robot, beginning) : null;
  return { robot: withOwnGait ?? untrained(robot, beginning) };
}

/** @param {Robot} robot @returns {number[]} four numbers per spring */
function springNumbers({ springs }) {
  return springs.flatMap(({ a, b, rest, muscle }) => [a, b, short(rest), Number(muscle)]);
}

/** @param {Robot} robot @param {readonly number[]} masses @param {readonly number[]} springs @param {RobotBeginning} beginning
 * @returns {Robot | null} */
function rebuilt(robot, masses, springs, beginning) {
  const n = masses.length / 2;
  const s = springs.length / 4;
  const counts = Number.isInteger(n) && Number.isInteger(s) && n >= 2 && n <= beginning.mostMasses;
  if (!counts || s < 1 || s > beginning.mostSprings || masses.some((value) => Math.abs(value) > 5)) return null;
  const built = Array.from({ length: s }, (_, k) => {
    const [a, b, rest, muscle] = springs.slice(4 * k, 4 * k + 4);
    return { a, b, rest, muscle: muscle !== 0 };
  });
  const isMass = (/** @type {number} */ k) => Number.isInteger(k) && k >= 0 && k < n;
  if (!built.every(({ a, b, rest }) => isMass(a) && isMass(b) && a !== b && rest > 0)) return null;
  const places = Array.from({ length: n }, (_, k) => /** @type {Point} */ ([masses[2 * k], masses[2 * k + 1]]));
  const next = { ...robot, masses: places, springs: built };
  return { ...next, weights: new Float64Array(countOf(shapeOf(next, beginning))) };
}

/** @param {number} value */
function short(value) {
  return Number(value.toPrecision(9));
}

// A robot as set up on the page, and all changes to it, as pure functions from Robot to Robot.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../model/types.js").RobotSetting} RobotSetting */
/** @typedef {import("./weights.js").Shape} Shape */

import { clamp, snap } from "../../model/numbers.js";
import { carriedOver, randomWeights } from "./weights.js";

/** A drag moves things in steps of this many metres, which is less than a pixel. */
const GRID = 1e-4;
const FARTHEST = 5;
/** The smallest length of a spring in metres. For a shorter spring, we use this length. */
const SHORTEST = 0.005;
const STEEPEST_RATE = 2;
const SMALLEST_RATE = 1e-4;
const MOST_ITERATIONS = 10_000;
const STRONGEST = 20;
const LARGEST_SEED = 999_999;
const LEAST_STEPS = 1;
/** At this friction and above, feet stick. */
export const MOST_FRICTION = 2;
/** The positions of the masses of the smallest robot, in metres. The visitor can extend this robot. */
const TRIANGLE = /** @type {const} */ ([[0.3, 0], [0.2, 0], [0.25, 0.08]]);
/** A new mass is joined to this many neighbours by springs. */
const TIES = 3;
/** To find a free place near a mass, we try places on rings around the mass. APART: the distance between two rings, in metres.
 * MOST_RINGS: the number of rings. DIRECTIONS: the number of places on each ring. */
const APART = 0.05;
const MOST_RINGS = 20;
const DIRECTIONS = 8;

/** The robot of each plan. We cache it so that `robotOf` returns the same object every time. @type {WeakMap<object, Robot>} */
const robotsOfPlans = new WeakMap();

/** @param {RobotBeginning} beginning @param {string} name of a plan @returns {Robot} with the plan's own weights */
export function robotOf(beginning, name) {
  const plan = beginning.robots[name];
  const robot = robotsOfPlans.get(plan) ?? robotFrom(beginning, name);
  robotsOfPlans.set(plan, robot);
  return robot;
}

/** @param {RobotBeginning} beginning @param {string} name @returns {Robot} */
function robotFrom(beginning, name) {
  const { masses, springs, muscles, reach, stiffness } = beginning.robots[name];
  return {
    name,
    masses,
    springs: springs.map(([a, b], k) => ({ a, b, rest: apart(masses[a], masses[b]), muscle: muscles.includes(k) })),
    reach,
    stiffness,
    goal: beginning.goal,
    steps: beginning.steps,
    settings: { gravity: beginning.gravity, friction: MOST_FRICTION, aim: "far", seed: 0, rate: 0.2, iterations: 100 },
    weights: Float64Array.from(beginning.gaits[name]),
  };
}

/** Makes the smallest robot that can walk. It has three masses and three muscles. All its other properties come from `robot`.
 * @param {Robot} robot @param {RobotBeginning} beginning @returns {Robot} */
export function smallest(robot, beginning) {
  const masses = TRIANGLE.map(([x, y]) => /** @type {Point} */ ([x, y + beginning.ground]));
  const springs = [[0, 1], [1, 2], [2, 0]].map(([a, b]) => ({ a, b, rest: apart(masses[a], masses[b]), muscle: true }));
  return { ...robot, masses, springs };
}

/** @param {Robot} robot @param {RobotBeginning} beginning @returns {boolean} whether its masses and springs are the plan's */
export function isAsPlanned(robot, beginning) {
  const plan = robotOf(beginning, robot.name);
  if (robot.masses === plan.masses && robot.springs === plan.springs) return true;
  return JSON.stringify([robot.masses, robot.springs]) === JSON.stringify([plan.masses, plan.springs]);
}

/** @param {Robot} robot @returns {string} everything that its modules depend on, in the form that the worker reads */
export function specOf({ masses, springs, stiffness, steps }) {
  return JSON.stringify({ masses: masses.length, springs: springs.map(({ a, b }) => [a, b]), stiffness, steps });
}

/** @param {Robot} robot @param {RobotBeginning} beginning @returns {Shape} the shape of the robot's network */
export function shapeOf({ masses, springs }, { hidden, waves }) {
  return { hidden, waves, masses: masses.length, springs: springs.length };
}

/** @param {string} spec @param {RobotBeginning} beginning @returns {Shape} the shape of the network of a robot with that spec */
export function shapeOfSpec(spec, { hidden, waves }) {
  const { masses, springs } = JSON.parse(spec);
  return { hidden, waves, masses, springs: springs.length };
}

/** @param {Robot} robot @param {RobotBeginning} beginning @returns {object} the argument `world` of its modules */
export function worldOf({ masses, springs, reach, goal, settings }, { sticks }) {
  const { gravity, friction } = settings;
  return {
    masses,
    rest: springs.map(({ rest }) => rest),
    reach: springs.map(({ muscle }) => (muscle ? reach : 0)),
    goal,
    gravity,
    friction: friction >= MOST_FRICTION ? sticks : friction,
  };
}

/** @param {Robot} robot @param {Point} to @returns {Robot} */
export function moveGoal(robot, to) {
  const goal = limited(to, -FARTHEST);
  return same(goal, robot.goal) ? robot : { ...robot, goal };
}

/** Moves a mass. Its springs keep their tension.
 * @param {Robot} robot @param {number} mass @param {Point} to @param {number} ground @returns {Robot} */
export function moveMass(robot, mass, to, ground) {
  const at = limited(to, ground);
  if (same(at, robot.masses[mass])) return robot;
  const masses = robot.masses.map((was, k) => (k === mass ? at : was));
  const springs = robot.springs.map((spring) => {
    if (spring.a !== mass && spring.b !== mass) return spring;
    const before = apart(robot.masses[spring.a], robot.masses[spring.b]);
    const after = Math.max(SHORTEST, apart(masses[spring.a], masses[spring.b]));
    return { ...spring, rest: before > SHORTEST ? (spring.rest * after) / before : after };
  });
  return { ...robot, masses, springs };
}

/** Finds a free place near a mass. Tries places on rings around the mass, the innermost ring first. @param {Robot} robot
 * @param {number} mass @param {number} ground the height of the ground
 * @returns {Point} */
export function freePlace({ masses }, mass, ground) {
  const [x, y] = masses[mass];
  for (let ring = 1; ring <= MOST_RINGS; ring++) {
    for (let k = 0; k < DIRECTIONS; k++) {
      const angle = (Math.PI * (2 * k + 1)) / DIRECTIONS;
      const at = onGrid([x + ring * APART * Math.cos(angle), y + ring * APART * Math.sin(angle)]);
      if (at[1] > ground && masses.every((other) => apart(other, at) > 0.75 * APART)) return at;
    }
  }
  return onGrid([x, y + APART]);
}

/** Adds a mass and ties it to its nearest neighbours.
 * @param {Robot} robot @param {Point} to @param {RobotBeginning} beginning @returns {Robot} */
export function addMass(robot, to, beginning) {
  const { masses, springs } = robot;
  if (masses.length >= beginning.mostMasses) return robot;
  const at = limited(to, beginning.ground);
  const nearest = masses.map((mass, k) => ({ k, far: apart(mass, at) })).sort((a, b) => a.far - b.far);
  const ties = nearest.slice(0, Math.min(TIES, beginning.mostSprings - springs.length))
    .map(({ k, far }) => ({ a: k, b: masses.length, rest: Math.max(SHORTEST, far), muscle: false }));
  if (ties.length === 0) return robot;
  const next = { ...robot, masses: [...masses, at], springs: [...springs, ...ties] };
  return withWeights(next, robot, [...masses.keys(), null], [...springs.keys(), ...ties.map(() => null)], beginning);
}

/** Removes a mass and its springs. Does nothing if the mass is the head, or if no spring would be left.
 * @param {Robot} robot @param {number} mass @param {RobotBeginning} beginning @returns {Robot} */
export function removeMass(robot, mass, beginning) {
  if (mass === 0 || robot.masses.length <= 2) return robot;
  const massesKept = [...robot.masses.keys()].filter((k) => k !== mass);
  const springsKept = [...robot.springs.keys()].filter((k) => robot.springs[k].a !== mass && robot.springs[k].b !== mass);
  if (springsKept.length === 0) return robot;
  const shift = (/** @type {number} */ k) => (k > mass ? k - 1 : k);
  const springs = springsKept.map((k) => ({ ...robot.springs[k], a: shift(robot.springs[k].a), b: shift(robot.springs[k].b) }));
  return withWeights({ ...robot, masses: massesKept.map((k) => robot.masses[k]), springs }, robot, massesKept, springsKept, beginning);
}

/** @param {Robot} robot @param {number} a @param {number} b @returns {number} the spring between two masses, or −1 */
export function springBetween({ springs }, a, b) {
  return springs.findIndex((spring) => (spring.a === a && spring.b === b) || (spring.a === b && spring.b === a));
}

/** Adds a spring between two masses, unless there is one already.
 * @param {Robot} robot @param {number} a @param {number} b @param {RobotBeginning} beginning @returns {Robot} */
export function addSpring(robot, a, b, beginning) {
  const { masses, springs } = robot;
  if (a === b || springBetween(robot, a, b) >= 0 || springs.length >= beginning.mostSprings) return robot;
  const rest = Math.max(SHORTEST, apart(masses[a], masses[b]));
  const next = { ...robot, springs: [...springs, { a, b, rest, muscle: false }] };
  return withWeights(next, robot, [...masses.keys()], [...springs.keys(), null], beginning);
}

/** @param {Robot} robot @param {number} spring @param {RobotBeginning} beginning @returns {Robot} */
export function removeSpring(robot, spring, beginning) {
  if (robot.springs.length <= 1 || robot.springs[spring] === undefined) return robot;
  const springsKept = [...robot.springs.keys()].filter((k) => k !== spring);
  return withWeights({ ...robot, springs: springsKept.map((k) => robot.springs[k]) }, robot, [...robot.masses.keys()], springsKept, beginning);
}

/** @param {Robot} robot @param {number} spring @param {boolean} muscle @returns {Robot} */
export function setMuscle(robot, spring, muscle) {
  if (robot.springs[spring] === undefined || robot.springs[spring].muscle === muscle) return robot;
  return { ...robot, springs: robot.springs.map((was, k) => (k === spring ? { ...was, muscle } : was)) };
}

/** @param {Robot} robot @param {Partial<RobotSetting>} changes @returns {Robot} */
export function set(robot, changes) {
  const wanted = { ...robot.settings, ...changes };
  const settings = {
    ...wanted,
    gravity: clamp(wanted.gravity, -STRONGEST, 0),
    friction: clamp(wanted.friction, 0, MOST_FRICTION),
    rate: clamp(wanted.rate, SMALLEST_RATE, STEEPEST_RATE),
    seed: clamp(Math.round(wanted.seed), 0, LARGEST_SEED),
    iterations: clamp(Math.round(wanted.iterations), 1, MOST_ITERATIONS),
  };
  const keys = /** @type {(keyof RobotSetting)[]} */ (Object.keys(settings));
  return keys.every((key) => settings[key] === robot.settings[key]) ? robot : { ...robot, settings };
}

/** Resets the weights to those before any training. @param {Robot} robot @param {RobotBeginning} beginning @returns {Robot} */
export function untrained(robot, beginning) {
  return { ...robot, weights: randomWeights(shapeOf(robot, beginning), robot.settings.seed) };
}

/** @param {Robot} robot @param {number} steps of its walk @param {RobotBeginning} beginning @returns {Robot} */
export function setSteps(robot, steps, { mostSteps }) {
  const wanted = clamp(Math.round(steps), LEAST_STEPS, mostSteps);
  return wanted === robot.steps ? robot : { ...robot, steps: wanted };
}

/** Gives a robot the trained weights of its plan. Returns null if these weights do not fit, because the robot has other
 * springs, masses or stiffness than the plan. @param {Robot} robot @param {RobotBeginning} beginning @returns {Robot | null} */
export function keptGait(robot, beginning) {
  const plan = robotOf(beginning, robot.name);
  return specOf({ ...plan, steps: robot.steps }) === specOf(robot) ? { ...robot, weights: plan.weights } : null;
}

/** Rounds to a grid that is finer than a pixel. @param {Point} point @returns {Point} */
export function onGrid([x, y]) {
  return [snap(x, GRID), snap(y, GRID)];
}

/** @param {Robot} next @param {Robot} robot @param {(number | null)[]} masses @param {(number | null)[]} springs
 * @param {RobotBeginning} beginning @returns {Robot} */
function withWeights(next, robot, masses, springs, beginning) {
  return { ...next, weights: carriedOver(robot.weights, shapeOf(robot, beginning), masses, springs) };
}

/** @param {Point} a @param {Point} b */
function apart(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** @param {Point} a @param {Point} b */
function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/** @param {Point} point @param {number} lowest @returns {Point} */
function limited([x, y], lowest) {
  return [clamp(x, -FARTHEST, FARTHEST), clamp(y, lowest, FARTHEST)];
}

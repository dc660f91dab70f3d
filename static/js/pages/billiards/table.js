// A billiards table as set up on the page, and all changes to it, as pure functions from Table to Table.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../model/types.js").TableSetting} TableSetting */
/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** Something on the table that you can drag: "cue" for the cue ball, "tip" for the tip of its velocity's arrow, "goal" for the
 * goal, or the number of a ball of the rack.
 * @typedef {"cue" | "tip" | "goal" | number} Grip */

import { clamp, snap } from "../../model/numbers.js";

/** The arrow of a velocity shows how far the ball would roll in this time without friction. */
const ARROW_SECONDS = 0.5;
/** A drag moves things in steps of this many metres, which is less than a pixel. */
const GRID = 1e-4;
const FARTHEST = 10;
const FASTEST = 5;
const MOST_FRICTION = 2;
const SMALLEST_RATE = 1e-6;
const LARGEST_RATE = 1;
const LEAST_STEPS = 16;

/** @param {Beginning} beginning @returns {Table} */
export function firstTable({ spec, goal, target, cue, racks }) {
  const { steps, cushions, friction, timeOfImpact } = spec;
  return {
    cue,
    rack: racks.four,
    goal,
    target,
    settings: { steps, cushions, friction, timeOfImpact, optimiser: "descent", rate: 0.01 },
  };
}

/** @param {Table} table @returns {string} everything that its modules depend on, in the form that the worker reads */
export function specOf({ rack, settings: { steps, cushions, friction, timeOfImpact } }) {
  return JSON.stringify({ balls: rack.length + 1, steps, cushions, friction, timeOfImpact });
}

/** @param {Table} table @param {Grip} grip @returns {Point} the grip's position */
export function placeOf({ cue, goal, rack }, grip) {
  if (grip === "goal") return goal;
  if (grip === "cue" || grip === 0) return cue.x;
  if (grip === "tip") return [cue.x[0] + ARROW_SECONDS * cue.v[0], cue.x[1] + ARROW_SECONDS * cue.v[1]];
  return rack[grip - 1];
}

/** Drags a grip to a point on a grid. @param {Table} table @param {Grip} grip @param {Point} to */
export function drag(table, grip, to) {
  return put(table, grip, [snap(to[0], GRID), snap(to[1], GRID)]);
}

/** Puts a grip at an exact position.
 * @param {Table} table @param {Grip} grip @param {Point} to @returns {Table} */
export function put(table, grip, to) {
  const at = limited(to, FARTHEST);
  if (same(at, placeOf(table, grip))) return table;
  if (grip === "goal") return { ...table, goal: at };
  if (grip === "cue" || grip === 0) return { ...table, cue: { ...table.cue, x: at } };
  if (grip === "tip") {
    const { x } = table.cue;
    return setVelocity(table, [(at[0] - x[0]) / ARROW_SECONDS, (at[1] - x[1]) / ARROW_SECONDS]);
  }
  return { ...table, rack: table.rack.map((ball, k) => (k === grip - 1 ? at : ball)) };
}

/** @param {Table} table @param {Point} v @returns {Table} */
export function setVelocity(table, v) {
  const limitedV = limited([round(v[0]), round(v[1])], FASTEST);
  return same(limitedV, table.cue.v) ? table : { ...table, cue: { ...table.cue, v: limitedV } };
}

/** @param {Table} table @param {ArrayLike<number>} cue x, y and velocity, not rounded @returns {Table} */
export function withCue(table, cue) {
  return { ...table, cue: { x: [cue[0], cue[1]], v: [cue[2], cue[3]] } };
}

/** @param {Table} table @param {number} target @returns {Table} */
export function setTarget(table, target) {
  return target === table.target || target > table.rack.length ? table : { ...table, target };
}

/** @param {Table} table @param {Partial<TableSetting>} changes @param {number} mostSteps @returns {Table} */
export function set(table, changes, mostSteps) {
  const wanted = { ...table.settings, ...changes };
  const settings = {
    ...wanted,
    steps: clamp(Math.round(wanted.steps), LEAST_STEPS, mostSteps),
    friction: clamp(wanted.friction, 0, MOST_FRICTION),
    rate: clamp(wanted.rate, SMALLEST_RATE, LARGEST_RATE),
  };
  const keys = /** @type {(keyof TableSetting)[]} */ (Object.keys(settings));
  return keys.every((key) => settings[key] === table.settings[key]) ? table : { ...table, settings };
}

/** Replaces the rack and the shot. The last ball of the new rack becomes the target.
 * @param {Table} table @param {readonly Point[]} rack @param {Table["cue"]} cue @returns {Table} */
export function setRack(table, rack, cue) {
  return { ...table, rack, cue, target: rack.length };
}

/** Adds a ball at a point, or at the first free place if `at` is null.
 * @param {Table} table @param {Point | null} at @param {Beginning} beginning @returns {Table} */
export function addBall(table, at, { cushions, radius, mostBalls }) {
  if (table.rack.length + 1 >= mostBalls) return table;
  const place = at ?? freePlace([table.cue.x, ...table.rack], cushions, radius);
  return place === null ? table : { ...table, rack: [...table.rack, place] };
}

/** Removes a ball of the rack, unless it is the rack's only ball.
 * @param {Table} table @param {number} ball @returns {Table} */
export function removeBall(table, ball) {
  if (ball < 1 || ball > table.rack.length || table.rack.length === 1) return table;
  const rack = table.rack.filter((_, k) => k !== ball - 1);
  const target = table.target > ball || table.target > rack.length ? table.target - 1 : table.target;
  return { ...table, rack, target: Math.max(target, 1) };
}

/** @param {readonly Point[]} balls @param {readonly number[]} area @param {number} radius @returns {Point | null} */
function freePlace(balls, [x0, x1, y0, y1], radius) {
  const apart = 3 * radius;
  for (let x = x1 - apart; x > x0 + apart; x -= radius) {
    for (let y = y0 + apart; y < y1 - apart; y += radius) {
      const at = /** @type {Point} */ ([round(x), round(y)]);
      if (balls.every((ball) => Math.hypot(ball[0] - at[0], ball[1] - at[1]) > apart)) return at;
    }
  }
  return null;
}

/** @param {Point} a @param {Point} b */
function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

/** @param {Point} point @param {number} most @returns {Point} */
function limited([x, y], most) {
  return [clamp(x, -most, most), clamp(y, -most, most)];
}

/** @param {number} value */
function round(value) {
  return Number(value.toFixed(9));
}

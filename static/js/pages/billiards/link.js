// Writes a table as the fragment of a link, and reads such a fragment. Anybody can make a link. So the reader returns either a
// table or a reason to refuse the link.

/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {"long" | "version" | "broken" | "number" | "table"} Refusal */

import { nameOr, numbersOr, readFields } from "../../model/fragment.js";
import { OPTIMISERS } from "../../model/optimisers.js";
import { put, set, setVelocity } from "./table.js";

const VERSION = "1";
const LONGEST_FRAGMENT = 4000;
const LARGEST_NUMBER = 1e6;
const KEYS = ["v", "cue", "rack", "goal", "target", "steps", "walls", "friction", "impact", "by", "rate"];

/** @param {Table} table @returns {string} the fragment, without the # */
export function encodeTable({ cue, rack, goal, target, settings }) {
  const fields = [
    VERSION, [...cue.x, ...cue.v], rack.flat().map(short), goal, target, settings.steps, Number(settings.cushions),
    settings.friction, Number(settings.timeOfImpact), settings.optimiser, settings.rate,
  ];
  return KEYS.map((key, k) => `${key}=${[fields[k]].flat().join(",")}`).join("&");
}

/** @param {string} fragment without the # @param {Beginning} beginning @param {Table} first
 * @returns {{table: Table} | {refused: Refusal}} */
export function decodeTable(fragment, beginning, first) {
  const read = readFields(fragment, { longest: LONGEST_FRAGMENT, version: VERSION, keys: KEYS });
  if ("refused" in read) return read;
  const { fields } = read;
  const optimiser = nameOr(fields, "by", OPTIMISERS, first.settings.optimiser);
  const cue = numbersOr(fields, "cue", [...first.cue.x, ...first.cue.v]);
  const rack = numbersOr(fields, "rack", first.rack.flat());
  const goal = numbersOr(fields, "goal", first.goal);
  const absent = settingNumbers({ ...first, target: Math.min(first.target, Math.floor(rack.length / 2)) });
  const rest = Object.entries(absent).flatMap(([key, value]) => numbersOr(fields, key, [value]));
  const all = [...cue, ...rack, ...goal, ...rest];
  if (!all.every((value) => Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER)) return { refused: "number" };
  const balls = rack.length / 2;
  const fits = cue.length === 4 && goal.length === 2 && rest.length === 6 && Number.isInteger(balls);
  const [target, steps, walls, friction, impact, rate] = rest;
  const isBall = Number.isInteger(target) && target >= 0 && target <= balls;
  if (!fits || !isBall || balls < 1 || balls >= beginning.mostBalls || optimiser === undefined) return { refused: "table" };

  const places = Array.from({ length: balls }, (_, k) => /** @type {Point} */ ([rack[2 * k], rack[2 * k + 1]]));
  const bare = set({ ...first, rack: places, target }, {
    steps, friction, rate, optimiser, cushions: walls !== 0, timeOfImpact: impact !== 0,
  }, beginning.mostSteps);
  return { table: setVelocity(put(put(bare, "cue", [cue[0], cue[1]]), "goal", [goal[0], goal[1]]), [cue[2], cue[3]]) };
}

/** Returns all settings of a table that are single numbers. Links contain them in this order.
 * @param {Table} table */
function settingNumbers({ target, settings: { steps, cushions, friction, timeOfImpact, rate } }) {
  return { target, steps, walls: Number(cushions), friction, impact: Number(timeOfImpact), rate };
}

/** @param {number} value */
function short(value) {
  return Number(value.toPrecision(12));
}

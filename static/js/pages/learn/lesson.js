// A network, its data and its settings, and all changes to them, as pure functions from Lesson to Lesson.

/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../../model/types.js").NetworkSpec} NetworkSpec */
/** @typedef {import("../../model/types.js").OwnPoint} OwnPoint */
/** @typedef {import("../../model/types.js").TaskName} TaskName */

import { isShown } from "../../model/fragment.js";
import { clamp, snap } from "../../model/numbers.js";

/** The names of the data sets that are not random: the visitor's own points, handwritten digits, waves, and a line of text. */
export const OWN = "own";
export const DIGITS = "digits";
export const SINE = "sine";
export const TEXT = "text";
export const BATCHES = /** @type {const} */ ([1, 4, 10, 30, 100, 400]);
export const LARGEST_SEED = 999_999;
const GRID = 0.01;
const LARGEST_RATE = 10;
const LARGEST_L2 = 1;
export const MOST_NOISE = 1;
/** Units of a new layer. */
const NEW_UNITS = 4;
/** A network that suits a task when you choose it. @type {Record<TaskName, Partial<Lesson>>} */
const SUITED = {
  plane: { hidden: [6, 4], rate: 0.03, batch: 10, noise: 0.2 },
  digits: { hidden: [12], rate: 0.01, batch: 30 },
  sine: { hidden: [8], rate: 0.01, batch: 4, noise: 0.02 },
  text: { hidden: [12], rate: 0.02, batch: 1, optimiser: "adam" },
};

/** @param {LessonBeginning} beginning @returns {Lesson} */
export function firstLesson({ first, sets, line }) {
  const { hidden, activation, optimiser } = first;
  return { set: sets[0], noise: 0.2, seed: 1, own: [], line, hidden, activation, optimiser, rate: 0.03, batch: 10, l2: 0 };
}

/** @param {LessonBeginning} beginning @returns {string[]} every set that you can choose */
export function setsOf({ sets }) {
  return [...sets, OWN, DIGITS, SINE, TEXT];
}

/** @param {Lesson} lesson @returns {TaskName} */
export function taskOf({ set }) {
  return set === DIGITS || set === SINE || set === TEXT ? set : "plane";
}

/** Whether an LSTM learns a task. @param {TaskName} task */
export function isRecurrent(task) {
  return task === SINE || task === TEXT;
}

/** @param {Lesson} lesson @returns {string} what its module depends on, as Python reads it */
export function specOf(lesson) {
  const { hidden, activation, optimiser } = lesson;
  /** @type {NetworkSpec} */
  const spec = { task: taskOf(lesson), hidden, activation, optimiser };
  return JSON.stringify(spec);
}

/** @param {Lesson} lesson @returns {string} what its trained network depends on, as Python reads it */
export function trainedSpecOf(lesson) {
  return JSON.stringify({ ...JSON.parse(specOf(lesson)), line: lesson.line });
}

/** @param {Lesson} lesson @param {Lesson} before @returns {boolean} whether a training of `before` can go on with it */
export function continues(lesson, before) {
  const { set, noise, seed, own, line } = lesson;
  const same = set === before.set && noise === before.noise && seed === before.seed && own === before.own && line === before.line;
  return same && specOf(lesson) === specOf(before);
}

/** Chooses a set of data. If the set needs another kind of network, also chooses a suitable network. @param {Lesson} lesson
 * @param {string} set
 * @returns {Lesson} */
export function setData(lesson, set) {
  if (set === lesson.set) return lesson;
  const next = { ...lesson, set };
  return taskOf(next) === taskOf(lesson) ? next : { ...next, ...SUITED[taskOf(next)] };
}

/** @param {string} line @returns {string[]} its different letters, in the order in which they appear */
export function lettersOf(line) {
  return [...new Set(line)];
}

/** Normalises a line of text for training. Returns null if the line is too short or too long, or has too many different letters
 * or an invisible character.
 * @param {string} text @param {LessonBeginning} beginning @returns {string | null} */
export function readLine(text, { shortest, longest, kinds }) {
  const line = text.normalize("NFC");
  const count = [...line].length;
  return isShown(line) && count >= shortest && count <= longest && lettersOf(line).length <= kinds ? line : null;
}

/** @typedef {Partial<Pick<Lesson, "line" | "noise" | "seed" | "rate" | "l2" | "batch" | "activation" | "optimiser">>} Changes */
/** @param {Lesson} lesson @param {Changes} changes @returns {Lesson} */
export function adjust(lesson, changes) {
  const next = { ...lesson, ...changes };
  next.noise = clamp(next.noise, 0, MOST_NOISE);
  next.seed = clamp(Math.round(next.seed), 0, LARGEST_SEED);
  next.rate = clamp(next.rate, 0, LARGEST_RATE);
  next.l2 = clamp(next.l2, 0, LARGEST_L2);
  const keys = /** @type {(keyof typeof changes)[]} */ (Object.keys(changes));
  return keys.every((key) => next[key] === lesson[key]) ? lesson : next;
}

/** @param {Lesson} lesson @param {LessonBeginning} beginning @returns {number} the most units of a layer */
export function mostUnits(lesson, { mostUnits: most, mostMemoryUnits }) {
  return isRecurrent(taskOf(lesson)) ? mostMemoryUnits : most;
}

/** Adds a hidden layer after the others if `by` is 1. Removes the last hidden layer if `by` is −1. Does not change an LSTM,
 * which always has one layer.
 * @param {Lesson} lesson @param {LessonBeginning} beginning @param {1 | -1} by @returns {Lesson} */
export function changeLayers(lesson, { mostLayers }, by) {
  const { hidden } = lesson;
  if (isRecurrent(taskOf(lesson))) return lesson;
  if (by > 0) return hidden.length < mostLayers ? { ...lesson, hidden: [...hidden, NEW_UNITS] } : lesson;
  return hidden.length > 0 ? { ...lesson, hidden: hidden.slice(0, -1) } : lesson;
}

/** @param {Lesson} lesson @param {LessonBeginning} beginning @param {number} layer @param {1 | -1} by @returns {Lesson} */
export function changeUnits(lesson, beginning, layer, by) {
  const units = clamp(lesson.hidden[layer] + by, 1, mostUnits(lesson, beginning));
  if (units === lesson.hidden[layer]) return lesson;
  return { ...lesson, hidden: lesson.hidden.map((was, k) => (k === layer ? units : was)) };
}

/** @param {LessonBeginning} beginning @returns {number} the most points of your own */
export function mostOwn({ tasks, drawn }) {
  return tasks.plane.most - drawn / 2;
}

/** @param {Lesson} lesson @param {OwnPoint} point @param {LessonBeginning} beginning @returns {Lesson} with one more point, or the
 * same if there are too many */
export function addPoint(lesson, [x, y, label], beginning) {
  if (lesson.own.length >= mostOwn(beginning)) return lesson;
  const { reach } = beginning;
  const place = [x, y].map((value) => snap(clamp(value, -reach, reach), GRID));
  return { ...lesson, own: [...lesson.own, [place[0], place[1], label]] };
}

/** @param {Lesson} lesson @returns {Lesson} without your last point */
export function removePoint(lesson) {
  return lesson.own.length === 0 ? lesson : { ...lesson, own: lesson.own.slice(0, -1) };
}

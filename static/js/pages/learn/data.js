// The data of a lesson in the form that its kernel takes. Kernels draw the points and the waves.

/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {readonly (readonly number[] | Float64Array)[]} Rows */
/** Examples with their classes. `count`: the number of real examples. The examples after these are zeros.
 * @typedef {{x: Rows, label: readonly number[], count: number}} Examples */
/** @typedef {{examples: Examples, tests: Examples}} LessonData */

import { instantiate } from "../../engine/kernel.js";
import { OWN, lettersOf, taskOf } from "./lesson.js";

const PIXELS = 64;
/** The brightest pixel of a digit. */
const BRIGHTEST = 16;
/** The file of handwritten digits stores each pixel's value, from 0 to 16, as one character in base 17. */
const BASE = 17;

export class Data {
  /** @param {LessonBeginning} beginning @param {Module} points @param {Module} waves
   * @param {() => Promise<{images: string, labels: string}>} loadDigits */
  constructor(beginning, points, waves, loadDigits) {
    this.beginning = beginning;
    this.points = instantiate(points.wasm, points.abi);
    this.waves = instantiate(waves.wasm, waves.abi);
    this.loadDigits = loadDigits;
    /** @type {{x: Float64Array[], label: number[]} | null} */
    this.digits = null;
    /** @type {{key: string, own: unknown, data: LessonData} | null} */
    this.known = null;
  }

  /** True if the data of a lesson is on this device. @param {Lesson} lesson */
  has(lesson) {
    return taskOf(lesson) !== "digits" || this.digits !== null;
  }

  /** Fetches data that only some lessons need. */
  async fetch() {
    if (this.digits !== null) return;
    const { images, labels } = await this.loadDigits();
    const x = [...labels].map((_, k) => Float64Array.from(images.slice(PIXELS * k, PIXELS * (k + 1)), (letter) => parseInt(letter, BASE) / BRIGHTEST));
    this.digits = { x, label: [...labels].map(Number) };
  }

  /** @param {Lesson} lesson @returns {LessonData} the same object while the data stay the same */
  of(lesson) {
    const { set, noise, seed, own, line } = lesson;
    const key = `${set} ${noise} ${seed} ${line}`;
    if (this.known === null || this.known.key !== key || this.known.own !== own) {
      this.known = { key, own, data: this.made(lesson) };
    }
    return this.known.data;
  }

  /** @private @param {Lesson} lesson @returns {LessonData} */
  made(lesson) {
    const task = taskOf(lesson);
    if (task === "sine") return this.sines(lesson);
    if (task === "text") return this.text(lesson);
    const { most, tests } = this.beginning.tasks[task];
    const { x, label } = task === "digits" ? (this.digits ?? { x: [], label: [] }) : this.plane(lesson);
    const learnt = task === "digits" ? x.length - tests : x.length - this.testsOf(lesson);
    return {
      examples: padded(x.slice(0, learnt), label.slice(0, learnt), most),
      tests: padded(x.slice(learnt), label.slice(learnt), tests),
    };
  }

  /** @private @param {Lesson} lesson @returns {number} */
  testsOf({ set }) {
    return set === OWN ? 0 : this.beginning.drawn / 2;
  }

  /** Returns the training points, followed by the test points. The visitor's own points are training points, spread evenly
   * among the random ones. For the set OWN, returns only the visitor's own points.
   * @private @param {Lesson} lesson @returns {{x: Rows, label: number[]}} */
  plane({ set, noise, seed, own }) {
    const mine = { x: own.map(([x, y]) => [x, y]), label: own.map(([, , label]) => label) };
    if (set === OWN) return mine;
    const { x, label } = this.points.call(this.beginning.sets.indexOf(set), seed, noise);
    const half = this.beginning.drawn / 2;
    // Your points are spread among the drawn ones, so that every step sees some of both kinds.
    const examples = x.slice(0, half).map((/** @type {number[]} */ at, /** @type {number} */ k) => ({ at, label: label[k], key: (k + 0.5) / half }));
    const placed = own.map(([ox, oy, of], k) => ({ at: [ox, oy], label: of, key: (k + 0.5) / own.length }));
    const all = [...examples, ...placed].sort((a, b) => a.key - b.key);
    return {
      x: [...all.map(({ at }) => at), ...x.slice(half)],
      label: [...all.map((one) => one.label), ...label.slice(half)],
    };
  }

  /** One line, which is also the test. @private @param {Lesson} lesson @returns {any} */
  text({ line }) {
    const letters = lettersOf(line);
    const codes = new Int32Array(this.beginning.longest);
    [...line].forEach((letter, t) => (codes[t] = letters.indexOf(letter)));
    const examples = { x: [codes], guesses: [[...line].length - 1], count: 1 };
    return { examples, tests: examples };
  }

  /** @private @param {Lesson} lesson @returns {any} */
  sines({ noise, seed }) {
    const { x } = this.waves.call(seed, noise);
    const half = this.beginning.drawnWaves / 2;
    return { examples: { x: x.slice(0, half), count: half }, tests: { x: x.slice(half), count: half } };
  }
}

/** @param {Rows} x @param {readonly number[]} label @param {number} most @returns {Examples} */
function padded(x, label, most) {
  const width = x[0]?.length ?? 2;
  const nothing = new Float64Array(width);
  const rest = most - x.length;
  return { x: [...x, ...Array(rest).fill(nothing)], label: [...label, ...Array(rest).fill(0)], count: x.length };
}

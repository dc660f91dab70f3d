// The sentences and words that the scripts of the page Bril show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

const BRIL_TITLES = /** @type {Record<string, string>} */ ({
  root: "A square root by Newton’s method",
  quotient: "A quotient",
  square: "x·x",
  size: "|x| by a branch",
  saddle: "A valley in two variables",
  gate: "x or 0: a branch on y",
  choice: "x or 1000·x: a branch on m",
  sine: "The series of the sine",
  inside: "A derivative inside a program",
});
/** @param {string} id of a program; one with a slash is from Bril’s benchmarks */
export const brilTitle = (id) => BRIL_TITLES[id] ?? `Bril: ${id}`;
export const RESULT = "result";
export const FIRST_BLOCK = "start";
/** @param {string} name of a function */
export const adjointOf = (name) => `back through @${name}`;
/** @param {string} label @param {string} to the labels of the blocks that may follow */
export const blockLabel = (label, to) => (to === "" ? `Block ${label}, the end` : `Block ${label}, then ${to}`);
/** @param {string} name @param {string} type */
export const brilArgument = (name, type) => `${name}, ${type}`;
/** @param {number} line from 1; 0 if it is not known @param {string} message */
export const atLine = (line, message) => (line > 0 ? `Line ${line}: ${message}` : message);
export const PRINTS_NOTHING = "No output.";
/** @param {number} step @param {number} steps @param {string} instruction */
export const stepOf = (step, steps, instruction) => `Step ${step} of ${steps}: ${instruction}`;
/** @param {number} steps */
export const stepsCut = (steps) => `Only the first ${steps} steps are shown, without derivatives.`;
/** @param {string | null} ms of compilation @param {string} bytes */
export const brilCost = (ms, bytes) => `value and gradient are ${bytes} of WebAssembly, compiled ${ms === null ? "beforehand" : `in ${ms}\u00a0ms`}`;
/** @param {string} from @param {string} to results @param {boolean} climbs */
export const brilDescent = (from, to, climbs) => (climbs ? `The result climbs from ${from} to ${to}: the steps are too large.` : `The result goes from ${from} to ${to}.`);
export const BRIL_ENDLESS = "Near these values the program runs for too long, so there is no picture of the descent.";
export const NO_BRIL_PYTHON = "Python did not load, so you can use only the programs in the list.";
export const BRIL_SLOW = "This program took too long, so it was stopped.";
export const DIED_BRIL = "Python stopped while reading this program. Python is starting again.";
export const NO_BRIL = "The programs could not be loaded. Reload the page.";
export const BRIL_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  program: "The program in that link cannot be shown, so the link was not used.",
};

// The sentences and words that the scripts of the page Playground show.

import { DAMAGED, LANGUAGE, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

/** The name of the playground's editor. */
export const PROGRAM = "Program";
/** The programs in static/programs. The page begins with the first. @type {Record<string, string>} */
export const PROGRAMS = {
  power: "A power and a sine",
  newton: "Newton’s method",
  billiards: "A shot of billiards",
  pendulum: "A pendulum",
  network: "A neural network",
  maxout: "A network that learns by eg.stepper",
  mandelbrot: "Mandelbrot’s set",
  fixed_point: "An implicit function",
  digits: "Fifty digits",
};
/** Words for the compiler's passes. @type {Record<string, string>} */
export const STAGES = {
  traced: "traced",
  derivative: "derivative",
  "calls in place": "inlined",
  "lowered and pruned": "lowered",
  "loops joined": "joined",
  "sums in arms": "sums moved",
  "functions in lanes": "two at a time",
};
/** @type {Record<string, string>} */
export const DERIVATIVE_KINDS = {
  value: "its value",
  gradient: "its gradient",
  value_and_grad: "value and gradient",
  hessian: "its Hessian",
  jacobian: "its Jacobian",
};
export const PYTHON_READY = "Python is ready";
export const NO_PYTHON_TO_RUN = "Python did not load, so the program cannot run. Press “Try again” above, then Run.";
/** @param {string} name of a package */
export const loadingPackage = (name) => `Loading ${name}…`;
/** The label of the frames with a program's pictures. */
export const PICTURES_SHOWN = "What the program shows";
export const PICTURE_LOST = "A function in this picture did not end, so the page removed the picture.";
export const YOUR_PROGRAM = "Your program";
/** @param {string} name of a file */
export const openedFile = (name) => `Opened ${name}. If somebody else wrote it, read it before you press Run.`;
/** @param {string} name of a file */
export const notOpened = (name) => `${name} is too long or is not a text file.`;
export const OWN_PROGRAM = "Your earlier program";
export const FROM_LINK = "This program came from a link. Read it before you press Run.";
export const PROGRAM_TOO_LONG = "The program cannot be put into a link, because it has more than 20,000 characters or an invalid character.";
/** Why a shared program was not used. */
export const PROGRAM_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  program: "The program in that link has characters that cannot be shown, so it was not used.",
};
/** Why a program's results are lost. @type {Record<"slow" | "loading" | "died" | "stopped", (seconds: number) => string>} */
export const LOST = {
  slow: (seconds) => `Stopped${seconds > 0 ? ` after ${seconds}\u00a0s` : ": it took too long"}. Your program is still here.`,
  loading: () => "Loading packages took longer than 60\u00a0s. Your program is still here.",
  died: () => "Python crashed and was restarted. Your program is still here.",
  stopped: () => "Stopped. Your program is still here.",
};
/** Shown when the program has ended: the effect that Stop still has. */
export const STOP_LEFT = "The program has ended. Stop ends what the program left running and clears its definitions.";
/** @param {number} line */
export const lineOf = (line) => `Line ${line}`;
/** @param {number} line @param {string} name */
export const calledAt = (line, name) => `called in line ${line}${name === "<module>" ? "" : `, ${name}`}`;
/** Shown beside a call that occurs several times in a row in an error's list of calls. */
export const AGAIN = "again and again";
/** @param {number} ms @param {number} count of functions */
export const ranIn = (ms, count) => {
  const remark = count === 0 ? "The program defined no function with @eg.fn, so there is nothing to show." : "";
  return `Ran in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms. ${remark}`;
};
/** @param {number} count negative if unknown */
export const moreLines = (count) => (count < 0 ? "… more lines" : `… ${count.toLocaleString(LANGUAGE)} more lines`);
/** @param {number} count */
export const moreCharacters = (count) => ` … ${count.toLocaleString(LANGUAGE)} more characters`;
/** @param {number} count */
export const moreBytes = (count) => `… ${count.toLocaleString(LANGUAGE)} more bytes`;
/** @param {string} name @param {number} lines */
export const foldedFunction = (name, lines) => `  (func ${name} … ${lines} lines of the library)`;
/** @param {string} name @param {string} type */
export const argumentLabel = (name, type) => `${name}, ${type}`;
/** The number of lit lines. @param {number} own rows @param {number} derived rows @param {number} instructions */
export const litLines = (own, derived, instructions) =>
  `${own} ${own === 1 ? "row" : "rows"}, ${derived} more for derivatives, ${instructions} ${instructions === 1 ? "instruction" : "instructions"}`;
/** @param {number} ms @param {number} bytes @param {number | null} us */
export const playgroundCost = (ms, bytes, us) => {
  const call = us === null ? "" : ` \u00b7 ${us < 10 ? us.toPrecision(2) : Math.round(us)}\u00a0µs a\u00a0call`;
  return `compiled in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms \u00b7 ${bytes.toLocaleString(LANGUAGE)} bytes${call}`;
};

// The sentences and words that the scripts of the page Learn show.

import { BAD_NUMBER, compiled, DAMAGED, LANGUAGE, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

export const LEARN = "Learn";
export const NO_NETWORK = "The network did not load. Reload the page to try again.";
export const NO_PYTHON_NETWORK = "Python did not load, so you can train only the present network.";
export const WAITING_NETWORK = "The new network compiles once Python has loaded";
export const COMPILING_NETWORK = "Compiling the network";
export const NETWORK_SLOW = "This network took more than 20 seconds to compile, so the page went back to the previous network.";
export const DIED_NETWORK = "The compiler crashed on this network and was restarted. The page went back to the previous network.";
/** @type {Record<string, string>} */
export const LEARN_SETS = {
  moons: "Two moons",
  spirals: "Spirals",
  circles: "Circles",
  xor: "Exclusive or",
  clouds: "Two clouds",
  own: "Only your points",
  digits: "Handwritten digits",
  sine: "A sine (LSTM)",
  text: "A line of text (LSTM)",
};
export const NOTHING = "\u2013";
/** @param {number} part of all answers */
export const rightShare = (part) => `${(100 * part).toFixed(1)}\u00a0%`;
/** @param {number} steps */
export const stepCount = (steps) => `${steps.toLocaleString(LANGUAGE)} steps`;
/** @param {number} layers */
export const layerCount = (layers) => (layers === 1 ? "1 hidden layer" : `${layers} hidden layers`);
/** @param {number} layer from 0 @param {number} units @param {string} task */
export const layerUnits = (layer, units, task) => `${["sine", "text"].includes(task) ? "LSTM" : `Layer ${layer + 1}`}: ${units} ${units === 1 ? "unit" : "units"}`;
/** @param {number} layer from 0 @param {1 | -1} by */
export const unitsLabel = (layer, by) => `${by > 0 ? "One more unit" : "One unit less"} in layer ${layer + 1}`;
/** @param {string} task @param {readonly number[]} hidden */
export const networkLabel = (task, hidden) => {
  if (["sine", "text"].includes(task)) return `An LSTM of ${hidden[0]} units: the output of each, over time.`;
  const layers = hidden.length === 0 ? "no hidden layers" : `${layerCount(hidden.length)} of ${hidden.join(", ")} units`;
  return `A network with ${layers}: the output of each unit, and the weights between the units.`;
};
export const GIVEN_LINE = "the line to learn";
export const WRITTEN_LINE = "the line that the network writes by itself";
/** A letter that the line does not have. */
export const UNUSED_LETTER = "\u00b7";
export const NETWORK_INPUT = "inputs";
export const NETWORK_OUTPUT = "classes";
export const MEMORY_UNITS = "output of each unit, over time";
/** @param {number} guess @param {number} label */
export const wrongGuess = (guess, label) => `${guess} \u2260 ${label}`;
/** The state of a training, with the share of right answers and the steps so far. */
export const LEARN_OUTCOMES = /** @type {Record<string, (right: string, steps: number) => string>} */ ({
  rest: () => "Press Learn, or click into the picture to add points.",
  running: () => "Learning.",
  paused: (right, steps) => `Paused after ${stepCount(steps)}.`,
  learned: (right) => `Learned: ${right} of the answers are right.`,
  lost: (right, steps) => `Diverged after ${stepCount(steps)}: the loss is no longer finite, because the steps were too large.`,
});
export const LOWER_RATE = "Start again with a tenth of the rate";
/** @param {number} step @param {string} right @param {string | null} testRight */
export const learnedSpoken = (step, right, testRight) =>
  `After ${stepCount(step)}, ${right} of the answers are right${testRight === null ? "" : `, and ${testRight} in tests`}.`;
/** @param {string | null} ms @param {string} bytes @param {number | null} perSecond */
export const networkCost = (ms, bytes, perSecond) => {
  const speed = perSecond === null ? "" : ` \u00b7 up to ${perSecond.toLocaleString(LANGUAGE)} steps a second`;
  return `${compiled(ms)} \u00b7 ${bytes} of WebAssembly${speed}`;
};
/** @param {number} count */
export const networkExported = (count) => `${count} files in one archive: the trained network as WebAssembly with its script, and as Python.`;
export const LESSON_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  lesson: "The network in that link cannot be built, so the link was not used.",
};

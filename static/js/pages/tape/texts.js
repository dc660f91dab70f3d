// The sentences and words that the scripts of the page Tape show.

import { compiled } from "../../texts.js";

export * from "../../formula-texts.js";

/** The formulas of app/tape/tape.py by id. */
export const TAPES = /** @type {Record<string, {title: string, note: string}>} */ ({
  survey: { title: "The textbook example", note: "The formula uses x and y twice each. Every use adds its share to the cotangent." },
  slides: { title: "sin x₁ · cos x₂", note: "Here x is x₁ and y is x₂. At (1, 1) the value is 0.8415 · 0.5403 = 0.4546, and the gradient is (0.2919, −0.7081)." },
  power: { title: "Power", note: "This formula is one operation with two partial derivatives. The compiler takes both from a table." },
  distance: { title: "Distance", note: "The slope of a square root is 1 divided by twice the root. The root is already on the tape." },
  logistic: { title: "Logistic curve", note: "The rows form a chain, so a row’s cotangent is the product of the slopes from the last row to this row. The formula does not use y." },
  valley: { title: "Rosenbrock’s valley", note: "At the minimum, (1, 1), every cotangent that reaches x and y is 0." },
  larger: { title: "The larger one", note: "Only the larger of x · y and x + y gets a cotangent. Make x + y the larger one, and it gets the cotangent." },
});
export const INPUT = "input";
export const SEED = "1 to begin with";
export const FROM = "from";
export const WHERE = "where";
export const TANGENTS_OF = "Tangents of";
export const IN_DIRECTION = ["by x", "by y"];
export const COTANGENT_OF = "Cotangent of";
export const TANGENT_OF = "Tangent of";
export const NO_PART = "The result does not depend on this row. The row gets no cotangent.";
export const NO_COTANGENT_YET = "No cotangent has reached this row yet.";
export const SLOPE_NAMES = { values: "", gradient: "Cotangent", tangents: "Tangent", chunk: "By x, by y" };
/** The tangents of a chunk. @param {readonly string[]} tangents */
export const chunkOf = (tangents) => tangents.join(", ").replaceAll("-", "\u2212");
export const INPUTS = { x: "x", y: "y", dx: "Direction along x", dy: "Direction along y" };
/** @param {keyof typeof INPUTS} name */
export const inputNumber = (name) => `${INPUTS[name]}, as a number`;
/** @param {string} term @param {string} user */
export const termFrom = (term, user) => `${term} from ${user}`;
/** @param {string} number */
const inBrackets = (number) => (number.startsWith("\u2212") ? `(${number})` : number);
/** @param {string} before @param {string} term @param {string} total */
export const addition = (before, term, total) => `${before} + ${inBrackets(term)} = ${total}`;
/** @param {number} count */
export const soFar = (count) => `so far, ${count} more to come`;
/** @param {string} cotangent @param {string} term @param {string} operand */
export const passes = (cotangent, term, operand) => `× cotangent ${cotangent} = ${term}, passed on to ${operand}`;
/** @param {string} tangent @param {string} share */
export const timesTangent = (tangent, share) => `× tangent ${tangent} = ${share}`;
/** @param {number} step @param {number} steps */
export const tapeClock = (step, steps) => `step ${step} of ${steps}`;
export const STEP_INPUTS = "The inputs are given.";
/** @param {string} name @param {string} value */
export const stepForward = (name, value) => `Forwards: ${name} is ${value}.`;
/** @param {string} name @param {string} value @param {string} tangent */
export const stepChunk = (/** @type {string} */ name, /** @type {string} */ value, /** @type {readonly string[]} */ [byX, byY]) =>
  `Forwards: ${name} is ${value}. Its tangent is ${byX} in the direction of x and ${byY} in the direction of y.`;
/** @param {string} name @param {string} value @param {string} tangent */
export const stepTangent = (name, value, tangent) => `Forwards: ${name} is ${value} with tangent ${tangent}.`;
/** @param {string} name */
export const stepSeed = (name) => `Now back: the result is ${name}, and its cotangent is 1.`;
/** @param {string} name @param {string} cotangent @param {readonly string[]} to */
export const stepBack = (name, cotangent, to) =>
  `Back: ${name} passes its cotangent ${cotangent}, times each slope, to ${to.join(" and ")}.`;
export const BOX_VALUE = "value";
export const BOX_UNKNOWN = "not known yet";
/** @param {string | null} ms @param {string} bytes @param {number} count */
export const tapeCost = (ms, bytes, count) =>
  `${compiled(ms)} \u00b7 ${bytes} of WebAssembly for all ${count} numbers`;

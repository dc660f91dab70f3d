// The sentences and words that the scripts of the page Fit show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../formula-texts.js";

/** The titles of the data sets that are not named by their source. */
const DATA_SETS = /** @type {Record<string, string>} */ ({ tea: "A cup of tea (made up)", I: "Anscombe I", II: "Anscombe II", III: "Anscombe III", IV: "Anscombe IV" });
/** @param {string} name */
export const dataSetName = (name) => DATA_SETS[name] ?? `NIST: ${name}`;
export const FORMS = /** @type {Record<string, string>} */ ({
  line: "Line",
  parabola: "Parabola",
  cubic: "Cubic",
  exponential: "Exponential",
  decay: "Decay",
  power: "Power",
  logistic: "Logistic",
  bell: "Bell",
  wave: "Wave",
});
export const OWN_FORM = "Your own";
export const RESIDUAL = "residual";
export const HELD = "held";
export const LEFT_OUT = "It is left out.";
export const DATUM_KEYS = "Arrow keys move it. X leaves it out. Delete removes it.";
export const DATUM_FIELDS = ["x of the point", "y of the point", "Standard deviation of y"];
/** @param {number} count @param {number} out */
export const pointCount = (count, out) => (out === 0 ? `${count} points` : `${count} points, ${out} left out`);
/** @param {string} name */
export const parameterLabel = (name) => `Value of ${name}. Type a number to hold it.`;
/** @param {string} name */
export const holdLabel = (name) => `Hold ${name}`;
/** @param {string} name */
export const nudgeLabel = (name) => `Move ${name} and hold it`;
/** @param {"lower" | "upper"} side @param {string} name */
export const boundLabel = (side, name) => (side === "lower" ? `Lower bound of ${name}` : `Upper bound of ${name}`);
/** @param {number} value @param {number} digits that agree */
export const certifiedAs = (value, digits) => `${String(value).replace("-", "\u2212")} (${digits === 11 ? "all 11" : digits} digits agree)`;
/** @param {string[]} parameters each with its value */
export const fitFound = (parameters) => `Fitted: ${parameters.join(", ")}.`;
/** @param {string | null} ms of compilation @param {string} bytes @param {string | null} microseconds of a fit */
export const fitterCost = (ms, bytes, microseconds) => {
  const call = microseconds === null ? "" : ` \u00b7 ${microseconds}\u00a0µs a\u00a0fit while you drag`;
  return `the model is ${bytes} of WebAssembly, compiled ${ms === null ? "beforehand" : `in ${ms}\u00a0ms`}${call}`;
};
export const FIT_NOTE = "Use x, a letter for each unknown number, and functions such as sin, exp, log, sqrt.";
export const WAITING_FIT = "Compiling the solver for this formula …";
export const SEARCH_START = "Search for a better start";
/** How a fit ended. `missing` is the number of parameters minus the number of points. */
export const FIT_ENDINGS = /** @type {Record<string, (rounds: number, missing: number) => string>} */ ({
  converged: (rounds) => `Fitted in ${rounds} ${rounds === 1 ? "round" : "rounds"}: no small change of the parameters reduces the sum of squares.`,
  exhausted: (rounds) => `Not settled after ${rounds} rounds. The curve is the best so far. Try another start, a bound, or a simpler formula.`,
  stuck: () => "Stuck: no step from here makes the sum of squares smaller. The curve is the best so far. Try another start or a bound.",
  undefined: () => "The formula is undefined at a point. Move a bound, hold a parameter, or leave the point out.",
  dependent: () => "Two parameters change the curve in the same way, so the data cannot tell them apart. Hold one of them.",
  few: (_, missing) => `Too few points. Points to add, or parameters to hold: ${missing}.`,
});
export const NO_FIT_PYTHON = "Python did not load, so new formulas cannot be compiled. The formulas in the lists still work.";
export const FIT_SLOW = "Compiling this formula took too long, so it was stopped.";
export const DIED_FIT = "Python stopped while compiling this formula. Python is starting again.";
export const NO_FIT = "The data could not be loaded. Reload the page.";
export const EMPTY_TABLE = "That table has no numbers. Paste two columns, x and y, or three: x, y and the standard deviation of y.";
export const LARGE_FILE = "That file is larger than 2 MB, so it was not read.";
/** @param {number} count @param {number} left lines without numbers @param {number} over points beyond the most */
export const tableTaken = (count, left, over) => {
  const lines = left === 0 ? "" : ` Skipped ${left} ${left === 1 ? "line" : "lines"} without numbers.`;
  const rest = over === 0 ? "" : ` This page has no room for the other ${over}.`;
  return `Took ${count} points.${lines}${rest}`;
};
export const COPIED_WITHOUT_POINTS = "Link copied, but without the points: there are too many for a link. Save them as CSV.";
export const FITTER_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  formula: "The formula in that link cannot be shown, so the link was not used.",
  points: "The points in that link cannot be shown, so the link was not used.",
};

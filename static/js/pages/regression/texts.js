// The sentences and words that the scripts of the page Regression show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

export const DESCEND = "Descend";
export const NO_POINTS = "The points did not load. Reload the page to try again.";
/** @param {number} origin the x at which the height is measured */
export const intercept = (origin) => (origin === 0 ? "intercept" : `height at x = ${origin}`);
/** @param {string} name */
export const setName = (name) => `Anscombe ${name}`;
export const FIT_FIELDS = { line: ["Slope of the line", "Intercept of the line"], point: ["x of the point", "y of the point"] };
export const POINT_GRIP_KEYS = "Arrow keys move it. Delete removes it.";
/** @param {string} slope @param {string} height */
export const lineGripPlace = (slope, height) => `The line: slope ${slope}, intercept ${height}.`;
export const LINE_GRIP_KEYS = "Arrow keys change slope and intercept. Home resets the line.";
/** @param {string} bytes @param {string | null} microseconds */
export const fitCost = (bytes, microseconds) => {
  const step = microseconds === null ? "" : ` \u00b7 ${microseconds}\u00a0µs a\u00a0step`;
  return `loss and gradient compiled beforehand \u00b7 ${bytes} of WebAssembly${step}`;
};
export const DESCENDING = "Descending.";
export const FIT_RESTS = "Press Descend, or drag a point.";
/** The state of a descent. */
export const FIT_OUTCOMES = /** @type {Record<string, (best: string, iteration: number) => string>} */ ({
  paused: () => "Paused.",
  converged: (best, iteration) => `Converged after ${iteration} steps: the gradient is zero. Loss ${best}.`,
  circling: (best) => `Going round in circles, because the steps are too large to settle. The best loss was ${best}.`,
  diverged: (best, iteration) => `Diverged at step ${iteration}: each step overshot to a higher loss. The best loss was ${best}.`,
});
/** @param {string} slope @param {string} height @param {string} loss @param {number} iteration */
export const fitSpoken = (slope, height, loss, iteration) => `Slope ${slope}, intercept ${height}, loss ${loss} after ${iteration} steps.`;
export const FIT_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  fit: "The points in that link cannot be shown, so the link was not used.",
};

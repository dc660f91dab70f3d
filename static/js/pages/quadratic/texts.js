// The sentences and words that the scripts of the page Quadratic show.

import { inOneLine } from "../../model/formula/modes.js";
import { compiled } from "../../texts.js";

export * from "../../formula-texts.js";

export const EMBEDDED = "<eglantine-plot> needs only eglantine-plot.js and formula.wasm. The file plot.html shows how to use them.";
/** @param {string} title */
export const mapLabel = (title) => `Contour map of z = ${inOneLine(title)}, seen from above. Arrow keys move the region. Plus and minus zoom.`;
/** @param {string} angle */
export const sliceGripLabel = (angle) => `Direction of the slice, ${angle} degrees. Arrow keys turn it.`;
/** The curvature along the slice. @param {string} slope @param {string} bend */
export const sliceNumbers = (slope, bend) => `Along the slice: slope ${slope}, second derivative ${bend}.`;
/** The kinds of critical points. */
export const CRITICAL_KINDS = { minimum: "minimum", maximum: "maximum", saddle: "saddle point", undecided: "slope 0, kind unknown" };
/** @param {string} kind @param {string} x @param {string} y @param {string} f */
export const criticalPoint = (kind, x, y, f) => `${kind} at (${x}, ${y}), height ${f}`;
export const NO_CRITICAL = "No critical point was found in this region.";
export const CRITICAL_COMING = "The search for critical points begins once Python has loaded.";
/** @param {number} count of places */
export const criticalCurve = (count) => `The search found ${count} points with slope 0. These points may form whole curves.`;
/** @param {number} count */
export const criticalMore = (count) => `${count} more points.`;
/** How a descent ends, after a number of steps. */
export const DESCENT_ENDS = /** @type {Record<string, (steps: number) => string>} */ ({
  arrived: (steps) => (steps === 0 ? "The descent cannot begin, because the slope is 0 here." : `After ${steps} steps the descent reaches a point of slope 0.`),
  left: (steps) => `The descent leaves the region after ${steps} steps.`,
  edge: (steps) => `The descent ends after ${steps} steps, at a kink or at an edge of the surface.`,
  running: (steps) => `After ${steps} steps the descent is not finished.`,
});
/** @param {string} error */
export const largestError = (error) => `Inside the disc, the approximation is off by at most ${error}.`;
/** The names of the approximations by their order, which begins with 1. */
export const ORDER_NAMES = ["", "tangent plane", "quadratic approximation", "cubic approximation", "approximation of order 4",
  "approximation of order 5", "approximation of order 6", "approximation of order 7", "approximation of order 8"];
/** @param {string} name */
export const orderOf = (name) => `its ${name}`;
export const PARABOLA = "its parabola";
export const APPROXIMATION_ALONG = "its approximation";
export const ORDER_COMING = "This order appears once Python has loaded. Until then you see the quadratic approximation.";
/** @param {string} below @param {string} above */
export const bandBound = (below, above) =>
  `Proven: inside the disc, the surface is at most ${below} below and ${above} above the approximation.`;
export const BAND_AT_REST = "The bound is computed when the point stops moving.";
export const BAND_COMING = "The proven band appears once Python has loaded.";
export const BAND_IN_PART = "In a part of the disc, no bound can be proven. Usually a kink, a jump or a pole is near.";
export const NO_BAND = "No bound can be proven for this formula.";
/** @param {number} order */
export const bandTooHigh = (order) => `To see the proven band, choose order ${order} or lower.`;
/** The name of a view that was just saved. @param {number} number */
export const newView = (number) => `View ${number}`;
export const SHOW_VIEW = "Show";
/** @param {string} name */
export const showView = (name) => `Show ${name}`;
/** @param {number} number */
export const viewName = (number) => `Name of view ${number}`;
/** @param {string} name */
export const moveViewUp = (name) => `Move ${name} up`;
/** @param {string} name */
export const moveViewDown = (name) => `Move ${name} down`;
/** @param {string} name */
export const removeView = (name) => `Remove ${name}`;
export const LECTURE_FULL = "The saved views already fill a link, so this view was not added. Remove another view first.";
/** @param {string} formula */
export const figureTitle = (formula) => `z = ${inOneLine(formula)}`;
/** The text above the picture in a presentation. @param {string} name of the view @param {string} formula */
export const caption = (name, formula) => (name === "" ? figureTitle(formula) : `${name}: ${figureTitle(formula)}`);
/** @param {number} number @param {number} count */
export const viewCount = (number, count) => `${number} of ${count}`;
/** The curvature of a surface at a point. */
export const SHAPES = {
  up: "The surface curves upwards in every direction.",
  down: "The surface curves downwards in every direction.",
  saddle: "The surface curves up one way and down the other.",
  "up-flat": "The surface curves up except in one direction.",
  "down-flat": "The surface curves down except in one direction.",
  flat: "The surface does not curve here.",
  undefined: "No curvature is defined here.",
};
export const KINDS = {
  minimum: "This is a minimum.",
  maximum: "This is a maximum.",
  saddle: "This is a saddle point.",
  undecided: "The slope is 0. The second derivatives do not show which kind of point this is.",
};
/** @param {string} kind @param {string} shape */
export const stationary = (kind, shape) => `${kind} ${shape}`;
/** @param {string} shape @param {string} slope */
export const sloping = (shape, slope) => `The slope is ${slope}, not 0. ${shape}`;
export const NO_SLOPE = "No slope is defined at this point.";
/** The cost of the last edit.
 * @param {string | null} ms @param {string} bytes @param {string | null} callMicroseconds */
export const cost = (ms, bytes, callMicroseconds) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `${compiled(ms)} · ${bytes} of WebAssembly${call}`;
};
/** The small print while Python has not loaded yet. @param {string | null} callMicroseconds */
export const interpreted = (callMicroseconds) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `your formula is interpreted until Python has compiled it${call}`;
};
/** Row names of the table for assistive technology. */
export const ROWS = {
  f: "f",
  fx: "df by dx",
  fy: "df by dy",
  fxx: "second derivative, x twice",
  fxy: "second derivative, x and y",
  fyy: "second derivative, y twice",
};
/** Shown in place of a derivative's formula. */
export const LONG_FORMULA = "too long to show";
export const GROUPS = { f: "f", g: "∇f", h: "H" };

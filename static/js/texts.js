// Every sentence and word the page shows, in one place.

/** Static words, by the data-text of their element. */
export const TEXTS = /** @type {Record<string, string>} */ ({
  name: "Eglantine",
  quadratic: "Quadratic",
  theme: "Theme",
  formula: "Formula for z",
  preset: "Examples",
  undo: "Undo",
  redo: "Redo",
  reset: "Reset",
  share: "Copy link",
  at: "at",
  values: "Value, gradient and Hessian at the point",
  eigenvalues: "eigenvalues",
  turnLeft: "Turn left",
  turnRight: "Turn right",
  tiltUp: "Look from higher",
  tiltDown: "Look from lower",
  zoomIn: "Look closer",
  zoomOut: "Look from farther",
  hint: "Drag the point",
  retry: "Try again",
  intro:
    "The grey sheet is z = f(x, y). The rose disc is its quadratic approximation at the point: it has the surface’s " +
    "value, slope and curvature there, and nothing more. Drag the point and see where the disc hugs the surface and " +
    "where it leaves. The green arrow goes straight uphill. Look closer (wheel, pinch, +) and the two become one. " +
    "Drag the paper to turn the picture.",
  about:
    "Type any formula: it is differentiated twice and compiled to WebAssembly in your browser, by a compiler written in Python.",
});

export const OWN_FORMULA = "Your formula";
export const QUIET_NOTE = "Type x, y and functions such as sin, exp, log, sqrt.";
export const NO_PYTHON = "Python did not load, so formulas cannot be edited. The examples work.";
export const NO_PRESETS = "The examples did not load. Reload the page to try again.";
export const COPIED = "Link copied";
export const NOT_COPIED = "The link is in the address bar";
export const SLOW = "This formula took more than 2 seconds to compile, so it was stopped. Try a shorter one.";
export const DIED = "The compiler stopped on this formula and was started again. Try another one.";
export const BROKEN_MODULE = "This browser refused the compiled module. Try another formula.";

/** @param {number} share from 0 to 1 */
export const loading = (share) => `Python: ${Math.round(share * 100)} %`;
/** @param {string} suggestion */
export const useInstead = (suggestion) => `Use ${suggestion}`;
/** @param {number} column from 0 @param {string} message */
export const atColumn = (column, message) => `Column ${column + 1}: ${message}`;
/** @param {string} title */
export const surfaceLabel = (title) =>
  `Surface z = ${title} with its quadratic approximation. Arrow keys turn it, plus and minus look closer and farther.`;
/** @param {string} x @param {string} y @param {string} f */
export const pointLabel = (x, y, f) => `Point at x ${x}, y ${y}, where f is ${f}. Arrow keys move it; Home puts it back.`;
export const POINT_ROLE = "draggable point";
/** @param {string} axis */
export const coordinateLabel = (axis) => `${axis} of the point`;
/** @param {string} name */
export const sliderLabel = (name) => `parameter ${name}`;
/** @param {string} name */
export const sliderNumberLabel = (name) => `parameter ${name}, as a number`;

/** Why a shared link was not used. */
export const REFUSED = {
  long: "That link is too long to be one of ours, so it was not used.",
  version: "That link was made by another version of this page, so it was not used.",
  broken: "That link is damaged, so it was not used.",
  formula: "The formula in that link cannot be shown, so the link was not used.",
  number: "A number in that link cannot be used, so the link was not used.",
  region: "The region in that link is empty, so the link was not used.",
  preset: "That link names an example this page does not have, so it was not used.",
};

export const THEMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

/** How a surface curves at a point. */
export const SHAPES = {
  up: "curves upwards every way",
  down: "curves downwards every way",
  saddle: "saddle-shaped: up one way, down the other",
  "up-flat": "curves upwards one way, flat the other",
  "down-flat": "curves downwards one way, flat the other",
  flat: "no curvature here",
  undefined: "no curvature is defined here",
};
export const KINDS = {
  minimum: "A minimum",
  maximum: "A maximum",
  saddle: "A saddle point",
  undecided: "Stationary; second derivatives do not decide its kind",
};
/** @param {string} shape */
export const stationary = (shape) => `: ${shape}.`;
/** @param {string} shape @param {string} slope */
export const sloping = (shape, slope) => `Slope ${slope}, so not stationary; ${shape}.`;
export const NO_SLOPE = "No slope is defined at this point.";
export const NOT_DEFINED = "The formula is not defined at this point.";

/** What the last edit cost.
 * @param {string} ms @param {string} bytes @param {string | null} callMicroseconds @param {boolean} here */
export const cost = (ms, bytes, callMicroseconds, here) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `compiled ${here ? "here" : "beforehand"} in ${ms}\u00a0ms · ${bytes} of WebAssembly${call}`;
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
export const GROUPS = { f: "f", g: "∇f", h: "H" };

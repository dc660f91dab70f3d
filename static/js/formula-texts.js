// The sentences and words that the scripts of pages with a formula show. This file also exports the texts that every page can show.

import { inOneLine } from "./model/formula/modes.js";
import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "./texts.js";

export * from "./texts.js";

/** The formulas of app/formulas/examples.py by id: the title, and a sentence about what to try. */
export const EXAMPLES = /** @type {Record<string, {title: string, note: string}>} */ ({
  power: {
    title: "Power",
    note: "Drag towards larger x and y, and both slopes grow. Along x = 1 the height does not depend on y.",
  },
  saddle: {
    title: "Saddle",
    note: "This surface is itself quadratic, so the disc lies on the surface wherever you drag the point.",
  },
  "quadratic-form": {
    title: "Quadratic form",
    note: "Minimum, maximum or saddle? The signs of H’s two eigenvalues decide.",
  },
  "monkey-saddle": {
    title: "Monkey saddle",
    note: "Three valleys meet at the origin. Set x and y to 0: the disc is flat there, but the surface is not.",
  },
  ripples: {
    title: "Ripples",
    note: "Increase k to make the waves shorter. Then the disc fits less of the surface.",
  },
  hills: {
    title: "Hills",
    note: "The green arrow points uphill. Drag the point uphill until the arrow vanishes. Then the point is at a maximum.",
  },
  rosenbrock: {
    title: "Rosenbrock’s valley",
    note: "The arrow points across the valley, not along it. The lowest point is at (1, 1).",
  },
  himmelblau: {
    title: "Himmelblau’s bowls",
    note: "The surface has four minima, all of height 0. One of them is at (3, 2).",
  },
  ridge: {
    title: "Ridge",
    note: "The height stays the same along the ridge and changes only across it.",
  },
  "egg-crate": {
    title: "Egg crate",
    note: "Drag the point from a top to a bottom and watch the disc change from a dome into a bowl.",
  },
  "half-sphere": {
    title: "Half a sphere",
    note: "The formula is undefined beyond the radius r. Near that radius the slopes grow without bound.",
  },
  logarithm: {
    title: "Two sheets",
    note: "The formula is defined only where x and y have the same sign, so the surface has two parts.",
  },
  peano: {
    title: "Peano’s surface",
    note: "On every straight line through the origin, the origin is a maximum. Yet the surface has no maximum there.",
  },
  roof: {
    title: "Roof",
    note: "The roof has a sharp edge. The disc fits only the side where the point is.",
  },
  stairs: {
    title: "Spiral stairs",
    note: "The surface has a cut along the negative x-axis. At the cut the angle jumps by a full turn.",
  },
});
export const OWN_FORMULA = "Your formula";
export const QUIET_NOTE = "Type x, y and functions such as sin, exp, log, sqrt.";
export const NO_PYTHON = "Python did not load, so you cannot edit formulas. You can still use the examples.";
export const SLOW = "This formula took more than 2 seconds to compile, so the page gave up. Try a shorter one.";
export const BROKEN_MODULE = "This browser refused the compiled module. Try another formula.";
export const PLOT_TROUBLE = {
  module: "The file that src names has no formula. Use the file from “Embed” on the page Quadratic.",
};
/** @param {string} formula */
export const plotWithout = (formula) => `${formula} needs a module, named by src. Quadratic’s “Embed” gives you the module.`;
/** @param {string} source */
export const plotMissing = (source) => `The formula’s module did not load from ${source}.`;
/** @param {string} formula @param {string} compiled */
export const plotOther = (formula, compiled) => `The module computes ${compiled}, not ${formula}. Get a new module from Quadratic.`;
/** @param {readonly string[]} letters */
const listed = (letters) => `${letters.slice(0, -1).join(", ")} and ${letters.at(-1)}`;
/** @param {readonly string[]} letters */
export const freeLetters = (letters) => (letters.length === 1 ? `${letters[0]} has no value yet.` : `${listed(letters)} have no values yet.`);
/** @param {readonly string[]} letters */
export const addSliders = (letters) => (letters.length === 1 ? `Add a slider for ${letters[0]}` : `Add sliders for ${listed(letters)}`);
export const SLIDER_RANGE = "Range";
export const SLIDER_PLAY = "Play";
export const SLIDER_PAUSE = "Pause";
/** @param {string} name */
export const sliderRangeLabel = (name) => `range of ${name}`;
/** @param {string} name @param {boolean} plays */
export const sliderPlayLabel = (name, plays) => (plays ? `pause ${name}` : `play ${name}`);
export const SLIDER_FIELDS = { min: "from", max: "to", step: "step", speed: "speed" };
/** @param {string} name @param {string} field */
export const sliderFieldLabel = (name, field) => `${field} of ${name}`;
/** @param {string} suggestion */
export const useInstead = (suggestion) => `Use ${suggestion}`;
export const USE_MENDED = "Use the corrected formula";
export const USE_POLAR = "Use polar coordinates";
export const EQUATION_NOTE = "The height is the equation’s left side minus its right. On the thick line both sides are equal.";
/** @param {string} message */
const withQuotes = (message) => message.replaceAll(/`([^`]*)`/g, "\u201c$1\u201d");
/** @param {number} column from 0 @param {string} message */
export const atColumn = (column, message) => `Column ${column + 1}: ${withQuotes(message)}`;
/** @param {number} line from 1 @param {number} column from 0 @param {string} message */
export const atLineAndColumn = (line, column, message) => `Line ${line}, column ${column + 1}: ${withQuotes(message)}`;
/** @param {string} title */
export const surfaceLabel = (title) =>
  `Surface z = ${inOneLine(title)} with its quadratic approximation. Arrow keys turn it. Plus and minus zoom.`;
/** @param {string} formula */
export const curveLabel = (formula) =>
  `Curve y = ${formula} with its tangent and its parabola at the point. Arrow keys move the view. Plus and minus zoom.`;
/** The place of a curve's point. @param {string} x @param {string} f */
export const curvePointPlace = (x, f) => `Point at x ${x}, where f is ${f}.`;
/** @param {string} place */
export const curvePointLabel = (place) => `${place} Left and right move it. Home puts it back.`;
/** The place of a surface's point. @param {string} x @param {string} y @param {string} f */
export const pointPlace = (x, y, f) => `Point at x ${x}, y ${y}, where f is ${f}.`;
/** @param {string} place */
export const pointLabel = (place) => `${place} Arrow keys move it. Home puts it back.`;
export const POINT_ROLE = "draggable point";
/** @param {string} name */
export const sliderLabel = (name) => `parameter ${name}`;
/** @param {string} name */
export const sliderNumberLabel = (name) => `parameter ${name}, as a number`;
/** Why a shared link was not used. */
export const REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  formula: "The formula in that link cannot be shown, so the link was not used.",
  number: BAD_NUMBER,
  region: "The region in that link is empty, so the link was not used.",
  preset: "That link names an unknown example, so the link was not used.",
  saved: "The saved views in that link cannot be shown, so the link was not used.",
};
/** Why there are no derivatives at a point, or null if there are. @param {number} f its value there */
export const noDerivatives = (f) =>
  Number.isFinite(f) ? null : `f is ${Number.isNaN(f) ? "not defined" : "infinite"} at this point, so f has no slope and no curvature here.`;
const ENTRIES = /** @type {Record<string, string>} */ ({ f: "f", fx: "∂f/∂x", fy: "∂f/∂y", fxx: "∂²f/∂x²", fxy: "∂²f/∂x∂y", fyy: "∂²f/∂y²", df: "df" });
/** @param {string} entry @param {"value" | "slope" | "cotangent" | "tangent" | undefined} part */
const wrongNumber = (entry, part) => {
  if (part === undefined) return ENTRIES[entry];
  return { value: entry, slope: `A slope of ${entry}`, cotangent: `The cotangent of ${entry}`, tangent: `The tangent of ${entry}` }[part];
};
/** The badge's text before the first verdict. */
export const NOT_CHECKED = "These numbers will be checked once Python has loaded.";
/** The badge's text for a verdict, with the reason. @param {import("./model/types.js").Verdict} verdict */
export const badge = (verdict) => {
  const equal = `The interpreter gives the same bits${verdict.count === undefined ? "" : ` for all ${verdict.count} numbers`}`;
  switch (verdict.state) {
    case "agree": {
      const within = verdict.within === 0 ? "exactly" : `to ${verdict.within.toExponential(0).replace("-", "\u2212")} of their size`;
      return { mark: "checked ✓", detail: ` ${equal}. Finite differences ${verdict.count === undefined ? "agree" : "agree with the result’s slopes"} ${within}.` };
    }
    case "differ": {
      const by = verdict.by === "interpreter" ? "the interpreter gives" : "finite differences give";
      return { mark: "wrong ✗", detail: ` ${wrongNumber(verdict.entry, verdict.part)} is ${verdict.shown} but ${by} ${verdict.expected}. Do not trust it.` };
    }
    case "undefined":
      return { mark: "not defined here", detail: ` ${equal}. There is nothing to differentiate.` };
    case "singular":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} is not finite. ${equal}.` };
    case "kink":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} has a kink or a jump, so the page shows one side’s value. ${equal}.` };
    case "edge":
      return { mark: "half checked", detail: ` ${equal}, but the formula has no value on one side, so finite differences are impossible.` };
    default:
      return { mark: "half checked", detail: ` ${equal}, but the surface bends too sharply for finite differences.` };
  }
};

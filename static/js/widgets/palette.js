// The theme's colours in the form that the canvas needs, read from the custom properties of tokens.css.

/**
 * @typedef {object} Palette
 * @property {readonly string[]} surface from shade to light
 * @property {readonly string[]} underside
 * @property {readonly (readonly string[])[]} over ramps for a surface above its approximation, from little to much
 * @property {readonly (readonly string[])[]} under
 * @property {readonly string[]} patch
 * @property {readonly string[]} patchUnderside
 * @property {string} level
 * @property {string} mesh
 * @property {string} axis
 * @property {string} label
 * @property {string} paper
 * @property {string} rose
 * @property {string} leaf
 * @property {string} ink
 * @property {string} path
 * @property {string} font
 */

const STEPS = 64;
/** The ramps of a tint, the share of the tint in the last one, and the tint's brightness in the shade. */
const TINTS = 6;
const DEEPEST_TINT = 0.8;
const TINT_IN_SHADE = 0.6;

/** @param {Element} element @returns {Palette} */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const rampFor = (/** @type {string} */ name) => rampOf(token(`--${name}-shade`), token(`--${name}-light`));
  return {
    surface: rampFor("surface"),
    underside: rampFor("underside"),
    over: tinted(token("--surface-shade"), token("--surface-light"), token("--muscle-short")),
    under: tinted(token("--surface-shade"), token("--surface-light"), token("--muscle-long")),
    patch: rampFor("patch"),
    patchUnderside: rampFor("patch-underside"),
    level: token("--level"),
    mesh: token("--mesh"),
    axis: token("--axis"),
    label: token("--ink-soft"),
    paper: token("--paper"),
    rose: token("--rose"),
    leaf: token("--leaf"),
    ink: token("--ink"),
    path: token("--muscle-long"),
    font: token("--font-text"),
  };
}

/** The single colours and the font of pictures that are drawn in lines.
 * @typedef {Record<"paper" | "raised" | "ink" | "soft" | "line" | "strong" | "rose" | "leaf" | "shade" | "short" | "long" | "font", string>} Inks */

/** @param {Element} element @returns {Inks} */
export function readInks(element) {
  const style = getComputedStyle(element);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    paper: token("--paper"),
    raised: token("--paper-raised"),
    ink: token("--ink"),
    soft: token("--ink-soft"),
    line: token("--line"),
    strong: token("--line-strong"),
    rose: token("--rose"),
    leaf: token("--leaf"),
    shade: token("--field"),
    short: token("--muscle-short"),
    long: token("--muscle-long"),
    font: token("--font-text"),
  };
}

/** Ramps that turn from a surface's own colours towards a tint. @param {string} shadeHex @param {string} light @param {string} tint
 * as #rrggbb @returns {string[][]} */
function tinted(shadeHex, light, tint) {
  return Array.from({ length: TINTS }, (_, k) => {
    const share = (DEEPEST_TINT * (k + 1)) / TINTS;
    return rampBetween(mixed(partsOf(shadeHex), partsOf(tint).map((part) => part * TINT_IN_SHADE), share), mixed(partsOf(light), partsOf(tint), share));
  });
}

/** @param {string} hex #rrggbb @returns {number[]} */
function partsOf(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** @param {readonly number[]} a @param {readonly number[]} b @param {number} share of b */
function mixed(a, b, share) {
  return a.map((value, i) => Math.round(value + (b[i] - value) * share));
}

/** @param {string} from @param {string} to as #rrggbb @returns {string[]} */
function rampOf(from, to) {
  return rampBetween(partsOf(from), partsOf(to));
}

/** @param {readonly number[]} a @param {readonly number[]} b @returns {string[]} */
function rampBetween(a, b) {
  return Array.from({ length: STEPS }, (_, k) => {
    const share = k / (STEPS - 1);
    return `rgb(${mixed(a, b, share).join(" ")})`;
  });
}

/** @param {readonly string[]} ramp @param {number} light from 0 to 1 @returns {string} */
export function shade(ramp, light) {
  return ramp[Math.max(0, Math.min(ramp.length - 1, Math.round(light * (ramp.length - 1))))];
}

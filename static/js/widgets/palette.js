// The theme's colours in the form that the canvas needs, read from the custom properties of tokens.css.

/**
 * The colours and the font of a picture. Each colour is a CSS colour. Each list of colours goes from shade to light.
 * @typedef {object} Palette
 * @property {readonly string[]} surface the colours of the surface's upper side
 * @property {readonly string[]} underside the colours of the surface's lower side
 * @property {readonly string[]} patch the colours of the upper side of the quadratic approximation
 * @property {readonly string[]} patchUnderside the colours of its lower side
 * @property {string} level
 * @property {string} mesh
 * @property {string} axis
 * @property {string} label
 * @property {string} paper
 * @property {string} rose
 * @property {string} leaf
 * @property {string} ink
 * @property {string} path the colour of paths, and of a surface where it lies below its approximation
 * @property {string} over the colour of a surface where it lies above its approximation
 * @property {string} font
 */

const STEPS = 64;

/** @param {Element} element @returns {Palette} */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const ramp = (/** @type {string} */ name) => rampOf(token(`--${name}-shade`), token(`--${name}-light`));
  return {
    surface: ramp("surface"),
    underside: ramp("underside"),
    patch: ramp("patch"),
    patchUnderside: ramp("patch-underside"),
    level: token("--level"),
    mesh: token("--mesh"),
    axis: token("--axis"),
    label: token("--ink-soft"),
    paper: token("--paper"),
    rose: token("--rose"),
    leaf: token("--leaf"),
    ink: token("--ink"),
    path: token("--muscle-long"),
    over: token("--muscle-short"),
    font: token("--font-text"),
  };
}

/** The colours and the font of plots and other flat pictures.
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

/** @param {string} from @param {string} to as #rrggbb @returns {string[]} */
function rampOf(from, to) {
  const [a, b] = [from, to].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return Array.from({ length: STEPS }, (_, k) => {
    const share = k / (STEPS - 1);
    return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * share)).join(" ")})`;
  });
}

/** @param {readonly string[]} ramp @param {number} light from 0 to 1 @returns {string} */
export function shade(ramp, light) {
  return ramp[Math.max(0, Math.min(ramp.length - 1, Math.round(light * (ramp.length - 1))))];
}

// The colours of the two classes, and those between them.

/** @typedef {import("../../widgets/palette.js").Inks} Inks */

const STEPS = 64;

/** The ramps of the inks that were used last. @type {{inks: Inks | null, ramp: string[]}} */
const last = { inks: null, ramp: [] };

/** @param {Inks} inks @param {number} value from −1 (class 0) through 0 (the background) to 1 (class 1) @returns {string} */
export function blend(inks, value) {
  if (last.inks !== inks) {
    last.inks = inks;
    last.ramp = [...half(inks.short, inks.paper).reverse(), ...half(inks.long, inks.paper).slice(1)];
  }
  const place = Math.round((STEPS - 1) * (1 + Math.max(-1, Math.min(1, value))));
  return last.ramp[Number.isNaN(place) ? STEPS - 1 : place];
}

/** @param {string} colour @param {string} paper as #rrggbb @returns {string[]} from the paper to the colour */
function half(colour, paper) {
  const channels = (/** @type {string} */ hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [to, from] = [colour, paper].map(channels);
  if ([...to, ...from].some(Number.isNaN)) return Array.from({ length: STEPS }, (_, k) => (k < STEPS / 2 ? paper : colour));
  return Array.from({ length: STEPS }, (_, k) => {
    const share = k / (STEPS - 1);
    return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * share)).join(" ")})`;
  });
}
